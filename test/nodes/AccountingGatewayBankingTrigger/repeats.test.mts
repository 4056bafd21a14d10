/** Events that are delivered again. Verify is off here: emit.test has what a verified event is known by. */
import range from 'lodash/range.js';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE_EVENT, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { SETTLED_MS } from '../../../nodes/shared/processedData/processedData.js';
import { settled } from '../../../scripts/base/waiting.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import { publish, TriggerWorkflow } from '../../../host/triggerHarness.mjs';
import { loadNode } from '../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
let database: FakeDatabase;
/** Of the test's workflow: what is still looked after in the background belongs to another one. */
let id: string;
let nr = 0;
beforeEach(() => {
	database = new FakeDatabase();
	database.install();
	id = `r${++nr}`;
});

/** The trigger in another process, or after a restart; this one has run, so what it uses is loaded. */
async function otherProcess(): Promise<INodeType> {
	vi.resetModules();
	return await loadNode('AccountingGatewayBankingTrigger');
}

const event = (data: Partial<ContractEvent['data']> = {}, rest: object = {}) => ({
	...EXAMPLE_EVENT,
	data: { ...EXAMPLE_EVENT.data, payment_id: 'repeated', ...data },
	...rest,
});
const items = (body: object) => [[{ json: body as IDataObject }]];

const workflow = (options: INodeParameters = {}, workflowId = id) =>
	new TriggerWorkflow(node, {
		credential: gateway.credential,
		workflowId,
		parameters: { options: { verify: false, ...options } },
	});
/** How many items come out for each event, one event after the other. */
async function starts(one: TriggerWorkflow, ...events: object[]): Promise<number[]> {
	const counts: number[] = [];
	for (const body of events) counts.push((await one.run(items(body))).json.length);
	return counts;
}
/** Without the mark, with which each row begins. */
const recorded = () => (database.rows.get(`${id}/node`) ?? []).slice(1);

describe('A payment event', () => {
	it('that is delivered again starts nothing, also after a restart, and a hint says so', async () => {
		const published = await publish(gateway, node, workflow().options);
		const { token } = published;
		expect(await published.workflow.react({ body: event(), token })).toHaveLength(1);
		// A restarted n8n has nothing but the database.
		const one = new TriggerWorkflow(await otherProcess(), published.workflow.options);
		const { started } = await one.deliver({ body: event(), token });
		const { json, hints, error } = await one.run(started!);
		expect([json, error]).toEqual([[], undefined]);
		expect(hints).toHaveLength(1);
	});

	it('that arrives twice at once is one execution, and another event is another', async () => {
		const { workflow: published, token } = await publish(gateway, node, workflow().options);
		const sent = [event(), event(), event({ status: 'failed' })];
		const answers = await Promise.all(sent.map(async (body) => await published.deliver({ body, token })));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(answers.map(({ started }) => started !== undefined)).toEqual([true, false, true]);
	});

	it('starts each of two workflows', async () => {
		expect([await starts(workflow(), event()), await starts(workflow({}, `${id}-other`), event())]).toEqual([
			[1],
			[1],
		]);
	});

	it.each([true, false])('of another kind is known by its whole body, with Verify %s', async (verify) => {
		const other = (account: string) => ({ event: 'account_update', data: { account } });
		const one = workflow({ otherEvents: true, verify });
		expect(await starts(one, other('a'), other('a'), other('b'), other('a'))).toEqual([1, 0, 1, 0]);
	});

	it('starts the workflow each time in a test', async () => {
		expect((await workflow().run(items(event()), { mode: 'manual' })).json).toHaveLength(1);
		expect(recorded()).toEqual([]);
	});

	it('is known by its own node, even if another one has the same ID', async () => {
		const one = workflow();
		expect(await starts(one, event())).toEqual([1]);
		const settings = { id: 'node', name: 'Node1' };
		expect((await one.run(items(event()), { settings })).json).toHaveLength(1);
	});

	it('runs again when someone retries its execution, or n8n the node', async () => {
		const one = workflow();
		expect(await starts(one, event())).toEqual([1]);
		expect((await one.run(items(event()), { mode: 'retry' })).json).toHaveLength(1);
		// n8n takes a field of that name for a failure.
		const settings = { retryOnFail: true, waitBetweenTries: 1 };
		const failing = event({ payment_id: 'other' }, { error: 'none' });
		expect((await one.run(items(failing), { settings })).json).toHaveLength(1);
	});

	it('starts the workflow once, however many deliveries run at once', async () => {
		const one = workflow();
		const events = range(10).map((i) => items(event({ payment_id: `p${i}` })));
		const results = await Promise.all([...events, ...events].map((given) => one.run(given)));
		expect(results.flatMap(({ json }) => json)).toHaveLength(10);
		expect(recorded()).toHaveLength(10);
	});
});

it('Two processes that record payment events at once lose none for long', async () => {
	const one = workflow();
	await starts(one, event({ payment_id: 'before' }));
	// It was looked after once.
	await expect.poll(() => database.writes.get(`${id}/node`)).toBe(2);
	const there = new TriggerWorkflow(await otherProcess(), one.options);
	const [a, b] = [items(event({ payment_id: 'a' })), items(event({ payment_id: 'b' }))];
	const run = async (...given: Array<typeof a>) =>
		(await Promise.all([one.run(given[0]), there.run(given[1])])).map(({ json }) => json.length);
	database.meet(`${id}/node`);
	expect(await run(a, b)).toEqual([1, 1]);
	await settled(
		() => database.writes.get(`${id}/node`),
		2 * SETTLED_MS,
		() => recorded().length === 3,
	);
	expect(await run(b, a)).toEqual([0, 0]);
});
