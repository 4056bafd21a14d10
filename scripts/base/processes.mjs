// Starts other programs and ends them. Plain JavaScript: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A failure with an explanation for the user; anything else is a bug. */
export class UserError extends Error {}

/** From now on, a `UserError` ends this program with only its explanation, without a stack trace. */
export function explainFailures() {
	process.on('uncaughtException', (error) => {
		console.error(error instanceof UserError ? error.message : error);
		process.exit(1);
	});
}

/** Somebody has stopped this program: the abort reason of `stopRequest()`'s signal. */
export class Interrupted extends Error {
	/** @param {NodeJS.Signals} signal */
	constructor(signal) {
		super(`Stopped by ${signal}.`);
		/** The same exit codes as a shell's: 130 for Ctrl+C, 143 for SIGTERM. */
		this.exitCode = 128 + constants.signals[signal];
	}
}

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Signals within this time are one request: npm passes on a signal that the terminal has already sent to every process. */
const SAME_REQUEST_MS = 2_000;

/**
 * From now on, a signal asks this program to stop instead of killing it. A second signal ends it at once, with all programs
 * that it has started.
 *
 * @returns {AbortSignal} aborted by an `Interrupted`
 */
export function stopRequest() {
	const controller = new AbortController();
	let first = 0;
	/** @param {NodeJS.Signals} signal */
	const stop = (signal) => {
		const reason = new Interrupted(signal);
		first ||= Date.now();
		if (Date.now() - first > SAME_REQUEST_MS) process.exit(reason.exitCode);
		controller.abort(reason);
	};
	for (const signal of SIGNALS) process.on(signal, stop);
	if (process.env.npm_lifecycle_event) whenOrphaned(() => stop('SIGTERM'));
	return controller.signal;
}

/**
 * Calls `then` when the parent process has ended: npm passes a signal only to the shell of a script, which then ends without
 * passing it on.
 *
 * @param {() => void} then
 */
function whenOrphaned(then) {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		then();
	}, 500);
	timer.unref();
}

/**
 * Resolves to the task's result, or rejects as soon as a stop is requested. For tasks that can't be stopped
 * themselves: their later results are ignored.
 *
 * @type {<T>(task: Promise<T>, stop: AbortSignal) => Promise<T>}
 */
export const orStop = async (task, stop) => {
	task.catch(() => {});
	stop.throwIfAborted();
	/** @type {() => void} */
	let onAbort = () => {};
	/** @type {Promise<never>} */
	const stopped = new Promise((_, reject) => {
		onAbort = () => reject(stop.reason);
		stop.addEventListener('abort', onAbort);
	});
	try {
		return await Promise.race([task, stopped]);
	} finally {
		stop.removeEventListener('abort', onAbort);
	}
};

/**
 * How to start a program that `signalGroup` can end: in its own process group, which signals to our group don't reach.
 * Windows has no groups; there, the processes that a program has started are found by their parent.
 */
export const OWN_GROUP = { detached: process.platform !== 'win32' };

/**
 * Sends a signal to a program that was started with `OWN_GROUP`, and to everything that it has started.
 *
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
	if (!pid) return;
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
		return;
	}
	try {
		process.kill(-pid, signal);
	} catch {
		// The program has already ended.
	}
}

/**
 * Kills a program, and everything that it has started, when this program exits for whatever reason.
 *
 * @param {import('node:child_process').ChildProcess} child started with `OWN_GROUP`
 */
export function endWithUs(child) {
	const kill = () => signalGroup(child.pid, 'SIGKILL');
	process.once('exit', kill);
	child.once('close', () => process.off('exit', kill));
}

/** How long a program may take to end before it is killed. */
const GRACE_MS = 5_000;

/**
 * How a program ended.
 *
 * @typedef {object} RunResult
 * @property {boolean} ok whether the exit code was 0
 * @property {string} reason "exit code 0", "exit code 2", "SIGTERM"
 * @property {string} output the last part of its output
 */

/**
 * Runs a program without showing its output.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string) => void, stop?: AbortSignal }} options
 *   `onOutput` gets each piece of the output; `stop` ends the program with everything that it has started, and its reason is thrown
 * @returns {Promise<RunResult>}
 */
export async function runQuietly(program, args, { onOutput, stop, ...options }) {
	stop?.throwIfAborted();
	const child = spawn(program, args, { ...options, ...OWN_GROUP, stdio: ['ignore', 'pipe', 'pipe'] });
	endWithUs(child);
	let output = '';
	/** @param {Buffer} data */
	const keep = (data) => {
		const text = data.toString();
		output = (output + text).slice(-20_000);
		onOutput?.(text);
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	/** @type {NodeJS.Timeout | undefined} */
	let timer;
	const end = () => {
		signalGroup(child.pid, 'SIGTERM');
		timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
	};
	stop?.addEventListener('abort', end);
	try {
		/** @type {RunResult} */
		const result = await new Promise((resolve, reject) => {
			child.on('error', reject);
			child.on('close', (code, signal) =>
				resolve({ ok: code === 0, reason: signal ?? `exit code ${code}`, output: output.trim() }),
			);
		});
		stop?.throwIfAborted();
		return result;
	} finally {
		clearTimeout(timer);
		stop?.removeEventListener('abort', end);
	}
}

/**
 * Runs a Node program of this repository with this process's terminal and signals.
 *
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export function spawnInherited(...args) {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
		// The terminal sends Ctrl+C to both processes; only the child reacts to it.
		process.on('SIGINT', () => {});
		process.on('SIGTERM', () => child.kill('SIGTERM'));
		child.on('error', reject);
		child.on('close', (code, signal) => resolve(code ?? (signal ? 128 + constants.signals[signal] : 1)));
	});
}

/** Excludes local addresses from a proxy that the environment may name. */
export function localAddressesDirectly() {
	const local = ['127.0.0.1', 'localhost', '::1'];
	for (const name of ['NO_PROXY', 'no_proxy']) {
		const given = process.env.NO_PROXY ?? process.env.no_proxy ?? '';
		process.env[name] = [...new Set([...given.split(',').filter(Boolean), ...local])].join(',');
	}
}
