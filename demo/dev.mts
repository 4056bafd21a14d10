/**
 * `npm run dev`: runs n8n and the sandbox, and updates both when sources change. A changed node is compiled and n8n reloads it
 * (`N8N_DEV_RELOAD`); a change of the sandbox restarts the sandbox, which keeps its state. `scripts/run.mjs` has installed
 * what it needs, and handles the signals.
 */
import { watch } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import debounce from 'lodash/debounce.js';

import { signIn } from '../host/client.mjs';
import { startImap, startMail } from './mailbox.mjs';
import { startN8n } from '../host/n8n.mjs';
import { installPackage, packageFolder, packPackage } from '../host/package.mjs';
import { DEMO_KEY } from '../sandbox/seed.mjs';
import { importExamples, storeOwnCredentials } from './demo.mjs';
import { orStop, ROOT, runQuietly, UserError } from '../scripts/base/processes.mjs';
import { bold, dim, red, step } from '../scripts/base/progress.mjs';
import { portOf, readOptions } from './options.mjs';
import { StartRecord } from './record.mjs';
import { addProcess, claim, loginsIn, ownerIn } from './userFolder.mjs';
import { startWatchedSandbox } from './watchedSandbox.mjs';

const USAGE = `npm run dev -- [options]

Runs n8n and the sandbox gateway, with the example workflows; both are updated when their sources change.

  --inspect              let a debugger attach to n8n, at port 9229
  --port <n>             n8n's port; default 5678, or another if that is taken
  --sandbox-port <n>     the sandbox's port; default 4010, or another if that is taken
  --help                 this text

Ctrl+C ends it.`;

const OPTIONS = {
	inspect: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '4010' },
	help: { type: 'boolean', default: false },
} as const;

const USER_FOLDER = join(ROOT, '.n8n');
const DIST = join(ROOT, 'dist');

/** @param stop ends everything at any time */
export async function run(args: string[], stop: AbortSignal): Promise<number> {
	const values = readOptions(args, OPTIONS, USAGE);
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const n8nPort = portOf('port', values.port);
	const sandboxPort = portOf('sandbox-port', values['sandbox-port']);
	claim(USER_FOLDER);
	const owner = ownerIn(USER_FOLDER);
	const show = (text: string) => void process.stdout.write(text);
	const state = join(ROOT, 'tmp/dev-sandbox.json');
	const sandbox = await startWatchedSandbox(sandboxPort, state, show, stop);
	const failIfEnded = async (what: string, ended: Promise<string>) => {
		throw new UserError(`${what} has ended (${await ended}).`);
	};
	const tools = [failIfEnded('The sandbox', sandbox.ended)];
	const started: Array<() => Promise<unknown>> = [];
	try {
		await step('Installing the package as a community node', async () => {
			await installPackage(await packPackage(join(ROOT, 'tmp'), stop), USER_FOLDER);
		});
		const mail = await startMail({
			smtpPort: 4025,
			imap: await startImap(4143),
			folder: join(USER_FOLDER, 'mail'),
		});
		started.push(async () => await mail.stop());
		const n8n = await step('Starting n8n', async (say) => {
			const one = await startN8n({
				userFolder: USER_FOLDER,
				port: n8nPort,
				stop,
				onSpawn: (pid) => addProcess(USER_FOLDER, pid),
				env: {
					NODE_ENV: 'development',
					N8N_DEV_RELOAD: 'true',
					...(values.inspect && { NODE_OPTIONS: '--inspect=127.0.0.1:9229' }),
				},
			});
			started.push(async () => await one.stop());
			say(one.url);
			return one;
		});
		await step('Storing the credential and importing the example workflows', async () => {
			const client = await orStop(signIn(n8n.url, owner), stop);
			const record = new StartRecord(client, USER_FOLDER);
			const gateway = { url: sandbox.url, apiKey: DEMO_KEY };
			const credentials = await orStop(
				storeOwnCredentials(client, record, gateway, mail, loginsIn(USER_FOLDER)),
				stop,
			);
			await orStop(importExamples(client, credentials), stop);
		});

		const gulp = ['node_modules/gulp/bin/gulp.js', 'watch'];
		const watching = runQuietly(process.execPath, gulp, { cwd: ROOT, stop, onOutput: show });
		tools.push(
			failIfEnded(
				'gulp',
				watching.then(({ reason }) => reason),
			),
		);
		/** Copies the changes to the folder of the installed package, which n8n watches. */
		const update = debounce(() => {
			cp(DIST, join(packageFolder(USER_FOLDER), 'dist'), { recursive: true }).catch((error: Error) =>
				console.error(red(`The package could not be updated in n8n: ${error.message}`)),
			);
		}, 200);
		watch(DIST, { recursive: true, signal: stop }, update);

		console.log(`
${bold('Ready.')} n8n ${n8n.url} (${owner.email}, ${owner.password}), sandbox ${sandbox.url}
${dim(`Changes are loaded within seconds; reload the editor's page to see those of a form. n8n's log: ${n8n.logFile}. Stop with Ctrl+C.`)}
`);
		const ended = n8n.ended().then(async () => {
			throw new UserError(`n8n has ended unexpectedly. The end of its log:\n${await n8n.lastLines()}`);
		});
		await Promise.race([...tools, ended]);
	} catch (error) {
		if (!stop.aborted) throw error;
	} finally {
		for (const end of started.reverse()) await end();
	}
	// Waits for all tools: those that didn't fail were stopped.
	await Promise.allSettled(tools);
	return 0;
}
