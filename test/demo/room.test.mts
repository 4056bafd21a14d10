import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';

import { engineFor } from '../../host/n8n.mjs';
import { noHostFor } from '../../demo/platform.mjs';
import { orStop, UserError } from '../../scripts/base/processes.mjs';
import { PATIENCE_MS } from '../../scripts/base/waiting.mjs';
import { checkRoom, whenFull } from '../../demo/room.mjs';
import { useFolder } from '../support/useFolder.mjs';

const folder = useFolder('room');

describe('a folder that npm start needs', () => {
	it('is made, with nothing in it', async () => {
		await checkRoom(folder('a/b'), 1, 'tests go there');
		expect(await readdir(folder('a/b'))).toEqual([]);
	});

	it('is refused with the reason if it can’t be written', async () => {
		await writeFile(folder('file'), '');
		await expect(checkRoom(folder('file/inside'), 1, 'tests go there')).rejects.toThrow(
			/inside can’t be written to \(E(NOTDIR|NOENT|EXIST)\): tests go there\. Check who owns it/,
		);
	});

	it('is refused with what is missing if its disk is full', async () => {
		await expect(checkRoom(folder(), 1e9, 'tests go there')).rejects.toThrow(
			/ is full: .* GB are free, 1000000 GB are needed, because tests go there\. Make room/,
		);
	});
});

describe('a disk while npm start runs', () => {
	it('ends everything, with a sentence, when it becomes full', async () => {
		const nowhere = folder('not made yet');
		const signal = whenFull([nowhere, folder()], 1e9);
		expect(signal.aborted).toBe(false);
		await expect(orStop(new Promise(() => {}), signal)).rejects.toThrow(
			/^The disk of .*room-\w+ has become full: .* GB are left\. Everything was stopped\. Make room/,
		);
		expect(signal.reason).toBeInstanceOf(UserError);
	});

	it('ends nothing while it has room', async () => {
		const signal = whenFull([folder()], 1);
		await sleep(1_500);
		expect(signal.aborted).toBe(false);
	});
});

describe('npm start', () => {
	it.each([
		['the home folder', ['--once', '--sandbox-port=4010'], 'npm keeps its cache in the home folder'],
		['n8n’s folder', ['--once', '--user-folder'], 'n8n keeps its data there'],
	])('ends within seconds, with a sentence, where it can’t write to %s', async (what, options, sentence) => {
		const nowhere = folder('file/inside');
		await writeFile(folder('file'), '');
		const [HOME, args] = what === 'the home folder' ? [nowhere, options] : [folder(), [...options, nowhere]];
		const { exitCode, stderr } = await execa('node', ['scripts/run.mjs', 'start', ...args], {
			env: { HOME, USERPROFILE: HOME },
			reject: false,
			timeout: PATIENCE_MS,
		});
		expect([exitCode, stderr]).toEqual([1, expect.stringContaining(sentence)]);
		expect(stderr).not.toContain('    at ');
	});

	it('says which Node.js it needs', async () => {
		const args = ['--no-experimental-require-module', 'scripts/run.mjs', 'start', '--help'];
		const { exitCode, stderr } = await execa('node', args, { reject: false });
		expect([exitCode, stderr]).toEqual([1, expect.stringContaining('needs 20.19, 22.12 or newer')]);
	});
});

describe('a machine', () => {
	const [musl, glibc] = [() => true, () => false];

	it.each([
		['linux', 'x64', glibc],
		['linux', 'arm64', glibc],
		['darwin', 'arm64', glibc],
		['win32', 'x64', glibc],
	])('with %s %s can run n8n', (platform, arch, libc) => {
		expect(noHostFor(platform, arch, libc)).toBeUndefined();
	});

	it.each([
		['win32', 'arm64', glibc, /win32 arm64: it needs Node\.js 24.*WSL with Ubuntu.*`npm test`/],
		['linux', 'x64', musl, /musl \(Alpine\).*needs glibc.*Debian.*`npm test`/],
		['freebsd', 'x64', glibc, /freebsd x64/],
	])('with %s %s can’t run n8n, and its user is told what to do', (platform, arch, libc, sentence) => {
		expect(noHostFor(platform, arch, libc)).toMatch(sentence);
	});
});

describe('n8n’s older engine for expressions', () => {
	beforeEach(async () => {
		for (const machine of ['darwin-arm64', 'linux-x64'])
			await mkdir(folder('n8n/node_modules/isolated-vm/prebuilds', machine), { recursive: true });
	});

	it('is used where the other one has no compiled part', () => {
		const engine = (machine: string) => engineFor(folder('n8n'), machine);
		expect(engine('darwin-x64')).toEqual({ N8N_EXPRESSION_ENGINE: 'legacy' });
		expect([engine('darwin-arm64'), engine('linux-x64')]).toEqual([{}, {}]);
	});

	it('is not asked for in an n8n that has no other one', () => {
		expect(engineFor(folder('older'), 'darwin-x64')).toEqual({});
	});
});

it('each machine that can run n8n gets a Node.js that n8n allows and that has had updates', async () => {
	const { optionalDependencies } = JSON.parse(await readFile('host/n8n/package.json', 'utf8')) as {
		optionalDependencies: Record<string, string>;
	};
	expect(Object.keys(optionalDependencies)).toHaveLength(5);
	for (const [name, version] of Object.entries(optionalDependencies)) {
		const [major, minor] = version.split('.').map(Number);
		// Even ones get updates for years.
		expect([24, 26], name).toContain(major);
		expect(minor, name).toBeGreaterThan(0);
	}
});
