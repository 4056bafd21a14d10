/**
 * `npm run bench -- [part …] [--rounds 3]`: compares speed and memory with n8n's own nodes and with bare clients. Without names, it
 * measures all parts and writes docs/dev/performance.md.
 */
import { parseArgs } from 'node:util';

import { explainFailures, UserError } from '../tools/processes.mjs';
import type { Part } from './measurement.mjs';
import { BenchN8n } from './n8n.mjs';
import { measureEvents } from './parts/events.mjs';
import { measureFile } from './parts/file.mjs';
import { measureJournal } from './parts/journal.mjs';
import { measureReads } from './parts/reads.mjs';
import { measureStart } from './parts/start.mjs';
import { measureWrites } from './parts/writes.mjs';
import { print, writePage } from './report.mjs';

const PARTS: Record<string, (n8n: BenchN8n, rounds: number) => Promise<Part>> = {
	reads: measureReads,
	writes: measureWrites,
	journal: measureJournal,
	events: measureEvents,
	file: measureFile,
	start: measureStart,
};

explainFailures();
const { values, positionals } = parseArgs({
	options: { rounds: { type: 'string', default: '3' } },
	allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`);
if (!Number.isInteger(rounds) || rounds < 1) throw new UserError('--rounds takes a number from 1.');

const measured: Part[] = [];
const n8n = await BenchN8n.start();
try {
	for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
		const part = await PARTS[name](n8n, rounds);
		print(part);
		measured.push(part);
	}
} finally {
	await n8n.stop();
}
if (positionals.length === 0) await writePage(measured, rounds);
