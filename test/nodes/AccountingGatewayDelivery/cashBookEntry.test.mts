import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { RunOptions, TestItem } from '../../../host/harness.mjs';
import { simpleEntry } from '../../../host/workflows.mjs';
import { refused, useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();

const node = new AccountingGatewayDelivery();

/** An entry that is all right; each test changes what it is about. */
const entry = (own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		bewegung: 'AUSGABE',
		betrag: '12.50',
		belegnummer: '={{ $json.nr ?? "K-1" + $itemIndex }}',
		belegtext: 'Büromaterial',
		...own,
	});

const advanced = (own: INodeParameters = {}): INodeParameters =>
	entry({
		operation: 'createAdvanced',
		bewegung: '',
		betrag: '0.30',
		belegzeilen: { belegzeile: [{ betrag: '0.1' }, { betrag: '0.2' }] },
		...own,
	});

const run = async (parameters: INodeParameters, options?: Partial<RunOptions>) =>
	await gateway.run(node, parameters, options);
const arrived = async () => (await gateway.list('entries')).map((e) => e.fields as IDataObject);
const posts = async () => (await gateway.requests()).filter(({ method }) => method === 'POST');
const items = (count: number): TestItem[] => Array.from({ length: count }, (_, i) => ({ json: { i } }));

