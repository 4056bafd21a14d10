import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { FaultInput } from '../../../../../../sandbox/admin/faults.mjs';
import { createRunExecutionData } from '../../../../../../host/engine.mjs';
import { FakeDatabase } from '../../../../../support/fakeDatabase.mjs';
import { Agent, type RunOptions, type TestItem, toolOf } from '../../../../../../host/harness.mjs';
import { engineIsFrom } from '../../../../../../host/n8nPackages.mjs';
import { useGateway } from '../../../../../support/useSandbox.mjs';
import { simpleEntry } from '../../../../../../host/workflows.mjs';
import { openSecureLine } from '../../../../../support/tls.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const items: TestItem[] = [0, 1, 2, 3].map((i) => ({ json: { i } }));

const entry = (own?: INodeParameters) => simpleEntry(gateway.connectionId('duo'), own);

const run = async (options: Partial<RunOptions> = {}, parameters = entry()) =>
	await gateway.run(node, parameters, { items, ...options });
/** How often each booking arrived. */
const booked = async () => (await gateway.list('entries')).map((e) => (e.fields as IDataObject).belegnummer);
const sent = async () => (await gateway.requests()).length;

const onSecond = (fault: Record<string, unknown>): FaultInput =>
	({ operationId: 'createCashBookEntry', after: 1, ...fault }) as FaultInput;

it('books nothing twice when n8n mistakes the answer for a failure', async () => {
	const body = { belegnummer: 'K-10', error: 0, svc: { neuesGuthaben: 7 } };
	await gateway.fault({ kind: 'status', status: 200, body, times: null });
	const { json, error } = await run(
		{ items: [{}], settings: { retryOnFail: true, waitBetweenTries: 1 } },
		entry({ simple: false }),
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([body]);
	expect(await sent()).toBe(1);
});

it('sends nothing over a secure connection whose certificate is not trusted', async () => {
	const line = await openSecureLine(Number(new URL(gateway.sandbox.url).port));
	const { error } = await run({ credential: { ...gateway.credential, baseUrl: line.url } });
	line.close();
	expect(error?.message).toContain("its certificate (TLS) isn't trusted");
	expect(error?.description).toContain('NODE_EXTRA_CA_CERTS');
	expect(error?.description).toContain('Not sent: items 1–4.');
	expect(await sent()).toBe(0);
});

it('does not go further below the minimum of credits with each attempt', async () => {
	const parameters = entry({ options: { minimumCredits: 1_000_000 } });
	const stopped = await run(
		{ settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 } },
		parameters,
	);
	expect(stopped.error?.description).toContain('Carried out: item 1. Not sent: items 2–4.');
	expect(await booked()).toEqual(['K-10']);
	// A retry is somebody's decision; credits may have been topped up.
	await run({ retryOf: stopped.run }, parameters);
	expect(await booked()).toEqual(['K-10', 'K-11']);
});

describe('a retried execution', () => {
	it('books where another node has booked that was renamed since', async () => {
		await gateway.fault(onSecond({ kind: 'status', status: 422 }));
		const parameters = entry({ options: { alreadyBooked: true } });
		const first = await run({}, parameters);
		const { flow } = first.run.data.executionData!.contextData;
		const written = flow.accountingGatewayWritten as { nodes: IDataObject };
		written.nodes = { Gone: written.nodes.Node };
		expect((await run({ retryOf: first.run }, parameters)).error).toBeUndefined();
		expect(await booked()).toEqual(['K-10', 'K-11', 'K-12', 'K-13']);
	});
});

it('books the items of each run of a loop, whatever one before it has sent or was refused', async () => {
	await gateway.fault(onSecond({ kind: 'status', status: 422 }));
	const numbered = entry({ belegnummer: '={{ `K-1${$runIndex}${$json.i}` }}' });
	const { errors } = await run({ runs: 2, settings: { onError: 'continueErrorOutput' } }, numbered);
	expect(errors).toEqual([]);
	expect(await booked()).toEqual(['K-100', 'K-102', 'K-103', 'K-110', 'K-111', 'K-112', 'K-113']);
});

