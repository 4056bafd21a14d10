/** What runs here and what runs on GitHub are the same steps. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

interface Job {
	permissions?: Record<string, string>;
	steps?: Array<{ run?: string; uses?: string }>;
}
interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const WORKFLOWS = ['ci', 'nightly', 'publish'];

const workflow = async (name: string) =>
	parse(await readFile(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
const runsOf = ({ jobs }: Workflow) =>
	Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
const namesIn = (text: string, pattern: RegExp) => [
	...new Set([...text.matchAll(pattern)].map(([, name]) => name)),
];
const stepsOf = (runs: string[]) => namesIn(runs.join('\n'), /^bash \.ci\/step (\w+)$/gm);

/** Runs a script of .ci/ in another folder, beside these files. */
async function runElsewhere(script: string, files: Record<string, string>, ...args: string[]) {
	const folder = await mkdtemp(join(tmpdir(), 'ci-'));
	onTestFinished(async () => await rm(folder, { recursive: true }));
	await mkdir(join(folder, '.ci'));
	await cp(script, join(folder, script));
	for (const [file, content] of Object.entries(files))
		await writeFile(join(folder, file), content, { mode: 0o755 });
	return await execa('bash', [script, ...args], {
		cwd: folder,
		env: { PATH: [folder, process.env.PATH].join(delimiter) },
		reject: false,
		all: true,
	});
}

/** Runs .ci/run with steps that do nothing but what this script says. */
const runWith = async (step: string) => await runElsewhere('.ci/run', { '.ci/step': step });

describe.skipIf(process.platform === 'win32')('CI', () => {
	it('runs the same steps here and on GitHub, and nothing else', async () => {
		const here = namesIn((await runWith('')).all, /^=== (\w+)$/gm);
		const runs = runsOf(await workflow('ci'));
		expect(runs.filter((run) => !/^bash \.ci\/step \w+$/.test(run))).toEqual([]);
		// The demo runs on other systems, too; here, test/e2e/start.e2e.mts starts it.
		expect(stepsOf(runs).sort()).toEqual([...here, 'demo'].sort());
	});

	it('has each step that a workflow names', async () => {
		const { stderr, exitCode } = await execa('bash', ['.ci/step'], { reject: false });
		expect(exitCode).toBe(2);
		const called = await Promise.all(WORKFLOWS.map(async (name) => runsOf(await workflow(name))));
		expect(namesIn(stderr, /^ {2}(\w+)/gm)).toEqual(expect.arrayContaining(stepsOf(called.flat())));
	});

	it('tests with the README’s command, also where nothing is installed yet', async () => {
		const programs = { npm: '#!/bin/sh\necho "called: npm $*"', git: '#!/bin/sh\nmkdir -p "$4"' };
		const { all } = await runElsewhere('.ci/step', programs, 'test');
		expect(all).toBe('called: npm test');
	});

	it('takes foreign actions by their commit', async () => {
		for (const name of WORKFLOWS) {
			const uses = Object.values((await workflow(name)).jobs).flatMap(({ steps = [] }) =>
				steps.flatMap((step) => step.uses ?? []),
			);
			expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
		}
	});

	it('gives the right to publish or to write only to jobs that run nothing but npm and GitHub’s own program', async () => {
		const able: string[] = [];
		for (const name of WORKFLOWS) {
			const { permissions, jobs } = await workflow(name);
			expect(permissions).toEqual({ contents: 'read' });
			for (const [job, { permissions = {}, steps = [] }] of Object.entries(jobs)) {
				if (!Object.values(permissions).includes('write')) continue;
				able.push(`${name}/${job}`);
				expect(
					steps
						.flatMap(({ run }) => run ?? [])
						.filter((run) => !/^(npm publish \.|gh release create) ?[^;&|\n]*$/.test(run)),
				).toEqual([]);
				expect(steps.flatMap(({ uses }) => uses ?? []).filter((one) => /checkout|\/cache/.test(one))).toEqual(
					[],
				);
			}
		}
		expect(able).toEqual(['publish/publish', 'publish/release']);
	});

	it('publishes only a tag that lies on main', async () => {
		const { jobs } = await workflow('publish');
		const { run } = jobs.pack.steps!.find(({ run }) => run?.startsWith('git merge-base'))!;
		const folder = await mkdtemp(join(tmpdir(), 'tag-'));
		onTestFinished(async () => await rm(folder, { recursive: true }));
		const git = async (...args: string[]) =>
			(await execa('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder }))
				.stdout;
		await git('init', '--quiet', '--initial-branch=main');
		const commit = async (name: string) => {
			await git('commit', '--quiet', '--allow-empty', '--message', name);
			return await git('rev-parse', 'HEAD');
		};
		const on = await commit('on main');
		await git('branch', 'elsewhere');
		await commit('later on main');
		await git('update-ref', 'refs/remotes/origin/main', 'main');
		await git('checkout', '--quiet', 'elsewhere');
		const off = await commit('not on main');
		const passes = async (sha: string) =>
			(await execa('bash', ['-e', '-c', run!], { cwd: folder, env: { GITHUB_SHA: sha }, reject: false }))
				.exitCode === 0;
		expect([await passes(on), await passes(off)]).toEqual([true, false]);
	});
});

describe.skipIf(process.platform === 'win32')('a run of CI', () => {
	it('fails and names the steps that it left out when n8n cannot be installed', async () => {
		const { all, exitCode } = await runWith('[ "$1" != n8n ]');
		expect(exitCode).toBe(1);
		expect(all).toMatch(/left out:\n.*: deploy e2e\n/);
	});

	it('fails when a step fails, and runs the others', async () => {
		const { all, exitCode } = await runWith('[ "$1" != lint ]');
		expect(exitCode).toBe(1);
		expect(all).toMatch(/FAILED +lint$[^]*ok +scan$/m);
		expect(all).not.toContain('left out');
	});

	it('counts the tests, names those that were skipped, and says last what failed', async () => {
		const result = JSON.stringify({
			numPassedTests: 2,
			numFailedTests: 1,
			numPendingTests: 1,
			numTodoTests: 0,
			testResults: [
				{
					name: '/x/test/a.test.mts',
					status: 'failed',
					message: '',
					assertionResults: [
						{
							fullName: 'books twice',
							status: 'failed',
							failureMessages: ['expected 2 to be 1\n    at a.mts'],
						},
						{ fullName: 'waits for a Mac', status: 'skipped' },
					],
				},
				{ name: '/x/test/b.test.mts', status: 'failed', message: 'no such module', assertionResults: [] },
			],
		});
		const { all, exitCode } = await runWith(
			`[ "$1" != test ] || { echo '${result}' >"$RESULTS/tests.json"; exit 1; }`,
		);
		const end = all.slice(all.indexOf('skipped:')).split('\n');
		expect(end).toEqual([
			'skipped: waits for a Mac (test/a.test.mts)',
			'failed: books twice (test/a.test.mts)',
			'    expected 2 to be 1',
			'        at a.mts',
			'failed: test/b.test.mts',
			'    no such module',
			'tests: 2 passed, 1 failed, 1 skipped',
		]);
		expect(exitCode).toBe(1);
	});
});
