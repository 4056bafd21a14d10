import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { execa, execaSync } from 'execa';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
	installByPnpm,
	isInstalled,
	isInstalledByPnpm,
	npm,
	versionInLock,
} from '../../../scripts/base/packages.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const LOCKED = {
	'': { name: 'root' },
	'node_modules/a': { version: '1.0.0' },
	'node_modules/a/node_modules/b': { version: '2.0.0' },
	'node_modules/for-another-machine': { version: '3.0.0', optional: true },
};

describe('an installation by npm', () => {
	const folder = useFolder('packages');
	const write = async (file: string, packages: object) =>
		await writeFile(folder(file), JSON.stringify({ packages }));
	const installed = async (packages: object) => await write('node_modules/.package-lock.json', packages);

	beforeEach(async () => {
		await mkdir(folder('node_modules'));
		await write('package-lock.json', LOCKED);
	});

	it('is complete when everything needed on every machine is there', async () => {
		await installed({
			'node_modules/a': { version: '1.0.0' },
			'node_modules/a/node_modules/b': { version: '2.0.0' },
			'node_modules/additional': { version: '9.0.0' },
		});
		expect(isInstalled(folder())).toBe(true);
	});

	it.each([
		['a package is missing', { 'node_modules/a': { version: '1.0.0' } }],
		['a version differs', { ...LOCKED, 'node_modules/a': { version: '1.0.1' } }],
	])('is not complete when %s', async (_, packages) => {
		await installed(packages);
		expect(isInstalled(folder())).toBe(false);
	});

	it('is not complete when it was interrupted', () => {
		expect(isInstalled(folder())).toBe(false);
	});
});

describe('an installation by pnpm', () => {
	const folder = useFolder('pnpm');
	const write = async (file: string, content: string) => await writeFile(folder(file), content);

	beforeEach(async () => {
		await mkdir(folder('a'));
		await write('a/package.json', '{"name": "a", "version": "1.0.0"}');
		await write('package.json', '{"name": "root", "dependencies": {"a": "file:a"}}');
	});

	it('is complete when all that its lock file lists is there', async () => {
		const said = vi.fn();
		await installByPnpm(folder(), said, { lock: '--no-frozen-lockfile' });
		expect(said).toHaveBeenLastCalledWith('1 packages');
		expect(isInstalledByPnpm(folder())).toBe(true);
		await write('pnpm-lock.yaml', "lockfileVersion: '9.0'");
		expect(isInstalledByPnpm(folder())).toBe(false);
	});

	it('is not complete when it was interrupted', async () => {
		await write('pnpm-lock.yaml', "lockfileVersion: '9.0'");
		expect(isInstalledByPnpm(folder())).toBe(false);
	});

	it('has the versions of its lock file, of a package and not of another one whose name ends so', async () => {
		await write(
			'pnpm-lock.yaml',
			'packages:\n\n  better-sqlite3@1.0.0:\n\n  sqlite3@5.1.7:\n    resolution: {}\n',
		);
		expect(versionInLock(folder(), 'sqlite3')).toBe('5.1.7');
		expect(() => versionInLock(folder(), 'sqlite')).toThrow('has no sqlite');
	});

	it('says why it failed, in pnpm’s own words', async () => {
		await expect(installByPnpm(folder(), () => {})).rejects.toThrow(
			/^`pnpm install` failed \(exit code 1\)\.[^]*pnpm-lock\.yaml is absent/,
		);
	});
});

describe.skipIf(process.platform === 'win32')('a driver that has to be compiled', () => {
	const folder = useFolder('driver');
	/** Compiles a package as n8n's database driver is, where no ready-made one can be downloaded. */
	const compile = async () => await npm(folder(), ['rebuild', 'driver', '--ignore-scripts=false']);

	beforeEach(async () => {
		const write = async (file: string, content: object) =>
			await writeFile(folder(file), JSON.stringify(content));
		await mkdir(folder('node_modules/driver'), { recursive: true });
		await mkdir(folder('bin'));
		await write('package.json', { name: 'host', dependencies: { driver: '1.0.0' } });
		await write('node_modules/driver/package.json', {
			name: 'driver',
			version: '1.0.0',
			scripts: { install: 'node-gyp rebuild' },
		});
		await write('node_modules/driver/binding.gyp', {
			targets: [{ target_name: 'driver', sources: ['driver.cc'] }],
		});
	});

	it('says what a machine needs that has no compiler', async () => {
		await symlink('/bin/sh', folder('bin/sh'));
		await symlink(process.execPath, folder('bin/node'));
		// npm itself, where npm doesn't say in npm_execpath which script it is.
		const { stdout } = await execa('sh', ['-c', 'command -v npm']);
		await symlink(stdout, folder('bin/npm'));
		vi.stubEnv('PATH', folder('bin'));
		await expect(compile()).rejects.toThrow(/apt-get install python3 make g\+\+.*xcode-select.*Build Tools/);
	});

	const hasPython = !execaSync('python3', ['--version'], { reject: false }).failed;
	it.skipIf(!hasPython)(
		'says that Node.js’s headers are missing where they can’t be downloaded',
		async () => {
			vi.stubEnv('PATH', [dirname(process.execPath), process.env.PATH].join(delimiter));
			// npm hands its settings on to what it runs.
			vi.stubEnv('npm_config_nodedir', undefined);
			vi.stubEnv('npm_config_userconfig', folder('npmrc'));
			vi.stubEnv('npm_config_devdir', folder('headers'));
			vi.stubEnv('npm_config_disturl', 'https://nowhere.invalid');
			await expect(compile()).rejects.toThrow(/headers \(from nodejs\.org\) are missing/);
		},
	);
});
