import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { FaultInput } from '../../../sandbox/faults.mjs';
import type { RunOptions, RunResult, TestItem } from '../../support/harness.mjs';
import { useGateway } from '../../support/gateway.mjs';
import { FakeDatabase } from '../../support/triggerHarness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const items: TestItem[] = [0, 1, 2, 3].map((i) => ({ json: { i } }));

const entry = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'cashBookEntry',
	operation: 'create',
	connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('duo') },
	kassenname: 'Hauptkasse',
	bewegung: 'EINNAHME',
	betrag: '10',
	waehrung: 'EUR',
	steuersatz: '19',
	transaktionsdatum: '2026-03-02T09:30:00',
	belegnummer: '={{ "K-" + $itemIndex }}',
	belegtext: 'Tageseinnahme',
	...overrides,
});

const run = async (options: Partial<RunOptions> = {}, parameters = entry()) =>
	await gateway.run(node, parameters, { items, ...options });
/** How often each booking arrived. */
const booked = async () => (await gateway.list('entries')).map((e) => (e.fields as IDataObject).belegnummer);
const sent = async () => (await gateway.requests()).length;

const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const onSecond = (fault: Record<string, unknown>): FaultInput =>
	({ operationId: 'createCashBookEntry', after: 1, ...fault }) as FaultInput;

/** After these the gateway has booked nothing, and says so. */
const REFUSED: Array<[string, Record<string, unknown>, string]> = [
	['429', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }, 'too many requests'],
	['401', { kind: 'status', status: 401 }, 'rejected the API key'],
	['402', { kind: 'status', status: 402 }, 'credit balance is used up'],
	['403', { kind: 'status', status: 403 }, 'not allowed'],
	['422', { kind: 'status', status: 422 }, 'refused a value'],
	['a redirect', { kind: 'redirect', location: 'https://example.com/' }, 'redirect'],
];

/** After these nobody knows. */
const UNKNOWN: Array<[string, Record<string, unknown>, string]> = [
	['500 before booking', { kind: 'status', status: 500 }, 'failed to process'],
	['500 after booking', { kind: 'status', status: 500, point: 'after-handler' }, 'failed to process'],
	['502', { kind: 'status', status: 502, point: 'after-handler' }, 'failed to process'],
	['reset before the body', { kind: 'drop', point: 'before-body' }, 'connection to the gateway broke'],
	['reset after booking', { kind: 'drop', point: 'after-handler' }, 'connection to the gateway broke'],
	['reset in the answer', { kind: 'cut' }, 'connection to the gateway broke'],
	['broken JSON after booking', { kind: 'broken-json' }, 'no valid JSON'],
	['a web page after booking', { kind: 'html', status: 200, point: 'after-handler' }, 'web page (HTML)'],
	['no answer in time', { kind: 'hang' }, "didn't answer in time"],
	['no answer in time after booking', { kind: 'hang', point: 'after-handler' }, "didn't answer in time"],
];

const quick = () => entry({ options: { timeout: 0.3 } });

describe.each(REFUSED)('%s on the second of four entries', (_name, fault, message) => {
	it('stops; the rest is not sent', async () => {
		await gateway.fault(onSecond({ times: null, ...fault }));
		const { error } = await run();
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('belegnummer K-1');
		expect(error?.description).toContain('Carried out: item 0. Refused: item 1. Not sent: items 2–3.');
		expect(await booked()).toEqual(['K-0']);
		expect(await sent()).toBe(2);
	});

	it('is tried again by Retry On Fail, without repeating what was booked', async () => {
		await gateway.fault(onSecond(fault));
		const { error, json } = await run({ settings: retry });
		expect(error).toBeUndefined();
		expect(json.map(({ belegnummer }) => belegnummer)).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
		expect(await booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
		expect(await sent()).toBe(5);
	});
});

describe.each(UNKNOWN)('%s on the second of four entries', (_name, fault, message) => {
	it('stops, says that the outcome is unknown, and names the belegnummer', async () => {
		await gateway.fault(onSecond(fault));
		const { error } = await run({}, quick());
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('belegnummer K-1');
		expect(error?.description).toContain('check that in the accounting system');
		expect(error?.description).toContain('Carried out: item 0. Unknown: item 1. Not sent: items 2–3.');
		expect(await sent()).toBe(2);
	});

	it('is not sent again by Retry On Fail', async () => {
		await gateway.fault(onSecond(fault));
		const { error } = await run({ settings: retry }, quick());
		expect(error?.message).toContain(message);
		expect(await sent()).toBe(2);
		expect(new Set(await booked()).size).toBe((await booked()).length);
	});

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'goes on to the others with %s',
		async (onError) => {
			await gateway.fault({ ...onSecond(fault), after: 0 });
			const { main } = await run({ settings: { ...retry, onError } }, quick());
			const errors = main.flat().filter(({ json }) => json.error);
			expect(
				errors.map(({ pairedItem, json }) => [pairedItem, (json.details as IDataObject).outcome]),
			).toEqual([[{ item: 0 }, 'unknown']]);
			expect((await booked()).filter((nr) => nr !== 'K-0')).toEqual(['K-1', 'K-2', 'K-3']);
			expect(await sent()).toBe(4);
		},
	);
});

