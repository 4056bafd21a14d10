/**
 * `npm run mutate -- <files or folders of nodes/>`: changes the code in small ways, one at a time, and checks whether
 * the tests next to it kill the mutants (Stryker). Survivors are printed; after a whole folder, its row in
 * docs/mutation.md is written. Mutants that were killed before are tried again only with `--fresh`. Mutants of code
 * that runs only while a file is loaded (static) are tried with `--static`: each of those takes all the tests of the
 * folder. `--new-threads` runs the tests as Stryker does by default, see keptThread.mts. `--patience` is how many
 * seconds longer than without the mutant the tests may take until it counts as one that hangs.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import lodash from 'lodash';
import { parse } from 'yaml';
import { explainFailures, ROOT, UserError } from '../shared/processes.mjs';

const TABLE = 'docs/mutation.md';
const HEADING = /^\|---.*\n/m;
const KILLED = ['Killed', 'Timeout', 'RuntimeError'];
const SURVIVED = ['Survived', 'NoCoverage'];

const hasSurvived = ({ status }: { status: string }) => SURVIVED.includes(status);

/** An equivalent mutant, which behaves like the original, from `equivalent.yaml` in the folder of the tests. */
interface Equivalent {
	/** Name of the file. */
	file: string;
	/** The line, as it is and mutated. */
	line: string;
	becomes: string;
	why: string;
}

/** The report on disk. A test may now kill what survived in it. */
interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

explainFailures();
process.chdir(ROOT);
const { values: flags, positionals } = parseArgs({
	options: {
		fresh: { type: 'boolean', default: false },
		static: { type: 'boolean', default: false },
		'new-threads': { type: 'boolean', default: false },
		concurrency: { type: 'string', default: '1' },
		// So long that only the mutation can be the reason, on a busy machine as well.
		patience: { type: 'string', default: '120' },
	},
	allowPositionals: true,
});
// Generated values are the same in each run.
process.env.PROOF_SEED ??= '1';
for (const [folder, targets] of Object.entries(lodash.groupBy(positionals.map(normalized), folderOf))) {
	await mutate(folder, targets);
}

function normalized(given: string): string {
	const target = path.relative(ROOT, path.resolve(ROOT, given)).replaceAll(path.sep, '/');
	if (!target.startsWith('nodes/') || !existsSync(target)) throw new UserError(`${given} is not in nodes/.`);
	return target;
}

/** The folder whose tests are those of a file or folder: nodes/shared/errors, nodes/AccountingGatewayData. */
function folderOf(target: string): string {
	const parts = target.split('/');
	return parts.slice(0, parts[1] === 'shared' && parts[2] && !parts[2].endsWith('.ts') ? 3 : 2).join('/');
}

async function mutate(folder: string, targets: string[]): Promise<void> {
	const tests = `test/${folder}`;
	const incrementalFile = `tmp/mutation/${folder.replaceAll('/', '-')}.json`;
	await forgetSurvivors(incrementalFile);
	process.env.MUTATION_FOLDER = folder;
	// What runs only while a file is loaded needs a new thread for each mutation.
	if (flags.static || flags['new-threads']) process.env.MUTATION_NEW_THREADS = 'true';
	const tried = await new Stryker({
		mutate: targets.map((target) => (target.endsWith('.ts') ? target : `${target}/**/*.ts`)),
		plugins: ['@stryker-mutator/vitest-runner', path.join(ROOT, 'scripts/mutation/formTexts.mjs')],
		ignorers: ['formTexts'],
		testRunner: 'vitest',
		vitest: { configFile: 'vitest.mutation.config.mts', related: false },
		coverageAnalysis: 'perTest',
		incremental: true,
		incrementalFile,
		force: flags.fresh,
		ignoreStatic: !flags.static,
		concurrency: Number(flags.concurrency),
		tempDirName: `tmp/stryker-${process.pid}`,
		ignorePatterns: ['/docs', '/tmp'],
		disableTypeChecks: false,
		tsconfigFile: '',
		timeoutMS: Number(flags.patience) * 1000,
		dryRunTimeoutMinutes: 20,
		logLevel: 'warn' as LogLevel,
		reporters: ['progress-append-only'],
	}).runMutationTest();
	// Stryker also tries static mutants if a test loads their file again; the other tests use that code, too, and would
	// let the mutants survive.
	const mutants = tried.filter((mutant) => flags.static || !mutant.static);

	const survivors = await Promise.all(mutants.filter(hasSurvived).map(lines));
	const file = `${tests}/equivalent.yaml`;
	const equivalents = existsSync(file) ? (parse(await readFile(file, 'utf8')) as Equivalent[]) : [];
	const isSame = (a: Equivalent) => (b: Omit<Equivalent, 'why'>) =>
		`${folder}/${a.file}` === b.file && a.line === b.line && a.becomes === b.becomes;
	const survived = survivors.filter((survivor) => !equivalents.some((one) => isSame(one)(survivor)));
	for (const { file, at, line, becomes } of survived) console.log(`\n${file}:${at}\n- ${line}\n+ ${becomes}`);

	const killed = mutants.filter(({ status }) => KILLED.includes(status)).length;
	const score = (100 * killed) / (killed + survived.length);
	const cells = [killed + survivors.length, killed, survived.length, survivors.length - survived.length];
	const row = `| \`${folder}\` | ${cells.join(' | ')} | ${score.toFixed(1)} % |`;
	console.log(`\n| folder | mutants | killed | survived | equivalent | score |\n${row}`);
	if (!targets.includes(folder)) return;
	for (const one of equivalents.filter((equivalent) => !survivors.some(isSame(equivalent)))) {
		console.log(`\n${file}: nothing survives that matches\n- ${one.line}\n+ ${one.becomes}`);
	}
	await writeRow(folder, row);
}

/**
 * Removes the survivors from the last run's report, so that they are tried again: Stryker doesn't notice that a test
 * has changed. Mutants that timed out are tried again, too: the machine may have been busy.
 */
async function forgetSurvivors(file: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	if (!existsSync(file)) return;
	const report = JSON.parse(await readFile(file, 'utf8')) as Report;
	for (const one of Object.values(report.files)) {
		one.mutants = one.mutants.filter(({ status }) => status !== 'Timeout' && !hasSurvived({ status }));
	}
	await writeFile(file, JSON.stringify(report));
}

/** A mutation as a change of one line; if it spans several, the first line, and what replaces them all. */
async function lines({ fileName, location: { start, end }, replacement }: MutantResult) {
	const file = path.relative(ROOT, fileName).replaceAll(path.sep, '/');
	const source = (await readFile(file, 'utf8')).split('\n');
	// Counted from 1.
	const [first, last] = [source[start.line - 1], source[end.line - 1]];
	const becomes = first.slice(0, start.column - 1) + replacement + last.slice(end.column - 1);
	return {
		file,
		at: start.line,
		line: first.trim(),
		becomes: becomes.replace(/\s+/g, ' ').trim(),
	};
}

async function writeRow(folder: string, row: string): Promise<void> {
	const text = await readFile(TABLE, 'utf8');
	const rows = text
		.split('\n')
		.filter((line) => line.startsWith('| `nodes/') && !line.includes(`\`${folder}\``));
	const rest = text
		.split('\n')
		.filter((line) => !line.startsWith('| `nodes/'))
		.join('\n');
	const table = [...rows, row].sort().join('\n');
	await writeFile(
		TABLE,
		rest.replace(HEADING, (heading) => `${heading}${table}\n`),
	);
}