describe('Cash Book Entry: Create', () => {
	it('sends every field by the contract and returns the entry', async () => {
		const result = await run(
			entry({ additionalFields: { gegenkonto: '4930', belegNummer: 'RE-4711' }, belegbilder: 'data' }),
			{
				items: [
					{ json: { nr: 'K-11' }, files: { data: { content: Buffer.from('%PDF'), fileName: 'Beleg.pdf' } } },
				],
				workflowName: 'Kasse täglich',
			},
		);
		expect(result.error).toBeUndefined();
		expect(await arrived()).toEqual([
			{
				waehrung: 'EUR',
				kassenname: 'Hauptkasse',
				belegtext: 'Büromaterial',
				betrag: 12.5,
				transaktionsdatum: '2026-03-02T09:30:00+01:00',
				belegnummer: 'K-11',
				steuersatz: 19,
				bewegung: 'AUSGABE',
				gegenkonto: '4930',
				belegNummer: 'RE-4711',
			},
		]);
		const [request] = await posts();
		expect(request.query).toEqual({ connectionId: gateway.connectionId('duo'), quelle: 'Kasse täglich' });
		expect(result.main[0]).toEqual([
			{ json: expect.objectContaining({ belegnummer: 'K-11', betrag: -12.5 }), pairedItem: { item: 0 } },
		]);
		const columns = Object.keys(result.json[0]);
		expect(columns.slice(0, 3)).toEqual(['betrag', 'belegtext', 'transaktionsdatum']);
		expect(columns.at(-1)).toBe('belegnummer');
	});

	it.each([
		['list', 'Kasse  Süd '],
		['value', 'Kasse  Süd'],
	])('in the mode "%s", sends the cash book “Kasse  Süd ” as “%s”', async (mode, sent) => {
		await run(entry({ kassenname: { __rl: true, mode, value: 'Kasse  Süd ' } }));
		expect((await posts())[0].body).toMatchObject({ kassenname: sent });
	});

	it.each([
		['Make', 'Make'],
		['', undefined],
	])('sends the quelle of the option: %o as %o', async (quelle, sent) => {
		await run(entry({ options: { quelle } }));
		expect(((await posts())[0].query as IDataObject).quelle).toBe(sent);
	});

	describe('keeps the rules of the contract:', () => {
		it.each<[string, string, string]>([
			['belegnummer', 'x'.repeat(37), 'has 37 characters, 36 are allowed'],
			['belegnummer', 'a_b', 'contains "_"; it must consist of at most 36 letters'],
			['belegnummer', '={{ String(undefined) }}', 'with a digit from 1 to 9'],
			...'0 - / 000 0-0 -- * % n/a na NaN Null ohne Keine NONE fehlt tbd x XXX siehe-Beleg unbekannt K-0'
				.split(' ')
				.map((none): [string, string, string] => [
					'belegnummer',
					none,
					'with a digit from 1 to 9; without a number, leave it empty',
				]),
			['betrag', '-12,34', 'is negative: give it without a sign'],
			['bewegung', '={{ "Eingang" }}', 'must be AUSGABE or EINNAHME'],
			['bewegung', '={{ "" }}', 'is required'],
			['waehrung', '={{ "eur" }}', 'ISO 4217'],
			['steuersatz', '-7', 'must not be negative'],
			['belegtext', '={{ "  " }}', 'is required'],
			['kassenname', '={{ "" }}', 'is required'],
			['connectionId', '={{ "duo" }}', 'must be a UUID'],
		])('%s %o is refused: %s', async (field, value, rule) => {
			const { error } = await run(entry({ [field]: value }));
			expect(error?.message).toMatch(refused(field));
			expect(error?.message).toContain(rule);
			expect(await gateway.requests()).toEqual([]);
		});

		it.each(['aZ09$%&*+-/', `${'x'.repeat(35)}9`, 'NULL-1', '0-1', '7'])(
			'belegnummer %o is sent',
			async (nr) => {
				expect((await run(entry({ belegnummer: nr }))).error).toBeUndefined();
				expect(await arrived()).toMatchObject([{ belegnummer: nr }]);
			},
		);
	});

	describe('with a bad item', () => {
		const bad = (position: number): INodeParameters =>
			entry({ betrag: `={{ $itemIndex === ${position} ? "zwölf" : "12.50" }}` });

		it('sends nothing in stop mode', async () => {
			const { error, main } = await run(bad(2), { items: items(4) });
			expect(error?.message).toBe(
				'Nothing was sent: Amount (betrag) "zwölf" must be a number like 12.50 or 12,50 [item 3, “K-12”]',
			);
			expect(error?.description).toMatch(/^Items that break a rule: 1 of 4\./);
			// n8n's editor would add a number of its own, counted from 0.
			expect(error?.context.itemIndex).toBeUndefined();
			expect(main).toEqual([]);
			expect(await gateway.requests()).toEqual([]);
		});

		it('sends the others, and puts out the bad one as an error', async () => {
			const result = await run(bad(2), { items: items(4), settings: { onError: 'continueErrorOutput' } });
			expect(result.error).toBeUndefined();
			expect((await arrived()).map((e) => e.belegnummer)).toEqual(['K-10', 'K-11', 'K-13']);
			expect(result.main[1]).toMatchObject([
				{
					json: {
						i: 2,
						error: expect.stringContaining('Amount (betrag) "zwölf" must be a number'),
						details: {
							outcome: 'invalid',
							issues: [
								{
									field: 'betrag',
									label: { en: 'Amount', de: 'Betrag' },
									value: { en: 'zwölf', de: 'zwölf' },
									rule: {
										en: 'must be a number like 12.50 or 12,50',
										de: 'muss eine Zahl wie 12,50 sein',
									},
								},
							],
							reason: {
								en: expect.stringContaining('Amount (betrag) "zwölf" must be a number'),
								de: 'Betrag „zwölf“ muss eine Zahl wie 12,50 sein.',
							},
						},
					},
					pairedItem: { item: 2 },
				},
			]);
			expect(result.main[0].map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 3].map((item) => ({ item })));
		});

		it('leaves it in its place with "continue"', async () => {
			const result = await run(bad(1), { items: items(3), settings: { onError: 'continueRegularOutput' } });
			expect(result.main[0].map(({ json, pairedItem }) => [Boolean(json.error), pairedItem])).toEqual([
				[false, { item: 0 }],
				[true, { item: 1 }],
				[false, { item: 2 }],
			]);
		});

		it('names it by its text where it has no number, or a wrong one', async () => {
			const { error } = await run(
				entry({ betrag: 'x', belegtext: '=Kauf {{ $itemIndex }}', belegnummer: '={{ $json.nr }}' }),
				{ items: [{ json: {} }, { json: { nr: 'ä' } }] },
			);
			expect(error?.description).toContain('Item 2, “Kauf 1”: Transaction No. (belegnummer)');
		});
	});

	it.each<[string, INodeParameters]>([
		['in the same cash book', {}],
		['in another cash book', { kassenname: '={{ $itemIndex ? "Filialkasse" : "Hauptkasse" }}' }],
		['in other letters', { belegnummer: '={{ $itemIndex ? "K-11" : "k-11" }}' }],
	])('refuses the same belegnummer twice in one run, %s', async (_, own) => {
		const id = gateway.connectionId('duo');
		const connectionId = `={{ $itemIndex ? '${id.toUpperCase()}' : '${id}' }}`;
		const { error } = await run(entry({ belegnummer: 'K-11', connectionId, ...own }), { items: items(2) });
		expect(error?.message).toContain('Transaction No. (belegnummer) "K-11" is already used by item 1');
		expect(await gateway.requests()).toEqual([]);
	});

	const BROKEN = {
		kassenname: '',
		bewegung: 'BAR',
		betrag: 'viel',
		transaktionsdatum: '31.2.2026',
		belegtext: '',
	};
	it.each([0, 1])(
		'refuses the same belegnummer twice also where one of the two entries has another mistake (%i)',
		async (broken) => {
			for (const [name, value] of Object.entries(BROKEN)) {
				const good = entry()[name];
				const { error } = await run(
					entry({
						belegnummer: 'K-11',
						[name]: `={{ $itemIndex === ${broken} ? ${JSON.stringify(value)} : ${JSON.stringify(good)} }}`,
					}),
					{ items: items(2) },
				);
				const said = `${error?.message} ${error?.description}`.replaceAll('&quot;', '"');
				expect(said).toContain(`(${name})`);
				expect(said).toContain('(belegnummer) "K-11" is already used by item 1');
			}
			expect(await gateway.requests()).toEqual([]);
		},
	);

	it.each<[string, string, INodeParameters]>([
		['has no known connection', 'connectionId', { belegnummer: 'K-11', connectionId: 'x' }],
		['has a number that breaks a rule', 'belegnummer', { belegnummer: '={{ "K ä " + $itemIndex }}' }],
		[
			'has no number, and is broken',
			'betrag',
			{ belegnummer: '', betrag: '={{ $itemIndex ? "viel" : "1" }}' },
		],
	])('takes no entry for another one’s twin that %s', async (_what, field, own) => {
		const { error } = await run(entry(own), { items: items(2) });
		expect(error?.message).toContain(`(${field})`);
		expect(`${error?.message} ${error?.description}`).not.toContain('already');
	});
});

