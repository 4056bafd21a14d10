// Starts other programs. Plain JavaScript: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A failure with an explanation for the user; anything else is a bug. */
export class UserError extends Error {}

/**
 * How a program ended.
 *
 * @typedef {object} RunResult
 * @property {boolean} ok whether the exit code was 0
 * @property {string} reason "exit code 0", "exit code 2", "SIGTERM"
 * @property {string} output the last part of what it printed
 */

/**
 * Runs a program without showing its output.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { onOutput?: (text: string) => void }} options `onOutput` gets each piece
 *   of the output
 * @returns {Promise<RunResult>}
 */
export function runQuietly(program, args, { onOutput, ...options }) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		/** @param {Buffer} data */
		const keep = (data) => {
			const text = data.toString();
			output = (output + text).slice(-20_000);
			onOutput?.(text);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		child.on('error', reject);
		child.on('close', (code, signal) =>
			resolve({ ok: code === 0, reason: signal ?? `exit code ${code}`, output: output.trim() }),
		);
	});
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
		// The terminal sends Ctrl-C to both processes; the child decides what to do with it.
		process.on('SIGINT', () => {});
		process.on('SIGTERM', () => child.kill('SIGTERM'));
		child.on('error', reject);
		child.on('close', (code) => resolve(code ?? 1));
	});
}
