/** The sandbox as a program of its own: `npm run sandbox`. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import type { Json } from '../../api/contract.mjs';
import { PATIENCE_MS, waitFor } from '../../scripts/base/waiting.mjs';
import { useFolder } from '../support/useFolder.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = useFolder('sandbox');

/** Starts it and waits for its address. */
async function start(...options: string[]) {
	const program = execa(
		process.execPath,
		['--import', 'tsx', 'sandbox/main.mts', '--port', '0', ...options],
		{ cwd: ROOT, reject: false },
	);
	let output = '';
	program.stdout.on('data', (chunk) => (output += chunk));
	await waitFor(() => output.includes('Connections'), { interval: 20 });
	const http = axios.create({ baseURL: /is at (\S+) /.exec(output)![1] });
	return { program, http };
}

it('the sandbox keeps its state after a kill and after a stop', { timeout: 3 * PATIENCE_MS }, async () => {
	const stateFile = folder('state.json');
	const key = { headers: { 'x-api-key': 'sandbox-demo-key' } };
	const stored = async () => await readFile(stateFile, 'utf8').catch(() => '');

	const first = await start('--state', stateFile);
	await first.http.post('/v2/mobility/customers', { name: 'Anton' }, key);
	await waitFor(async () => (await stored()).includes('Anton'), { interval: 20 });
	first.program.kill('SIGKILL');
	expect((await first.program).stderr).toBe('');

	const second = await start('--state', stateFile, '--host', '0.0.0.0');
	expect((await second.http.get<Json[]>('/sandbox/customers')).data).toMatchObject([{ name: 'Anton' }]);
	await second.http.post('/v2/mobility/customers', { name: 'Berta' }, key);
	second.program.kill('SIGTERM');
	const { exitCode, stderr } = await second.program;
	expect(exitCode).toBe(0);
	expect(stderr).toContain('--host 0.0.0.0 lets other machines reach the sandbox');
	const { customers } = JSON.parse(await stored()) as { customers: Json[] };
	expect(customers.map(({ name }) => name)).toEqual(['Anton', 'Berta']);
});
