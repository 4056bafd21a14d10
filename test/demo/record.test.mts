/** What `npm start` may replace and run in an n8n that somebody works in. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cloneDeep from 'lodash/cloneDeep.js';
import set from 'lodash/set.js';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Credential, StoredCredential, StoredWorkflow } from '../../host/client.mjs';
import { type Imported, mayRun } from '../../demo/demo.mjs';
import { StartRecord } from '../../demo/record.mjs';

/** n8n's credentials. */
class Credentials {
	private readonly all = new Map<string, StoredCredential & Pick<Credential, 'data'>>();
	private changes = 0;

	async credentials() {
		return await Promise.resolve([...this.all.values()]);
	}

	async storeCredential(credential: Credential, id = `id ${++this.changes}`) {
		this.all.set(id, { ...credential, id, updatedAt: String(++this.changes) });
		return await Promise.resolve(id);
	}

	baseUrlOf = (id: string) => this.all.get(id)?.data.baseUrl;
	delete = (id: string) => this.all.delete(id);
}

let n8n: Credentials;
let folder: string;
/** The record, as the next start reads it. */
const record = () => new StartRecord(n8n, folder);
const sandbox = (baseUrl: string) => ({ name: 'Sandbox', type: 'accountingGatewayApi', data: { baseUrl } });

beforeEach(async () => {
	n8n = new Credentials();
	folder = await mkdtemp(join(tmpdir(), 'record-'));
});

describe('a credential that npm start stores', () => {
	it('is replaced by later starts, and stored again once it was deleted', async () => {
		const id = (await record().importCredential(sandbox('a')))!;
		expect(await record().importCredential(sandbox('b'))).toBe(id);
		expect(n8n.baseUrlOf(id)).toBe('b');
		expect(await record().ownCredentials()).toEqual([id]);
		n8n.delete(id);
		expect(await record().importCredential(sandbox('c'))).not.toBe(id);
	});

	it.each(['Sandbox', 'Kanzlei'])(
		'is left alone once somebody has changed it, with the name %s',
		async (name) => {
			const id = (await record().importCredential(sandbox('a')))!;
			await n8n.storeCredential({ ...sandbox('https://gateway.example'), name }, id);
			expect(await record().importCredential(sandbox('b'))).toBeUndefined();
			expect(n8n.baseUrlOf(id)).toBe('https://gateway.example');
			expect(await record().ownCredentials()).toEqual([]);
		},
	);

	it('never replaces somebody’s own credential of that name', async () => {
		const id = await n8n.storeCredential(sandbox('https://gateway.example'));
		expect(await record().importCredential(sandbox('a'))).toBeUndefined();
		expect(n8n.baseUrlOf(id)).toBe('https://gateway.example');
	});
});

it('a record says for good that the examples have run', () => {
	expect(record().examplesHaveRun).toBe(false);
	record().noteExamplesRun();
	expect(record().examplesHaveRun).toBe(true);
});

describe('an example runs', () => {
	const node = (credential: string) => ({
		id: '1',
		name: 'Book',
		type: 'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { betrag: 1 },
		credentials: { accountingGatewayApi: { id: credential, name: 'Sandbox' } },
	});
	const workflow = (credential: string) => ({
		name: 'Book it',
		nodes: [node(credential)],
		connections: {},
		settings: { executionOrder: 'v1' as const },
	});
	let example: Imported;
	let stored: StoredWorkflow;
	const may = async (current?: StoredWorkflow) => {
		const client = {
			workflow: async () => await (current ? Promise.resolve(current) : Promise.reject(new Error('404'))),
		};
		return await mayRun(client, record(), example, [example]);
	};

	beforeEach(async () => {
		const id = (await record().importCredential(sandbox('a')))!;
		const asImported = workflow(id);
		example = {
			name: 'book',
			workflow: workflow('file'),
			workflowId: 'w',
			asImported,
			changed: false,
			existed: true,
		};
		// n8n adds settings of its own.
		const settings = { ...asImported.settings, binaryMode: 'separate' as const };
		const { nodes, connections } = asImported;
		stored = cloneDeep({
			...asImported,
			settings,
			id: 'w',
			active: true,
			activeVersion: { nodes, connections },
		});
	});

	it('if it is the file’s, unchanged', async () => {
		expect(await may(stored)).toBe(true);
		expect(await may({ ...stored, active: false, activeVersion: null })).toBe(true);
	});

	it.each([
		['a parameter', 'nodes[0].parameters.betrag', 2],
		['another gateway', 'nodes[0].credentials.accountingGatewayApi.id', 'second gateway'],
		['a setting', 'settings.executionOrder', 'v0'],
		['pinned data', 'pinData.Book', [{ json: {} }]],
		[
			'the published version, though the editor shows the file’s',
			'activeVersion.nodes[0].parameters.betrag',
			2,
		],
		['that it is archived', 'isArchived', true],
	])('not if somebody has changed %s', async (_, path, value) => {
		expect(await may(set(stored, path, value))).toBe(false);
	});

	it('not if it was deleted, or uses a credential that somebody has changed', async () => {
		expect(await may()).toBe(false);
		const [{ id }] = await n8n.credentials();
		await n8n.storeCredential(sandbox('https://gateway.example'), id);
		expect(await may(stored)).toBe(false);
	});

	it('not without a credential that was not stored', async () => {
		delete example.asImported.nodes[0].credentials;
		for (const one of [stored, stored.activeVersion!]) delete one.nodes[0].credentials;
		expect(await may(stored)).toBe(false);
	});

	it('not if somebody has changed a workflow that it calls', async () => {
		const called = cloneDeep(example);
		const calls = { parameters: { workflowId: { __rl: true, cachedResultName: 'Called' } } };
		called.workflow.name = 'Called';
		called.workflowId = 'called';
		Object.assign(example.workflow.nodes[0], calls);
		Object.assign(example.asImported.nodes[0], calls);
		const client = (isChanged: boolean) => ({
			workflow: async (id: string) =>
				await Promise.resolve({
					...stored,
					...(id === 'w' && cloneDeep({ ...example.asImported, activeVersion: null })),
					...(id === 'called' && isChanged && { nodes: [] }),
				}),
		});
		expect(await mayRun(client(false), record(), example, [called, example])).toBe(true);
		expect(await mayRun(client(true), record(), example, [called, example])).toBe(false);
	});
});
