/** What `npm test` takes, and on what. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execa } from 'execa';
import groupBy from 'lodash/groupBy.js';
import sortBy from 'lodash/sortBy.js';
import sumBy from 'lodash/sumBy.js';

import { ROOT } from '../../scripts/shared/processes.mjs';
import { tableOf } from '../../scripts/shared/tables.mjs';
import type { Part } from '../measurement.mjs';
import { type FileTime, TIMES } from './testTimes.mjs';

/** Seconds. */
const GOAL = 90;
/** Folders that take less than this aren't listed. */
const LISTED = 3;

const inSeconds = (value: number) => `${value.toFixed(0)} s`;

export async function measureTests(): Promise<Part> {
	const folder = await mkdtemp(join(tmpdir(), 'test-times-'));
	const file = join(folder, 'times');
	const vitest = [
		process.execPath,
		'node_modules/vitest/vitest.mjs',
		'run',
		'--config=bench/tests.config.mts',
	];
	// The processor time of the command and of all that it has started.
	const { stderr } = await execa(
		'bash',
		['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1', 'bash', ...vitest],
		{ cwd: ROOT, env: { [TIMES]: file } },
	);
	const [wall, user, system] = stderr.trim().split(' ').map(Number);
	const times = (await readFile(file, 'utf8'))
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as FileTime);
	await rm(folder, { recursive: true });
	const all = user + system;
	const inTests = sumBy(times, 'tests');
	const processes = Object.values(groupBy(times, 'pid')).map((of) => of.at(-1)!.whole);
	const inProcesses = sumBy(processes);
	const folders = Object.entries(groupBy(times, ({ file: of }) => folderOf(relative(ROOT, of))))
		.map(([name, of]) => ({ name, seconds: sumBy(of, 'tests') }))
		.filter(({ seconds }) => seconds >= LISTED);
	const rows = [
		...sortBy(folders, ({ seconds }) => -seconds).map(({ name, seconds }) => ({
			what: `the tests in \`${name}\``,
			seconds,
		})),
		{ what: 'those in other folders', seconds: inTests - sumBy(folders, 'seconds') },
		{ what: 'loading n8n, the nodes and the tests', seconds: inProcesses - inTests },
		{ what: 'Vitest itself, and the processes that tests start', seconds: all - inProcesses },
	];
	return {
		title: 'The tests',
		method: `\`npm test\`, with what is needed already installed: ${times.length} files, three at a time.`,
		measurements: [
			{ what: '`npm test`: time', against: 's', ours: inSeconds(wall), value: wall, goal: GOAL },
			{
				what: '`npm test`: processor time, on two processors',
				against: 's',
				ours: inSeconds(all),
				value: all,
			},
		],
		notes: [
			`The processor time goes into:`,
			tableOf(rows.map(({ what, seconds }) => ({ what, seconds: seconds.toFixed(0) }))),
			'No part stands out: only fewer tests or more processors would make it much quicker. The table that `.ci/run` prints at its end says the same: besides `npm test`, more than half is the tests on a real n8n, each start of which takes 5 s of processor time.',
		],
	};
}

/** `test/nodes/shared` of `test/nodes/shared/run/write.test.mts`, `test/sandbox` of `test/sandbox/store.test.mts`. */
const folderOf = (file: string): string => {
	const [test, first, second] = file.split('/');
	return first === 'nodes' ? [test, first, second].join('/') : [test, first].join('/');
};
