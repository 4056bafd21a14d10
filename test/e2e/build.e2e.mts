/** Anybody who builds a version gets the very file that was published. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/base/processes.mjs';
import { copyRepository, linkInstalled } from '../support/repositoryCopy.mjs';

const sha256 = async (file: string) =>
	createHash('sha256')
		.update(await readFile(file))
		.digest('hex');

it('a build in another folder makes the same package, byte for byte', async () => {
	const copy = await mkdtemp(join(tmpdir(), 'build-'));
	await copyRepository(copy, /^(api|credentials|docs|icons|nodes|scripts|tools)\/|^[^/]+$/);
	await linkInstalled(copy, 'node_modules');
	await execa('npm', ['run', 'build'], { cwd: copy });
	const pack = async (cwd: string) => {
		const { stdout } = await execa('npm', ['pack', '--json', '--pack-destination', copy], { cwd });
		const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
		return await sha256(join(copy, filename));
	};
	expect(await pack(copy)).toBe(await pack(ROOT));
	await rm(copy, { recursive: true });
});
