/** What a dry run says, what a run has achieved, and which answers count. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import type { TestItem } from '../../support/harness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const ID = '123e4567-e89b-42d3-a456-426614174000';
const OTHER = '123e4567-e89b-42d3-a456-426614174001';
const file = (fileName: string) => ({ content: Buffer.alloc(1234, 'x'), fileName });
const withFiles = (...names: string[]): TestItem[] => [
	{ files: Object.fromEntries(names.map((name, i) => [`file${i}`, file(name)])) },
];

const entry = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'cashBookEntry',
	operation: 'create',
	connectionId: gateway.connectionId('duo'),
	kassenname: 'Hauptkasse',
	bewegung: 'AUSGABE',
	betrag: '12,5',
	waehrung: 'EUR',
	steuersatz: '19',
	transaktionsdatum: '2026-03-02T09:30:00',
	belegnummer: 'K-1',
	belegtext: 'Büromaterial',
	...overrides,
});
const LINES = [
	{ betrag: '0,1', prozent: '7' },
	{ betrag: '0,1', prozent: '19' },
];
const advanced = (overrides: INodeParameters = {}): INodeParameters => ({
	...entry({ operation: 'createAdvanced', bewegung: '', betrag: '' }),
	belegzeilen: { belegzeile: LINES },
	...overrides,
});
const duo = (overrides: INodeParameters = {}): INodeParameters => ({
	resource: 'document',
	operation: 'uploadDuo',
	connectionId: gateway.connectionId('duo'),
	datei: '*',
	belegtyp: 'Rechnungseingang',
	...overrides,
});
const rewe = (overrides: INodeParameters = {}): INodeParameters =>
	duo({
		operation: 'uploadRewe',
		connectionId: gateway.connectionId('rewe'),
		belegdatum: '2026-02-28',
		...overrides,
	});

const run = async (parameters: INodeParameters, items: TestItem[] = [{}]) =>
	await gateway.run(node, parameters, { items });

describe('a dry run says', () => {
	it.each<[string, () => INodeParameters, string[]]>([
		[
			'Would book an expense of 12.50 EUR in the cash book Hauptkasse on 2026-03-02 (belegnummer K-1): Büromaterial, 19 % tax, without receipts',
			entry,
			[],
		],
		[
			'Would book income of 1250 JPY in the cash book Hauptkasse on 2026-03-02 (belegnummer K-1): Büromaterial, 7.5 % tax, with 1 receipt',
			() => entry({ bewegung: 'EINNAHME', betrag: '1250', waehrung: 'JPY', steuersatz: '7,5' }),
			['Beleg.pdf'],
		],
		[
			'Would book 0.20 EUR in the cash book Hauptkasse on 2026-03-02: 2 lines, with 2 receipts',
			advanced,
			['a.pdf', 'b.pdf'],
		],
		[
			'Would book 0.10 EUR in the cash book Hauptkasse on 2026-03-02: 1 line, without receipts',
			() => advanced({ belegzeilen: { belegzeile: [LINES[0]] } }),
			[],
		],
		['Would upload Beleg.pdf (1,234 bytes) to duo as Rechnungseingang', duo, ['Beleg.pdf']],
		[
			'Would upload Beleg.pdf (1,234 bytes) to rewe as Rechnungseingang, dated 2026-02-28',
			rewe,
			['Beleg.pdf'],
		],
	])('“%s”', async (sentence, parameters, names) => {
		const { json } = await run({ ...parameters(), options: { dryRun: true } }, withFiles(...names));
		expect(json[0].summary).toBe(sentence);
	});
});

it.each<[string, () => INodeParameters]>([
	['2 documents uploaded to duo', () => duo({ options: { idFromContent: false } })],
	['2 documents uploaded to rewe', () => rewe({ options: { idFromContent: false } })],
	[
		'2 entries booked in Hauptkasse',
		() => entry({ belegnummer: '={{ "K-" + $itemIndex }}', belegbilder: '' }),
	],
])('a run says: %s', async (message, parameters) => {
	const { hints } = await run(parameters(), [...withFiles('a.pdf'), ...withFiles('b.pdf')]);
	expect(hints[0].message).toMatch(new RegExp(`^${message}\\. Credit balance`));
});

it.each<[string, () => INodeParameters, object]>([
	['a document', duo, { id: 'DMS-1', dateiname: 'a.pdf', status: 'failed' }],
	['an entry', entry, { data: { belegnummer: 'K-1', status: 'FEHLER' } }],
])('%s whose answer says that it failed is not taken for done', async (_what, parameters, body) => {
	await gateway.fault({ kind: 'status', status: 200, body });
	const { json, error } = await run(parameters(), withFiles('a.pdf'));
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/^The gateway's answer isn't what was expected: it says “status: /);
});

it.each([duo, rewe])('a document is named by its file', async (upload) => {
	await gateway.fault({ kind: 'drop', point: 'after-handler' });
	const { error } = await run(
		upload({ additionalFields: { dateiname: 'Rechnung.pdf' } }),
		withFiles('a.pdf'),
	);
	expect(error?.description).toContain('file Rechnung.pdf: Whether it was carried out');
});

const answers = async (body: unknown, operationId?: FaultInput['operationId']) =>
	await gateway.fault({ kind: 'status', status: 200, body, operationId });

describe('an answer about an entry', () => {
	const line = (prozent: unknown, rest: object = {}) => ({ betrag: 0.1, steuersatz: { prozent }, ...rest });
	const lines = (...belegzeilen: unknown[]) => ({ kassenname: 'Hauptkasse', belegzeilen });
	/** As the form has it. */
	const seven = { betrag: '0,1', prozent: '7' };
	const OTHER_LINES = 'other amounts or tax rates';
	const twice = { belegzeilen: { belegzeile: [seven, seven] } };

	it.each<[string, () => INodeParameters, object, string]>([
		['another cash book', entry, { kassenname: 'Filiale' }, 'the kassenname "Filiale" instead of'],
		['another day', entry, { transaktionsdatum: '2026-03-03' }, 'the transaktionsdatum "2026-03-03"'],
		['another movement', entry, { bewegung: 'EINNAHME' }, 'the bewegung "EINNAHME" instead of "AUSGABE"'],
		['another currency', entry, { waehrung: 'CHF' }, 'the waehrung "CHF" instead of "EUR"'],
		['another tax rate', entry, { steuersatz: 7 }, 'the steuersatz 7 instead of 19'],
		['income of the same amount', entry, { betrag: 12.5, bewegung: 'unklar' }, 'instead of'],
		['an expense', advanced, { betrag: -0.2, bewegung: 'AUSGABE' }, 'the betrag -0.2 instead of 0.2'],
		['another sum', advanced, { betrag: 0.3 }, 'the betrag 0.3 instead of 0.2'],
		['another cash book', advanced, { kassenname: 'Filiale' }, 'the kassenname "Filiale"'],
		['another line', advanced, lines(line(7), line(19, { betrag: 0.2 })), OTHER_LINES],
		['another rate of a line', advanced, lines(line(16), line(19)), OTHER_LINES],
		['the same line twice', advanced, lines(line(7), line(7)), OTHER_LINES],
		['one of two equal lines', () => advanced(twice), lines(line(7), line(19)), OTHER_LINES],
		['lines with another sign', advanced, lines(line(7, { betrag: -0.1 }), line(19)), OTHER_LINES],
	])('(%s) leaves open whether it was booked', async (_what, parameters, body, problem) => {
		await answers(body);
		const { json, error } = await run(parameters());
		expect(json).toEqual([]);
		expect(error?.message).toContain(problem);
	});

	it.each<[string, () => INodeParameters, object]>([
		['without the sign that the movement has', entry, { betrag: '12,50', bewegung: 'Ausgabe' }],
		[
			'of an expense without its sign',
			() => advanced({ bewegung: 'AUSGABE' }),
			{ betrag: 0.2, bewegung: 'AUSGABE' },
		],
		[
			'of an expense with lines without their sign',
			() => advanced({ bewegung: 'AUSGABE' }),
			{ bewegung: 'AUSGABE', belegzeilen: [line(19), line('7,0')] },
		],
		['by its number in capitals', () => entry({ belegnummer: 'k-1' }), { belegnummer: 'K-1 ' }],
		['by local midnight in UTC', entry, { transaktionsdatum: '2026-03-01T23:00:00Z' }],
		['with a time in the basic format', entry, { transaktionsdatum: '20260302T083000Z' }],
		['with the rate in an object', entry, { steuersatz: { prozent: 19 } }],
		['with an object without a rate', entry, { steuersatz: { buSchluessel: '9' } }],
		['without a rate', entry, { belegtext: 'x', steuersatz: null }],
		['by its text alone', entry, { belegtext: 'Etwas anderes' }],
		['by its date of creation alone', entry, { erstellungsdatum: '2026-03-04' }],
		['by its lines alone', advanced, { belegzeilen: [line(7), line(19)] }],
		['with its lines in another order', advanced, lines(line(19), line(7))],
		['with a line that could be either', advanced, lines({ betrag: 0.1 }, line(7))],
		['with lines that say nothing', advanced, lines({}, null)],
	])('%s confirms it', async (_what, parameters, body) => {
		await answers(body);
		const { json, error } = await run(parameters());
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
	});
});