describe('the tool of an AI agent', () => {
	const tool = (overrides: INodeParameters = {}, own: Partial<RunOptions> = {}, data?: IRun['data']) => {
		const { credential } = gateway;
		const parameters = entry({ belegnummer: 'K-10', ...overrides });
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 300 };
		return toolOf({ node, parameters, credential, settings, ...own }, data);
	};
	const lost: FaultInput = { operationId: 'createCashBookEntry', kind: 'drop', point: 'after-handler' };

	// n8n counts each try of a tool as another run of the node.
	it('books nothing twice when n8n or the agent tries again', async () => {
		await gateway.fault(lost);
		const call = tool();
		for (let i = 0; i < 2; i++) {
			// The model gives each of its calls an ID.
			const again = call({ text: 'a', toolCallId: `call_${i}` });
			await expect(again).rejects.toThrow(/The connection to the gateway broke/);
		}
		expect(await booked()).toEqual(['K-10']);
	});

	it('remembers a call while others succeed', async () => {
		await gateway.fault(lost);
		const call = tool({ belegnummer: '={{ "K-" + $now.toMillis() }}' });
		const first = expect(call({ text: 'a' })).rejects.toThrow('The connection to the gateway broke');
		await expect.poll(sent).toBe(1);
		await call({ text: 'b' });
		await first;
		await expect(call({ text: 'a' })).rejects.toThrow('The connection to the gateway broke');
		expect(await booked()).toHaveLength(2);
	});

	const RECORDS: Array<[string, INodeParameters]> = [
		['with another number', { belegnummer: '={{ "K-" + $now.toMillis() }}' }],
		[
			'without a number',
			{ operation: 'createAdvanced', belegnummer: '', belegzeilen: { belegzeile: [{ betrag: '10' }] } },
		],
	];

	it.each(RECORDS)('books once when it is called twice at once with the same, %s', async (_, own) => {
		void gateway.hold(() => gateway.sandbox.log.entries.length > 0);
		const call = tool(own);
		const both = await Promise.all([call({ text: 'a' }), call({ text: 'a' })]);
		for (const answer of both) expect(answer).toContain('"kassenname":"Hauptkasse"');
		// Either of them may be the one that sends.
		const said = 'an equal call at the same moment sent it, and this is the answer to that one';
		expect(both.filter((answer) => String(answer).includes(said))).toHaveLength(1);
		expect(await booked()).toHaveLength(1);
	});

	it.each<[string, INodeParameters, booked: number]>([
		['with another number', RECORDS[0][1], 2],
		['without a number', RECORDS[1][1], 2],
		['with a number of its own', {}, 1],
	])(
		'called again after a success, tells a record %s from the one before, or knows it',
		async (_, own, count) => {
			const call = tool(own);
			const first = await call({ text: 'a' });
			const second = await call({ text: 'a' });
			if (count === 1) expect(second).toEqual(first);
			expect(await booked()).toHaveLength(count);
		},
	);

	describe('on Retry', () => {
		/** The data of an execution in which a tool has booked. */
		const bookedBy = async (name: string) => {
			const data = createRunExecutionData();
			await tool({}, { settings: { name } }, data)({ text: 'a' });
			return data;
		};
		const retried = (name: string, data: IRun['data']) =>
			tool({ belegnummer: 'K-11' }, { mode: 'retry', settings: { name } }, structuredClone(data));

		it('sends nothing for a call that was in flight when the execution ended', async () => {
			let isRetried = false;
			void gateway.hold(() => isRetried);
			const data = createRunExecutionData();
			const first = tool({}, {}, data)({ text: 'a' });
			await expect.poll(sent).toBe(1);
			await expect(retried('Node', data)({ text: 'a' })).rejects.toThrow(
				'interrupted while this request was in flight',
			);
			isRetried = true;
			await first;
			expect(await booked()).toEqual(['K-10']);
		});

		it('sends nothing if it was renamed since, however often it is called', async () => {
			const call = retried('Renamed', await bookedBy('Node'));
			for (const text of ['a', 'b'])
				await expect(call({ text })).rejects.toThrow(
					/a tool that no longer exists.*Send what is missing in a new/s,
				);
			expect(await booked()).toEqual(['K-10']);
		});

		it('books after it was renamed if it had sent nothing', async () => {
			await gateway.fault({ kind: 'status', status: 422 });
			const data = createRunExecutionData();
			await expect(tool({}, { settings: {} }, data)({ text: 'a' })).rejects.toThrow('422');
			await retried('Renamed', data)({ text: 'a' });
			expect(await booked()).toEqual(['K-11']);
		});

		it('books if the tool that has booked is still there, beside it', async () => {
			await retried('Beside', await bookedBy('Source'))({ text: 'a' });
			expect(await booked()).toEqual(['K-10', 'K-11']);
		});
	});
});

// An older engine ends the execution when such a tool fails.
describe.runIf(engineIsFrom('2.30'))('the tool of an AI agent that asks the engine', () => {
	/** What the model is told, one call after another. */
	const heard = async (said: IDataObject[], own?: INodeParameters) => {
		const agent = new Agent(said);
		await run({ agent }, entry({ belegnummer: '={{ "K-" + $now.toMillis() }}', ...own }));
		return agent.heard;
	};
	const fails = async (fault: Record<string, unknown>) =>
		await gateway.fault({ operationId: 'createCashBookEntry', ...fault } as FaultInput);

	it('books the same again when it is called again after a success', async () => {
		await heard([{ text: 'a' }, { text: 'a' }]);
		expect(await booked()).toHaveLength(2);
	});

	it('reports what the gateway says, and every value that breaks a rule', async () => {
		await fails({ kind: 'status', status: 422, body: { message: 'Die Kasse ist geschlossen' } });
		expect(await heard([{}])).toEqual([expect.stringContaining('Die Kasse ist geschlossen')]);
		const [told] = await heard([{}], { betrag: '-1', belegnummer: 'K ä', waehrung: 'EURO' });
		for (const field of ['betrag', 'belegnummer', 'waehrung']) expect(told).toContain(`(${field})`);
	});
});

it('a retry continues from its memory if n8n can’t record anything', async () => {
	const database = new FakeDatabase();
	database.checkProcessedAndRecord = async () => await Promise.reject(new Error('no database'));
	database.install();
	await gateway.fault(onSecond({ kind: 'status', status: 422 }));
	const failed = await run();
	expect((await run({ retryOf: failed.run })).error).toBeUndefined();
	expect(await booked()).toHaveLength(4);
});

it('accepts an item that JSON can’t represent', async () => {
	const circular: IDataObject = { i: 0 };
	circular.self = circular;
	const { error } = await run({ items: [{ json: circular }] });
	expect(error).toBeUndefined();
	expect(await booked()).toEqual(['K-10']);
});
