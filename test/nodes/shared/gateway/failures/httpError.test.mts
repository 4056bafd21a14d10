import { describe, expect, it } from 'vitest';

import { httpError as failureOf } from '../../../../../nodes/shared/gateway/failures/httpError.js';
import { both } from '../../../../../nodes/shared/values/index.js';
import { english } from '../../../../support/english.mjs';

const httpError = (...args: Parameters<typeof failureOf>) => english(failureOf(...args));

describe('httpError', () => {
	const body = { message: 'Nein.' };

	it.each([
		...[199, 300, 301, 302, 303, 304, 305, 306, 399, 408, 500, 501, 502, 503, 504, 599].map(
			(status) => [status, 'unknown'] as const,
		),
		...[307, 308, 400, 401, 402, 403, 404, 409, 413, 422, 429].map((status) => [status, 'refused'] as const),
	])('of a write answered with %d: the outcome is %s', (status, outcome) => {
		const failure = httpError({ status, body }, true);
		expect(failure.outcome).toBe(outcome);
		if (outcome === 'unknown') {
			expect(failure.description).toContain('Whether it was carried out is unknown');
			expect(failure.description).not.toMatch(/try again/i);
		}
		// Running the node again would repeat the items that were booked.
		else expect(failure.description).not.toMatch(/unknown|run the node/);
	});

	it("combines the request's own explanation of a status with what the gateway says", () => {
		const explain = ({ status }: { status: number }) =>
			status === 403 ? { message: both('Shut', 'Zu'), advice: both('Ask.', 'Fragen Sie.') } : undefined;
		expect(httpError({ status: 403, body }, false, { explain })).toMatchObject({
			message: 'Shut (HTTP 403): “Nein.”',
			description: 'Ask.',
		});
		expect(httpError({ status: 404, body }, false, { explain }).message).toContain("couldn't find");
	});

	it.each([400, 404, 409, 422])('of a %d names what the gateway refused in the headline', (status) => {
		const said = 'betrag: must have at most 2 decimals';
		const { message, description } = httpError({ status, body: { message: said } }, true);
		expect(message).toMatch(new RegExp(`\\(HTTP ${status}\\): “${said}”$`));
		expect(description).not.toContain(said);
	});

	it('has the beginning of a long text in the headline, and all of it below', () => {
		const said = `kassenname: ${'lang '.repeat(60)}`.trim();
		const { message, description } = httpError({ status: 422, body: { message: said } }, true);
		expect(message).toBe(`The gateway refused a value (HTTP 422): “${said.slice(0, 120)}…”`);
		expect(description).toContain(`The gateway says: “${said}”`);
	});

	it.each([400, 409, 422])('of a %d names other causes only where the gateway names none', (status) => {
		const { description } = httpError(
			{ status, body: { message: 'Die Periode 3/2026 ist geschlossen' } },
			true,
		);
		expect(description).toMatch(/^Correct (?:what|the field that) the gateway names\.$/);
		expect(httpError({ status, body: { message: 'Bad Request' } }, true).description).not.toContain(
			'Correct',
		);
	});

	it.each([
		[400, 'refused a value', 'check the values that were sent'],
		[401, 'rejected the API key', 'Check the key in the credential'],
		[402, 'credit balance is used up', 'Top up the credits'],
		[403, 'denied access', 'wrong or revoked'],
		[404, "couldn't find what was requested", 'Check the IDs and names'],
		[408, 'failed to process the request', 'Try again later'],
		[409, 'because of a conflict', 'whether the record already exists'],
		[413, 'too large for the gateway', 'smaller or fewer files'],
		[422, 'refused a value', 'check the values that were sent'],
		[429, 'too many requests', 'Wait a moment'],
		[418, 'refused the request', 'Check the parameters'],
		[499, 'refused the request', 'Check the parameters'],
		[500, 'failed to process the request', 'Try again later'],
		[599, 'failed to process the request', 'Try again later'],
		[300, 'redirect, which is not followed', 'final address as the base URL'],
		[399, 'redirect, which is not followed', 'final address as the base URL'],
		[299, 'refused the request', 'Check the parameters'],
	])('says what %d means, and what to do', (status, message, advice) => {
		const failure = httpError({ status, body: null }, false);
		expect(failure.message).toContain(message);
		expect(failure.message).toMatch(new RegExp(`^\\p{Lu}.* \\(HTTP ${status}\\)$`, 'u'));
		expect(failure.description).toContain(advice);
		expect(failure).toMatchObject({ status });
	});

	it('says of a record that the gateway has already that it may be the same one', () => {
		const failure = httpError({ status: 409, body: { message: 'Ticket 4711 existiert bereits' } }, true, {
			saysItExists: () => true,
		});
		expect(failure.message).toContain('The gateway says it already has this record (HTTP 409)');
		expect(failure.description).toMatch(
			/If it's the same one, there is nothing to do\. If it's a different record, send it under a different number\.$/,
		);
	});

	it.each([
		[400, 'refused', false],
		[408, 'failed', false],
		[429, 'refused', true],
		[499, 'refused', false],
		[500, 'failed', false],
		[502, 'failed', true],
		[503, 'failed', true],
		[504, 'failed', true],
	])(
		'of a read answered with %d: the outcome is %s, and trying again may help: %o',
		(status, outcome, transient) => {
			const failure = httpError({ status, body: null }, false);
			expect(failure).toMatchObject({ outcome, transient });
			expect(failure.description).not.toContain('Whether it was carried out');
		},
	);

	it('says how long the gateway asks to wait', () => {
		const failure = httpError({ status: 429, retryAfter: 0, body: null }, false);
		expect(failure.retryAfter).toBe(0);
		expect(failure.description).toMatch(/ It asks you to wait 0 seconds\.$/);
		expect(httpError({ status: 429, body: null }, false).description).not.toContain('wait undefined');
	});
});
