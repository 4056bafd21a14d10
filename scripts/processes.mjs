// Starting other programs. Plain JavaScript: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A failure that is explained to the user; anything else is a bug. */
export class Explained extends Error {}

/**
 * Runs a program with its output kept back.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, shell?: boolean }} options
 * @returns {Promise<{ ended: 'well' | `with ${string}`, output: string }>} the last part of what it printed
 */
export function runQuietly(program, args, options) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		const keep = (/** @type {Buffer} */ data) => {
			output = (output + data.toString()).slice(-20_000);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		child.on('error', reject);
		child.on('close', (code, signal) =>
			resolve({
				ended: code === 0 ? 'well' : `with ${signal ?? `exit code ${code}`}`,
				output: output.trim(),
			}),
		);
	});
}

/**
 * Runs a Node program of this repository in place of this process: same terminal, same signals.
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export function handOver(...args) {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
		// The terminal sends Ctrl-C to both; the child decides what to do with it.
		process.on('SIGINT', () => {});
		process.on('SIGTERM', () => child.kill('SIGTERM'));
		child.on('error', reject);
		child.on('close', (code) => resolve(code ?? 1));
	});
}
