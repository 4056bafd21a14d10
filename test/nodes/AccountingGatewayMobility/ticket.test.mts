import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { refused, useGateway } from '../../support/useSandbox.mjs';
import type { RunOptions, TestItem } from '../../../host/harness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayMobility();

const CUSTOMER = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const OTHER = 'c1a7f0de-9a51-4d7c-8d55-0d3a1f2b3c4e';
const POSTAL_CODE = { postal_code: '90402' };
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const create = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'ticket',
	operation: 'create',
	product_id: { __rl: true, mode: 'list', value: 'deutschlandticket' },
	additionalFields: POSTAL_CODE,
	...overrides,
});
const job = (overrides: INodeParameters = {}) =>
	create({ product_id: 'deutschlandticket-job', ...overrides });
const activate = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'ticket',
	operation: 'activate',
	...overrides,
});

/** That nobody is named for whom it is only bought once is tested in onlyOnceFor.test.mts. */
const isOther = (warning: unknown) => !JSON.stringify(warning).includes('Only Once For');
const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) => {
	const ran = await gateway.run(node, parameters, options);
	return { ...ran, hints: ran.hints.filter(isOther) };
};
const tickets = async () => await gateway.list('tickets');
const bodies = async () => (await gateway.requests()).map(({ body }) => body);
const items = (count: number): TestItem[] => Array.from({ length: count }, (_, i) => ({ json: { i } }));
/** A ticket that awaits its activation. */
const partial = async () => (await run(job())).json[0];

describe('Ticket: Create', () => {
	it('buys a ticket that is active at once', async () => {
		const customer = (
			await run({ resource: 'customer', operation: 'create', name: 'Bäckerei Sonnenschein GmbH' })
		).json[0].id as string;
		const result = await run(create({ additionalFields: { ...POSTAL_CODE, customer_id: customer } }));
		expect(result.error).toBeUndefined();
		expect(result.main[0]).toEqual([
			{
				json: expect.objectContaining({
					id: UUID,
					customer_id: customer,
					product_name: 'Deutschland-Ticket',
					status: 'active',
					activation_required: false,
				}),
				pairedItem: { item: 0 },
			},
		]);
		expect(result.hints).toMatchObject([{ type: 'info', message: '1 ticket bought (Deutschland-Ticket)' }]);
		expect((await bodies()).at(-1)).toEqual({
			product_id: 'deutschlandticket',
			customer_id: customer,
			tariff_settings: POSTAL_CODE,
		});
	});

	describe('sends settings that', () => {
		it.each<[string, INodeParameters, object]>([
			[
				'both',
				{ postal_code: '90402', tariff_settings: '{ "class": 1 }' },
				{ tariff_settings: { postal_code: '90402', class: 1 } },
			],
			[
				'both, with the same value',
				{ postal_code: '90402', tariff_settings: '{ "postal_code": "90402" }' },
				{ tariff_settings: { postal_code: '90402' } },
			],
			[
				'a phone number beside another medium',
				{ phone_number: '+491701234567', identification_medium: '{ "card": "4711" }' },
				{ identification_medium: { phone_number: '+491701234567', card: '4711' } },
			],
			['nothing', { tariff_settings: '{}', identification_medium: '', postal_code: '' }, {}],
		])('are given as %s', async (_name, additionalFields, settings) => {
			await run(job({ additionalFields }));
			expect((await bodies())[0]).toEqual({ product_id: 'deutschlandticket-job', ...settings });
		});

		it.each<[string, INodeParameters, string]>([
			['postal_code', { postal_code: '={{ 1067 }}' }, 'leading zero'],
			['postal_code', { postal_code: 'D-90402' }, '5 digits'],
			[
				'postal_code',
				{ postal_code: '90402', tariff_settings: '{ "postal_code": "01067" }' },
				'differs from postal_code in tariff_settings',
			],
			['phone_number', { phone_number: 'none' }, 'must be a phone number'],
		])('are right, and refuses a bad %s (%o)', async (field, additionalFields, rule) => {
			const { error } = await run(job({ additionalFields }));
			expect(error?.message).toMatch(refused(field));
			expect(error?.message).toContain(rule);
			expect(await gateway.requests()).toEqual([]);
		});
	});

	it('says which ticket for whom the gateway refused', async () => {
		const additionalFields = { ...POSTAL_CODE, customer_id: CUSTOMER };
		const { error } = await run(create({ additionalFields }));
		expect(error?.message).toContain('The gateway refused a value (HTTP 422)');
		expect(error?.description).toContain('ticket deutschlandticket for the customer 5f0c1d9e');
		expect(await tickets()).toEqual([]);
	});
});

