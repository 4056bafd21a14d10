/** The forms of saved nodes in n8n's real editor: searchable lists, notices, and what is cleared with the connection. */
import uniq from 'lodash/uniq.js';
import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { Rig } from '../support/rig.mjs';

const chosen = (value: string, cachedResultName = value) =>
	({ __rl: true, mode: 'list', value, cachedResultName }) as INodeParameterResourceLocator;
const year = chosen('2026-01-01');

const ENTRY = {
	name: 'Entry',
	type: 'Delivery',
	module: 'duo' as const,
	parameters: { resource: 'cashBookEntry', operation: 'create', kassenname: chosen('Hauptkasse') },
};
/** What is chosen below the connection, and how the form shows it; in a cash-book entry: delivery.e2e.mts. */
const SUSA = {
	name: 'Susa',
	type: 'Data',
	module: 'rewe-read' as const,
	parameters: {
		resource: 'trialBalance',
		operation: 'getAll',
		geschaeftsjahrStartDatum: year,
		additionalFields: { kontonummer: chosen('1000', '1000 Kasse') },
	},
	shown: { geschaeftsjahrStartDatum: '2026-01-01', kontonummer: '1000 Kasse' },
};

/** What n8n says above a form or below one of its fields. */
const NOTICES = [
	{
		...ENTRY,
		name: 'Dry',
		parameters: { ...ENTRY.parameters, options: { dryRun: true } },
		text: 'Dry Run is on',
	},
	{
		...ENTRY,
		name: 'Polling',
		type: 'TransactionTrigger',
		parameters: { account_id: 'acc-giro' },
		text: 'Each poll may cost credits',
	},
	{
		...ENTRY,
		name: 'Buying',
		type: 'Mobility',
		parameters: { resource: 'ticket', operation: 'create' },
		text: 'Nationwide tickets need a postal code',
	},
];

/** A form whose list of accounts needs a fiscal year. */
const SEARCHED = {
	name: 'Searched',
	type: 'Data',
	module: 'rewe-read' as const,
	parameters: {
		resource: 'trialBalance',
		operation: 'getAll',
		geschaeftsjahrStartDatum: { __rl: true, mode: 'day', value: '' } as INodeParameterResourceLocator,
		additionalFields: { kontonummer: chosen('') },
	},
};

/** How long the nodes keep the answer for a list. */
const KEPT_MS = 60_000;

let rig: Rig;
let editor: Editor;

/** Two connections of a module. */
const connectionsOf = (module: 'duo' | 'rewe-read') =>
	rig.sandbox.store.accounts[0].connections.filter((one) => one.module === module);

beforeAll(async () => {
	rig = await Rig.join();
	const nodes = [ENTRY, SUSA, ...NOTICES, SEARCHED].map(({ name, type, module, parameters }, i): INode => {
		const [{ id, name: label }] = connectionsOf(module);
		return {
			id: name,
			name,
			type: `n8n-nodes-accounting-gateway.accountingGateway${type}`,
			typeVersion: 1,
			position: [i * 200, 0],
			parameters: { connectionId: chosen(id, label), ...parameters },
			credentials: rig.credentials,
		};
	});
	const id = await rig.client.importWorkflow({
		name: 'Forms',
		nodes,
		connections: {},
		settings: {},
	});
	editor = await Editor.open(rig.n8nUrl);
	await editor.openWorkflow(id);
});

afterAll(async () => {
	await editor?.close();
	await rig?.stop();
});

describe('a list to choose from', () => {
	/** Operations that the gateway was asked for, in order. */
	const asked = () => rig.sandbox.log.entries.map(({ operationId }) => operationId);
	/** The same, where answers may have been too old to be kept: each of them once. */
	const askedOnce = () => (performance.now() - begun < KEPT_MS ? asked() : uniq(asked()));
	let begun: number;
	const credits = () => rig.sandbox.store.accounts[0].credits;
	const YEAR = 'geschaeftsjahrStartDatum';

	it('is asked for once, with the fiscal year that it needs, however many letters are typed', async () => {
		await editor.openNode(SEARCHED.name);
		const before = credits();
		begun = performance.now();
		await editor.openList('kontonummer');
		await expect.poll(() => editor.listEntries()).toContain('1000 Kasse');
		const input = editor.page.getByTestId('rlc-search');
		for (const letters of ['B', 'Ba', 'Bank']) {
			await input.fill(letters);
			await expect.poll(() => editor.listEntries()).not.toContain('1000 Kasse');
			await expect.poll(() => editor.listEntries()).toContain('1200 Bank');
		}
		expect(askedOnce()).toEqual(['listFiscalYears', 'listAccounts']);
		expect(before - credits()).toBe(asked().length);
	});

	it('shares what it knows with the list of fiscal years, which reads as people say it', async () => {
		await editor.page.keyboard.press('Escape');
		await editor.selectMode(YEAR, 'From List');
		await editor.openList(YEAR);
		await expect.poll(() => editor.listEntries()).toContain('2026 (1 Jan to 31 Dec)');
		expect(askedOnce()).toEqual(['listFiscalYears', 'listAccounts']);
	});

	it('gives way to a day, which is marked if what was typed is none, and goes with the connection', async () => {
		await editor.page.keyboard.press('Escape');
		await editor.selectMode(YEAR, 'By Day');
		const isMarked = async () => await editor.isMarked(YEAR);
		await expect.poll(isMarked).toBe(false);
		await editor.type(YEAR, 'gestern');
		await expect.poll(isMarked).toBe(true);
		await editor.type(YEAR, '31.12.2025');
		await expect.poll(isMarked).toBe(false);
		const [, other] = connectionsOf('rewe-read');
		await editor.choose('connectionId', other.name);
		await expect.poll(async () => await editor.chosen(YEAR)).toBe('');
		await editor.closeNode();
	});
});

describe('a notice above a form', () => {
	const isShown = async (text: string) => await editor.page.getByText(text).isVisible();

	it.each(NOTICES)('of $name says: $text', async ({ name, text }) => {
		await editor.openNode(name);
		await expect.poll(async () => await isShown(text)).toBe(true);
		await editor.closeNode();
	});

	it('is not shown without its reason', async () => {
		await editor.openNode('Entry');
		await expect.poll(async () => await editor.chosen('kassenname')).toBe('Hauptkasse');
		expect(await isShown(NOTICES[0].text)).toBe(false);
		await editor.closeNode();
	});
});

it('a form keeps what was chosen while it is only viewed, and clears it when the connection changes', async () => {
	const { name, module, shown } = SUSA;
	const values = async () =>
		Object.fromEntries(
			await Promise.all(Object.keys(shown).map(async (field) => [field, await editor.chosen(field)])),
		) as Record<string, string>;
	const [, other] = connectionsOf(module);
	await editor.openNode(name);
	await expect.poll(values).toEqual(shown);
	await editor.choose('connectionId', other.name);
	await expect.poll(values).toEqual(Object.fromEntries(Object.keys(shown).map((field) => [field, ''])));
	await editor.closeNode();
});
