import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { RunOptions, TestItem } from '../../../tools/harness.mjs';
import { simpleEntry } from '../../../tools/workflows.mjs';
import { refused, useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();

const node = new AccountingGatewayDelivery();

/** An entry that is all right; each test changes what it is about. */
const entry = (own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		bewegung: 'AUSGABE',
		betrag: '12.50',
		belegnummer: '={{ $json.nr ?? "K-" + $itemIndex }}',
		belegtext: 'Büromaterial',
		...own,
	});

const advanced = (own: INodeParameters = {}): INodeParameters =>
	entry({
		operation: 'createAdvanced',
		bewegung: '',
		betrag: '0.30',
		belegzeilen: {
			belegzeile: [
				{ betrag: '0.1', belegtext: 'Brot', prozent: '7', kostenstelle1: '100' },
				{ betrag: '0.2', belegtext: 'Tüte', prozent: '19', buSchluessel: '9', gegenkonto: '8400' },
			],
		},
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
					{ json: { nr: 'K-1' }, files: { data: { content: Buffer.from('%PDF'), fileName: 'Beleg.pdf' } } },
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
				belegnummer: 'K-1',
				steuersatz: 19,
				bewegung: 'AUSGABE',
				gegenkonto: '4930',
				belegNummer: 'RE-4711',
			},
		]);
		const [request] = await posts();
		expect(request.query).toEqual({ connectionId: gateway.connectionId('duo'), quelle: 'Kasse täglich' });
		expect(result.main[0]).toEqual([
			{ json: expect.objectContaining({ belegnummer: 'K-1', betrag: -12.5 }), pairedItem: { item: 0 } },
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
			['belegnummer', '={{ String(undefined) }}', 'stands for a missing number'],
			...[
				0,
				'-',
				'/',
				'0',
				'000',
				'0-0',
				'--',
				'*',
				'%',
				'n/a',
				'N/A',
				'na',
				'NaN',
				'Null',
				'ohne',
				'Keine',
				'NONE',
			].map((placeholder): [string, string, string] => [
				'belegnummer',
				String(placeholder),
				'stands for a missing number',
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

		it.each<[string, string]>([
			['belegnummer', 'aZ09$%&*+-/'],
			['belegnummer', 'x'.repeat(36)],
			['belegnummer', 'NULL-1'],
			['belegnummer', '0-1'],
			['belegnummer', 'O'],
			['bewegung', 'EINNAHME'],
			['waehrung', 'CHF'],
			['steuersatz', '10,7'],
			['belegtext', 'Müller & Söhne 🥐 „Brötchen“'],
		])('%s %o is sent', async (field, value) => {
			expect((await run(entry({ [field]: value }))).error).toBeUndefined();
			const [fields] = await arrived();
			expect(fields[field]).toBe(field === 'steuersatz' ? Number(value.replace(',', '.')) : value);
		});
	});

	describe('with a bad item', () => {
		const bad = (position: number): INodeParameters =>
			entry({ betrag: `={{ $itemIndex === ${position} ? "zwölf" : "12.50" }}` });

		it('sends nothing in stop mode', async () => {
			const { error, main } = await run(bad(2), { items: items(4) });
			expect(error?.message).toBe(
				'Nothing was sent: Amount (betrag) "zwölf" must be a number like 12.50 or 12,50 [item 3, “K-2”]',
			);
			// n8n's editor would add a number of its own, counted from 0.
			expect(error?.context.itemIndex).toBeUndefined();
			expect(main).toEqual([]);
			expect(await gateway.requests()).toEqual([]);
		});

		it('sends the others, and puts out the bad one as an error', async () => {
			const result = await run(bad(2), { items: items(4), settings: { onError: 'continueErrorOutput' } });
			expect(result.error).toBeUndefined();
			expect((await arrived()).map((e) => e.belegnummer)).toEqual(['K-0', 'K-1', 'K-3']);
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
		['in other letters', { belegnummer: '={{ $itemIndex ? "K-1" : "k-1" }}' }],
	])('refuses the same belegnummer twice in one run, %s', async (_, own) => {
		const id = gateway.connectionId('duo');
		const connectionId = `={{ $itemIndex ? '${id.toUpperCase()}' : '${id}' }}`;
		const { error } = await run(entry({ belegnummer: 'K-1', connectionId, ...own }), { items: items(2) });
		expect(error?.message).toContain('Transaction No. (belegnummer) "K-1" is already used by item 1');
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
						belegnummer: 'K-1',
						[name]: `={{ $itemIndex === ${broken} ? ${JSON.stringify(value)} : ${JSON.stringify(good)} }}`,
					}),
					{ items: items(2) },
				);
				const said = `${error?.message} ${error?.description}`.replaceAll('&quot;', '"');
				expect(said).toContain(`(${name})`);
				expect(said).toContain('(belegnummer) "K-1" is already used by item 1');
			}
			expect(await gateway.requests()).toEqual([]);
		},
	);

	it('says nothing of equal numbers whose connections are not known', async () => {
		const { error } = await run(entry({ belegnummer: 'K-1', connectionId: 'x' }), { items: items(2) });
		expect(`${error?.message} ${error?.description}`).not.toContain('belegnummer');
	});

	it('takes no number that breaks a rule for another one’s twin', async () => {
		const { error } = await run(entry({ belegnummer: '={{ "K ä " + $itemIndex }}' }), { items: items(2) });
		expect(error?.message).toContain('(belegnummer)');
		expect(`${error?.message} ${error?.description}`).not.toContain('already');
	});

	it('takes no broken entry without a number for another one’s twin', async () => {
		const { error } = await run(entry({ belegnummer: '', betrag: '={{ $itemIndex ? "viel" : "1" }}' }), {
			items: items(2),
		});
		expect(error?.message).toContain('(betrag)');
		expect(`${error?.message} ${error?.description}`).not.toContain('already');
	});

	it('evaluates each parameter once: what is checked, named and sent is the same', async () => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		const random = '={{ "K-" + Math.random().toString(36).slice(2) }}';
		const { error } = await run(entry({ belegnummer: random }));
		const [{ belegnummer }] = await arrived();
		expect(error?.description).toContain(`belegnummer ${belegnummer as string}:`);
	});

	describe("reads the result of the accounting system's task, which", () => {
		const answer = (task: IDataObject) => ({
			belegnummer: 'K-0',
			zahlwerkAntwort: task,
			svc: { neuesGuthaben: 7 },
		});
		const answers = async (task: IDataObject) =>
			await gateway.fault({ kind: 'status', status: 201, body: answer(task), times: null });

		it('causes a warning if it has not ended yet', async () => {
			const task = { status: 'IN_PRUEFUNG', meldungen: [{ nachricht: 'Kostenstelle neu' }] };
			await answers(task);
			const { hints, json } = await run(entry());
			expect(hints[0]).toEqual({
				type: 'warning',
				location: 'outputPane',
				message: 'Item 1: the accounting system answered IN_PRUEFUNG: Kostenstelle neu',
			});
			const warnings = [
				{
					en: 'the accounting system answered IN_PRUEFUNG: Kostenstelle neu',
					de: 'Das Buchhaltungssystem antwortete „IN_PRUEFUNG: Kostenstelle neu“.',
				},
			];
			expect(json).toEqual([{ belegnummer: 'K-0', warnings }]);
			const untouched = await run(entry({ simple: false }));
			expect(untouched.json).toMatchObject([{ zahlwerkAntwort: task }]);
		});

		it('causes a warning if it is booked, with a message that is no mere information', async () => {
			await answers({ status: 'ERFOLGREICH', meldungen: [{ nachricht: 'Bild fehlt', typ: 'WARNUNG' }] });
			const { hints, json } = await run(entry());
			expect(hints[0].message).toBe('Item 1: the accounting system answered ERFOLGREICH: Bild fehlt');
			expect(json).toMatchObject([
				{ warnings: [{ de: expect.stringContaining('ERFOLGREICH: Bild fehlt') }] },
			]);
		});

		it('is not lost when a later item fails', async () => {
			const body = answer({ status: 'IN_PRUEFUNG' });
			await gateway.fault({ kind: 'status', status: 201, body });
			await gateway.fault({ kind: 'status', status: 422, after: 1 });
			const { error } = await run(entry(), { items: items(2) });
			expect(error?.description).toContain('Item 1: the accounting system answered IN_PRUEFUNG');
		});

		it.each<[string, IDataObject]>([
			['its status', { status: 'FEHLERHAFT', meldungen: [{ nachricht: 'Kasse gesperrt', typ: 'INFO' }] }],
			[
				'the type of a message',
				{ status: 'ERFOLGREICH', meldungen: [{ nachricht: 'Kasse gesperrt', typ: 'FEHLER' }] },
			],
			['a message without a status', { meldungen: [{ nachricht: 'Kasse gesperrt', typ: 'FEHLER' }] }],
			...['NICHT_ERFOLGREICH', 'OK'].map((status): [string, IDataObject] => [
				status,
				{ status, meldungen: [{ nachricht: 'Kasse gesperrt' }] },
			]),
		])(
			'makes the item fail when %s does not say that it is booked, and the item is not sent again',
			async (_what, task) => {
				await answers(task);
				const { error, run: failed } = await run(entry());
				expect(error?.message).toMatch(
					/The gateway accepted it, but the accounting system answered (\w+: )?Kasse gesperrt/,
				);
				expect(error?.description).toContain('belegnummer K-0');
				const again = await run(entry(), { retryOf: failed });
				expect(again.error?.message).toBe(error?.message);
				expect(await posts()).toHaveLength(1);
			},
		);

		it.each([
			...[
				'in Verarbeitung',
				'IN_ARBEIT',
				'IN_PRÜFUNG',
				'In Übertragung',
				'IN-WARTESCHLANGE',
				'OFFEN',
				'WARTEND',
			],
			...['AUSSTEHEND', 'IN_PROGRESS', 'IN_PROCESS', 'IN_QUEUE', 'IN_REVIEW', 'PENDING', 'PROCESSING'],
			...['QUEUED', 'RUNNING'],
		])('is still being worked on with the status %s: a warning names it', async (status) => {
			await answers({ status, meldungen: [] });
			const { hints, error, json } = await run(entry());
			expect([error, json.length]).toEqual([undefined, 1]);
			expect(hints[0]).toMatchObject({ type: 'warning', message: expect.stringContaining(status) });
		});

		it.each<[string, IDataObject]>([
			['without a status', { meldungen: [{ nachricht: 'Beleg übernommen', typ: 'INFO' }] }],
			['if it has succeeded', { status: 'ERFOLGREICH', meldungen: [{ nachricht: 'Beleg übernommen' }] }],
			['if it is empty', {}],
		])('causes no warning %s', async (_what, task) => {
			await answers(task);
			const { hints, error } = await run(entry());
			expect(error).toBeUndefined();
			expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
		});

		it.each([false, true])('is found under data, too (in a list: %s)', async (isList) => {
			const booked = { belegnummer: 'K-0', acctAntwort: { status: 'FEHLERHAFT', meldungen: [] } };
			const body = { data: isList ? [booked] : booked, svc: { neuesGuthaben: 7 } };
			await gateway.fault({ kind: 'status', status: 201, body });
			const { errors } = await run(entry(), { settings: { onError: 'continueErrorOutput' } });
			expect(errors).toMatchObject([{ details: { outcome: 'incomplete' } }]);
		});
	});
});

