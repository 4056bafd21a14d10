/**
 * Memory of a long run of bookings, item by item, through n8n's own engine.
 *
 * npx tsx bench/long-run.mts [items, default 50000] [--json]
 */
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject } from 'n8n-workflow';

import '../test/support/setup.mjs';
import { simpleEntry } from '../test/support/simpleEntry.mjs';
import { CONNECTION, startGateway } from './quickGateway.mjs';

// They read what the setup has set.
const { AccountingGatewayDelivery } = await import(
	'../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js'
);
const { exampleAnswer } = await import('../test/support/contract.mjs');
const { initBinaryData, runNode } = await import('../test/support/harness.mjs');

/** What this prints with `--json`; sizes in bytes. */
export interface LongRun {
	items: number;
	/** Of the whole run, and until the first request, when all items have been checked. */
	seconds: number;
	checkSeconds: number;
	/** Heap that is in use when so many requests have come; 0 is before the run. */
	measured: Array<{ requests: number; heap: number }>;
	/** Growth between the first request and the last one, for each item. */
	growth: number;
	/** What the output itself takes, for each item. */
	output: number;
}

const { values, positionals } = parseArgs({
	options: { json: { type: 'boolean' } },
	allowPositionals: true,
});
const items = Number(positionals[0] ?? 50_000);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const measured: LongRun['measured'] = [];
const marks = [1, items / 4, items / 2, (items * 3) / 4, items].map(Math.round);
const answer = exampleAnswer('createCashBookEntry') as IDataObject;
let requests = 0;
let checked = 0;
const gateway = await startGateway(async (body) => {
	const { belegnummer, betrag } = (await json(body)) as IDataObject;
	if (++requests === 1) checked = performance.now();
	if (marks.includes(requests)) measured.push({ requests, heap: heap() });
	return { ...answer, belegnummer, betrag };
});

await initBinaryData();
const input = Array.from({ length: items }, (_, i) => ({ json: { betrag: i / 100 } }));
measured.push({ requests: 0, heap: heap() });
const started = performance.now();
const { json: records, error } = await runNode({
	node: new AccountingGatewayDelivery(),
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

// Copies of the output, as they stand in the heap.
const before = heap();
const copies = structuredClone(records);
const result: LongRun = {
	items,
	seconds: (ended - started) / 1000,
	checkSeconds: (checked - started) / 1000,
	measured,
	growth: (measured.at(-1)!.heap - measured[1].heap) / items,
	output: (heap() - before) / copies.length,
};
if (values.json) console.log(JSON.stringify(result));
else {
	for (const { requests: count, heap: bytes } of measured) {
		console.log(`${count === 0 ? 'before the run' : `request ${count}`}: ${(bytes / 1e6).toFixed(0)} MB`);
	}
	console.log(`Growth from the first request to the last, for each item: ${result.growth.toFixed(0)} bytes.`);
	console.log(`What is put out takes ${result.output.toFixed(0)} bytes an item.`);
	console.log(
		`${items} items in ${result.seconds.toFixed(0)} s, ${result.checkSeconds.toFixed(0)} s of it to check them.`,
	);
}
process.exit(0);

/** Bytes in use. */
function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}
