/**
 * Memory that an upload takes, by file size: streamed by the node, streamed with an ID computed from the content, and as one
 * request body in memory. Each upload runs in its own process, since the peak is measured per process.
 *
 * npx tsx bench/files.mts [size in MB, default 200] [--way streamed] [--json]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execa } from 'execa';

import { startGateway } from './quickGateway.mjs';

const WAYS = ['streamed', 'idFromContent', 'whole'] as const;
export type Way = (typeof WAYS)[number];

/** One upload in the output of `--json`. A megabyte is 10^6 bytes. */
export interface Upload {
	way: Way;
	/** File size in megabytes. */
	size: number;
	/** Peak memory of the process (RSS) in megabytes. */
	peak: number;
	seconds: number;
}

const UPLOAD = fileURLToPath(new URL('upload.mts', import.meta.url));
/** Megabytes of the small file, whose peak is the baseline. */
const SMALL = 1;

const { values, positionals } = parseArgs({
	options: { json: { type: 'boolean' }, way: { type: 'string', multiple: true, default: [...WAYS] } },
	allowPositionals: true,
});
const size = Number(positionals[0] ?? 200);
const gateway = await startGateway(async (body) => {
	let bytes = 0;
	for await (const chunk of body) bytes += (chunk as Buffer).length;
	return { id: 'document', dateiname: 'Beleg.pdf', bytes };
});

const uploads: Upload[] = [];
for (const way of values.way as Way[]) {
	for (const one of [SMALL, size]) {
		const started = performance.now();
		const args = ['--import', 'tsx', UPLOAD, way, String(one), gateway.url];
		const { stdout } = await execa(process.execPath, args);
		uploads.push({
			way,
			size: one,
			peak: Number(stdout) / 1e6,
			seconds: (performance.now() - started) / 1000,
		});
	}
}
await gateway.close();

if (values.json) console.log(JSON.stringify(uploads));
else {
	for (const { way, size: of, peak, seconds } of uploads) {
		console.log(
			`${way}, ${of} MB: peak ${peak.toFixed(0)} MB, ${seconds.toFixed(1)} s with the start of the process`,
		);
	}
}
