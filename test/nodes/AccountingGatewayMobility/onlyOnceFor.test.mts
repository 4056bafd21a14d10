/** The option "Only Once For": nobody gets two tickets, however often and wherever the list is read. */
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions } from '../../../tools/harness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayMobility();
beforeEach(() => new FakeDatabase().install());

const OPERATIONS: Record<string, INodeParameters> = {
	ticket: {
		resource: 'ticket',
		product_id: 'deutschlandticket-job',
		additionalFields: { postal_code: '90402' },
	},
	customer: { resource: 'customer', name: 'Bäckerei Sonnenschein GmbH' },
};
const sent = async () =>
	(await gateway.requests()).filter(({ operationId }) => /^create/.test(String(operationId))).length;

describe.each(Object.keys(OPERATIONS))('A %s', (what) => {
	const run = async (numbers: Array<string | number>, options: Partial<RunOptions> = {}) => {
		const { json, errors, error } = await gateway.run(
			node,
			{ ...OPERATIONS[what], operation: 'create', options: { onlyOnceFor: '={{ $json.nr }}' } },
			{
				items: numbers.map((nr) => ({ json: { nr } })),
				workflowId: `once ${what} ${expect.getState().currentTestName}`,
				settings: { onError: 'continueErrorOutput' },
				...options,
			},
		);
		return { json, errors, error, existed: json.map(({ alreadyExisted }) => alreadyExisted === true) };
	};

	it('is bought once in a run, and in later ones, however its number is written', async () => {
		expect((await run(['00815', '815', 'A 17'])).existed.toSorted()).toEqual([false, false, true]);
		expect(await sent()).toBe(2);
		const later = await run([815, 'a17', ' 0 0815 ', '4711']);
		expect(later.errors).toEqual([]);
		expect(later.existed.toSorted()).toEqual([false, true, true, true]);
		expect(await sent()).toBe(3);
	});

	it('is noted before it is sent: two runs at once buy it once', async () => {
		await Promise.all([run(['1', '2', '3']), run(['1', '2', '3'])]);
		expect(await sent()).toBe(3);
		expect((await run(['1', '2', '3'])).existed).toEqual([true, true, true]);
	});

	it('of unknown outcome is reported once more and then left to a person; what was refused is sent again', async () => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		expect((await run(['1'])).errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect((await run(['1'])).errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
		expect((await run(['1'])).existed).toEqual([true]);
		expect(await sent()).toBe(1);
		await gateway.fault({ kind: 'status', status: 422 });
		expect((await run(['2'])).errors).toMatchObject([{ details: { outcome: 'refused' } }]);
		expect((await run(['2'])).existed).toEqual([false]);
	});

	it('is not bought for nobody', async () => {
		const { errors } = await run(['', ' - ', '000']);
		expect(errors).toMatchObject(Array(3).fill({ details: { outcome: 'invalid' } }));
		expect(await sent()).toBe(0);
	});

	it('is bought each time without the option', async () => {
		const parameters = { ...OPERATIONS[what], operation: 'create' };
		await gateway.run(node, parameters, { items: [{}, {}] });
		expect(await sent()).toBe(2);
	});
});