describe('a retried execution', () => {
	it('goes on where the failed one ended', async () => {
		await gateway.fault(onSecond({ kind: 'status', status: 422 }));
		const failed = await run();
		expect(failed.error).toBeDefined();
		const retried = await run({ retryOf: failed.run });
		expect(retried.error).toBeUndefined();
		expect(await booked()).toEqual(['K-0', 'K-1', 'K-2', 'K-3']);
		expect(await sent()).toBe(5);
	});

	it('knows an item whose expressions give something else each time', async () => {
		await gateway.fault(onSecond({ kind: 'status', status: 422 }));
		const changing = entry({
			transaktionsdatum: '={{ $now }}',
			belegnummer: '={{ "K-" + $itemIndex + "-" + Math.random().toString(36).slice(2) }}',
		});
		const failed = await run({}, changing);
		const { error, json } = await run({ retryOf: failed.run }, changing);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(4);
		expect((await booked()).map((number) => (number as string).slice(0, 3))).toEqual([
			'K-0',
			'K-1',
			'K-2',
			'K-3',
		]);
	});

	it('does not send again what has an unknown outcome', async () => {
		await gateway.fault(onSecond({ kind: 'drop', point: 'after-handler' }));
		const failed = await run();
		const retried = await run({ retryOf: failed.run });
		expect(retried.error?.description).toContain('Unknown: item 1');
		expect(await sent()).toBe(2);
	});
});

describe('n8n killed in the middle', () => {
	/** What n8n has of an execution after that: its data from the start, without the node's memory. */
	const killed = ({ run: { data, ...rest } }: RunResult) => {
		const copy = structuredClone(data);
		copy.executionData!.contextData = {};
		return { ...rest, data: copy };
	};

	it('sends nothing in a retried execution, nor when that is retried again', async () => {
		new FakeDatabase().install();
		await gateway.fault(onSecond({ kind: 'drop', point: 'after-handler' }));
		let last = await run();
		for (let retry = 1; retry <= 2; retry++) {
			last = await run({ retryOf: killed(last) });
			expect(last.error?.message).toContain(
				'n8n was stopped while an earlier try of this execution was writing',
			);
			expect(last.error?.description).toContain('belegnummer K-0');
			expect(last.error?.description).toContain('Unknown: items 0–3.');
		}
		expect(await booked()).toEqual(['K-0', 'K-1']);
		expect(await sent()).toBe(2);
	});

	it('sends in a retried execution that had not come to the node', async () => {
		new FakeDatabase().install();
		const parameters = entry({ betrag: '={{ $workflow.name === "Corrected" ? 10 : "" }}' });
		const failed = await run({}, parameters);
		expect(failed.error?.message).toContain('Nothing was sent');
		const retried = await run({ retryOf: killed(failed), workflowName: 'Corrected' }, parameters);
		expect(retried.error).toBeUndefined();
		expect(await booked()).toHaveLength(4);
	});

	it('goes on from its memory where n8n can’t put anything down', async () => {
		const database = new FakeDatabase();
		database.checkProcessedAndRecord = async () => await Promise.reject(new Error('no database'));
		database.install();
		await gateway.fault(onSecond({ kind: 'status', status: 422 }));
		const failed = await run();
		expect((await run({ retryOf: failed.run })).error).toBeUndefined();
		expect(await booked()).toHaveLength(4);
	});
});

describe('an unreachable gateway', () => {
	it('is told as not sent', async () => {
		const { errors } = await run({
			credential: { ...gateway.credential, baseUrl: 'http://127.0.0.1:1' },
			settings: { onError: 'continueErrorOutput' },
		});
		expect(errors).toHaveLength(4);
		expect(errors[0]).toMatchObject({
			error: expect.stringContaining("can't be reached"),
			details: { outcome: 'notSent' },
		});
	});
});

describe('cancelling', () => {
	it('stops within one request', async () => {
		await gateway.fault({ kind: 'latency', ms: 150, times: null });
		const many: TestItem[] = Array.from({ length: 20 }, (_, i) => ({ json: { i } }));
		const { run: result, error } = await run({
			items: many,
			cancel: new Promise((resolve) => setTimeout(resolve, 400)),
		});
		const before = await sent();
		expect(result.status).toBe('canceled');
		expect(before).toBeLessThanOrEqual(4);
		expect(error?.description).toMatch(/Carried out: .*Unknown: item \d+\. Not sent: items \d+–19\./);
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(await sent()).toBe(before);
	});
});
