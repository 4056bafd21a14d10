/**
 * `npm run bench -- [part …] [--rounds 5] [--against <commit>]`: compares speed and memory with n8n's own nodes, with bare clients
 * and with the last release of the package, all in turns, and says what got worse. Without names, it measures all parts, and writes
 * bench/measured.json and, from that, docs/dev/performance.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { explainFailures, UserError } from '../scripts/base/processes.mjs';
import { lastRelease, packEarlier } from './earlier.mjs';
import { isWorse, type Part } from './measurement.mjs';
import { BenchN8n, type Sides } from './n8n.mjs';
import { measureEvents } from './parts/events.mjs';
import { measureFile } from './parts/file.mjs';
import { measureJournal } from './parts/journal.mjs';
import { measureReads } from './parts/reads.mjs';
import { measureStart } from './parts/start.mjs';
import { measureWrites } from './parts/writes.mjs';
import { measuredWith, print, write } from './report.mjs';

const PARTS: Record<string, (sides: Sides, rounds: number) => Promise<Part>> = {
	reads: measureReads,
	writes: measureWrites,
	journal: measureJournal,
	events: measureEvents,
	file: measureFile,
	start: measureStart,
};

explainFailures();
const { values, positionals } = parseArgs({
	options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } },
	allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`);
if (!Number.isInteger(rounds) || rounds < 1) throw new UserError('--rounds takes a number from 1.');

const parts: Part[] = [];
const folder = await mkdtemp(join(tmpdir(), 'bench-earlier-'));
const earlier = await packEarlier(values.against ?? (await lastRelease()), folder);
const sides: Sides = { now: await BenchN8n.start(), before: await BenchN8n.start(earlier.tarball), earlier };
try {
	for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
		const part = await PARTS[name](sides, rounds);
		print(part);
		parts.push(part);
	}
} finally {
	await Promise.all([sides.now.stop(), sides.before.stop(), rm(folder, { recursive: true, force: true })]);
}
const worse = parts.flatMap(({ figures }) => figures.filter(isWorse));
for (const { what, ratio } of worse)
	console.log(`Worse than in ${earlier.name}: ${what}: ${ratio?.toFixed(2)} times as much`);
if (worse.length === 0) console.log(`Nothing got worse than in ${earlier.name}.`);
if (positionals.length === 0) await write({ ...(await measuredWith(earlier.name, rounds)), parts });
