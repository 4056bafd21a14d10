/**
 * A release as CONTRIBUTING.md describes it, in a clone whose remote is a folder. The clone is as before the first release,
 * whatever this repository is by now: these tests have to pass on the commit of a release, too.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../../scripts/base/processes.mjs';
import { copyRepository, linkInstalled } from '../support/repositoryCopy.mjs';

const OWN = [
	'--repository',
	'kanzlei-muster/n8n-nodes',
	'--author',
	'Erika Muster',
	'--email',
	'erika@muster.de',
];
const INVENTED = [
	'--repository',
	'accounting-gateway/n8n-nodes-accounting-gateway',
	'--author',
	'Accounting Gateway Contributors',
	'--email',
	'maintainers@accounting-gateway.example',
];
const TODAY = new Date().toLocaleDateString('sv');

let folder: string;
let clone: string;
const run = async (program: string, ...args: string[]) =>
	await execa(program, args, {
		cwd: clone,
		preferLocal: true,
		localDir: ROOT,
		env: { GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' },
		reject: false,
		all: true,
	});
const text = async (file: string) => await readFile(join(clone, file), 'utf8');
interface Manifest {
	name: string;
	version: string;
	scripts?: Record<string, string>;
	author: { email: string };
	packages?: Record<string, { version: string }>;
}
const manifest = async () => JSON.parse(await text('package.json')) as Manifest;

const release = async (...args: string[]) => await run('npm', 'run', 'release', '--', ...args);

/** No version is released, and nobody has set the publisher. */
async function beforeTheFirstRelease(): Promise<void> {
	const [head, ...sections] = (await text('CHANGELOG.md')).split(/^## \[.*$/m);
	const first = sections.map((section) => section.trim()).findLast(Boolean);
	await writeFile(join(clone, 'CHANGELOG.md'), `${head}## [Unreleased]\n\n${first}\n`);
	for (const file of ['package.json', 'package-lock.json']) {
		const content = JSON.parse(await text(file)) as Manifest;
		content.version = '0.1.0';
		if (content.packages) content.packages[''].version = '0.1.0';
		// What a release runs first takes minutes.
		for (const name of ['lint', 'test', 'test:tools', 'scan'])
			if (content.scripts) content.scripts[name] = `echo "checked: ${name}"`;
		await writeFile(join(clone, file), `${JSON.stringify(content, null, '\t')}\n`);
	}
	if (!INVENTED.includes((await manifest()).author.email))
		await run('tsx', 'scripts/release/publisher.mts', ...INVENTED);
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'release-'));
	// SBOM and tarball don't depend on the folder's name.
	clone = join(folder, 'some-folder');
	await writeFile(
		join(folder, 'gitconfig'),
		'[user]\n\tname = Erika\n\temail = erika@muster.de\n[init]\n\tdefaultBranch = main\n',
	);
	await copyRepository(clone, /^(?!(test|bench|host\/n8n)\/)./);
	await linkInstalled(clone, 'node_modules');
	await run('git', 'init', '--quiet');
	await appendFile(join(clone, '.git/info/exclude'), '/node_modules\n');
	await run('git', 'init', '--quiet', '--bare', join(folder, 'remote.git'));
	await run('git', 'remote', 'add', 'origin', join(folder, 'remote.git'));
	await run('git', 'add', '--all');
	await beforeTheFirstRelease();
	await run('git', 'commit', '--quiet', '--all', '--message', 'As it was');
	await run('git', 'push', '--quiet', '--set-upstream', 'origin', 'main');
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe('the publisher', () => {
	it('has to be set before a release, and every place is named that still has the invented one', async () => {
		const { exitCode, all } = await release('0.1.0');
		expect(exitCode).toBe(1);
		expect(all).toMatch(/package\.json:\d+: "email": "maintainers@accounting-gateway\.example"/);
		expect(all).toContain('credentials/AccountingGatewayApi.credentials.ts:');
		for (const name of ['Banking', 'BankingTrigger', 'Data', 'Delivery', 'Mobility', 'TransactionTrigger'])
			expect(all).toContain(`AccountingGateway${name}.node.json:`);
		expect(all).toContain('docs/parameters.md:');
	});

	it('is set in all of them by one command', async () => {
		expect((await run('tsx', 'scripts/release/publisher.mts', ...OWN)).all).toContain('are set.');
		expect(await manifest()).toMatchObject({
			author: { name: 'Erika Muster', email: 'erika@muster.de' },
			homepage: 'https://github.com/kanzlei-muster/n8n-nodes#readme',
			bugs: { url: 'https://github.com/kanzlei-muster/n8n-nodes/issues' },
			repository: { type: 'git', url: 'git+https://github.com/kanzlei-muster/n8n-nodes.git' },
		});
		const { stdout } = await run('git', 'grep', '--count', 'github.com/accounting-gateway');
		// The script that looks for it.
		expect(stdout).toMatch(/^(scripts\/release\/publisher\.mts:\d+)?$/);
		await run('git', 'commit', '--quiet', '--all', '--message', 'Set the publisher');
		await run('git', 'push', '--quiet');
	});
});

describe('the first release', () => {
	it('is checked, and can be tried without any change', async () => {
		const { exitCode, all } = await release('minor', '--dry-run');
		expect([exitCode, all]).toEqual([0, expect.stringMatching(/Would release 0\.2\.0:\n\n### \w/)]);
		const checked = [...all.matchAll(/^checked: (.*)$/gm)].map(([, name]) => name);
		expect(checked).toEqual(['lint', 'test', 'test:tools', 'scan']);
		const { stdout } = await run('git', 'status', '--porcelain', '--branch');
		expect(stdout).toBe('## main...origin/main');
	});

	it('has its version, a dated section, and a tag with that section, at the remote', async () => {
		const section = /## \[Unreleased\]\s+([^]*?)\s*$/.exec(await text('CHANGELOG.md'))![1];
		const { exitCode, all } = await release('0.1.0');
		expect([exitCode, all]).toEqual([0, expect.any(String)]);
		expect((await manifest()).version).toBe('0.1.0');
		expect(await text('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [0.1.0] - ${TODAY}\n\n${section}`);
		const tag = await execa('git', ['for-each-ref', 'refs/tags/v0.1.0', '--format=%(contents)'], {
			cwd: join(folder, 'remote.git'),
		});
		expect(tag.stdout.trim()).toBe(`Release 0.1.0\n\n${section}`);
		expect((await release('0.1.0')).all).toContain('v0.1.0 is released already.');
		const pushed = await execa('git', ['log', '-1', '--format=%s', 'main'], {
			cwd: join(folder, 'remote.git'),
		});
		expect(pushed.stdout).toBe('Release 0.1.0');
	});

	it('is described by that section and by the published file’s checksum', async () => {
		const { exitCode, all } = await run('tsx', 'scripts/release/notes.mts', 'package.json');
		const sha512 = createHash('sha512').update(await text('package.json'));
		expect(exitCode).toBe(0);
		expect(all).toMatch(/^### \w+\n/);
		expect(all).toContain(`\`package.json\`, SHA-512: \`${sha512.digest('hex')}\``);
	});
});