describe('A partial answer about a ticket', () => {
	it('is shown as such, with its coupon', async () => {
		const { json, hints } = await run(job(), { items: items(2) });
		const warnings = [
			expect.objectContaining({ de: expect.stringContaining('Only Once For') }),
			expect.objectContaining({ de: expect.stringContaining('noch nicht aktiv') }),
		];
		expect(json).toEqual(
			[1, 2].map((nr) => ({
				id: UUID,
				coupon_id: `CPN-00000${nr}`,
				activation_required: true,
				warnings,
			})),
		);
		expect(hints).toEqual([
			{
				message: 'Items 1–2: bought, but not active yet: give the item to the operation "Activate"',
				type: 'warning',
				location: 'outputPane',
			},
			expect.objectContaining({ message: '2 tickets bought (deutschlandticket-job)' }),
		]);
	});

	it.each<[object, boolean | null]>([
		[{ id: 'x', coupon_id: 'C-1', status: 'pending' }, true],
		[{ data: { id: 'x', coupon_id: 'C-1', status: null } }, true],
		[{ id: 'x', coupon_id: 'C-1', status: 'active' }, false],
		// A status that nobody knows says nothing, and neither does none.
		[{ id: 'x', coupon_id: '', status: 'pending' }, null],
		[{ id: 'x' }, null],
	])(
		'is recognized by its shape, whatever else is in it: %j awaits its activation: %s',
		async (body, isAwaited) => {
			await gateway.fault({ kind: 'status', status: 201, body, operationId: 'createTicket' });
			expect((await run(create())).json).toMatchObject([{ activation_required: isAwaited }]);
		},
	);

	it.each([
		[
			{ customer_id: CUSTOMER },
			[{ message: `Item 1: the ticket isn't assigned to the customer ${CUSTOMER}, or not yet` }],
		],
		[{}, []],
	])('without the customer that it was bought for gives a warning: %j', async (bought, warnings) => {
		const body = { id: 'x', coupon_id: 'C-1', status: 'active', customer_id: null };
		await gateway.fault({ kind: 'status', status: 201, body, operationId: 'createTicket' });
		const { error, hints } = await run(create({ additionalFields: bought }));
		expect(error).toBeUndefined();
		expect(hints.filter(({ type }) => type === 'warning')).toMatchObject(warnings);
	});

	it.each([{ id: 'x' }, { id: 'x', coupon_id: 815 }, { id: 'x', coupon_id: '', status: 'pending' }])(
		'is not taken for an active one without a word: %j',
		async (body) => {
			await gateway.fault({ kind: 'status', status: 201, body, operationId: 'createTicket' });
			const { error, hints } = await run(job());
			expect(error).toBeUndefined();
			expect(hints[0]).toMatchObject({
				message:
					"Item 1: bought, but the gateway's answer doesn't say whether it is active: look it up where tickets are managed",
				type: 'warning',
			});
		},
	);
});

describe('Ticket: Activate', () => {
	it('takes the item that Create has put out for a partial ticket, and completes it', async () => {
		const ticket = await partial();
		const additionalFields = { postal_code: '01067', tariff_settings: '{ "class": 1 }' };
		const result = await run(activate({ additionalFields }), { items: [{ json: ticket }] });
		expect(result.main[0]).toEqual([
			{ json: expect.objectContaining({ id: ticket.id, status: 'active' }), pairedItem: { item: 0 } },
		]);
		const tariff_settings = { class: 1, postal_code: '01067' };
		expect((await bodies()).at(-1)).toEqual({ coupon_id: ticket.coupon_id, tariff_settings });
	});

	it.each([
		['ticket_id', 'T-1', 'must be a UUID'],
		['coupon_id', '={{ "" }}', 'is required'],
	])('refuses %s %o', async (field, value, rule) => {
		const { error } = await run(activate({ ticket_id: CUSTOMER, coupon_id: 'C-1', [field]: value }));
		expect(error?.message).toMatch(refused(field));
		expect(error?.message).toContain(rule);
	});

	it('refuses the same ticket twice in one run', async () => {
		const { id, coupon_id } = (await partial()) as Record<string, string>;
		const { error } = await run(activate(), {
			items: [{ json: { id, coupon_id } }, { json: { id: id.toUpperCase(), coupon_id } }],
		});
		expect(error?.message).toContain('is already used by item 1');
	});

	it('says that a ticket is already active, with ticket and coupon', async () => {
		const json = await partial();
		await run(activate(), { items: [{ json }] });
		const { error } = await run(activate(), { items: [{ json }] });
		expect(error?.message).toContain('HTTP 409');
		expect(error?.message).toContain('is already active');
		expect(error?.description).toContain(
			`ticket_id ${json.id as string}, coupon_id ${json.coupon_id as string}:`,
		);
	});
});

describe('A dry run of the Mobility node says', () => {
	const address = { street: 'Hauptstraße 7', postal_code: '90402', city: 'Nürnberg' };
	it.each<[en: string, de: string, INodeParameters]>([
		[
			'create the customer Erika, Hauptstraße 7, 90402 Nürnberg',
			'Kunde Erika, Hauptstraße 7, 90402 Nürnberg anlegen',
			{ resource: 'customer', operation: 'create', name: 'Erika', additionalFields: address },
		],
		[
			`buy the ticket deutschlandticket for the customer ${CUSTOMER}`,
			`Ticket deutschlandticket kaufen, für den Kunden ${CUSTOMER}`,
			create({ additionalFields: { customer_id: CUSTOMER } }),
		],
		[
			`activate the ticket ${OTHER} with the coupon CPN-1`,
			`Ticket ${OTHER} mit dem Gutschein CPN-1 aktivieren`,
			activate({ ticket_id: OTHER, coupon_id: 'CPN-1' }),
		],
	])('that it would %s', async (en, de, parameters) => {
		const options = { ...(parameters.options as INodeParameters), dryRun: true };
		const { json } = await run({ ...parameters, options });
		expect(json[0].summary).toEqual({ en: `Would ${en}`, de });
	});
});
