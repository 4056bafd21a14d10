/** The folder in which an n8n keeps its data. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../shared/processes.mjs';

const fileOf = (userFolder: string) => join(userFolder, 'npm-start.pid');

/** Makes sure that no other n8n started here works on the same data until this process ends. */
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

/** Adds a process that works on the data: it would keep running if this one were killed. */
export function addProcess(userFolder: string, pid: number): void {
	appendFileSync(fileOf(userFolder), `${pid}\n`);
}

const portsFile = (userFolder: string) => join(userFolder, 'sandbox-ports');

/** The ports that the sandbox had in earlier starts with this data, the last one first: the nodes know a gateway by its address. */
export function earlierPorts(userFolder: string): number[] {
	try {
		return readFileSync(portsFile(userFolder), 'utf8').trim().split('\n').map(Number).filter(Boolean);
	} catch {
		return [];
	}
}

/** Keeps the port that the sandbox has now for later starts. */
export function keepPort(userFolder: string, port: number): void {
	const ports = [port, ...earlierPorts(userFolder).filter((one) => one !== port)];
	writeFileSync(portsFile(userFolder), `${ports.join('\n')}\n`);
}

/** A running process whose ID the file has, if any. */
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
