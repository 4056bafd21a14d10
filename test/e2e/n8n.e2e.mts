/** The package in a real n8n: installed as a community node, with its credential and the example workflows. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { importExamples, type Imported, storeCredential } from '../../scripts/demo.mjs';
import { itemsOf, runExample, WORKFLOWS } from '../../scripts/examples.mjs';
import { type N8nClient, signIn } from '../../scripts/host/client.mjs';
import { type N8n, startN8n } from '../../scripts/host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../../scripts/host/package.mjs';

let userFolder: string;
let sandbox: Sandbox;
let n8n: N8n;
let client: N8nClient;
let examples: Imported[];

beforeAll(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
	await installPackage(await packPackage(userFolder), userFolder);
	sandbox = await startSandbox();
	n8n = await startN8n({ userFolder });
	client = await signIn(n8n.url);
	examples = await importExamples(client, await storeCredential(client, sandbox));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.close();
	await rm(userFolder, { recursive: true, force: true });
});

const find = (name: string) => examples.find((example) => example.name === name) as Imported;

/** The sandbox's records that an example brought about. */
const arrivedFrom = (example: string, list: string) =>
	(sandbox.world.listed(list) as { quelle: string }[]).filter(
		({ quelle }) => quelle === find(example).workflow.name,
	) as unknown[];

interface NodeType {
	name: string;
	displayName: string;
	iconUrl: string | { light: string; dark: string };
}

/** What the editor is told about the package's nodes or credentials. */
async function typesOf(kind: 'nodes' | 'credentials'): Promise<NodeType[]> {
	const { data } = await client.rest.get(`/types/${kind}.json`, { baseURL: n8n.url });
	return data;
}

async function expectIcons({ iconUrl }: NodeType): Promise<void> {
	for (const url of Object.values(iconUrl)) {
		const { data, headers } = await client.rest.get(`/${url}`, { baseURL: n8n.url });
		expect(headers['content-type']).toContain('image/svg+xml');
		expect(data).toContain('<svg');
	}
}

describe('the community package', () => {
	it('has all its nodes loaded, with light and dark icons', async () => {
		const { n8n: manifest } = JSON.parse(await readFile('package.json', 'utf8')) as {
			n8n: { nodes: string[] };
		};
		const names = manifest.nodes.map((path) => (/(\w+)\.node\.js$/.exec(path) as RegExpExecArray)[1]);
		const types = await typesOf('nodes');
		for (const name of names) {
			const type = types.find(
				(one) => one.name === `${PACKAGE}.${name[0].toLowerCase()}${name.slice(1)}`,
			) as NodeType;
			expect(type, name).toBeDefined();
			expect(Object.keys(type.iconUrl)).toEqual(['light', 'dark']);
			await expectIcons(type);
		}
	});

	it('offers every action node to AI agents too', async () => {
		const ours = (await typesOf('nodes')).map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));
		const actions = ours.filter((name) => !/(Trigger|Tool)$/.test(name));
		expect(ours).toEqual(expect.arrayContaining(actions.map((name) => `${name}Tool`)));
	});

	it('has its credential loaded, with light and dark icons', async () => {
		const type = (await typesOf('credentials')).find(
			({ name }) => name === 'accountingGatewayApi',
		) as NodeType;
		expect(type.displayName).toBe('Accounting Gateway API');
		await expectIcons(type);
	});
});

describe('the credential test', () => {
	const test = async (data: { apiKey?: string; baseUrl?: string }) =>
		await client.testCredential({
			name: 'Accounting Gateway',
			type: 'accountingGatewayApi',
			data: { apiKey: sandbox.apiKey, baseUrl: sandbox.url, accountingProvider: 'acct', ...data },
		});

	it('accepts the right key, and an address as people paste it', async () => {
		expect((await test({})).status).toBe('OK');
		expect((await test({ baseUrl: `${sandbox.url}/` })).status).toBe('OK');
	});

	it('tells a wrong key from an address where nothing answers', async () => {
		const wrongKey = await test({ apiKey: 'no-such-key-4711' });
		expect(wrongKey.status).toBe('Error');
		expect(wrongKey.message).toMatch(/key/i);
		expect(wrongKey.message).not.toContain('4711');

		const closed = await startSandbox();
		await closed.close();
		const unreachable = await test({ baseUrl: closed.url });
		expect(unreachable.status).toBe('Error');
		expect(unreachable.message).toMatch(/reached|answers/);
		expect(unreachable.message).not.toBe(wrongKey.message);
	});
});

describe('the example workflows', () => {
	it('deliver exactly what their sample files say', async () => {
		const runnable = examples.filter(({ expected }) => expected);
		expect(runnable.length).toBeGreaterThanOrEqual(2);
		for (const { workflow, workflowId, expected } of runnable) {
			const { problems } = await runExample(client, sandbox.world, workflowId, expected as never);
			expect(problems, workflow.name).toEqual([]);
		}
	});

	it('deliver the files byte for byte', async () => {
		const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
		const read = async (path: string) => {
			const { data } = await axios.get(`${sandbox.url}/sandbox/${path}`, { responseType: 'arraybuffer' });
			return sha256(data as Buffer);
		};
		const documents = arrivedFrom('receipts-folder', 'documents') as { id: string; dateiname: string }[];
		expect(documents).toHaveLength(6);
		for (const { id, dateiname } of documents) {
			const file = join(WORKFLOWS, 'receipts-folder', dateiname);
			expect(await read(`documents/${id}/content`), dateiname).toBe(sha256(await readFile(file)));
		}
		const entries = arrivedFrom('cash-register-day', 'entries') as {
			id: string;
			belegbilder: { dateiname: string }[];
		}[];
		const pictures = entries.flatMap(({ id, belegbilder }) =>
			belegbilder.map(({ dateiname }, index) => ({ path: `entries/${id}/belegbilder/${index}`, dateiname })),
		);
		expect(pictures).toHaveLength(6);
		for (const { path, dateiname } of pictures) {
			const file = join(WORKFLOWS, 'cash-register-day/belege', dateiname);
			expect(await read(path), dateiname).toBe(sha256(await readFile(file)));
		}
	});

	it('say why the faulty line was refused', async () => {
		const { data } = await client.api.get('executions', {
			params: { workflowId: find('cash-register-day').workflowId, includeData: true },
		});
		const [{ reason }] = itemsOf(data.data[0], 'Refused lines');
		expect(reason).toMatch(/Transaction Number \(belegnummer\) "PK 19\/26"/);
	});

	it('do not book a line a second time when they are run again', async () => {
		const execution = await client.run(find('cash-register-day').workflowId);
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, 'Refused lines')).toHaveLength(23);
	});

	it('run from the command line as well', async () => {
		const before = arrivedFrom('receipts-folder', 'documents').length;
		await n8n.cli('execute', `--id=${find('receipts-folder').workflowId}`);
		expect(arrivedFrom('receipts-folder', 'documents')).toHaveLength(before + 6);
	});
});

describe('n8n itself', () => {
	it('has kept everything after a crash', async () => {
		await n8n.kill();
		await n8n.start();
		client = await signIn(n8n.url);
		const { workflowId, expected } = find('receipts-folder');
		const { problems } = await runExample(client, sandbox.world, workflowId, expected as never);
		expect(problems).toEqual([]);
	});

	it('called nobody outside', async () => {
		expect(await readFile(n8n.logFile, 'utf8')).not.toMatch(/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED/);
	});
});
