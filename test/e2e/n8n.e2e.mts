/** The package in a real n8n: installed as a community node, with its credential and the example workflows. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mail, startMail } from '../../host/mailbox.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { startSandbox } from '../../sandbox/server.mjs';
import {
	importExamples,
	type Imported,
	storeN8nCredentials,
	storeMailCredentials,
} from '../../scripts/start/demo.mjs';
import { type Arrivals, arrivalsOf, itemsOf, runExample, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { Rig } from '../support/rig.mjs';
import { nodeOf } from '../support/workflows.mjs';

let rig: Rig;
let mail: Mail;
let arrivals: Arrivals;
let examples: Imported[];
/** Lists the addresses off this machine that n8n has connected to. */
let connectionsFile: string;

beforeAll(async () => {
	connectionsFile = join(await mkdtemp(join(tmpdir(), 'connections-')), 'connections.txt');
	await writeFile(connectionsFile, '');
	const recorder = new URL('../support/recordConnections.mjs', import.meta.url);
	rig = await Rig.start({
		env: {
			N8N_DISABLE_UI: 'false',
			N8N_RUNNERS_MODE: 'internal',
			NODE_OPTIONS: `--import ${recorder.href}`,
			CONNECTIONS_FILE: connectionsFile,
		},
	});
	mail = await startMail();
	arrivals = arrivalsOf(rig.sandbox.store, mail);
	examples = await importExamples(rig.client, {
		accountingGatewayApi: rig.credential.id,
		...(await storeMailCredentials(rig.client, mail)),
		...(await storeN8nCredentials(rig.client)),
	});
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const connections = async () => (await readFile(connectionsFile, 'utf8')).split('\n').filter(Boolean);

const find = (name: string) => examples.find((example) => example.name === name) as Imported;

/** The sandbox's records that an example brought about. */
const arrivedFrom = (example: string, list: string) =>
	(rig.sandbox.store.list(list) as { quelle: string }[]).filter(
		({ quelle }) => quelle === find(example).workflow.name,
	) as unknown[];

interface NodeType {
	name: string;
	displayName: string;
	iconUrl: string | { light: string; dark: string };
}

/** What the editor is told about the package's nodes or credentials. */
async function typesOf(kind: 'nodes' | 'credentials'): Promise<NodeType[]> {
	const { data } = await rig.client.rest.get(`/types/${kind}.json`, { baseURL: rig.n8nUrl });
	return data;
}

async function expectIcons({ iconUrl }: NodeType): Promise<void> {
	for (const url of Object.values(iconUrl)) {
		const { data, headers } = await rig.client.rest.get(`/${url}`, { baseURL: rig.n8nUrl });
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
		await rig.client.testCredential({
			name: 'Accounting Gateway',
			type: 'accountingGatewayApi',
			data: { apiKey: rig.sandbox.apiKey, baseUrl: rig.sandbox.url, accountingProvider: 'acct', ...data },
		});

	it('accepts the right key, and an address the way people paste it', async () => {
		expect((await test({})).status).toBe('OK');
		expect((await test({ baseUrl: `${rig.sandbox.url}/` })).status).toBe('OK');
	});

	it('distinguishes a wrong key from an address where nothing answers', async () => {
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
	// All of them: start.e2e.mts.
	it.each(['receipt-form', 'receipts-folder', 'list-to-cash-book'])(
		'%s delivers exactly what its sample files say',
		async (name) => {
			const example = find(name);
			const { problems } = await runExample(rig.client, arrivals, example, example.expected!);
			expect(problems).toEqual([]);
		},
	);

	it('have nothing that n8n 3.0 breaks, by n8n’s own report', async () => {
		const affected = async () => {
			const { data } = await rig.client.rest.post('breaking-changes/report/refresh?version=v3');
			const { workflowResults } = data.data.report as {
				workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }>;
			};
			return workflowResults.filter(({ nbAffectedWorkflows }) => nbAffectedWorkflows > 0);
		};
		expect(await affected()).toEqual([]);
		// The report finds what is there.
		const each = nodeOf('Each', 'n8n-nodes-base.executeWorkflow', { mode: 'each' }, { typeVersion: 1.2 });
		const id = await rig.client.importWorkflow({ name: 'Old', nodes: [each], connections: {} });
		expect(await affected()).toMatchObject([{ ruleId: 'execute-workflow-each-mode-v3' }]);
		await rig.client.api.delete(`workflows/${id}`);
	});

	it('deliver the files byte for byte', async () => {
		const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
		const read = async (path: string) => {
			const { data } = await axios.get(`${rig.sandbox.url}/sandbox/${path}`, { responseType: 'arraybuffer' });
			return sha256(data as Buffer);
		};
		const documents = arrivedFrom('receipts-folder', 'documents') as { id: string; dateiname: string }[];
		expect(documents).toHaveLength(7);
		for (const { id, dateiname } of documents) {
			const file = join(WORKFLOWS, 'receipts-folder', dateiname);
			expect(await read(`documents/${id}/content`), dateiname).toBe(sha256(await readFile(file)));
		}
		const entries = arrivedFrom('receipt-form', 'entries') as {
			id: string;
			belegbilder: { dateiname: string }[];
		}[];
		const pictures = entries.flatMap(({ id, belegbilder }) =>
			belegbilder.map(({ dateiname }, index) => ({ path: `entries/${id}/belegbilder/${index}`, dateiname })),
		);
		expect(pictures).toHaveLength(2);
		for (const { path, dateiname } of pictures) {
			const file = join(WORKFLOWS, 'receipt-form', dateiname);
			expect(await read(path), dateiname).toBe(sha256(await readFile(file)));
		}
	});

	it('say why the faulty row was refused', async () => {
		const { data } = await rig.client.api.get('executions', {
			params: { workflowId: find('list-to-cash-book').workflowId, includeData: true },
		});
		const [{ meldung }] = itemsOf(data.data[0], 'Refused row');
		expect(meldung).toContain('Tax Rate (%) (steuersatz) "0.19" is below 1');
	});

	// n8n 2.41 has no data tables there, which most examples write to.
	it('run from the command line as well', async () => {
		const asked = () => rig.sandbox.log.entries.filter(({ path }) => path.endsWith('/susa')).length;
		const before = asked();
		await rig.n8n.cli('execute', `--id=${find('trial-balance').workflowId}`);
		expect(asked()).toBeGreaterThan(before);
	});
});

describe('n8n itself', () => {
	it('kept everything after a crash', async () => {
		await rig.restart('kill');
		const example = find('receipts-folder');
		const expected = { ...example.expected!, ...example.expected!.again };
		const { problems } = await runExample(rig.client, arrivals, example, expected);
		expect(problems).toEqual([]);
	});

	it('made no outside connections', async () => {
		expect(await connections()).toEqual([]);
		// The record notices a call that is made on purpose.
		const id = await rig.client.importWorkflow({
			name: 'Calls out',
			nodes: [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf(
					'Call',
					'n8n-nodes-base.httpRequest',
					{ url: 'http://outside.example/' },
					{ typeVersion: 4.2 },
				),
			],
			connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
		});
		expect((await rig.client.run(id)).status).toBe('error');
		expect(await connections()).toEqual(['outside.example:80']);
	});
});
