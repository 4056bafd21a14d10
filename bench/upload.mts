/**
 * Uploads one file and prints the process's peak memory in bytes. Started by parts/file.mts:
 * `upload.mts <way> <MB> <url> [folder of another version of the package, compiled]`.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import '../host/setup.mjs';
import { CONNECTION } from './quickGateway.mjs';

const [way, size, url, folder] = process.argv.slice(2);
const NODE = 'nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
// The node reads environment variables that the setup sets, so it is imported after it.
const { AccountingGatewayDelivery } = (await import(
	folder === undefined ? `../${NODE}` : join(folder, 'dist', NODE)
)) as { AccountingGatewayDelivery: new () => INodeType };
const { initBinaryData } = await import('../host/fileStore.mjs');
const { runNode } = await import('../host/harness.mjs');

const CHUNK = Buffer.alloc(1e6, 'Beleg ');

/** Sends the file without a stream: reads it as a whole, then encodes it as base64 and JSON. */
const whole: INodeType = {
	description: { ...new AccountingGatewayDelivery().description, name: 'whole', properties: [] },
	async execute(this: IExecuteFunctions) {
		const content = (await this.helpers.getBinaryDataBuffer(0, 'data')).toString('base64');
		const body = { datei: { content, dateiname: 'Beleg.pdf' }, belegtyp: 'Rechnungseingang' };
		const answer = await this.helpers.httpRequest({ method: 'POST', url, body, json: true });
		return [[{ json: answer, pairedItem: { item: 0 } }]];
	},
};

await initBinaryData();
const { json, error } = await runNode({
	node: way === 'whole' ? whole : new AccountingGatewayDelivery(),
	credential: { apiKey: 'files-key', baseUrl: url, accountingProvider: 'acct' },
	parameters: {
		resource: 'document',
		operation: 'uploadDuo',
		connectionId: CONNECTION,
		datei: 'data',
		belegtyp: 'Rechnungseingang',
	},
	items: [{ files: { data: { content: Readable.from(chunks()), fileName: 'Beleg.pdf' } } }],
});
if (error) throw error;
// Base64 turns three bytes into four characters.
if ((json[0].bytes as number) < (Number(size) * 1e6 * 4) / 3)
	throw new Error('The file did not arrive completely');
process.stdout.write(String(process.resourceUsage().maxRSS * 1024));
process.exit(0);

function* chunks(): Generator<Buffer> {
	for (let megabyte = 0; megabyte < Number(size); megabyte++) yield CHUNK;
}
