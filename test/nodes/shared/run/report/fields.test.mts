/** What a record shows when it is simplified, and what an AI agent gets of it. */
import map from 'lodash/map.js';
import range from 'lodash/range.js';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayData } from '../../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayFiles } from '../../../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { AccountingGatewayMobility } from '../../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { ublInvoice } from '../../../../support/eInvoices.mjs';
import { Agent, asTool, toolOf } from '../../../../../host/harness.mjs';
import { useGateway } from '../../../../support/useSandbox.mjs';
import { simpleEntry } from '../../../../../host/workflows.mjs';

const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });

const account = (parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'account',
	operation: 'getAll',
	connectionId: gateway.connectionId('rewe-read'),
	geschaeftsjahrStartDatum: '2026-01-01',
	...parameters,
});
/** Its fields are not in the contract. */
const PRODUCTS = { resource: 'product', operation: 'getAll' };
/** What comes out for the only record of an answer. */
const shown = async (node: INodeType, parameters: INodeParameters, record: IDataObject) => {
	await gateway.fault({ kind: 'status', status: 200, body: { data: [record] } });
	const { json, error } = await gateway.run(node, parameters);
	expect(error).toBeUndefined();
	return json[0];
};

describe('a simplified record', () => {
	it('has the columns of its operation, in their order, null where there is nothing', async () => {
		const row = await shown(new AccountingGatewayData(), account(), { d: 4, kontonummer: '1000' });
		expect(Object.entries(row)).toEqual([
			['kontonummer', '1000'],
			['kontobeschriftung', null],
		]);
	});

	it('has its first ten fields where the contract leaves them open, without lists and groups', async () => {
		const mobility = new AccountingGatewayMobility();
		const fields = Object.fromEntries(range(12).map((i) => [`f${i}`, i]));
		const row = await shown(mobility, PRODUCTS, { liste: [1], gruppe: { a: 1 }, leer: null, ...fields });
		expect(Object.keys(row)).toEqual(['leer', ...Object.keys(fields).slice(0, 9)]);
		const groups = { liste: [1], gruppe: { a: 1 } };
		expect(await shown(mobility, PRODUCTS, groups)).toEqual(groups);
	});
});

