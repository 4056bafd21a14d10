/**
 * `npm start`: a real n8n with this package as a community node, the sandbox gateway beside it, and the example
 * workflows, run once. `scripts/run.mjs` has installed what it needs.
 */
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import getPort from 'get-port';
import { type Sandbox, startSandbox } from '../sandbox/server.mjs';
import { demonstrate } from './demo.mjs';
import { OWNER, signIn } from '../host/client.mjs';
import { startImap, startMail } from '../host/mailbox.mjs';
import { type N8n, startN8n } from '../host/n8n.mjs';
import { installPackage, packPackage } from '../host/package.mjs';
import { UserError, ROOT } from './processes.mjs';
import { bold, dim, green, red, step } from './progress.mjs';
import { claim } from './userFolder.mjs';

const USAGE = `npm start -- [options]

Starts a real n8n with this package installed, a sandbox gateway and mailboxes beside it, and the example workflows, run
once.

  --once                 end after that: exit code 0 when everything arrived that has to, else 1
  --user-folder <path>   where n8n keeps its data; default .n8n in this repository
  --port <n>             n8n's port; default 5678, another one when it is taken
  --sandbox-port <n>     the sandbox's port; default 4010, another one when it is taken
  --help                 this text`;

const OPTIONS = {
	once: { type: 'boolean', default: false },
	'user-folder': { type: 'string', default: join(ROOT, '.n8n') },
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '4010' },
	help: { type: 'boolean', default: false },
} as const;

try {
	await main();
} catch (error) {
	console.error(`\n${red(error instanceof UserError ? error.message : String((error as Error).stack))}`);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const values = readOptions();
	if (values.help) return console.log(USAGE);
	// npm runs scripts in the repository; INIT_CWD is where the user was.
	const userFolder = resolve(process.env.INIT_CWD ?? '.', values['user-folder']);
	const n8nPort = portOf('port', values.port);
	const sandboxPort = portOf('sandbox-port', values['sandbox-port']);
	claim(userFolder);

	const sandbox = await step('Starting the sandbox gateway', async (say) => {
		const started = await startSandbox({ port: await getPort({ port: sandboxPort, host: '127.0.0.1' }) });
		say(started.url);
		return started;
	});
	const mailFolder = join(userFolder, 'mail');
	const mail = await step('Starting mailboxes', async (say) => {
		const started = await startMail({ smtpPort: 4025, imap: await startImap(4143), folder: mailFolder });
		say(relative(process.cwd(), mailFolder));
		return started;
	});
	await step(
		'Building the package and installing it as a community node',
		async () => await installPackage(await packPackage(userFolder), userFolder),
	);
	const n8n = await step('Starting n8n (the first time about 10 seconds)', async (say) => {
		const started = await startN8n({ userFolder, port: n8nPort });
		say(started.url);
		return started;
	});
	try {
		const allWell = await demonstrate(await signIn(n8n.url), sandbox, mail);
		if (allWell) console.log(green('Everything has arrived that had to.'));
		else process.exitCode = 1;
		if (!values.once) await stayUntilStopped(n8n, sandbox, mailFolder);
	} finally {
		await step('Stopping', async () => {
			await Promise.all([n8n.stop(), sandbox.close()]);
			await mail.stop();
		});
	}
}

function readOptions() {
	try {
		return parseArgs({ options: OPTIONS }).values;
	} catch (error) {
		throw new UserError(`${(error as Error).message}\n\n${USAGE}`);
	}
}

function portOf(option: string, value: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new UserError(`--${option} has to be a port number between 1 and 65535, not "${value}".`);
}

async function stayUntilStopped(n8n: N8n, sandbox: Sandbox, mailFolder: string): Promise<void> {
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
	const stopped = new Promise<void>((done) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
	});
	const ended = n8n.ended().then(async () => {
		throw new UserError(`n8n has ended by itself. The end of its log:\n${await n8n.lastLines()}`);
	});
	await Promise.race([stopped, ended]);
}
