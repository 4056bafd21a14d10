import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { clearStamp, isCurrent, stamped } from '../../../scripts/build/build.mjs';
import { useFolder } from '../../support/useFolder.mjs';

const SOURCES = [
	'api',
	'credentials',
	'icons',
	'scripts',
	'gulpfile.js',
	'tsconfig.json',
	'package.json',
	'package-lock.json',
];

describe('the build in dist/', () => {
	const root = useFolder('build');
	const write = async (file: string, content: string) => {
		await mkdir(dirname(root(file)), { recursive: true });
		await writeFile(root(file), content);
	};
	const build = async () => await write('dist/index.js', '');

	beforeEach(async () => {
		for (const source of SOURCES) await cp(source, root(source), { recursive: true });
		await write('nodes/A/A.node.ts', 'one');
	});

	it('is current once it was made', async () => {
		expect(await isCurrent(root())).toBe(false);
		await stamped(build, root());
		expect(await isCurrent(root())).toBe(true);
	});

	it.each<[string, () => Promise<void>]>([
		['a source has changed', () => write('nodes/A/A.node.ts', 'two')],
		['a source was added', () => write('nodes/B/B.node.ts', '')],
		['a source was removed', () => rm(root('nodes/A/A.node.ts'))],
		['the version has changed', () => write('package.json', '{"version":"9.9.9"}')],
		['it was removed', () => rm(root('dist'), { recursive: true })],
		['something else has changed it', () => clearStamp(root())],
	])('is not current when %s', async (_, change) => {
		await stamped(build, root());
		await change();
		expect(await isCurrent(root())).toBe(false);
	});

	it('is not current when a source changes while it is made', async () => {
		await stamped(async () => {
			await build();
			await write('nodes/A/A.node.ts', 'two');
		}, root());
		expect(await isCurrent(root())).toBe(false);
	});

	it('is not current when making it again has failed', async () => {
		await stamped(build, root());
		await expect(stamped(() => Promise.reject(new Error('no')), root())).rejects.toThrow('no');
		expect(await isCurrent(root())).toBe(false);
	});
});
