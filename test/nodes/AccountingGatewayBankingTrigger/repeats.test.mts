import { setTimeout as sleep } from 'node:timers/promises';
import range from 'lodash/range.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { SETTLED_MS } from '../../../nodes/shared/run/journal/processedData.js';
import { settled } from '../../support/settled.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { FakeDatabase, TriggerWorkflow } from '../../support/triggerHarness.mjs';
import { jsonAs } from '../../support/partial.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
let database: FakeDatabase;

let nr = 0;
const event = (data: Partial<ContractEvent['data']> = {}, rest: object = {}): ContractEvent => ({
	...EXAMPLE,
	data: { ...EXAMPLE.data, payment_id: `repeated-${++nr}`, ...data },
	...rest,
});

async function publish(trigger = node, options: INodeParameters = {}, workflowId = `r${++nr}`) {
	const { credential } = gateway;
	const workflow = new TriggerWorkflow(trigger, { credential, workflowId, parameters: { options } });
	await workflow.create();
	const [{ url }] = await gateway.list<{ url: string }>('webhooks');
	return { workflow, token: new URL(url).searchParams.get('token') as string };
}

/** The trigger in a process that knows nothing of what was before. */
async function restart(): Promise<AccountingGatewayBankingTrigger> {
	vi.resetModules();
	const { AccountingGatewayBankingTrigger: Restarted } = (await import(
		'../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js'
	)) as { AccountingGatewayBankingTrigger: typeof AccountingGatewayBankingTrigger };
	return new Restarted();
}

/** More time passes than the process remembers deliveries for. */
const aMinuteLater = () => void vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
afterEach(() => void vi.restoreAllMocks());

/** What n8n's record has of a workflow. */
const recorded = ({ options: { workflowId } }: TriggerWorkflow) =>
	[...database.rows].flatMap(([key, row]) => (key.startsWith(`${workflowId}/`) ? row : []));

beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});

describe('an event that is delivered again', () => {
	it('starts nothing, not even an execution', async () => {
		const { workflow, token } = await publish();
		const body = event();
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(await workflow.deliver({ body, token })).toEqual({ status: 200, body: '' });
	});

	it.each<[string, Partial<ContractEvent['data']>, object]>([
		['payment', { payment_id: 'another' }, {}],
		['status', { status: 'failed' }, {}],
		['time', {}, { received_at: '2026-03-02T10:15:01Z' }],
	])('counts as a new one when its %s differs', async (_, data, rest) => {
		const { workflow, token } = await publish();
		const body = event();
		const other = { ...body, ...rest, data: { ...body.data, ...data } };
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(await workflow.react({ body: other, token })).toHaveLength(1);
	});

	it('is the same one whatever else differs', async () => {
		const { workflow, token } = await publish();
		const body = event();
		expect(await workflow.react({ body, token })).toHaveLength(1);
		const again = { ...body, data: { ...body.data, raw_provider_status: 'OTHER' } };
		expect(await workflow.react({ body: again, token })).toEqual([]);
	});

	it('starts each of two workflows', async () => {
		const [one, other] = [await publish(), await publish()];
		const body = event();
		expect(await one.workflow.react({ body, token: one.token })).toHaveLength(1);
		expect(await other.workflow.react({ body, token: other.token })).toHaveLength(1);
	});

	it('starts the workflow again when Deduplicate is switched off', async () => {
		const { workflow, token } = await publish(node, { deduplicate: false });
		const body = event();
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(recorded(workflow)).toEqual([]);
	});

	it('starts a test in the editor each time, which doesn’t count', async () => {
		const { workflow, token } = await publish();
		const body = event();
		for (let i = 0; i < 2; i++) {
			expect(
				(await workflow.run([[{ json: jsonAs<IDataObject>(body) }]], { mode: 'manual' })).json,
			).toHaveLength(1);
		}
		expect(recorded(workflow)).toEqual([]);
		expect(await workflow.react({ body, token })).toHaveLength(1);
	});

	it('is left to n8n’s own record after a minute', async () => {
		const { workflow, token } = await publish();
		const body = event();
		expect(await workflow.react({ body, token })).toHaveLength(1);
		aMinuteLater();
		const { started } = await workflow.deliver({ body, token });
		expect(started).toEqual([[{ json: body }]]);
		const { json, hints } = await workflow.run(started!);
		expect(json).toEqual([]);
		expect(hints).toEqual([expect.objectContaining({ message: expect.stringContaining('delivered again') })]);
	});

	it('of another kind counts as a repetition for one minute only', async () => {
		const { workflow, token } = await publish(node, { otherEvents: true });
		const body = { event: 'account_update', nr: ++nr };
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(await workflow.deliver({ body, token })).toEqual({ status: 200, body: '' });
		aMinuteLater();
		expect(await workflow.react({ body, token })).toHaveLength(1);
		expect(recorded(workflow)).toEqual([]);
	});

	it('starts the workflow if the sender hung up before n8n had saved it', async () => {
		const { workflow, token } = await publish();
		const body = event();
		await workflow.deliver({ body, token, keep: async () => await Promise.resolve('hung up') });
		expect(await workflow.deliver({ body, token })).toHaveProperty('started');
	});

	it('is recognized by its own node, even if another one has the same ID', async () => {
		const { workflow, token } = await publish();
		const body = event();
		const { started } = await workflow.deliver({ body, token });
		expect((await workflow.run(started!)).json).toHaveLength(1);
		const twin = await workflow.run(started!, { settings: { id: 'node', name: 'Node1' } });
		expect(twin.json).toHaveLength(1);
		expect(recorded(workflow)).toHaveLength(2);
	});

	it('starts nothing after a restart, by n8n’s record', async () => {
		const before = await publish();
		const body = event();
		expect(await before.workflow.react({ body, token: before.token })).toHaveLength(1);
		const { workflow } = await publish(await restart(), {}, before.workflow.options.workflowId);
		const { started } = await workflow.deliver({ body, token: before.token });
		const { json, hints, error } = await workflow.run(started!);
		expect([json, error]).toEqual([[], undefined]);
		expect(hints).toEqual([expect.objectContaining({ message: expect.stringContaining('delivered again') })]);
	});

	it('runs again when someone retries its execution', async () => {
		const { workflow, token } = await publish();
		const { started } = await workflow.deliver({ body: event(), token });
		expect((await workflow.run(started!)).json).toHaveLength(1);
		expect((await workflow.run(started!)).json).toHaveLength(0);
		expect((await workflow.run(started!, { mode: 'retry' })).json).toHaveLength(1);
	});

	it('is not a repetition when n8n mistakes its field "error" for a failure and runs the node again', async () => {
		const { workflow, token } = await publish();
		const { started } = await workflow.deliver({ body: event({}, { error: 'none' }), token });
		const settings = { retryOnFail: true, waitBetweenTries: 1 };
		expect((await workflow.run(started!, { settings })).json).toHaveLength(1);
	});
});

