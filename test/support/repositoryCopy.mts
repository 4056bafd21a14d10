/** Copies of this repository, to start, build or release in, and the processes that run there. */
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

import { STAMP } from '../../scripts/base/stamp.mjs';
import { ROOT } from '../../scripts/base/processes.mjs';
import { readExamples, withCalled } from '../../demo/examples.mjs';

/** What `npm start` needs: no tests and no pages. */
const TO_START = /^(api|credentials|demo|host|icons|nodes|sandbox|scripts|workflows)\/|^[^/]+$/;

/** Copies the files of this repository, without what is installed. @param wanted by their paths in it */
export async function copyRepository(copy: string, wanted = TO_START): Promise<void> {
	const { stdout } = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: ROOT,
	});
	const files = stdout.split('\0').filter((path) => wanted.test(path) && !path.includes('node_modules'));
	for (const file of files) await cp(join(ROOT, file), join(copy, file));
}

/** Has a copy use what is installed here. */
export async function linkInstalled(copy: string, ...paths: string[]): Promise<void> {
	for (const path of paths) {
		await mkdir(dirname(join(copy, path)), { recursive: true });
		await symlink(join(ROOT, path), join(copy, path), 'junction');
	}
}

/** Prepares a copy to start without installing or building, with only these examples and those that they call. */
export async function keepExamples(copy: string, ...names: string[]): Promise<void> {
	await linkInstalled(copy, 'node_modules', 'host/n8n/node_modules');
	// npm packs no linked folder.
	for (const path of ['dist', STAMP]) await cp(join(ROOT, path), join(copy, path), { recursive: true });
	const all = await readExamples();
	const kept = withCalled(
		all.filter(({ name }) => names.includes(name)),
		all,
	);
	for (const example of all) {
		if (!kept.includes(example)) await rm(join(copy, `workflows/${example.name}.json`));
	}
}

/** The processes that have a text in their command or environment, such as a folder of theirs. On Linux only. */
export async function processesWith(text: string): Promise<string[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
	const lines = pids.map(async (pid) => {
		const read = async (file: string) =>
			(await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
		const command = await read('cmdline');
		return `${await read('environ')} ${command}`.includes(text) ? `${pid} ${command}` : '';
	});
	return (await Promise.all(lines)).filter(Boolean);
}
