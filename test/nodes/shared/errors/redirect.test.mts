import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../support/workflows.mjs';
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
