/** The package in a real n8n, installed as a community node: what the editor is told of it, and whom n8n calls. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { PACKAGE } from '../../../host/package.mjs';
import { Rig } from '../../support/rig.mjs';
import { chainOf, nodeOf } from '../../../host/workflows.mjs';

let rig: Rig;

beforeAll(async () => void (rig = await Rig.join()));
afterAll(async () => await rig?.stop());

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

it('n8n made no outside connections, whatever other tests had it do', async () => {
	const connections = async () =>
		(await readFile(inject('connectionsFile'), 'utf8')).split('\n').filter(Boolean);
	expect(await connections()).toEqual([]);
	// The record notices a call that is made on purpose.
	const id = await rig.client.importWorkflow(
		chainOf('Calls out', [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Call', 'n8n-nodes-base.httpRequest', { url: 'http://outside.example/' }, { typeVersion: 4.2 }),
		]),
	);
	expect((await rig.client.run(id)).status).toBe('error');
	expect(await connections()).toEqual(['outside.example:80']);
});
