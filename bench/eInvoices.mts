/**
 * Processor time and memory of reading e-invoices, by the node in n8n's own engine.
 *
 * npx tsx bench/eInvoices.mts [--json]
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';

import '../test/support/setup.mjs';
import { ciiInvoice, pdfWith, ublInvoice } from '../test/support/eInvoices.mjs';
import { median } from './measurement.mjs';

// They read what the setup has set.
// The built node, with the bundled libraries.
const { AccountingGatewayDelivery } = createRequire(import.meta.url)(
	'../dist/nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js',
) as typeof import('../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js');
const { initBinaryData, runNode } = await import('../test/support/harness.mjs');

/** What this prints with `--json`. */
export interface Reading {
	/** Milliseconds of processor time for a PDF of 1 MB, the median of several. */
	pdf: number;
	/** Seconds of processor time of a run that reads 1,000 XML invoices, the median of several. */
	xml: number;
	/** Bytes by which the heap has grown in all of these runs but the first, for each invoice that they read. */
	growth: number;
}

const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEGABYTE = 2 ** 20;
const XML = 1000;
const PDFS = 9;
const MORE_RUNS = 3;

/** Seconds of processor time of a run that reads these files, an item each. */
async function read(files: Array<{ fileName: string; content: Buffer }>): Promise<number> {
	const before = process.cpuUsage();
	const { main, error } = await runNode({
		node: new AccountingGatewayDelivery(),
		parameters: { resource: 'document', operation: 'readEInvoice', datei: 'data' },
		items: files.map((data) => ({ files: { data } })),
	});
	if (error) throw error;
	const unread = main[0]?.filter(({ json }) => json.isEInvoice !== true) ?? [];
	if (main[0]?.length !== files.length || unread.length > 0)
		throw new Error(`${unread.length} were not read.`);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000_000;
}

const heap = () => {
	collectGarbage();
	return process.memoryUsage().heapUsed;
};

await initBinaryData('filesystem');
// A picture next to the invoice makes up the size, as in a real one.
const picture = { name: 'picture.jpg', data: randomBytes(MEGABYTE) };
const xml = { name: 'factur-x.xml', data: deflateSync(ciiInvoice()), dict: '/Filter /FlateDecode' };
const pdf = { fileName: 'Rechnung.pdf', content: pdfWith([xml, picture]) };
const invoices = Array.from({ length: XML }, (_, i) => ({
	fileName: `RE-${i}.xml`,
	content: Buffer.from(ublInvoice({ '<cbc:ID>RE-4711</cbc:ID>': `<cbc:ID>RE-${i}</cbc:ID>` })),
}));

// The first reading loads the libraries.
await read([pdf, invoices[0]]);
const times: number[] = [];
for (let i = 0; i < PDFS; i++) times.push(await read([pdf]));
const runs = [await read(invoices)];
const before = heap();
for (let i = 0; i < MORE_RUNS; i++) runs.push(await read(invoices));
const growth = (heap() - before) / (MORE_RUNS * XML);

const reading: Reading = { pdf: median(times) * 1000, xml: median(runs), growth };
if (values.json) console.log(JSON.stringify(reading));
else
	console.log(
		`A PDF of 1 MB: ${reading.pdf.toFixed(0)} ms; ${XML} XML: ${reading.xml.toFixed(2)} s; growth: ${growth.toFixed(0)} bytes each`,
	);
process.exit(0);
