/** The folder in which an n8n keeps its data. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from './processes.mjs';

/** Makes sure that no other n8n of ours works on the same data until this process ends. */
export function claim(userFolder: string): void {
	const file = join(userFolder, 'npm-start.pid');
	const other = processIn(file);
	if (other) {
		throw new UserError(
			`\`npm start\` is already running with this data, as process ${other}. Use that one, or stop it first, or take another folder with --user-folder. If it isn't running, delete ${file}.`,
		);
	}
	mkdirSync(userFolder, { recursive: true });
	writeFileSync(file, String(process.pid));
	process.once('exit', () => rmSync(file, { force: true }));
}

/** The running process whose ID the file has, if any. */
function processIn(file: string): number | undefined {
	try {
		const pid = Number(readFileSync(file, 'utf8'));
		process.kill(pid, 0);
		return pid;
	} catch {
		return undefined;
	}
}
