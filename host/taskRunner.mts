/** n8n's task runner, which runs Code nodes: the program that the image n8nio/runners starts, on n8n's own Node.js. */
import { join } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';

import { hostNode, type N8n, N8N_FOLDER } from './n8n.mjs';

const PROGRAM = join(N8N_FOLDER, 'node_modules/@n8n/task-runner/dist/start.js');

/**
 * Starts one for a process of n8n that waits for it (`N8N_RUNNERS_MODE=external`).
 * @param token `N8N_RUNNERS_AUTH_TOKEN`
 * @returns ends it
 */
export async function startTaskRunner(
	{ brokerPort }: Pick<N8n, 'brokerPort'>,
	token: string,
): Promise<() => Promise<void>> {
	const broker = `http://127.0.0.1:${brokerPort}`;
	// Each start needs its own grant, which the image's launcher requests.
	const { data } = await axios.post(`${broker}/runners/auth`, { token });
	const runner = execa(hostNode(), ['--disallow-code-generation-from-strings', PROGRAM], {
		env: {
			PATH: process.env.PATH,
			GENERIC_TIMEZONE: 'Europe/Berlin',
			N8N_RUNNERS_TASK_BROKER_URI: broker,
			N8N_RUNNERS_GRANT_TOKEN: data.data.token,
		},
		extendEnv: false,
		stdin: 'ignore',
		all: true,
		reject: false,
	});
	return async () => {
		runner.kill('SIGKILL');
		await runner;
	};
}
