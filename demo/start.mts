/**
 * `npm start`: starts a real n8n with this package as a community node, and the sandbox gateway; the first time, it runs each
 * example workflow once. `scripts/run.mjs` has installed what it needs, and handles the signals.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox/server.mjs';
import { demonstrate } from './demo.mjs';
import { MAX_CLIENTS } from '../sandbox/seed.mjs';
import { clientsOf, portOf, readOptions } from './options.mjs';
import { StartRecord } from './record.mjs';
import { type Owner, signIn } from '../host/client.mjs';
import { startImap, startMail } from './mailbox.mjs';
import { loading, PATIENT_REGEX } from '../host/intoN8n.mjs';
import { type N8n, startN8n } from '../host/n8n.mjs';
import { installPackage, isInstalled, packPackage } from '../host/package.mjs';
import { orStop, UserError } from '../scripts/base/processes.mjs';
import { bold, dim, green, step } from '../scripts/base/progress.mjs';
import { checkRoom, userFolderIn, whenFull } from './room.mjs';
import { type MailPage, startMailPage } from './mailPage.mjs';
import { addProcess, claim, earlierPorts, keepPort, loginsIn, ownerIn, shownPath } from './userFolder.mjs';
import { onFreePort } from '../scripts/base/ports.mjs';

const USAGE = `npm start -- [options]

Starts a real n8n with this package installed, a sandbox gateway and mailboxes beside it, and the example workflows. The first
start with a user folder runs each example once.

  --examples             run the examples in a later start, too: only those that you haven't changed, with credentials of this
                         command that you haven't changed either
  --once                 end after that
  --user-folder <path>   where n8n keeps its data; default .n8n in this repository
  --port <n>             n8n's port; default 5678, or another if that is taken
  --sandbox-port <n>     the sandbox's port; default the one it had with this data, or 4010; another if that is taken
  --clients <n>          clients of the sandbox's office, 2 to ${MAX_CLIENTS}; default 2
  --help                 this text

Ctrl+C or SIGTERM ends it with everything that it has started; a second one ends it at once. Exit code 0: everything arrived,
even if it was stopped afterward; 1: it failed, or something didn't arrive; 130 (Ctrl+C), 143 (SIGTERM) or 129 (the terminal
was closed): it was stopped before it was ready.`;

const OPTIONS = {
	examples: { type: 'boolean', default: false },
	once: { type: 'boolean', default: false },
	'user-folder': { type: 'string' },
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string' },
	clients: { type: 'string', default: '2' },
	help: { type: 'boolean', default: false },
} as const;

const SANDBOX_PORT = 4010;

/** n8n waits for running executions when it is stopped, but the user shouldn't wait longer than this. */
const N8N_ENDS_WITHIN_S = 8;

/**
 * @param request ends everything at any time
 * @returns the exit code
 */
export async function run(args: string[], request: AbortSignal): Promise<number> {
	const values = readOptions(args, OPTIONS, USAGE);
	if (values.help) {
		console.log(USAGE);
		return 0;
	}
	const userFolder = userFolderIn(args);
	const n8nPort = portOf('port', values.port);
	const sandboxPort = values['sandbox-port'] ? [portOf('sandbox-port', values['sandbox-port'])] : [];
	const clients = clientsOf(values.clients);
	await checkRoom(tmpdir(), 50, 'programs that are started here keep temporary files there');
	claim(userFolder);
	const owner = ownerIn(userFolder);
	const logins = loginsIn(userFolder);
	const stop = AbortSignal.any([request, whenFull([userFolder])]);

	/** Functions that stop what was started, in the order of the starts. */
	const started: Array<() => Promise<unknown>> = [];
	try {
		const earlier = earlierPorts(userFolder);
		let isElsewhere = false;
		const sandbox = await step('Starting the sandbox gateway', async (say) => {
			const one = await onFreePort(
				[...sandboxPort, ...earlier, SANDBOX_PORT],
				async (port) => await startSandbox({ port, clients }),
			);
			started.push(async () => await one.close());
			const port = Number(new URL(one.url).port);
			keepPort(userFolder, port);
			isElsewhere = earlier.length > 0 && !earlier.includes(port);
			say(isElsewhere ? `${one.url}, to n8n a different gateway than before` : one.url);
			return one;
		});
		const mailFolder = join(userFolder, 'mail');
		const { mail, mailPage } = await step('Starting mailboxes', async (say) => {
			const one = await startMail({ smtpPort: 4025, imap: await startImap(4143), folder: mailFolder });
			started.push(async () => await one.stop());
			const page = await startMailPage(one, logins.mailbox, 4080);
			started.push(async () => await page.stop());
			say(shownPath(mailFolder));
			return { mail: one, mailPage: page };
		});
		await step('Building the package and installing it as a community node', async (say) => {
			if (await isInstalled(userFolder)) return say('installed as it is');
			await installPackage(await packPackage(userFolder, stop), userFolder);
		});
		const n8n = await step('Starting n8n (the first time about 10 seconds)', async (say) => {
			const one = await startN8n({
				userFolder,
				port: n8nPort,
				stop,
				onSpawn: (pid) => addProcess(userFolder, pid),
				stoppedWithinMs: (N8N_ENDS_WITHIN_S + 4) * 1000,
				env: { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(N8N_ENDS_WITHIN_S), ...loading(PATIENT_REGEX) },
			});
			started.push(async () => await one.stop());
			say(one.url);
			return one;
		});
		const client = await orStop(signIn(n8n.url, owner), stop);
		const record = new StartRecord(client, userFolder);
		const hasRun = values.examples || !record.examplesHaveRun;
		const allWell = await demonstrate(client, record, sandbox, mail, logins, stop, {
			isElsewhere,
			onRequest: values.examples,
		});
		if (allWell && hasRun) console.log(green('Everything arrived as expected.'));
		if (!values.once) await stayUntilStopped(n8n, owner, logins, sandbox, mailPage, mailFolder, stop);
		return allWell ? 0 : 1;
	} finally {
		await step('Stopping', async () => {
			for (const end of started.reverse()) await end();
		});
	}
}

async function stayUntilStopped(
	n8n: N8n,
	owner: Owner,
	{ forms, approver, mailbox }: ReturnType<typeof loginsIn>,
	sandbox: Sandbox,
	mailPage: MailPage,
	mailFolder: string,
	stop: AbortSignal,
): Promise<void> {
	const line = (name: string, value: string) => `  ${name.padEnd(10)} ${value}`;
	console.log(
		[
			'',
			bold('Ready. Open n8n and look at the workflows and their executions:'),
			line('n8n', n8n.url),
			line('E-mail', owner.email),
			line('Password', owner.password),
			line('Forms', `${forms.user}, ${forms.password}`),
			line('Approvals', `${approver.user}, ${approver.password}`),
			'',
			bold('What arrived, live:'),
			line('Sandbox', sandbox.url),
			line(
				'Mailbox',
				`${mailPage.url} (${mailbox.user}, ${mailbox.password}): send it a receipt of your own`,
			),
			line('E-mails', shownPath(mailFolder)),
			'',
			dim(`n8n's log is ${shownPath(n8n.logFile)}. Stop with Ctrl+C.`),
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
