/** What runs here and what runs on GitHub are the same steps. */
import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
	concurrency?: { group: string; 'cancel-in-progress': boolean };
	jobs: Record<string, { steps?: Array<{ run?: string; uses?: string }> }>;
}

const workflow = async (name: string) =>
	parse(await readFile(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
const runsOf = ({ jobs }: Workflow) =>
	Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
const namesIn = (text: string, pattern: RegExp) => [
	...new Set([...text.matchAll(pattern)].map(([, name]) => name)),
];

describe.skipIf(process.platform === 'win32')('CI', () => {
	it('runs the same steps here and on GitHub, and nothing else', async () => {
		const here = namesIn(await readFile('.ci/run', 'utf8'), /(?<=^|if |&& |\t)step ([a-z]\w*)(?=$| &|;)/gm);
		const runs = runsOf(await workflow('ci'));
		const there = namesIn(runs.join('\n'), /^bash \.ci\/step (\w+)$/gm);
		expect(runs.filter((run) => !/^bash \.ci\/step \w+$/.test(run))).toEqual([]);
		expect(there.sort()).toEqual(here.sort());
		expect(here).toContain('test');
	});

	it('has each of these steps, and the README’s command for the tests is one', async () => {
		const { stderr, exitCode } = await execa('bash', ['.ci/step'], { reject: false });
		expect(exitCode).toBe(2);
		const steps = namesIn(stderr, /^ {2}(\w+)/gm);
		const called = ['ci', 'nightly', 'publish'].map(async (name) => runsOf(await workflow(name)));
		const names = namesIn((await Promise.all(called)).flat().join('\n'), /^bash \.ci\/step (\w+)$/gm);
		expect(steps).toEqual(expect.arrayContaining(names));
		const script = await readFile('.ci/step', 'utf8');
		expect(script).toMatch(/^test\).*\n(?:\t.*\n)*\tenv .*npm test -- /m);
	});

	it('publishes one version at a time, and never stops half-way', async () => {
		expect((await workflow('publish')).concurrency).toEqual({
			group: 'publish',
			'cancel-in-progress': false,
		});
	});

	it('takes foreign actions by their commit', async () => {
		for (const name of ['ci', 'nightly', 'publish']) {
			const uses = Object.values((await workflow(name)).jobs).flatMap(({ steps = [] }) =>
				steps.flatMap((step) => step.uses ?? []),
			);
			expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
		}
	});

	it('waits some days before it proposes what is new', async () => {
		const { updates } = parse(await readFile('.github/dependabot.yml', 'utf8')) as {
			updates: Array<{ cooldown?: object }>;
		};
		expect(updates.map(({ cooldown }) => cooldown)).toEqual(updates.map(() => ({ 'default-days': 7 })));
	});
});