describe('the messages of the task', () => {
	it.each<[string, unknown, string]>([
		['ten of many', Array.from({ length: 12 }, (_, i) => ({ nachricht: `M${i}` })), /: M0; .*; M9$/.source],
		['those that are texts', [null, 'x', { nachricht: 7 }, { nachricht: 'Gut' }], ' OFFEN: Gut$'],
		['a long one is cut', [{ nachricht: 'x'.repeat(2000) }], ' OFFEN: x{900,1000}…?$'],
		['none, if they are no list', 'Kasse zu', ' OFFEN$'],
		['none, if there are none', [{ typ: 'INFO' }], ' OFFEN$'],
	])('are said: %s', async (_what, meldungen, text) => {
		await answers({ belegnummer: 'K-1', acctAntwort: { status: 'OFFEN', meldungen } });
		const { hints } = await run(entry());
		expect(hints[0].message).toMatch(new RegExp(`the accounting system answered.*${text}`));
	});

	it.each([{ acctAntwort: 'OK' }, { acctAntwort: null, data: 'text' }])('%o is no task', async (answer) => {
		await answers({ belegnummer: 'K-1', ...answer });
		const { hints, error } = await run(entry());
		expect(error).toBeUndefined();
		expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});
});

describe.each([
	['duo', duo, 'id'],
	['rewe', rewe, 'belegId'],
] as const)('an answer about a document to %s', (_to, upload, field) => {
	const answered = async (body: IDataObject) => {
		await answers(body);
		return await run(upload({ additionalFields: { [field]: ID } }), withFiles('a.pdf'));
	};

	it.each<[IDataObject, string]>([
		[{ ok: true }, 'has neither an ID nor a file name'],
		[{ message: 'Warteschlange voll' }, 'but says “Warteschlange voll”'],
	])('%o leaves open whether it is there', async (body, problem) => {
		const { json, error } = await answered(body);
		expect(json).toEqual([]);
		expect(error?.message).toContain(problem);
	});

	it.each<IDataObject>([{ id: ID.toUpperCase() }, { id: 'DMS-991' }, { id: OTHER }, { dateiname: 'b.pdf' }])(
		'%o confirms it',
		async (body) => {
			const { json, error } = await answered(body);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([body]);
		},
	);
});

it.each<[string, () => INodeParameters]>([
	['cash books', () => ({ resource: 'cashBook', operation: 'getAll', connectionId: ID })],
	['connections', () => ({ resource: 'connection', operation: 'getAll', module: 'duo' })],
	['document types', () => ({ resource: 'documentType', operation: 'getAllDuo', connectionId: ID })],
	['document types', () => ({ resource: 'documentType', operation: 'getAllRewe', connectionId: ID })],
])('an answer without a list of %s is none', async (what, parameters) => {
	await answers({ status: 'wird erstellt' });
	expect((await run(parameters())).error?.message).toContain(`holds no list of ${what}`);
});
