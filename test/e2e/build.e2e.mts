/** Anybody who builds a version gets the very file that was published. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, inject, it } from 'vitest';
import { ROOT } from '../../scripts/shared/processes.mjs';

const sha256 = async (file: string) =>
	createHash('sha256')
		.update(await readFile(file))
		.digest('hex');

it('a build in another folder makes the same package, byte for byte', async () => {
	const copy = await mkdtemp(join(tmpdir(), 'build-'));
	const { stdout: tracked } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: ROOT,
	});
	const wanted = /^(api|credentials|docs|icons|nodes|scripts)\/|^[^/]+$/;
	for (const file of tracked.split('\n').filter((path) => wanted.test(path) && path !== 'node_modules')) {
		await cp(join(ROOT, file), join(copy, file));
	}
	await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
	await execa('npm', ['run', 'build'], { cwd: copy });
	const { stdout } = await execa('npm', ['pack', '--json'], { cwd: copy });
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	expect(await sha256(join(copy, filename))).toBe(await sha256(inject('tarball')));
	await rm(copy, { recursive: true });
});
