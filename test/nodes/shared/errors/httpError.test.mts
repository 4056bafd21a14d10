import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { httpError } from '../../../../nodes/shared/errors/httpError.js';
import { simpleEntry } from '../../../support/simpleEntry.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const booked = async () => (await gateway.list('entries')).map((e) => (e.fields as IDataObject).belegnummer);

describe('a redirect in answer to a booking', () => {
	// n8n's "Retry On Fail" runs the node again, which sends what was refused.
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const location = 'http://127.0.0.1:1/';

	it.each([301, 302, 303])(
		'of status %d leaves its outcome unknown: it is never sent again',
		async (status) => {
			await gateway.fault({ kind: 'redirect', status, location, point: 'after-handler' });
			const { error } = await gateway.run(node, simpleEntry(gateway.connectionId('duo')), { settings });
			expect(error?.message).toContain(
				`redirect, which is not followed to keep the API key safe (HTTP ${status})`,
			);
			expect(error?.description).toContain('Whether it was carried out is unknown');
			expect(await booked()).toEqual(['K-0']);
			expect(await gateway.requests()).toHaveLength(1);
		},
	);

	it.each([307, 308])(
		'of status %d asks for the same request elsewhere, so nothing was booked',
		async (status) => {
			await gateway.fault({ kind: 'redirect', status, location, times: 2 });
			const { error } = await gateway.run(node, simpleEntry(gateway.connectionId('duo')), { settings });
			expect(error).toBeUndefined();
			expect(await booked()).toEqual(['K-0']);
		},
	);
});

describe('httpError', () => {
	const body = { message: 'Nein.' };

	it.each([300, 301, 302, 303, 304, 305, 306, 408, 500, 501, 502, 503, 504, 599])(
		'treats the outcome of a write answered with %d as unknown',
		(status) => {
			const failure = httpError({ status, body }, true);
			expect(failure.outcome).toBe('unknown');
			expect(failure.description).toContain('Whether it was carried out is unknown');
		},
	);

	it.each([307, 308, 400, 401, 402, 403, 404, 409, 413, 422, 429])(
		'treats a write answered with %d as refused',
		(status) => {
			const failure = httpError({ status, body }, true);
			expect(failure.outcome).toBe('refused');
			expect(failure.description).not.toContain('unknown');
		},
	);

	it("combines the request's own explanation of a status with what the gateway says", () => {
		const explain = (status: number, said?: string) =>
			status === 403 ? { message: 'Shut', advice: `Ask (${said}).` } : undefined;
		expect(httpError({ status: 403, body }, false, explain)).toMatchObject({
			message: 'Shut (HTTP 403)',
			description: 'The gateway says: “Nein.” Ask (Nein.).',
		});
		expect(httpError({ status: 404, body }, false, explain).message).toContain("doesn't know");
	});

	it('names every cause that a 403 may have', () => {
		const { message, description } = httpError({ status: 403, body: null }, false);
		expect(message).toBe('The gateway denied access (HTTP 403)');
		expect(description).toMatch(/API key .* wrong or revoked.* connection/);
	});
});
