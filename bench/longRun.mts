/**
 * Memory of a long run of bookings, item by item, through n8n's own engine: `npx tsx bench/longRun.mts [items, default 50000]`
 * prints it as JSON.
 */
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import '../host/setup.mjs';
import { simpleEntry } from '../host/workflows.mjs';
import { CONNECTION, confirmation, startGateway } from './quickGateway.mjs';

// These modules read environment variables that the setup sets, so they are imported after it.
// The built node, as it is published.
const { AccountingGatewayDelivery } = createRequire(import.meta.url)(
	'../dist/nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js',
) as typeof import('../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js');
const { exampleAnswer } = await import('../api/contract.mjs');
const { initBinaryData } = await import('../host/fileStore.mjs');
const { runNode } = await import('../host/harness.mjs');

/** Bytes per item by which the heap has grown since the node's start. */
export interface LongRun {
	items: number;
	/** At the first request, when all items have been checked. */
	checked: number;
	/** At the last request. */
	growth: number;
}

const items = Number(process.argv[2] ?? 50_000);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Heap in use, in bytes. */
function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

let requests = 0;
let atStart = 0;
let atFirst = 0;
let atLast = 0;
const answer = exampleAnswer('createCashBookEntry') as IDataObject;
const gateway = await startGateway(async (body) => {
	const sent = (await json(body)) as IDataObject;
	requests++;
	if (requests === 1) atFirst = heap();
	if (requests === items) atLast = heap();
	return confirmation(answer, sent);
});

/** Our node, which also records the heap when n8n starts it. */
class ObservedNode extends AccountingGatewayDelivery {
	override async execute(this: IExecuteFunctions) {
		atStart = heap();
		return await AccountingGatewayDelivery.prototype.execute.call(this);
	}
}

await initBinaryData();
const { json: records, error } = await runNode({
	node: new ObservedNode(),
	credential: { apiKey: 'long-run-key', baseUrl: gateway.url, accountingProvider: 'acct' },
	parameters: simpleEntry(CONNECTION, {
		betrag: '={{ $json.betrag }}',
		belegtext: '={{ "Verkauf " + $itemIndex }}',
	}),
	items: Array.from({ length: items }, (_, i) => ({ json: { betrag: i / 100 } })),
});
if (error) throw error;
if (records.length !== items) throw new Error(`${records.length} of ${items} items came out`);
const result: LongRun = {
	items,
	checked: (atFirst - atStart) / items,
	growth: (atLast - atStart) / items,
};
console.log(JSON.stringify(result));
process.exit(0);
