import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { OWNER, type Owner } from '../host/client.mjs';
import type { Logins } from './examples.mjs';
import { UserError } from '../scripts/base/processes.mjs';

/** A path to print: relative to the current folder, but in full outside of it, where nobody should have to work it out. */
export function shownPath(path: string): string {
	const inside = relative(process.cwd(), path);
	return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

const fileOf = (userFolder: string) => join(userFolder, 'npm-start.pid');

/**
 * Makes sure that no other n8n of this repository works on the same data until this process ends. Each process adds its line,
 * and the first one in the file that runs has the data: of several that start at the same moment, one.
 */
export function claim(userFolder: string): void {
	const file = fileOf(userFolder);
	makeFolder(userFolder);
	let first: number | undefined;
	do {
		appendFileSync(file, `${process.pid}\n`);
		first = firstRunning(file);
		// Without one, the process that had the data has just ended and removed the file, with our line.
	} while (first === undefined);
	if (first !== process.pid) {
		throw new UserError(
			`\`npm start\` is already running with this data, as process ${first}. Use that one, or stop it first, or choose another folder with --user-folder. If it isn't running, delete ${file}.`,
		);
	}
	// The lines of processes that were killed go, as another process may get their number. Whoever adds a line meanwhile reads ours.
	const own = `${file}.${process.pid}`;
	writeFileSync(own, `${process.pid}\n`);
	renameSync(own, file);
	process.once('exit', () => rmSync(file, { force: true }));
}

/** Records another process that works on the data, because it would keep running if this one were killed. */
export function addProcess(userFolder: string, pid: number): void {
	appendFileSync(fileOf(userFolder), `${pid}\n`);
}

/** A secret of the n8n with this data: generated once, in a file that only the current user can read. */
function secretIn(userFolder: string, name: string): string {
	const file = join(userFolder, name);
	makeFolder(userFolder);
	// n8n requires a capital letter and a digit of its owner's password.
	if (!existsSync(file))
		writeFileSync(file, `Demo-1-${randomBytes(9).toString('base64url')}`, { mode: 0o600 });
	return readFileSync(file, 'utf8');
}

/** The owner of the n8n with this data. */
export function ownerIn(userFolder: string): Owner {
	return { ...OWNER, password: secretIn(userFolder, 'owner-password') };
}

/** What the examples' forms in the n8n with this data ask for, and the page of its mailbox. */
export function loginsIn(userFolder: string) {
	return {
		mailbox: { user: 'post', password: secretIn(userFolder, 'mailbox-password') },
		approver: { user: 'freigabe', password: secretIn(userFolder, 'approver-password') },
		forms: { user: 'beleg', password: secretIn(userFolder, 'forms-password') },
		links: { hmacSecret: secretIn(userFolder, 'links-secret') },
	} satisfies Logins & Record<'mailbox', object>;
}

/** Nobody else may enter it: it holds secrets, n8n's database and e-mails. */
function makeFolder(userFolder: string): void {
	mkdirSync(userFolder, { recursive: true, mode: 0o700 });
	// It may exist already.
	chmodSync(userFolder, 0o700);
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

/** The first process in the file that is running, if any. */
function firstRunning(file: string): number | undefined {
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
