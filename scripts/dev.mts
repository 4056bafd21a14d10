/**
 * `npm run dev [-- --inspect]`: n8n and the sandbox, both following the sources. A changed node is compiled and n8n
 * reloads it (`N8N_DEV_RELOAD`); a change of the sandbox restarts the sandbox, which keeps its state. `scripts/run.mjs`
 * has installed what it needs.
 */
import { watch } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import debounce from 'lodash/debounce.js';

import { OWNER, signIn } from '../host/client.mjs';
import { startImap, startMail } from '../host/mailbox.mjs';
import { startN8n } from '../host/n8n.mjs';
import { installPackage, packageFolder, packPackage } from '../host/package.mjs';
import { DEMO_KEY } from '../sandbox/seed.mjs';
import { importExamples, storeCredential, storeMailCredentials } from './demo.mjs';
import { ROOT } from './processes.mjs';
import { bold, dim, red, step } from './progress.mjs';
import { claim } from './userFolder.mjs';

const N8N_PORT = 5678;
const SANDBOX_PORT = 4010;
const USER_FOLDER = join(ROOT, '.n8n');
const DIST = join(ROOT, 'dist');

/** Whether a debugger can be attached to n8n, at port 9229. */
const inspect = process.argv.includes('--inspect');

claim(USER_FOLDER);

/** Runs a tool of this repository until this process ends; its output goes to the terminal. */
const runTool = (program: string, ...args: string[]) =>
	execa(program, args, {
		cwd: ROOT,
		preferLocal: true,
		stdio: ['ignore', 'inherit', 'inherit'],
		reject: false,
	});

const sandboxUrl = `http://127.0.0.1:${SANDBOX_PORT}`;
const state = join(ROOT, 'tmp/dev-sandbox.json');
const sandbox = ['sandbox/main.mts', '--port', String(SANDBOX_PORT), '--state', state];
const tools = [runTool('tsx', 'watch', '--clear-screen=false', ...sandbox)];

await step(
	'Installing the package as a community node',
	async () => await installPackage(await packPackage(join(ROOT, 'tmp')), USER_FOLDER),
);
const mail = await startMail({
	smtpPort: 4025,
	imap: await startImap(4143),
	folder: join(USER_FOLDER, 'mail'),
});
const n8n = await step('Starting n8n', async (say) => {
	const started = await startN8n({
		userFolder: USER_FOLDER,
		port: N8N_PORT,
		env: {
			NODE_ENV: 'development',
			N8N_DEV_RELOAD: 'true',
			...(inspect && { NODE_OPTIONS: '--inspect=127.0.0.1:9229' }),
		},
	});
	say(started.url);
	return started;
});
await step('Storing the credential and importing the example workflows', async () => {
	const client = await signIn(n8n.url);
	await importExamples(client, {
		accountingGatewayApi: await storeCredential(client, { url: sandboxUrl, apiKey: DEMO_KEY }),
		...(await storeMailCredentials(client, mail)),
	});
});

tools.push(runTool('gulp', 'watch'));
/** n8n watches the folder that the package is installed in. */
const update = debounce(() => {
	cp(DIST, join(packageFolder(USER_FOLDER), 'dist'), { recursive: true }).catch((error: Error) =>
		console.error(red(`The package could not be updated in n8n: ${error.message}`)),
	);
}, 200);
watch(DIST, { recursive: true }, update);

console.log(`
${bold('Ready.')} n8n ${n8n.url} (${OWNER.email}, ${OWNER.password}), sandbox ${sandboxUrl}
${dim(`Changes are loaded within seconds; reload the editor's page to see those of a form. n8n's log: ${n8n.logFile}. Stop with Ctrl+C.`)}
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		for (const tool of tools) tool.kill();
		void n8n
			.stop()
			.then(() => mail.stop())
			.then(() => process.exit());
	});
}
