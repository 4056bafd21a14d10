/**
 * `npm run bench`: compares speed and memory with n8n's own nodes and a bare client in one run. Without part names, it
 * runs all parts and writes docs/dev/performance.md, a section of docs/operations.md, and the chart.
 *
 * npm run bench -- [part …] [--rounds 3]
 */
import { parseArgs } from 'node:util';

import { UserError } from '../scripts/shared/processes.mjs';
import type { Part } from './measurement.mjs';
import { BenchN8n } from './n8n.mjs';
import { measureFiles } from './parts/files.mjs';
import { measureJournal } from './parts/journal.mjs';
import { measureLoading } from './parts/loading.mjs';
import { measureReads } from './parts/reads.mjs';
import { measureTrigger } from './parts/trigger.mjs';
import { measureWrites } from './parts/writes.mjs';
import { printPart, writeReport } from './report.mjs';

/** n8n with its default settings, shared by all parts that don't need others. */
let n8n: BenchN8n | undefined;
const usual = async () => (n8n ??= await BenchN8n.start());

const PARTS: Record<string, (rounds: number) => Promise<Part>> = {
	reads: async (rounds) => await measureReads(await usual(), rounds),
	journal: async (rounds) => await measureJournal(await usual(), rounds),
	writes: async (rounds) => await measureWrites(await usual(), rounds),
	trigger: async (rounds) => await measureTrigger(await usual(), rounds),
	files: measureFiles,
	loading: async (rounds) => await measureLoading(await usual(), rounds),
};

const { values, positionals } = parseArgs({
	options: { rounds: { type: 'string', default: '3' } },
	allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`);
if (!Number.isInteger(rounds) || rounds < 1) throw new UserError('--rounds takes a number from 1.');

const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const measured: Part[] = [];
try {
	for (const name of names) {
		const part = await PARTS[name](rounds);
		printPart(part);
		measured.push(part);
	}
} finally {
	await n8n?.stop();
}
if (positionals.length === 0) await writeReport(measured, rounds);