describe('Cash Book Entry: Create Advanced', () => {
	it('sends amount and lines by the contract', async () => {
		const { error } = await run(advanced());
		expect(error).toBeUndefined();
		expect(await arrived()).toEqual([
			{
				waehrung: 'EUR',
				kassenname: 'Hauptkasse',
				betrag: 0.3,
				transaktionsdatum: '2026-03-02T09:30:00+01:00',
				belegzeilen: [
					{ betrag: 0.1, belegtext: 'Brot', steuersatz: { prozent: 7 }, kostenstelle1: '100' },
					{
						betrag: 0.2,
						belegtext: 'Tüte',
						steuersatz: { prozent: 19, buSchluessel: '9' },
						gegenkonto: '8400',
					},
				],
			},
		]);
	});

	it.each([
		[[undefined, undefined], 'entry of 0.3'],
		[['R-17', 'R-18'], 'entry of 0.3 (belegNummer R-17, R-18)'],
		[['R-17', 'R-17'], 'entry of 0.3 (belegNummer R-17)'],
	])('is named by its amount and the numbers of its receipts (%o)', async (numbers, label) => {
		await gateway.fault({ kind: 'drop', point: 'after-handler' });
		const [first, second] = numbers.map((belegNummer) => (belegNummer ? { belegNummer } : {}));
		const { error } = await run(
			advanced({
				belegzeilen: {
					belegzeile: [
						{ betrag: '0.1', ...first },
						{ betrag: '0.2', ...second },
					],
				},
			}),
		);
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
