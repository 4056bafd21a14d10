/**
 * Memory of a long run of bookings, item by item, through n8n's own engine.
 *
 * npx tsx bench/longRun.mts [items, default 50000] [--checks | --reading] [--json]
 *
 * With `--checks`, it ends when all items have been checked, before the first booking. With `--reading`, our node is
 * replaced by one that only has n8n read the same parameters.
 */
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import '../test/support/setup.mjs';
import { simpleEntry } from '../test/support/workflows.mjs';
import { CONNECTION, confirmation, startGateway } from './quickGateway.mjs';

// These modules read environment variables that the setup sets, so they are imported after it.
// The built node, as it is published.
const { AccountingGatewayDelivery } = createRequire(import.meta.url)(
	'../dist/nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js',
) as typeof import('../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js');
const { create } = await import('../nodes/AccountingGatewayDelivery/cashBookEntry/create.js');
const { parametersOf } = await import('../nodes/shared/form/properties.js');
const { exampleAnswer } = await import('../test/support/contract.mjs');
const { initBinaryData } = await import('../test/support/fileStore.mjs');
const { runNode } = await import('../test/support/harness.mjs');

/** The output of `--json`; sizes in bytes. */
export interface LongRun {
	items: number;
	/** Milliseconds of processor time per item, from the node's start to its first request, when all items have been checked. */
	check: number;
	/** Memory per item that the checked requests take in addition to the items. */
	checked: number;
	/** Heap in use after this many requests; 0 means at the node's start. */
	measured: Array<{ requests: number; heap: number }>;
	/** Missing with `--checks`, like all fields below. */
	seconds?: number;
	/** Growth of the heap per item, from the node's start to the last request. */
	growth?: number;
	/** Memory per item of the output itself. */
	output?: number;
	/** Memory of one answer of the gateway. */
	answer?: number;
}

const { values, positionals } = parseArgs({
	options: { json: { type: 'boolean' }, checks: { type: 'boolean' }, reading: { type: 'boolean' } },
	allowPositionals: true,
});
const items = Number(positionals[0] ?? 50_000);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Number of answers of which the average size is measured. */
const ANSWERS = 10_000;

const measured: LongRun['measured'] = [];
const marks = [1, items / 4, items / 2, (items * 3) / 4, items].map(Math.round);
const answer = exampleAnswer('createCashBookEntry') as IDataObject;
let requests = 0;
let before: NodeJS.CpuUsage;
let check = 0;
const gateway = await startGateway(async (body) => {
	if (requests === 0) noteChecked();
	const sent = (await json(body)) as IDataObject;
	requests++;
	if (marks.includes(requests)) measured.push({ requests, heap: heap() });
	if (values.checks) finish();
	return confirmation(answer, sent);
});

/** Our node, which also records when n8n starts it. */
class ObservedNode extends AccountingGatewayDelivery {
	override async execute(this: IExecuteFunctions) {
		measured.push({ requests: 0, heap: heap() });
		before = process.cpuUsage();
		if (values.reading) readParameters(this);
		return await AccountingGatewayDelivery.prototype.execute.call(this);
	}
}

/** Only has n8n read the parameters of all items, to measure n8n's own share. */
function readParameters(context: IExecuteFunctions): never {
	const names = Object.keys(parametersOf(create));
	for (let index = 0; index < items; index++) {
		for (const name of names) context.getNodeParameter(name, index, null);
	}
	noteChecked();
	measured.push({ requests: 1, heap: heap() });
	finish();
}

function noteChecked(): void {
	const { user, system } = process.cpuUsage(before);
	check = (user + system) / 1000 / items;
}

await initBinaryData();
const input = Array.from({ length: items }, (_, i) => ({ json: { betrag: i / 100 } }));
const started = performance.now();
const { json: records, error } = await runNode({
	node: new ObservedNode(),
	credential: { apiKey: 'long-run-key', baseUrl: gateway.url, accountingProvider: 'acct' },
	parameters: simpleEntry(CONNECTION, {
		betrag: '={{ $json.betrag }}',
		belegtext: '={{ "Verkauf " + $itemIndex }}',
	}),
	items: input,
});
const ended = performance.now();
await gateway.close();
if (error) throw error;
if (records.length !== items) throw new Error(`${records.length} of ${items} items came out`);

// The size of the output is measured by copying it in the heap.
const beforeCopies = heap();
const copies = structuredClone(records);
finish({
	seconds: (ended - started) / 1000,
	growth: (measured.at(-1)!.heap - measured[0].heap) / items,
	output: (heap() - beforeCopies) / copies.length,
	answer: sizeOfAnswer(),
});

/** Average heap size of a parsed answer, in bytes. */
function sizeOfAnswer(): number {
	const text = JSON.stringify(answer);
	const start = heap();
	const answers = Array.from({ length: ANSWERS }, () => JSON.parse(text) as unknown);
	return (heap() - start) / answers.length;
}

function finish(whole: Partial<LongRun> = {}): never {
	const checked = (measured[1].heap - measured[0].heap) / items;
	const result: LongRun = { items, check, checked, measured, ...whole };
	if (values.json) console.log(JSON.stringify(result));
	else print(result);
	process.exit(0);
}

function print({ checked, seconds, growth, output, answer: received }: LongRun): void {
	for (const { requests: count, heap: bytes } of measured) {
		console.log(`${count === 0 ? 'before the run' : `request ${count}`}: ${(bytes / 1e6).toFixed(0)} MB`);
	}
	console.log(
		`To ${values.reading ? 'read' : 'check'} an item took ${check.toFixed(3)} ms of processor time and ${checked.toFixed(0)} bytes.`,
	);
	if (seconds === undefined) return;
	console.log(
		`Growth from the node's start to the last request, for each item: ${growth!.toFixed(0)} bytes.`,
	);
	console.log(
		`The output takes ${output!.toFixed(0)} bytes an item, an answer ${received!.toFixed(0)} bytes.`,
	);
	console.log(`${items} items in ${seconds.toFixed(0)} s.`);
}

/** Heap in use, in bytes. */
function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
