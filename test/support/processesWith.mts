import { readdir, readFile } from 'node:fs/promises';

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
