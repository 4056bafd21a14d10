import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayData();
const locator = (value: string) => ({ __rl: true, mode: 'id', value });

async function refused(message: string | undefined, parameters: INodeParameters = {}) {
	const body = message === undefined ? {} : { message };
	await gateway.fault({ kind: 'status', status: 403, body });
	const { error } = await gateway.run(node, {
		resource: 'openItem',
		operation: 'getAll',
		connectionId: locator(gateway.connectionId('rewe-read')),
		...parameters,
	});
	return { message: error?.message ?? '', description: error?.description ?? '' };
}

describe('A 403 for a report', () => {
	it.each([undefined, 'Invalid API key'])(
		'that says %o is probably the subscription; the text and the other causes are named, too',
		async (said) => {
			const { message, description } = await refused(said);
			expect(message).toContain(
				'The default company of this connection probably has no export subscription (HTTP 403)',
			);
			if (said) expect(message).toContain(`: “${said}”`);
			expect(description).toContain('the field "Company" (companyId)');
			expect(description).toContain('Otherwise the API key is wrong');
			expect(description).toContain('this connection');
		},
	);

	it.each(['trialBalance', 'account'])('of %s points to no field', async (resource) => {
		const { message, description } = await refused('Forbidden', {
			resource,
			geschaeftsjahrStartDatum: locator('2026-01-01'),
		});
		expect(message).toContain('probably has no export subscription');
		expect(description).not.toContain('the field "Company"');
	});
});
