/** What a run tells, through n8n's engine: its output, its hints, and the error that ends it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import type { FaultInput } from '../../../../../sandbox/admin/faults.mjs';
import { takeAway } from '../../../../../host/engine.mjs';
import { type RunOptions, type RunResult, type TestItem } from '../../../../../host/harness.mjs';
import { waitFor } from '../../../../../scripts/base/waiting.mjs';
import { simpleEntry } from '../../../../../host/workflows.mjs';
import { useGateway } from '../../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const items = (...given: IDataObject[]): TestItem[] => given.map((json) => ({ json }));
const run = async (parameters: INodeParameters, options: Partial<RunOptions>) =>
	await gateway.run(node, simpleEntry(gateway.connectionId('duo'), parameters), options);
const fault = async (own: object) => await gateway.fault(own as FaultInput);
const CONTINUE = { onError: 'continueErrorOutput' } as const;
/** The entry of an item is accepted with a text of the accounting system. */
const saying = async (item: number, nachricht: string) =>
	await fault({
		kind: 'alter',
		contains: `"K-1${item}"`,
		set: { acctAntwort: { status: 'ERFOLGREICH', meldungen: [{ nachricht, typ: 'HINWEIS' }] } },
	});

describe('hints', () => {
	it('say each warning once, with its items', async () => {
		for (const i of [0, 1]) await saying(i, 'Bitte prüfen');
		await saying(2, 'Anders');
		const { hints } = await run({}, { items: items({}, {}, {}) });
		const warnings = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		expect(warnings).toEqual([
			expect.stringMatching(/^Items 1–2: .*Bitte prüfen$/),
			expect.stringMatching(/^Item 3: .*Anders$/),
		]);
	});

	it('are at most twenty warnings, and how many more there are', async () => {
		for (let i = 0; i < 23; i++) await saying(i, `Hinweis ${i}`);
		const { hints } = await run({}, { items: items(...Array.from({ length: 23 }, () => ({}))) });
		const warnings = hints.filter(({ type }) => type === 'warning');
		expect(warnings).toHaveLength(21);
		expect(warnings.at(-1)!.message).toMatch(/^\d more warnings, about items/);
	});

	it('are left out by an n8n that has none', async () => {
		takeAway('addExecutionHints');
		expect((await run({}, { items: items({}) })).json).toHaveLength(1);
	});
});

describe('the error that ends a run', () => {
	it('asks to correct no item for the state of the account', async () => {
		await fault({ kind: 'status', status: 402, after: 1 });
		const { error } = await run({}, { items: items({}, {}) });
		expect(error?.description).toMatch(/To continue: remove the cause; .* the other items are sent/);
	});

	it('of one item needs neither number nor list', async () => {
		await fault({ kind: 'status', status: 422 });
		const { error } = await run({}, { items: items({}) });
		expect(error?.message).not.toContain('item 1');
		expect(error?.description).not.toMatch(/Refused:|To continue/);
	});

	it('says of items that break a rule what their own errors say: not sent', async () => {
		await fault({ kind: 'hang' });
		const { error } = await run(
			{ betrag: "={{ $itemIndex === 1 ? 'x' : 1 }}" },
			{
				items: items({}, {}, {}),
				settings: CONTINUE,
				cancel: waitFor(() => gateway.sandbox.log.entries.length === 1),
			},
		);
		expect(error?.description).toContain('Unknown: item 1. Not sent: items 2–3.');
	});
});

describe('The headline of an unknown outcome', () => {
	const mobility = new AccountingGatewayMobility();
	const banking = new AccountingGatewayBanking();
	const ticket = { resource: 'ticket', operation: 'create', product_id: 'tagesticket-plus' };
	const webhook = { resource: 'webhook', operation: 'setUrl', url: 'https://n8n.example.com/webhook/x' };
	it.each<[what: string, of: () => Promise<RunResult>]>([
		['the ticket was bought', async () => await gateway.run(mobility, ticket)],
		['the webhook URL was set', async () => await gateway.run(banking, webhook)],
	])('says that it is unknown whether %s', async (what, of) => {
		await fault({ kind: 'drop', point: 'after-handler', times: null });
		expect((await of()).error?.message).toBe(
			`The connection to the gateway broke before an answer came: unknown whether ${what}`,
		);
	});
});
