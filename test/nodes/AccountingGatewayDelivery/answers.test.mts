/** Which answers to a write count. The fields by themselves: test/conformance/otherRecord.test.mts. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { TestItem } from '../../../tools/harness.mjs';
import { simpleEntry, uploadToDuo } from '../../../tools/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const entry = (own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		bewegung: 'AUSGABE',
		betrag: '12,5',
		belegnummer: 'K-1',
		belegtext: 'Büromaterial',
		...own,
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
const run = async (parameters: INodeParameters, items: TestItem[] = [{}]) =>
	await gateway.run(node, parameters, { items });

const answers = async (body: unknown) => await gateway.fault({ kind: 'status', status: 200, body });

describe('An answer about a cash-book entry', () => {
	const line = (prozent: unknown, rest: object = {}) => ({ betrag: 0.1, steuersatz: { prozent }, ...rest });
	const lines = (...belegzeilen: unknown[]) => ({ kassenname: 'Hauptkasse', belegzeilen });
	/** As the form has it. */
	const seven = { betrag: '0,1', prozent: '7' };
	const OTHER_LINES = 'other amounts or tax rates';
	const twice = { belegzeilen: { belegzeile: [seven, seven] } };

	it.each<[string, () => INodeParameters, object, string]>([
		['income of the same amount', entry, { betrag: 12.5, bewegung: 'unklar' }, 'instead of'],
		['an expense', advanced, { betrag: -0.2, bewegung: 'AUSGABE' }, 'the betrag -0.2 instead of 0.2'],
		['another line', advanced, lines(line(7), line(19, { betrag: 0.2 })), OTHER_LINES],
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
		['with an object without a rate', entry, { steuersatz: { buSchluessel: '9' } }],
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

it('An answer that leaves open whether an entry was booked is named by the IDs and numbers that came back', async () => {
	await answers({ belegnummer: 'K-9', id: 'X-1', betrag: -12.5 });
	const { errors } = await gateway.run(node, entry(), { settings: { onError: 'continueErrorOutput' } });
	expect(errors).toMatchObject([
		{ details: { sent: { belegnummer: 'K-1' }, received: { belegnummer: 'K-9', id: 'X-1' } } },
	]);
});

it('An answer whose status of the accounting system can’t be read leaves open whether the entry was booked', async () => {
	await answers({ belegnummer: 'K-1', acctAntwort: { status: { toString: 1 } } });
	const { json, error } = await run(entry());
	expect(json).toEqual([]);
	expect(error?.message).toContain('unknown whether the entry was booked');
	expect(error?.description).toContain('The answer has belegnummer K-1.');
	// To run it again with another option would book twice.
	expect(error?.description).not.toContain('Simplify');
});

describe('The messages of the accounting system’s task', () => {
	it.each<[string, unknown, string]>([
		['ten of many', Array.from({ length: 12 }, (_, i) => ({ nachricht: `M${i}` })), /: M0; .*; M9$/.source],
		['a long one is cut', [{ nachricht: 'x'.repeat(2000) }], ' OFFEN: x{900,1000}…?$'],
		['one that is no list', { nachricht: 'Kasse zu' }, ' OFFEN: Kasse zu$'],
		['a text', 'Kasse zu', ' OFFEN: Kasse zu$'],
	])('are said: %s', async (_what, meldungen, text) => {
		await answers({ belegnummer: 'K-1', acctAntwort: { status: 'OFFEN', meldungen } });
		const { hints } = await run(entry());
		expect(hints[0].message).toMatch(new RegExp(`the accounting system answered.*${text}`));
	});

	it.each([{ acctAntwort: '' }, { acctAntwort: null, data: 'text' }])(
		'are not looked for in %o',
		async (answer) => {
			await answers({ belegnummer: 'K-1', ...answer });
			const { hints, error } = await run(entry());
			expect(error).toBeUndefined();
			expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
		},
	);
});

describe('An answer that repeats the entry', () => {
	const answered = async (set: Record<string, unknown>, parameters = entry(), items?: TestItem[]) => {
		await gateway.fault({ kind: 'alter', set });
		const settings = { onError: 'continueErrorOutput' as const };
		const { json, errors, hints } = await gateway.run(node, parameters, { items: items ?? [{}], settings });
		const warnings = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		return { json, details: errors.map(({ details }) => details as IDataObject), errors, warnings };
	};

	it.each<[Record<string, unknown>, string]>([
		[{ errorMessage: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ error_message: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ errorCode: 17 }, 'errorCode: 17'],
		[{ status: 422 }, 'status: 422'],
		[{ status: 'NOT_BOOKED' }, 'status: NOT_BOOKED'],
		[{ status: 'storniert' }, 'status: storniert'],
		[{ status: 'IN_ABLEHNUNG' }, 'status: IN_ABLEHNUNG'],
		[{ success: 0 }, 'success: 0'],
		[{ 'svc.error': 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ acctAntwort: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ acctAntwort: [{ status: 'ERFOLGREICH' }] }, 'ERFOLGREICH'],
	])('and says failure in other words (%j) leaves open whether it was booked', async (set, text) => {
		const { json, errors, details } = await answered(set);
		expect([json, details]).toMatchObject([[], [{ outcome: 'unknown', sent: { belegnummer: 'K-1' } }]]);
		expect(errors[0].error).toContain(text);
	});

	const MESSAGE = { typ: 'ERROR', nachricht: 'Kasse gesperrt' };
	it.each<[Record<string, unknown>]>([
		[{ acctAntwort: { status: 'ERFOLGREICH', meldungen: MESSAGE } }],
		[{ acctAntwort: { status: 'ERFOLGREICH', meldungen: [{ nachricht: 'Gut' }] }, meldungen: [MESSAGE] }],
		[{ acctAntwort: null, meldung: MESSAGE }],
		[{ acctAntwort: { status: 'ERFOLGREICH', fehler: 'F-17', nachricht: 'Kasse gesperrt' } }],
		...['NOT_BOOKED', 'storniert', 'IN_ABLEHNUNG', 'in Stornierung', 'BEARBEITUNG_ABGEBROCHEN', 'OK'].map(
			(status): [Record<string, unknown>] => [
				{ acctAntwort: { status, meldungen: [{ nachricht: 'Kasse gesperrt' }] } },
			],
		),
	])('but %j: the gateway has it, the accounting system has not booked it', async (set) => {
		const { json, errors, details } = await answered(set);
		expect([json, details]).toMatchObject([[], [{ outcome: 'incomplete' }]]);
		expect(errors[0].error).toMatch(/^The gateway accepted it, but .*Kasse gesperrt/);
	});

	const photos = {
		a: { content: Buffer.from('A'), fileName: 'a.jpg' },
		b: { content: Buffer.from('B'), fileName: 'b.jpg' },
	};
	it.each<[number, Record<string, unknown>, string?]>([
		[2, { belegbilder: [] }, 'the answer lists 0 of the 2 receipts'],
		[2, { belegbilder: null }, 'the answer lists 0 of the 2 receipts'],
		[2, { belegbilder: [{ dateiname: 'a.jpg' }] }, 'the answer lists 1 of the 2 receipts'],
		[2, { belegbilder: [{ dateiname: 'a.jpg' }, {}] }],
		[2, { belegbilder: 2 }],
		[0, { belegbilder: [] }],
	])('and of %i receipts %j is booked; fewer are a warning', async (count, set, warning) => {
		const belegbilder = count > 0 ? '*' : '';
		for (const parameters of [entry({ belegbilder }), advanced({ belegbilder })]) {
			const { json, warnings } = await answered(set, parameters, [{ files: photos }]);
			expect(json).toHaveLength(1);
			expect(warnings).toEqual(warning ? [expect.stringContaining(warning)] : []);
		}
	});
});

describe('A write that is still being worked on', () => {
	const pdf = { files: { data: { content: Buffer.from('x'), fileName: 'a.pdf' } } };
	const warnings = async (parameters: INodeParameters, items?: TestItem[]) => {
		const { hints, json, error } = await run(parameters, items);
		expect([error, json.length]).toEqual([undefined, 1]);
		return hints.flatMap(({ type, message }) => (type === 'warning' ? [message] : []));
	};
	const WARNING = expect.stringContaining(
		'still being worked on: look up later whether it is there',
	) as string;

	it('by HTTP 202 is done, with a warning, also when it is repeated by Retry', async () => {
		await gateway.variant({ success: 202 });
		expect(await warnings(entry())).toEqual([WARNING]);
		expect(await warnings(uploadToDuo(gateway.connectionId('duo')), [pdf])).toEqual([WARNING]);
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const failed = await run(entry({ belegnummer: '={{ "Z-" + $itemIndex }}' }), [{}, {}]);
		expect(failed.error?.message).toContain('HTTP 422');
		const again = await gateway.run(node, entry({ belegnummer: '={{ "Z-" + $itemIndex }}' }), {
			items: [{}, {}],
			retryOf: failed.run,
		});
		expect(again.hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^Items 1–2: .*still being worked on/),
		);
	});

	it('by a status beside the record is done, with a warning', async () => {
		await gateway.fault({ kind: 'alter', set: { status: 'IN_BEARBEITUNG' } });
		expect(await warnings(entry())).toEqual([WARNING]);
	});

	it('is no booking without the record', async () => {
		await gateway.fault({ kind: 'status', status: 202, body: { status: 'IN_BEARBEITUNG' } });
		const { error, json } = await run(entry());
		expect([json, error?.message]).toEqual([[], expect.stringContaining('none of the fields of an entry')]);
	});
});

describe('An answer about a document', () => {
	const answered = async (body: IDataObject) => {
		await answers(body);
		const additionalFields = { id: '123e4567-e89b-42d3-a456-426614174000' };
		const parameters = uploadToDuo(gateway.connectionId('duo'), { additionalFields });
		return await run(parameters, [{ files: { data: { content: Buffer.from('x'), fileName: 'a.pdf' } } }]);
	};

	it.each<[IDataObject, string]>([
		[{ ok: true }, 'has neither an ID nor a file name'],
		[{ message: 'Warteschlange voll' }, 'but says “Warteschlange voll”'],
	])('%o leaves open whether it is there', async (body, problem) => {
		const { json, error } = await answered(body);
		expect(json).toEqual([]);
		expect(error?.message).toContain(problem);
	});

	it.each<IDataObject>([{ id: 'DMS-991' }, { dateiname: 'b.pdf' }])('%o confirms it', async (body) => {
		const { json, error } = await answered(body);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([body]);
	});
});
