/** What runs here and what runs on GitHub are the same steps. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
	concurrency?: { group: string; 'cancel-in-progress': boolean };
	env?: Record<string, string>;
	jobs: Record<
		string,
		{ 'runs-on'?: string; 'timeout-minutes'?: number; steps?: Array<{ run?: string; uses?: string }> }
	>;
}

const WORKFLOWS = ['ci', 'nightly', 'publish'];

const workflow = async (name: string) =>
	parse(await readFile(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
const runsOf = ({ jobs }: Workflow) =>
	Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
const namesIn = (text: string, pattern: RegExp) => [
	...new Set([...text.matchAll(pattern)].map(([, name]) => name)),
];

describe.skipIf(process.platform === 'win32')('CI', () => {
	it('runs the same steps here and on GitHub, and nothing else', async () => {
		const here = namesIn(
			await readFile('.ci/run', 'utf8'),
			/(?<=^|if |&& |\t|=\w+ )step ([a-z]\w*)(?=$| &|;)/gm,
		);
		const runs = runsOf(await workflow('ci'));
		const there = namesIn(runs.join('\n'), /^bash \.ci\/step (\w+)$/gm);
		expect(runs.filter((run) => !/^bash \.ci\/step \w+$/.test(run))).toEqual([]);
		// The demo runs on other systems, too; here, test/e2e/start.e2e.mts starts it.
		expect(there.sort()).toEqual([...here, 'demo'].sort());
		expect(here).toContain('test');
	});

	it('has each of these steps, and the README’s command for the tests is one', async () => {
		const { stderr, exitCode } = await execa('bash', ['.ci/step'], { reject: false });
		expect(exitCode).toBe(2);
		const steps = namesIn(stderr, /^ {2}(\w+)/gm);
		const called = WORKFLOWS.map(async (name) => runsOf(await workflow(name)));
		const names = namesIn((await Promise.all(called)).flat().join('\n'), /^bash \.ci\/step (\w+)$/gm);
		expect(steps).toEqual(expect.arrayContaining(names));
		const script = await readFile('.ci/step', 'utf8');
		expect(script).toMatch(/^test\).*\n(?:\t.*\n)*\tnpm test -- /m);
	});

	it('ends a job that hangs', async () => {
		for (const name of WORKFLOWS) {
			for (const [job, { steps, 'timeout-minutes': minutes }] of Object.entries((await workflow(name)).jobs))
				if (steps) expect(minutes, `${name}, ${job}`).toBeLessThanOrEqual(120);
		}
	});

	it('publishes one version at a time, and never stops half-way', async () => {
		expect((await workflow('publish')).concurrency).toEqual({
			group: 'publish',
			'cancel-in-progress': false,
		});
	});

	it('takes foreign actions by their commit', async () => {
		for (const name of WORKFLOWS) {
			const uses = Object.values((await workflow(name)).jobs).flatMap(({ steps = [] }) =>
				steps.flatMap((step) => step.uses ?? []),
			);
			expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
		}
	});
});

/** Runs .ci/run with steps that do nothing but what this script says. */
async function runWith(step: string) {
	const folder = await mkdtemp(join(tmpdir(), 'ci-'));
	onTestFinished(async () => await rm(folder, { recursive: true }));
	await mkdir(join(folder, '.ci'));
	await cp('.ci/run', join(folder, '.ci/run'));
	await writeFile(join(folder, '.ci/step'), step);
	return await execa('bash', ['.ci/run'], { cwd: folder, reject: false, all: true });
}

describe.skipIf(process.platform === 'win32')('a run of CI', () => {
	it('fails and names the steps that it left out when n8n cannot be installed', async () => {
		const { all, exitCode } = await runWith('[ "$1" != n8n ]');
		expect(exitCode).toBe(1);
		expect(all).toMatch(/left out:\n.*: deploy e2e queue\n/);
	});

	it('counts the tests that were skipped, and names each', async () => {
		const result = JSON.stringify({
			numPassedTests: 2,
			numFailedTests: 0,
			numPendingTests: 1,
			numTodoTests: 0,
			testResults: [
				{
					name: '/x/test/a.test.mts',
					assertionResults: [{ fullName: 'waits for a Mac', status: 'skipped' }],
				},
			],
		});
		const { all, exitCode } = await runWith(`[ "$1" != test ] || echo '${result}' >"$RESULTS/tests.json"`);
		expect(all).toMatch(
			/skipped: waits for a Mac \(test\/a\.test\.mts\)\n.*tests: 2 passed, 0 failed, 1 skipped$/,
		);
		expect(exitCode).toBe(0);
	});
});
