import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../../scripts/packages.mjs';

const LOCKED = {
	'': { name: 'root' },
	'node_modules/a': { version: '1.0.0' },
	'node_modules/a/node_modules/b': { version: '2.0.0' },
	'node_modules/for-another-machine': { version: '3.0.0', optional: true },
};

describe('isInstalled', () => {
	let folder: string;
	const write = async (file: string, packages: object) =>
		await writeFile(join(folder, file), JSON.stringify({ packages }));
	const installed = async (packages: object) => await write('node_modules/.package-lock.json', packages);

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'packages-'));
		await mkdir(join(folder, 'node_modules'));
		await write('package-lock.json', LOCKED);
	});
	afterEach(async () => await rm(folder, { recursive: true }));

	it('is true when everything needed on every machine is there', async () => {
		await installed({
			'node_modules/a': { version: '1.0.0' },
			'node_modules/a/node_modules/b': { version: '2.0.0' },
			'node_modules/additional': { version: '9.0.0' },
		});
		expect(isInstalled(folder)).toBe(true);
	});

	it.each([
		['a package is missing', { 'node_modules/a': { version: '1.0.0' } }],
		['a version differs', { ...LOCKED, 'node_modules/a': { version: '1.0.1' } }],
	])('is false when %s', async (_, packages) => {
		await installed(packages);
		expect(isInstalled(folder)).toBe(false);
	});

	it('is false after an installation that did not finish', () => {
		expect(isInstalled(folder)).toBe(false);
	});
});
