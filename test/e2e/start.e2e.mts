/** `npm start` as a user runs it. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { execa, type ResultPromise } from 'execa';
import type { INode } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/base/processes.mjs';
import { readExample, readExamples, runExample } from '../../demo/examples.mjs';
import { signIn } from '../../host/client.mjs';
import { readEmail } from '../../demo/mailbox.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { loginsIn, ownerIn } from '../../demo/userFolder.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { copyRepository, keepExamples, processesWith } from '../support/repositoryCopy.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { freePort } from '../../scripts/base/ports.mjs';
import { nodeOf } from '../../host/workflows.mjs';

let userFolder: string;
let running: ResultPromise<{ all: true; reject: false }> | undefined;
let taken: Server;
let port: number;

beforeAll(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'npm-start-'));
	port = await freePort();
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

/** Both ports are wished the same, and it is taken. The office has more clients than by itself. */
function start(...args: string[]) {
	return startIn(ROOT, ...args);
}

function startIn(cwd: string, ...args: string[]) {
	const wishes = [
		'--user-folder',
		userFolder,
		'--port',
		String(port),
		'--sandbox-port',
		String(port),
		'--clients',
		'3',
	];
	return execa('node', ['scripts/run.mjs', 'start', ...wishes, ...args], {
		cwd,
		// A busy machine takes longer than execa's 5 seconds to stop n8n.
		forceKillAfterDelay: 60_000,
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

	/** Waits until the running `npm start` says that n8n is ready. */
	async function shownAtTheEnd() {
		const process = running!;
		process.all.on('data', (data: Buffer) => (printed += data.toString()));
		await waitFor(() => printed.includes('Ctrl+C') || process.exitCode !== null, {
			timeout: READY_WITHIN_MS,
		});
		url = /n8n +(http:\S+)/.exec(printed)![1];
	}

	it('says what it did, what arrived, and where to sign in', async () => {
		running = start();
		await shownAtTheEnd();
		// With the indented lines below, which say what was.
		const unexpected = printed.match(/^.*not what was expected.*(?:\n {4}.*)*/gm) ?? [];
		expect(unexpected, unexpected.join('\n')).toEqual([]);
		expect(printed).toContain('5 documents arrived, Upload the documents: 5, Reason: 1');
		expect(printed).toContain('7 documents arrived');
		expect(printed).toContain('5 cash-book entries and 1 e-mail arrived, Count: 1');
		expect(printed).toContain('Everything arrived as expected.');
		expect(printed).toContain('Nobody is told of a failure yet: “Watchdog”');
		expect(printed).toContain(`E-mails    ${join(userFolder, 'mail')}`);
		expect(printed).not.toContain('\x1b');
		const [, sandbox] = /Sandbox +(http:\S+)/.exec(printed) as RegExpExecArray;
		expect([url, sandbox]).not.toContain(`http://127.0.0.1:${port}`);
		expect((await axios.get(`${sandbox}/sandbox/documents`)).data).toHaveLength(19);
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
				let asked = 0;
				// n8n opens the mailbox while it publishes, and where it doesn't tell when, before it answers.
				const opened = async () => Number((await client.isPublished(id)) ?? ++asked);
				const { problems } = await runExample(
					client,
					Object.assign(async (list: string) => await arrivals(list), { opened }),
					example,
					wanted,
					pay,
					loginsIn(userFolder),
				);
				expect(problems, workflow.name).toEqual([]);
			}
		},
	);

	it('sets up nothing that n8n 3.0 breaks, by n8n’s own report', async () => {
		const client = await signIn(url, ownerIn(userFolder));
		const affected = async () => {
			const { data } = await client.rest.post('breaking-changes/report/refresh?version=v3');
			const { workflowResults } = data.data.report as {
				workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }>;
			};
			return workflowResults.filter(({ nbAffectedWorkflows }) => nbAffectedWorkflows > 0);
		};
		expect(await affected()).toEqual([]);
		// The report finds what is there.
		const each = nodeOf('Each', 'n8n-nodes-base.executeWorkflow', { mode: 'each' }, { typeVersion: 1.2 });
		const id = await client.importWorkflow({ name: 'Old', nodes: [each], connections: {} });
		expect(await affected()).toMatchObject([{ ruleId: 'execute-workflow-each-mode-v3' }]);
		await client.api.delete(`workflows/${id}`);
	});

	it('refuses to start a second n8n on the same data', async () => {
		const { exitCode, all } = await start('--once');
		expect(exitCode).toBe(1);
		expect(all).toContain('is already running with this data');
	});

	/** Changes a workflow as somebody does in n8n's editor, without publishing the change. */
	async function change(example: string, changed: (node: INode) => INode) {
		const client = await signIn(url, ownerIn(userFolder));
		const { workflow } = await readExample(example);
		const { id } = (await client.findWorkflow(workflow.name))!;
		const { activeVersionId, name, nodes, connections } = await client.workflow(id);
		const versionId = activeVersionId ?? undefined;
		await client.rest.patch(`workflows/${id}`, {
			name,
			nodes: nodes.map(changed),
			connections,
			settings: {},
		});
		return { id, versionId };
	}

	it('stops everything when it is stopped, and exits without an error', async () => {
		running?.kill('SIGTERM');
		expect((await running)?.exitCode).toBe(0);
		expect(printed).toContain('✓ Stopping');
		// What was killed may be listed a moment longer.
		await expect.poll(async () => await processesWith(userFolder)).toEqual([]);
	});

	describe('in an n8n in which somebody works', () => {
		let books: Sandbox;
		let draft: { id: string; versionId?: string };
		const fewer = () => join(userFolder, 'repository');

		beforeAll(async () => {
			books = await startSandbox();
			// Of the examples, two that must not run, one that is published, one that asks nobody, and one that doesn't put out what it
			// should are enough.
			await copyRepository(fewer());
			await keepExamples(
				fewer(),
				'approve-booking',
				'cash-register-export',
				'list-to-cash-book',
				'receipt-form',
				'trial-balance',
			);
			await expectInstead('cash-register-export', { answer: { fields: {} } });
			await expectInstead('trial-balance', { shows: { 'Excel file': [{ missing: true }] } });
		});
		afterAll(async () => await books.close());

		async function expectInstead(example: string, change: object) {
			const file = join(fewer(), `workflows/${example}/expected.json`);
			const expected = JSON.parse(await readFile(file, 'utf8')) as object;
			await writeFile(file, JSON.stringify({ ...expected, ...change }));
		}

		it('a later start runs nothing unless asked', async () => {
			printed = '';
			running = startIn(fewer());
			await shownAtTheEnd();
			expect(printed).toContain('Not run again: the examples.');
			expect(printed).not.toContain('Running “');

			// Somebody chooses a second gateway, and has not yet published another change.
			const client = await signIn(url, ownerIn(userFolder));
			const name = 'Kanzlei';
			const data = { apiKey: books.apiKey, baseUrl: books.url, accountingProvider: 'acct' };
			const id = await client.importCredential({ name, type: 'accountingGatewayApi', data });
			for (const example of ['approve-booking', 'list-to-cash-book'])
				await change(example, (node) =>
					node.credentials?.accountingGatewayApi
						? { ...node, credentials: { accountingGatewayApi: { id, name } } }
						: node,
				);
			draft = await change('receipt-form', (node) => ({ ...node, notes: 'Mine.' }));
			expect(draft.versionId).toBeDefined();
			running.kill('SIGTERM');
			await running;
		});

		it('--examples runs only what nobody has changed; what fails is named, and n8n stays up', async () => {
			printed = '';
			const process = startIn(fewer(), '--examples');
			running = process;
			await shownAtTheEnd();
			for (const name of [
				'Approve before booking',
				'A list to the cash book',
				'Receipt from a form to cash book',
			])
				expect(printed).toContain(`“${name}”: Not run, because you changed it`);
			expect(printed.match(/Running “[^”]+”:/g)).toHaveLength(2);
			expect(printed).toMatch(/The execution \d+ has ended \("success"\) instead of waiting/);
			expect(printed).toContain('Excel file: missing {"missing":true}');
			expect(printed).not.toContain('    at ');
			expect(books.store.list('entries')).toEqual([]);
			const client = await signIn(url, ownerIn(userFolder));
			const { active, activeVersionId } = await client.workflow(draft.id);
			expect({ active, activeVersionId }).toEqual({ active: true, activeVersionId: draft.versionId });
			process.kill('SIGTERM');
			expect((await process).exitCode).toBe(1);
		});
	});

	it('ends everything when n8n can’t start, and shows what n8n says of it', async () => {
		await writeFile(join(userFolder, '.n8n/config'), 'broken');
		const { exitCode, all } = await start();
		const ended = Date.now();
		expect(exitCode).toBe(1);
		expect(all).toMatch(
			/n8n ended while it was starting\. Its log, .*n8n\.log, ends with:\n[^]*Error parsing/,
		);
		expect(all).toContain('✓ Stopping');
		// How long n8n takes to fail is the machine's matter; what began before it must not wait for anything then.
		const { mtimeMs } = await stat(join(userFolder, 'n8n.log'));
		expect(ended - mtimeMs).toBeLessThan(60_000);
	});

	it('explains a wrong option', async () => {
		const { exitCode, all } = await start('--once', '--unknown');
		expect(exitCode).toBe(1);
		expect(all).toContain("Unknown option '--unknown'");
		expect(all).not.toContain('    at ');
	});
});
