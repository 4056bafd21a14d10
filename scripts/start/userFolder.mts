import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { OWNER, type Owner } from '../../host/client.mjs';
import { UserError } from '../../tools/processes.mjs';

/** A path to print: relative to the current folder, but in full outside of it, where nobody should have to work it out. */
export function shownPath(path: string): string {
	const inside = relative(process.cwd(), path);
	return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

const fileOf = (userFolder: string) => join(userFolder, 'npm-start.pid');

/** Makes sure that no other n8n of this repository works on the same data until this process ends. */
export function claim(userFolder: string): void {
	const file = fileOf(userFolder);
	const other = processIn(file);
	if (other) {
		throw new UserError(
			`\`npm start\` is already running with this data, as process ${other}. Use that one, or stop it first, or choose another folder with --user-folder. If it isn't running, delete ${file}.`,
		);
	}
	mkdirSync(userFolder, { recursive: true });
	writeFileSync(file, `${process.pid}\n`);
	process.once('exit', () => rmSync(file, { force: true }));
}

/** Records another process that works on the data, because it would keep running if this one were killed. */
export function addProcess(userFolder: string, pid: number): void {
	appendFileSync(fileOf(userFolder), `${pid}\n`);
}

/** The owner of the n8n with this data. The password is generated once, and only the current user can read it. */
export function ownerIn(userFolder: string): Owner {
	const file = join(userFolder, 'owner-password');
	mkdirSync(userFolder, { recursive: true });
	// n8n requires a capital letter and a digit.
	if (!existsSync(file))
		writeFileSync(file, `Demo-1-${randomBytes(9).toString('base64url')}`, { mode: 0o600 });
	return { ...OWNER, password: readFileSync(file, 'utf8') };
}

const portsFile = (userFolder: string) => join(userFolder, 'sandbox-ports');

/** The sandbox's ports in earlier starts with this data, latest first. The nodes recognize a gateway by its address. */
export function earlierPorts(userFolder: string): number[] {
	try {
		return readFileSync(portsFile(userFolder), 'utf8').trim().split('\n').map(Number).filter(Boolean);
	} catch {
		return [];
	}
}

/** Records the sandbox's current port for later starts. */
export function keepPort(userFolder: string, port: number): void {
	const ports = [port, ...earlierPorts(userFolder).filter((one) => one !== port)];
	writeFileSync(portsFile(userFolder), `${ports.join('\n')}\n`);
}

/** A running process whose ID is in the file, if any. */
function processIn(file: string): number | undefined {
	let pids: number[];
	try {
		pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
	} catch {
		return undefined;
	}
	return pids.find(isRunning);
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
