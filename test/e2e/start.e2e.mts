/** `npm start` as a user runs it. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { execa, type ResultPromise } from 'execa';
import getPort from 'get-port';
import pWaitFor from 'p-wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/shared/processes.mjs';
import { readExamples, runExample } from '../../scripts/start/examples.mjs';
import { signIn } from '../../host/client.mjs';
import { readEmail } from '../../host/mailbox.mjs';
import { ownerIn } from '../../scripts/start/userFolder.mjs';
import { NIGHTLY } from '../support/extent.mjs';
import { copyRepository, keepExamples, processesWith } from '../support/repositoryCopy.mjs';

let userFolder: string;
let running: ResultPromise<{ all: true; reject: false }> | undefined;
let taken: Server;
let port: number;

beforeAll(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'npm-start-'));
	port = await getPort();
	taken = createServer().listen(port, '127.0.0.1');
});

afterAll(async () => {
	running?.kill();
	await running;
	taken.close();
	await rm(userFolder, { recursive: true, force: true });
});

/** A start with all examples takes a minute or two, and several on a busy machine. */
const READY_WITHIN_MS = 300_000;

/** A proxy that isn't there: nothing that is reached on this machine goes through it. */
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'];

/** Both ports are wished the same, and it is taken. */
function start(...args: string[]) {
	return startIn(ROOT, ...args);
}

function startIn(cwd: string, ...args: string[]) {
	const wishes = ['--user-folder', userFolder, '--port', String(port), '--sandbox-port', String(port)];
	return execa('node', ['scripts/run.mjs', 'start', ...wishes, ...args], {
		cwd,
		env: Object.fromEntries(PROXIES.map((name) => [name, 'http://127.0.0.1:9'])),
		all: true,
		reject: false,
	});
}

/** The e-mails that were written to a folder. */
async function readMail(folder: string) {
	const files = (await readdir(folder)).sort();
	return await Promise.all(
		files.map(async (file) => ({ ...(await readEmail(await readFile(join(folder, file)))) })),
	);
}

describe('npm start', { timeout: READY_WITHIN_MS + 60_000 }, () => {
	let printed = '';
	let url: string;

	it('says what it did, what arrived, and where to sign in', async () => {
		const process = start();
		running = process;
		process.all.on('data', (data: Buffer) => (printed += data.toString()));
		await pWaitFor(() => printed.includes('Ctrl+C') || process.exitCode !== null, {
			timeout: READY_WITHIN_MS,
		});
		expect(printed).toContain('5 documents arrived, Upload the documents: 5, Reason: 1');
		expect(printed).toContain('7 documents arrived');
		expect(printed).toContain('5 cash-book entries and 1 e-mail arrived, On one line: 1');
		expect(printed).toContain('Everything arrived as expected.');
		expect(printed).not.toContain('\x1b');
		url = (/n8n +(http:\S+)/.exec(printed) as RegExpExecArray)[1];
		const [, sandbox] = /Sandbox +(http:\S+)/.exec(printed) as RegExpExecArray;
		expect([url, sandbox]).not.toContain(`http://127.0.0.1:${port}`);
		expect((await axios.get(`${sandbox}/sandbox/documents`)).data).toHaveLength(18);
		await signIn(url, ownerIn(userFolder));
	});

	// Each example has run at the start.
	it.runIf(NIGHTLY)(
		'sets up workflows that do what their notes say, however often they are run',
		async () => {
			const [, sandbox] = /Sandbox +(http:\S+)/.exec(printed) as RegExpExecArray;
			const client = await signIn(url, ownerIn(userFolder));
			const arrivals = async (list: string) =>
				list === 'emails'
					? await readMail(join(userFolder, 'mail'))
					: (await axios.get(`${sandbox}/sandbox/${list}`)).data;
			const pay = async (transfer: object) => await axios.post(`${sandbox}/sandbox/transactions`, transfer);
			for (const { name, workflow, expected } of await readExamples()) {
				if (!expected) continue;
				const { id } = (await client.findWorkflow(workflow.name))!;
				const example = { name, workflow, workflowId: id };
				// The first run of each was at the start.
				const wanted = { ...expected, ...expected.again };
				const { problems } = await runExample(client, arrivals, example, wanted, pay);
				expect(problems, workflow.name).toEqual([]);
			}
		},
	);

	it('refuses to start a second n8n on the same data', async () => {
		const { exitCode, all } = await start('--once');
		expect(exitCode).toBe(1);
		expect(all).toContain('is already running with this data');
	});

	it('stops everything when it is stopped, and exits without an error', async () => {
		// A workflow that lets one receipt less through, for the next start.
		const client = await signIn(url, ownerIn(userFolder));
		const example = (await readExamples()).find(({ name }) => name === 'receipts-folder');
		const workflow = await client.findWorkflow(example?.workflow.name ?? '');
		const nodes = workflow?.nodes.map((node) =>
			node.type === 'n8n-nodes-base.readWriteFile'
				? { ...node, parameters: { ...node.parameters, fileSelector: 'workflows/receipts-folder/*.pdf' } }
				: node,
		);
		await client.api.put(`workflows/${workflow?.id}`, {
			name: workflow?.name,
			nodes,
			connections: workflow?.connections,
			settings: {},
		});

		running?.kill('SIGTERM');
		expect((await running)?.exitCode).toBe(0);
		expect(printed).toContain('✓ Stopping');
		expect(await processesWith(userFolder)).toEqual([]);
	});

	it('--once exits with 1 when something did not arrive, and names it; a changed workflow is kept', async () => {
		// Of the examples, the changed one and one that has booked are enough.
		const fewer = join(userFolder, 'repository');
		await copyRepository(fewer);
		await keepExamples(fewer, 'receipts-folder', 'list-to-cash-book');
		const { exitCode, all } = await startIn(fewer, '--once');
		expect(exitCode).toBe(1);
		expect(all).toContain('kept as they are in n8n, unlike their files: Receipts folder to documents');
		expect(all).toContain('not what was expected');
		expect(all).toContain('Parkschein.jpg');
		expect(all.match(/Upload the documents: missing .*Parkschein\.jpg/g)).toHaveLength(1);
		expect(all).toContain('5 cash-book entries and 1 e-mail arrived, On one line: 1');
		// The sandbox is where it was, as far as that is free, so n8n knows what it has booked there.
		expect(all).not.toMatch(/entries: (missing|unexpected)/);
	});

	it('ends everything when n8n can’t start, and shows what n8n says of it', async () => {
		await writeFile(join(userFolder, '.n8n/config'), 'broken');
		const { exitCode, all, durationMs } = await start();
		expect(exitCode).toBe(1);
		expect(all).toMatch(
			/n8n ended while it was starting\. Its log, .*n8n\.log, ends with:\n[^]*Error parsing/,
		);
		expect(all).toContain('✓ Stopping');
		expect(durationMs).toBeLessThan(60_000);
	});

	it('explains a wrong option', async () => {
		const { exitCode, all } = await start('--once', '--unknown');
		expect(exitCode).toBe(1);
		expect(all).toContain("Unknown option '--unknown'");
		expect(all).not.toContain('    at ');
	});
});
