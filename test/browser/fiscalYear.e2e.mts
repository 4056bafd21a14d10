/** The fiscal year that a day lies in, as a person chooses it in n8n's real editor. */
import type { INode } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { Rig } from '../support/rig.mjs';

let rig: Rig;
let editor: Editor;

const connections = () =>
	rig.sandbox.store.accounts[0].connections.filter(({ module }) => module === 'rewe-read');

beforeAll(async () => {
	rig = await Rig.join();
	const [{ id: connectionId, name }] = connections();
	const node: INode = {
		id: 'susa',
		name: 'Susa',
		type: 'n8n-nodes-accounting-gateway.accountingGatewayData',
		typeVersion: 1,
		position: [0, 0],
		parameters: {
			resource: 'trialBalance',
			operation: 'getAll',
			connectionId: { __rl: true, mode: 'list', value: connectionId, cachedResultName: name },
		},
		credentials: rig.credentials,
	};
	const id = await rig.client.importWorkflow({
		name: 'Fiscal year',
		nodes: [node],
		connections: {},
		settings: {},
	});
	editor = await Editor.open(rig.n8nUrl);
	await editor.openWorkflow(id);
	await editor.openNode('Susa');
});

afterAll(async () => {
	await editor?.close();
	await rig?.stop();
});

const YEAR = 'geschaeftsjahrStartDatum';

describe('the fiscal year of a trial balance', () => {
	it("defaults to today's: the form has no missing fields, and the report is read", async () => {
		await editor.selectMode(YEAR, 'By Day');
		const { items, error } = await editor.execute();
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThan(5);
		expect(items[0]).toHaveProperty('saldoSigned');
	});

	it('is missing for a day outside all of them, and the error lists those that exist', async () => {
		await editor.type(YEAR, '2019-05-01');
		const { error } = await editor.execute();
		expect(error?.message).toContain(
			'"2019-05-01" is in no fiscal year; the fiscal years are 2025-01-01 to 2025-12-31',
		);
	});

	it('is marked if the text typed is not a date', async () => {
		const isMarked = async () => await editor.isMarked(YEAR);
		await expect.poll(isMarked).toBe(false);
		await editor.type(YEAR, 'gestern');
		await expect.poll(isMarked).toBe(true);
		await editor.type(YEAR, '31.12.2025');
		await expect.poll(isMarked).toBe(false);
	});

	it('is cleared when the connection changes', async () => {
		const [, other] = connections();
		expect(await editor.chosen(YEAR)).toBe('31.12.2025');
		await editor.choose('connectionId', other.name);
		await expect.poll(async () => await editor.chosen(YEAR)).toBe('');
	});
});
