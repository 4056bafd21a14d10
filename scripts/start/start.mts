/**
 * `npm start`: a real n8n with this package as a community node, the sandbox gateway beside it, and the example
 * workflows, run once. `scripts/run.mjs` has installed what it needs, and handles the signals.
 */
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { demonstrate } from './demo.mjs';
import { OWNER, signIn } from '../../host/client.mjs';
import { startImap, startMail } from '../../host/mailbox.mjs';
import { type N8n, startN8n } from '../../host/n8n.mjs';
import { installPackage, packPackage } from '../../host/package.mjs';
import { orStop, ROOT, UserError } from '../shared/processes.mjs';
import { bold, dim, green, step } from '../shared/progress.mjs';
import { checkRoom, whenFull } from './room.mjs';
import { addProcess, claim, earlierPorts, keepPort } from './userFolder.mjs';

const USAGE = `npm start -- [options]

Starts a real n8n with this package installed, a sandbox gateway and mailboxes beside it, and the example workflows, run
once.

  --once                 end after that
  --user-folder <path>   where n8n keeps its data; default .n8n in this repository
  --port <n>             n8n's port; default 5678, or another if that is taken
  --sandbox-port <n>     the sandbox's port; default the one it had with this data, or 4010; another if that is taken
  --help                 this text

Ctrl+C or SIGTERM ends it with everything that it has started; a second one ends it at once. Exit code 0: everything arrived,
even if it was stopped afterward; 1: it failed, or something didn't arrive; 130 (Ctrl+C), 143 (SIGTERM) or 129 (the terminal
was closed): it was stopped before it was ready.`;

const OPTIONS = {
	once: { type: 'boolean', default: false },
	'user-folder': { type: 'string', default: join(ROOT, '.n8n') },
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

const SANDBOX_PORT = 4010;

/** n8n waits for running executions, but whoever stops it doesn't wait longer than this. */
const N8N_ENDS_WITHIN_S = 8;

/**
 * @param request ends everything, in whatever phase
 * @returns the exit code
 */
export async function run(args: string[], request: AbortSignal): Promise<number> {
	const values = readOptions(args);
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	// npm runs scripts in the repository; INIT_CWD is where the user was.
	const userFolder = resolve(process.env.INIT_CWD ?? '.', values['user-folder']);
	const n8nPort = portOf('port', values.port);
	const sandboxPort = values['sandbox-port'] ? [portOf('sandbox-port', values['sandbox-port'])] : [];
	await checkRoom(userFolder, 200, 'n8n keeps its data there (--user-folder chooses another one)');
	await checkRoom(tmpdir(), 50, 'programs that are started here keep temporary files there');
	claim(userFolder);
	const stop = AbortSignal.any([request, whenFull([userFolder])]);

	/** What must be stopped, in the order in which it was started. */
	const started: Array<() => Promise<unknown>> = [];
	try {
		const earlier = earlierPorts(userFolder);
		let isElsewhere = false;
		const sandbox = await step('Starting the sandbox gateway', async (say) => {
			const ports = [...sandboxPort, ...earlier, SANDBOX_PORT];
			const port = await getPort({ port: ports, host: '127.0.0.1' });
			const one = await startSandbox({ port });
			started.push(async () => await one.close());
			keepPort(userFolder, port);
			isElsewhere = earlier.length > 0 && !earlier.includes(port);
			say(isElsewhere ? `${one.url}, to n8n a different gateway than before` : one.url);
			return one;
		});
		const mailFolder = join(userFolder, 'mail');
		const mail = await step('Starting mailboxes', async (say) => {
			const one = await startMail({ smtpPort: 4025, imap: await startImap(4143), folder: mailFolder });
			started.push(async () => await one.stop());
			say(relative(process.cwd(), mailFolder));
			return one;
		});
		await step('Building the package and installing it as a community node', async () => {
			await installPackage(await packPackage(userFolder, stop), userFolder);
		});
		const n8n = await step('Starting n8n (the first time about 10 seconds)', async (say) => {
			const one = await startN8n({
				userFolder,
				port: n8nPort,
				stop,
				stoppedWithinMs: (N8N_ENDS_WITHIN_S + 4) * 1000,
				env: { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(N8N_ENDS_WITHIN_S) },
			});
			started.push(async () => await one.stop());
			addProcess(userFolder, one.pid!);
			say(one.url);
			return one;
		});
		const client = await orStop(signIn(n8n.url), stop);
		const allWell = await demonstrate(client, sandbox, mail, stop, isElsewhere);
		if (allWell) console.log(green('Everything arrived as expected.'));
		if (!values.once) await stayUntilStopped(n8n, sandbox, mailFolder, stop);
		return allWell ? 0 : 1;
	} finally {
		await step('Stopping', async () => {
			for (const end of started.reverse()) await end();
		});
	}
}

function readOptions(args: string[]) {
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch (error) {
		throw new UserError(`${(error as Error).message}\n\n${USAGE}`);
	}
}

function portOf(option: string, value: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new UserError(`--${option} has to be a port number between 1 and 65535, not "${value}".`);
}

async function stayUntilStopped(
	n8n: N8n,
	sandbox: Sandbox,
	mailFolder: string,
	stop: AbortSignal,
): Promise<void> {
	const line = (name: string, value: string) => `  ${name.padEnd(10)} ${value}`;
	console.log(
		[
			'',
			bold('Ready. Open n8n and look at the workflows and their executions:'),
			line('n8n', n8n.url),
			line('E-mail', OWNER.email),
			line('Password', OWNER.password),
			'',
			bold('What arrived, live:'),
			line('Sandbox', sandbox.url),
			line('E-mails', relative(process.cwd(), mailFolder)),
			'',
			dim(`n8n's log is ${relative(process.cwd(), n8n.logFile)}. Stop with Ctrl+C.`),
			'',
		].join('\n'),
	);
	await orStop(n8n.ended(), stop).catch((error) => {
		if (!stop.aborted) throw error;
	});
	if (stop.reason instanceof UserError) throw stop.reason;
	if (stop.aborted) return;
	throw new UserError(`n8n has ended unexpectedly. The end of its log:\n${await n8n.lastLines()}`);
}
