/** The transaction trigger on a real n8n, which polls when a workflow is published, at its own start, and at its times. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { PACKAGE } from '../../host/package.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { Rig } from '../support/rig.mjs';
import { chainOf, nodeOf } from '../../host/workflows.mjs';

const TRIGGER = 'Transactions';
const AFTER = 'Started';

let rig: Rig;
let workflow: string;

beforeAll(async () => {
	rig = await Rig.start();
	workflow = await rig.client.importWorkflow(fileOf({ account_id: 'acc-giro', direction: 'incoming' }));
});
afterAll(async () => await rig?.stop());

/** @param second of each minute, at which n8n polls; without it, once a month */
const fileOf = (parameters: INodeParameters, second?: number) =>
	chainOf('Transactions', [
		nodeOf(
			TRIGGER,
			`${PACKAGE}.accountingGatewayTransactionTrigger`,
			{
				pollTimes: {
					item: [
						{ mode: 'custom', cronExpression: second === undefined ? '0 0 0 1 * *' : `${second} * * * * *` },
					],
				},
				...parameters,
			},
			{ id: 'transactions', credentials: rig.credentials },
		),
		nodeOf(AFTER, 'n8n-nodes-base.noOp'),
	]);

const polls = () => rig.sandbox.log.entries.filter(({ path }) => path.endsWith('/balances')).length;
/** Waits until n8n has polled because of something. */
async function polled(happens: () => unknown): Promise<void> {
	const before = polls();
	await happens();
	await waitFor(() => polls() > before, { interval: 50 });
}
const transfer = (amount: number, bank_account?: string) =>
	rig.sandbox.services.bank.transfer({ amount, bank_account }).id;
/** Changes the published workflow, which publishes it again. */
const change = async (parameters: INodeParameters, second?: number) =>
	await rig.client.api.put(`workflows/${workflow}`, fileOf(parameters, second));
async function isPublished(): Promise<boolean> {
	const told = await rig.client.isPublished(workflow);
	if (told !== undefined) return told;
	await sleep(3000);
	return true;
}
/** What executions gave to the node after the trigger, the oldest first; `[]` for one that ended with the trigger. */
async function started(count: number): Promise<unknown[][]> {
	const ended = await rig.executionsEnded(workflow, count);
	return await Promise.all(
		ended.reverse().map(async ({ id }) => {
			const { data } = await rig.client.execution(id);
			const items = data.resultData.runData[AFTER]?.[0].data?.main[0] ?? [];
			return items.map(({ json }: { json: IDataObject }) => json.id);
		}),
	);
}

it('the transaction trigger starts nothing when it is published, and with each new transaction after that', async () => {
	await polled(async () => await rig.client.activate(workflow));
	const ids = [transfer(119), transfer(5)];
	transfer(-1);
	// n8n polls when a changed version is published, and then at that second.
	const second = (new Date().getSeconds() + 5) % 60;
	await polled(async () => await change({ account_id: 'acc-giro', direction: 'incoming' }, second));
	const later = transfer(7);
	expect(await started(2)).toEqual([ids, [later]]);
	await polled(async () => await change({ account_id: 'acc-giro', direction: 'incoming' }));
	// n8n publishes after it has answered: killed in the middle of that, it would have no published workflow.
	await waitFor(isPublished, { interval: 100 });
});

it('the transaction trigger catches up after n8n was killed, and starts nothing twice', async () => {
	await rig.n8n.kill();
	const id = transfer(20);
	await polled(async () => await rig.n8n.start());
	expect((await started(3))[2]).toEqual([id]);
	// What was emitted last comes once more, and is known.
	await polled(async () => await rig.restart('kill'));
	expect((await started(4))[3]).toEqual([]);
});

it('the transaction trigger begins afresh with another account', async () => {
	transfer(40, 'acc-wallet');
	await polled(async () => await change({ account_id: 'acc-wallet', direction: 'incoming' }));
	const id = transfer(41, 'acc-wallet');
	await change({ account_id: 'acc-wallet', direction: 'incoming', minAmount: '1,00' });
	expect((await started(5))[4]).toEqual([id]);
});

it('the transaction trigger gives the latest transactions to a test in the editor', async () => {
	const { data } = await rig.client.rest.post(`workflows/${workflow}/run`, {
		triggerToStartFrom: { name: TRIGGER },
	});
	const execution = await rig.client.execution(data.data.executionId);
	expect(execution.data.resultData.runData[TRIGGER][0].data?.main[0]).toHaveLength(10);
});