describe('Cash Book Entry: Create Advanced', () => {
	it.each([
		[['', ''], 'entry of 0.3'],
		[['R-17', 'R-18'], 'entry of 0.3 (belegNummer R-17, R-18)'],
		[['R-17', 'R-17'], 'entry of 0.3 (belegNummer R-17)'],
	])('is named by its amount and the numbers of its receipts (%o)', async (numbers, label) => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		const belegzeile = numbers.map((belegNummer, i) => ({ betrag: `0.${i + 1}`, belegNummer }));
		const { error } = await run(advanced({ belegzeilen: { belegzeile } }));
		expect(`: ${error?.description}`).toContain(`: ${label}: Whether it was carried out`);
	});

	it.each<[INodeParameters, string]>([
		[{ betrag: '0.31' }, 'Amount (betrag) "0.31" must equal the sum of the lines, which is 0.3'],
		[{ belegzeilen: {} }, 'Lines (belegzeilen) must have at least one line'],
		[
			{ belegzeilen: { belegzeile: [{ betrag: '={{ "" }}' }] } },
			'Amount (belegzeilen[1].betrag) is required',
		],
		[
			{ belegzeilen: { belegzeile: [{ betrag: '0.3', prozent: 'x' }] } },
			'Tax Rate (%) (belegzeilen[1].prozent) "x" must be a number',
		],
	])('refuses %o: %s', async (overrides, message) => {
		const { error } = await run(advanced(overrides));
		expect(error?.message).toContain(message);
		expect(await gateway.requests()).toEqual([]);
	});
});