describe('deliveries at the same instant', () => {
	it('start the workflow once', async () => {
		const { workflow, token } = await publish();
		const body = event();
		const keep = async () => await sleep(20, 200 as const);
		const answers = await Promise.all(range(10).map(() => workflow.deliver({ body, token, keep })));
		expect(answers.map(({ status }) => status)).toEqual(range(10).map(() => 200));
		expect(answers.filter(({ started }) => started)).toHaveLength(1);
	});

	it('are answered only when n8n has saved the event: if it cannot, the next one counts', async () => {
		const { workflow, token } = await publish();
		const body = event();
		// Which of them comes first is not the sender's to choose.
		const kept: number[] = [];
		const keep = async () => await sleep(20, kept.push(200) === 1 ? (500 as const) : (200 as const));
		const answers = await Promise.all(range(4).map(() => workflow.deliver({ body, token, keep })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 500]);
		expect(kept).toHaveLength(2);
		expect(answers.filter(({ started }) => started)).toHaveLength(1);
	});

	it('count again if n8n could not save any of them', async () => {
		const { workflow, token } = await publish();
		const body = event();
		const keep = async () => await Promise.resolve(500 as const);
		const answers = await Promise.all(range(3).map(() => workflow.deliver({ body, token, keep })));
		expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
		expect(await workflow.react({ body, token })).toHaveLength(1);
	});

	it('start the workflow once even if executions run in parallel, and lose no record', async () => {
		database = new FakeDatabase(5);
		database.install();
		const { workflow } = await publish();
		const events = range(10).map(() => [[{ json: { ...event() } }]]);
		const results = await Promise.all([...events, ...events].map((items) => workflow.run(items)));
		expect(results.map(({ error }) => error).filter(Boolean)).toEqual([]);
		expect(results.flatMap(({ json }) => json)).toHaveLength(10);
		expect(recorded(workflow)).toHaveLength(10);
	});

	const twoProcesses = async () => {
		const here = await publish();
		const there = await publish(await restart(), {}, here.workflow.options.workflowId);
		const events = [event(), event()];
		/** Each process is given one of the events. */
		const run = async ([first, second]: ContractEvent[]) => {
			const runs = [
				here.workflow.run([[{ json: { ...first } }]]),
				there.workflow.run([[{ json: { ...second } }]]),
			];
			return (await Promise.all(runs)).map(({ error, json }) => error ?? json.length);
		};
		return { workflow: here.workflow, row: `${here.workflow.options.workflowId}/node`, events, run };
	};

	it('lose no record for long when two processes write at once', async () => {
		const { workflow, row, events, run } = await twoProcesses();
		await workflow.run([[{ json: { ...event() } }]]);
		// It was looked after once.
		await expect.poll(() => database.writes.get(row)).toBe(2);
		database.meet(row);
		expect(await run(events)).toEqual([1, 1]);
		// The one has overwritten the other, and looks after it.
		expect(recorded(workflow)).toHaveLength(2);
		// They may overwrite each other once more while both look after theirs.
		const isComplete = () => recorded(workflow).length === 3;
		await settled(() => database.writes.get(row), 2 * SETTLED_MS, isComplete);
		expect(await run(events.reverse())).toEqual([0, 0]);
	});

	it('do no harm when two processes write the first record at once', async () => {
		const { workflow, row, events, run } = await twoProcesses();
		database.meet(row);
		expect(await run(events)).toEqual([1, 1]);
		expect(recorded(workflow)).toHaveLength(2);
	});
});
