// Starting other programs. Described in processes.d.mts. Plain JavaScript: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export class Explained extends Error {}

export function runQuietly(program, args, options) {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		const keep = (data) => {
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
