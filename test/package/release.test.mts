/** A release as CONTRIBUTING.md describes it, in a clone whose remote is a folder. */
import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../../scripts/shared/processes.mjs';

const OWN = [
	'--repository',
	'kanzlei-muster/n8n-nodes',
	'--author',
	'Erika Muster',
	'--email',
	'erika@muster.de',
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
const manifest = async () => JSON.parse(await text('package.json')) as { name: string; version: string };

/** `npm run release` without what it runs before: linters, tests and n8n's scan. */
const release = async (...args: string[]) => await run('release-it', ...args, '--ci', '--hooks.before:init=');

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'release-'));
	// SBOM and tarball don't depend on the folder's name.
	clone = join(folder, 'some-folder');
	await writeFile(
		join(folder, 'gitconfig'),
		'[user]\n\tname = Erika\n\temail = erika@muster.de\n[init]\n\tdefaultBranch = main\n',
	);
	const { stdout } = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: ROOT,
	});
	const files = stdout.split('\0').filter((file) => file && !/^(test|bench|host\/n8n)\//.test(file));
	for (const file of files.filter((path) => path !== 'node_modules')) {
		await cp(join(ROOT, file), join(clone, file));
	}
	await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
	await run('git', 'init', '--quiet');
	await appendFile(join(clone, '.git/info/exclude'), '/node_modules\n');
	await run('git', 'init', '--quiet', '--bare', join(folder, 'remote.git'));
	await run('git', 'remote', 'add', 'origin', join(folder, 'remote.git'));
	await run('git', 'add', '--all');
	await run('git', 'commit', '--quiet', '--message', 'As it is');
	await run('git', 'push', '--quiet', '--set-upstream', 'origin', 'main');
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe('the publisher', () => {
	it('has to be set before a release, and every place is named that still has the invented one', async () => {
		const { exitCode, all } = await run('tsx', 'scripts/release/publisher.mts', '--check');
		expect(exitCode).toBe(1);
		expect(all).toContain('package.json:17: "email": "maintainers@accounting-gateway.example"');
		expect(all).toContain('credentials/AccountingGatewayApi.credentials.ts:');
		for (const name of ['Banking', 'BankingTrigger', 'Data', 'Delivery', 'Mobility', 'TransactionTrigger'])
			expect(all).toContain(`AccountingGateway${name}.node.json:`);
		expect(all).toContain('docs/parameters.md:');
		const hooks = (JSON.parse(await text('.release-it.json')) as { hooks: Record<string, string[]> }).hooks;
		expect(hooks['before:init'][0]).toBe('npm run publisher -- --check');
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

	it('isn’t set by halves', async () => {
		const { exitCode, all } = await run('tsx', 'scripts/release/publisher.mts', ...OWN.slice(0, 4));
		expect([exitCode, all]).toEqual([1, expect.stringContaining('Usage: npm run publisher')]);
	});
});

describe('the first release', () => {
	it('can be looked at first, without a change', async () => {
		const { exitCode, all } = await release('0.1.0', '--dry-run');
		expect([exitCode, all]).toEqual([0, expect.stringContaining('(0.1.0...0.1.0)')]);
		expect(await text('CHANGELOG.md')).not.toContain('## [0.1.0]');
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
		const pushed = await execa('git', ['log', '-1', '--format=%s', 'main'], {
			cwd: join(folder, 'remote.git'),
		});
		expect(pushed.stdout).toBe('Release 0.1.0');
	});

	it('has notes with what the CHANGELOG says of it, and the checksum of the file', async () => {
		const packed = JSON.parse(
			(await run('npm', 'pack', '--json', '--pack-destination', folder)).stdout,
		) as Array<{ filename: string; integrity: string }>;
		const tarball = join(folder, packed[0].filename);
		const { stdout } = await run('tsx', 'scripts/release/notes.mts', tarball);
		expect(stdout).toMatch(/^### Added\n/);
		expect(stdout).toContain(packed[0].integrity);
		const sha512 = createHash('sha512')
			.update(await readFile(tarball))
			.digest('hex');
		expect(stdout).toContain(`\`${basename(tarball)}\`, SHA-512: \`${sha512}\``);
		expect(stdout).not.toContain('## [');
	});

	it('has a bill of materials that names the package, whatever the folder is called', async () => {
		const { stdout } = await run('npm', 'run', '--silent', 'sbom');
		expect((JSON.parse(stdout) as { metadata: { component: object } }).metadata.component).toMatchObject({
			name: (await manifest()).name,
			version: '0.1.0',
		});
		expect(stdout).not.toContain('some-folder');
		expect(stdout).not.toContain('private');
	});
});

describe('the next release', () => {
	it('has only what is new in its section', async () => {
		const changelog = await text('CHANGELOG.md');
		await writeFile(
			join(clone, 'CHANGELOG.md'),
			changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- What was wrong.\n'),
		);
		await run('git', 'commit', '--quiet', '--all', '--message', 'Fix what was wrong');
		const { exitCode, all } = await release('patch');
		expect([exitCode, all]).toEqual([0, expect.any(String)]);
		expect((await manifest()).version).toBe('0.1.1');
		expect(await text('CHANGELOG.md')).toContain(
			`## [0.1.1] - ${TODAY}\n\n### Fixed\n\n- What was wrong.\n\n## [0.1.0] - ${TODAY}\n`,
		);
		const { stdout } = await run('git', 'tag', '--list', '--format=%(contents)', 'v0.1.1');
		expect(stdout.trim()).toBe('Release 0.1.1\n\n### Fixed\n\n- What was wrong.');
	});

	it('isn’t made of nothing', async () => {
		await run('git', 'commit', '--quiet', '--allow-empty', '--message', 'Change nothing for users');
		const { exitCode, all } = await release('patch');
		expect([exitCode, all]).toEqual([1, expect.stringContaining('no entries under "Unreleased"')]);
	});
});