describe('as a tool', () => {
	const run = async (parameters: INodeParameters, node: INodeType = asTool(new AccountingGatewayData())) =>
		await gateway.run(node, account(parameters));

	it('a node simplifies by default, whatever was chosen for a workflow', async () => {
		for (const parameters of [{}, { simple: false }, { toolOutput: 'simplified' }]) {
			const { json } = await run(parameters);
			expect(Object.keys(json[0])).toEqual(['kontonummer', 'kontobeschriftung']);
		}
	});

	it('a node gives the raw answer', async () => {
		const { json, hints } = await run({ resource: 'journalBooking', toolOutput: 'raw' });
		expect(json).toEqual([
			{
				data: expect.any(Array) as unknown[],
				svc: expect.any(Object) as object,
			},
		]);
		expect(json[0].data).toHaveLength(50);
		expect(hints.map(({ message }) => message).join()).toMatch(/only the first 50 of \d+ are here \(Limit\)/);
	});

	it('a node says which fields it has, to choose from', () => {
		const { properties } = asTool(new AccountingGatewayData()).description;
		const offered = (resource: string) => {
			const shown = properties.filter(
				({ name, displayOptions }) =>
					name === 'toolFields' &&
					displayOptions?.show?.resource?.includes(resource) &&
					displayOptions.show.operation?.includes('getAll'),
			);
			return shown.map(({ type, options }) => [type, map(options, 'value')]);
		};
		expect(offered('account')).toEqual([['multiOptions', ['kontobeschriftung', 'kontonummer']]]);
		// Those of each output, at the end of the year, of a month, and compared.
		const ofTrialBalance =
			'change ebWertSigned eod finding findings kontobeschriftung kontonummer movement movementBefore periode saldoBefore saldoSigned text ' +
			'umsatzHaben umsatzSigned umsatzSoll';
		expect(offered('trialBalance')).toEqual([['multiOptions', ofTrialBalance.split(' ')]]);
	});

	it.each<[INodeParameters]>([[{}], [{ output: 'bookings' }]])(
		'a node answers a journal of 5,000 bookings in less than 20,000 characters, and says what is left out: %o',
		async (parameters) => {
			const data = Array.from({ length: 5_000 }, (_, i) => ({
				id: null,
				waehrung: 'EUR',
				buchungstext: `Lieferant Nummer ${i} GmbH, Rechnung RE-2026-${i}, Bürobedarf und Verbrauchsmaterial`,
				sollHabenKennzeichen: 'SOLL',
				buchungszeilen: [
					['4930', 100.5, '9'],
					['70001', -100.5, null],
				].map(([kontonummer, umsatz, buSchluessel]) => ({
					kontonummer,
					umsatz,
					buSchluessel,
					kostenstellen: { kost1: null, kost2: null },
				})),
			}));
			await gateway.fault({ kind: 'status', status: 200, body: { data }, times: null });
			const call = (own: INodeParameters) =>
				toolOf({
					node: new AccountingGatewayData(),
					credential: gateway.credential,
					parameters: { ...account({}), resource: 'journalBooking', ...parameters, ...own },
				})({});
			const answer = await call({});
			const total = parameters.output === 'bookings' ? 5_000 : 10_000;
			expect(answer).toContain(`only the first 50 of ${total} are here (Limit): ${total - 50} more`);
			expect(answer.length).toBeLessThan(20_000);
			expect(await call({ limit: 3 })).toContain(`only the first 3 of ${total}`);
		},
	);

	it('a node that sends nothing has the same choice: an invoice’s IBAN is raw', async () => {
		const readEInvoice = async (own: INodeParameters) =>
			await gateway.run(
				asTool(new AccountingGatewayFiles()),
				{ resource: 'eInvoice', operation: 'read', ...own },
				{
					items: [
						{
							json: {},
							files: {
								data: { content: Buffer.from(ublInvoice()), fileName: 'r.xml', mimeType: 'application/xml' },
							},
						},
					],
				},
			);
		const { json } = await readEInvoice({});
		expect(json[0].number).toMatch(/\d/);
		expect(JSON.stringify(json)).not.toMatch(/iban/i);
		expect(JSON.stringify((await readEInvoice({ toolOutput: 'raw' })).json)).toMatch(/iban/i);
		const selected = await readEInvoice({ toolOutput: 'selected', toolFields: ['number', 'grossAmount'] });
		expect(Object.keys(selected.json[0]).slice(-2)).toEqual(['number', 'grossAmount']);
		expect(Object.keys(selected.json[0]).length).toBeLessThanOrEqual(3);
	});

	it('the limit is an option in a workflow, and a hint says what it leaves out', async () => {
		const all = await run({}, new AccountingGatewayData());
		const { json, hints } = await run({ options: { limit: 3 } }, new AccountingGatewayData());
		expect(json).toEqual(all.json.slice(0, 3));
		expect(hints.map(({ message }) => message).join()).toContain(
			`only the first 3 of ${all.json.length} are here (Limit)`,
		);
		for (const limit of [all.json.length, 5_000]) {
			const { hints: none } = await run({ options: { limit } }, new AccountingGatewayData());
			expect(none.map(({ message }) => message).join()).not.toContain('Limit');
		}
	});

	it.each<[INodeParameters[string]]>([
		[['amount', 'purp']],
		['amount, purp'],
		['={{ ["amount", " purp "] }}'],
	])('a node gives the fields selected by %o, and the ID', async (toolFields) => {
		const parameters = {
			resource: 'balance',
			operation: 'getAll',
			account_id: 'acc-giro',
			output: 'transactions',
		};
		const { json, error } = await gateway.run(asTool(new AccountingGatewayBanking()), {
			...parameters,
			toolOutput: 'selected',
			toolFields,
		});
		expect(error).toBeUndefined();
		expect(Object.keys(json[0])).toEqual(['id', 'amount', 'purp']);
	});

	it.each<[string, INodeType, () => INodeParameters, string[]]>([
		['its first column', new AccountingGatewayData(), account, ['kontonummer', 'x', 'gruppe', 'missing']],
		[
			'the number of its booking',
			new AccountingGatewayData(),
			() => account({ resource: 'journalBooking' }),
			['bookingNumber', 'x', 'gruppe', 'missing'],
		],
		[
			'all of its IDs, where the contract leaves them open',
			new AccountingGatewayMobility(),
			() => PRODUCTS,
			['id', 'bookingNumber', 'x', 'gruppe', 'missing'],
		],
	])(
		'a node gives the fields that were selected, each once, with %s',
		async (_what, node, parameters, names) => {
			const own = { kontonummer: '1000', x: 1, gruppe: { b: 1 } };
			const record = { id: 7, bookingNumber: 1, ...own, buchungszeilen: [own] };
			const selected = { toolOutput: 'selected', toolFields: ['x', 'gruppe', names[0], 'missing'] };
			const row = await shown(asTool(node), { ...parameters(), ...selected }, record);
			expect(Object.keys(row)).toEqual(names);
			expect([row.gruppe, row.missing]).toEqual([{ b: 1 }, null]);
		},
	);

	it('a node gives its warnings also where there is no record', async () => {
		await gateway.fault({ kind: 'alter', set: { data: [], next: '/page/2' } });
		const agent = new Agent([{}]);
		await gateway.run(new AccountingGatewayData(), account({}), { agent });
		expect(agent.heard).toEqual([
			expect.stringMatching(
				/^\[\{"warnings":\[\{"en":"The gateway also says: next: .*"de":"Das Gateway sagt außerdem: next: /,
			),
		]);
	});

	it('a node that writes gives its warnings in English and German', async () => {
		const agent = new Agent([{}]);
		const entry = simpleEntry(gateway.connectionId('duo'), { betrag: '0' });
		await gateway.run(new AccountingGatewayDelivery(), entry, { agent });
		const [{ warnings }] = JSON.parse(agent.heard[0]) as [{ warnings: object[] }];
		expect(warnings).toEqual([
			{ en: 'Amount (betrag) is 0, and is booked as 0', de: 'Betrag ist 0 und wird als 0 gebucht.' },
		]);
	});

	it('a node refuses to select nothing', async () => {
		const { error } = await run({ toolOutput: 'selected' });
		expect(error?.message).toContain('Fields (toolFields) must name at least one field');
		expect(await gateway.requests()).toEqual([]);
	});

	it('a write gives what was selected, too', async () => {
		const { json, error } = await gateway.run(asTool(new AccountingGatewayMobility()), {
			resource: 'ticket',
			operation: 'create',
			product_id: 'tagesticket-plus',
			toolOutput: 'selected',
			toolFields: ['status', 'order_id'],
		});
		expect(error).toBeUndefined();
		// The warning says that each run buys again.
		expect(Object.keys(json[0])).toEqual(['id', 'status', 'order_id', 'warnings']);
	});

	it('in a workflow, what was chosen for a tool means nothing', async () => {
		const { json } = await run({ toolOutput: 'raw', toolFields: ['x'] }, new AccountingGatewayData());
		expect(Object.keys(json[0])).toEqual(['kontonummer', 'kontobeschriftung']);
	});
});
