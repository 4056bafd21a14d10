/** The package in a real n8n: installed as a community node, with its credential and the example workflows. */
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Mail, startMail } from '../../host/mailbox.mjs';
import { startN8n } from '../../host/n8n.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { importExamples, type Imported, storeCredentials } from '../../tools/demo.mjs';
import { type Arrivals, arrivalsOf, runExample, WORKFLOWS } from '../../tools/examples.mjs';
import { NIGHTLY } from '../../tools/extent.mjs';
import { createUserFolder } from '../support/preparedN8n.mjs';
import { LEAN, Rig } from '../support/rig.mjs';
import { chainOf, nodeOf } from '../../tools/workflows.mjs';

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
	examples = await importExamples(rig.client, await storeCredentials(rig.client, rig.sandbox, mail));
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

const connections = async () => (await readFile(connectionsFile, 'utf8')).split('\n').filter(Boolean);

const find = (name: string) => examples.find((example) => example.name === name) as Imported;

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

describe('the example workflows', () => {
	// All of them: start.e2e.mts.
	it('deliver the files of a folder byte for byte', async () => {
		const example = find('receipts-folder');
		const { problems } = await runExample(rig.client, arrivals, example, example.expected!);
		expect(problems).toEqual([]);
		const documents = rig.sandbox.store.list('documents') as Array<{ id: string; dateiname: string }>;
		expect(documents).toHaveLength(7);
		for (const { id, dateiname } of documents) {
			const url = `${rig.sandbox.url}/sandbox/documents/${id}/content`;
			const { data } = await axios.get<Buffer>(url, { responseType: 'arraybuffer' });
			const file = await readFile(join(WORKFLOWS, 'receipts-folder', dateiname));
			expect(data.equals(file), dateiname).toBe(true);
		}
	});

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

	// n8n 2.41 has no data tables there, which most examples write to.
	it.runIf(NIGHTLY)('run from the command line as well', async () => {
		const asked = () => rig.sandbox.log.entries.filter(({ path }) => path.endsWith('/susa')).length;
		const before = asked();
		await rig.n8n.cli('execute', `--id=${find('trial-balance').workflowId}`);
		expect(asked()).toBeGreaterThan(before);
	});
});

describe('n8n', () => {
	it('made no outside connections', async () => {
		expect(await connections()).toEqual([]);
		// The record notices a call that is made on purpose.
		const id = await rig.client.importWorkflow(
			chainOf('Calls out', [
				nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
				nodeOf(
					'Call',
					'n8n-nodes-base.httpRequest',
					{ url: 'http://outside.example/' },
					{ typeVersion: 4.2 },
				),
			]),
		);
		expect((await rig.client.run(id)).status).toBe('error');
		expect(await connections()).toEqual(['outside.example:80']);
	});

	it('starts at another port if somebody takes its own before it listens', async () => {
		// Whoever took it answers like an n8n.
		const other = createServer((_request, answer) => answer.end('{}'));
		await once(other.listen(0, '127.0.0.1'), 'listening');
		const { port } = other.address() as AddressInfo;
		await once(other.close(), 'close');
		const n8n = await startN8n({
			userFolder: await createUserFolder(inject('template'), inject('tarball')),
			port,
			env: LEAN,
			onSpawn: () => void (other.listening || other.listen(port, '127.0.0.1')),
		});
		other.close();
		const log = await readFile(n8n.logFile, 'utf8');
		await n8n.stop();
		expect(log).toContain(`port ${port} is already in use`);
		expect(log).toContain(`ready on 127.0.0.1, port ${new URL(n8n.url).port}\n`);
		expect(n8n.url).not.toContain(`:${port}`);
	});
});
