/**
 * `npm run bench -- [part …] [--rounds 3] [--against <tarball>]`: compares speed and memory with n8n's own nodes and with bare
 * clients, and with another version of the package (`npm pack <name>@<version>`), and says what got worse. Without names, it measures
 * all parts and writes docs/dev/performance.md.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { explainFailures, UserError } from '../tools/processes.mjs';
import { addEarlier, isWorse, type Part } from './measurement.mjs';
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
	options: { rounds: { type: 'string', default: '3' }, against: { type: 'string' } },
	allowPositionals: true,
});
const rounds = Number(values.rounds);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(', ')}.`);
if (!Number.isInteger(rounds) || rounds < 1) throw new UserError('--rounds takes a number from 1.');

const measured: Part[] = [];
const n8n = await BenchN8n.start();
const before = values.against === undefined ? undefined : await BenchN8n.start(resolve(values.against));
try {
	for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
		const part = await PARTS[name](n8n, rounds);
		// The file's upload runs without an n8n, from this repository's sources.
		if (before && name !== 'file') addEarlier(part, await PARTS[name](before, rounds));
		print(part);
		measured.push(part);
	}
} finally {
	await Promise.all([n8n.stop(), before?.stop()]);
}
const worse = measured.flatMap(({ figures }) => figures.filter(isWorse));
for (const { what, ratio, earlier } of worse)
	console.log(`Worse than before: ${what}: ratio ${ratio?.toFixed(2)} in place of ${earlier?.toFixed(2)}`);
if (positionals.length === 0) await writePage(measured, rounds);
