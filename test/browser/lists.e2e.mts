/** The searchable lists as a person types into them, in n8n's real editor. */
import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { connectionOf } from '../support/workflows.mjs';
import { Rig } from '../support/rig.mjs';

let rig: Rig;
let editor: Editor;

beforeAll(async () => {
	rig = await Rig.join();
	const locator = (value: string, cachedResultName = value) =>
		({ __rl: true, mode: 'list', value, cachedResultName }) as INodeParameterResourceLocator;
	const node: INode = {
		id: 'journal',
		name: 'Journal',
		type: 'n8n-nodes-accounting-gateway.accountingGatewayData',
		typeVersion: 1,
		position: [0, 0],
		parameters: {
			resource: 'trialBalance',
			operation: 'getAll',
			connectionId: locator(connectionOf(rig.sandbox, 'rewe-read'), 'Kanzlei'),
			geschaeftsjahrStartDatum: { __rl: true, mode: 'day', value: '' },
			additionalFields: { kontonummer: locator('') },
		},
		credentials: rig.credentials,
	};
	const id = await rig.client.importWorkflow({ name: 'Lists', nodes: [node], connections: {}, settings: {} });
	editor = await Editor.open(rig.n8nUrl);
	await editor.openWorkflow(id);
	await editor.openNode('Journal');
});

afterAll(async () => {
	await editor?.close();
	await rig?.stop();
});

/** Operations that the gateway was asked for, in order. */
const asked = () => rig.sandbox.log.entries.map(({ operationId }) => operationId);
const credits = () => rig.sandbox.store.accounts[0].credits;

describe('the list of accounts', () => {
	it('is asked for once, with the fiscal year that it needs, however many letters are typed', async () => {
		const before = credits();
		await editor.openList('kontonummer');
		await expect.poll(() => editor.listEntries()).toContain('1000 Kasse');
		const input = editor.page.getByTestId('rlc-search');
		for (const [letters, found] of [
			['B', '1200 Bank'],
			['Ba', '1200 Bank'],
			['Ban', '1200 Bank'],
			['Bank', '1200 Bank'],
			['Bank ', ''],
		]) {
			await input.fill(letters);
			await expect.poll(() => editor.listEntries()).not.toContain('1000 Kasse');
			if (found) await expect.poll(() => editor.listEntries()).toContain(found);
		}
		expect(asked()).toEqual(['listFiscalYears', 'listAccounts']);
		expect(before - credits()).toBe(2);
	});

	it('shares what it knows with the list of fiscal years, which reads as people say it', async () => {
		await editor.page.keyboard.press('Escape');
		await editor.selectMode('geschaeftsjahrStartDatum', 'From List');
		await editor.openList('geschaeftsjahrStartDatum');
		await expect.poll(() => editor.listEntries()).toContain('2026 (1 Jan to 31 Dec)');
		expect(asked()).toEqual(['listFiscalYears', 'listAccounts']);
	});
});
