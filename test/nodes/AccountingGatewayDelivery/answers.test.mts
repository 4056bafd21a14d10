/** Which answers to a write count. The fields by themselves: test/conformance/otherRecord.test.mts. */
import range from 'lodash/range.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { TestItem } from '../../../tools/harness.mjs';
import { simpleEntry } from '../../../tools/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const entry = (own: INodeParameters = {}): INodeParameters =>
	simpleEntry(gateway.connectionId('duo'), {
		bewegung: 'AUSGABE',
		betrag: '12,5',
		belegnummer: 'K-11',
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
		['by its number in capitals', () => entry({ belegnummer: 'k-11' }), { belegnummer: 'K-11 ' }],
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
	await answers({ belegnummer: 'K-19', id: 'X-1', betrag: -12.5 });
	const { errors } = await gateway.run(node, entry(), { settings: { onError: 'continueErrorOutput' } });
	expect(errors).toMatchObject([
		{ details: { sent: { belegnummer: 'K-11' }, received: { belegnummer: 'K-19', id: 'X-1' } } },
	]);
});

it('An answer whose status of the accounting system can’t be read leaves open whether the entry was booked', async () => {
	await answers({ belegnummer: 'K-11', acctAntwort: { status: { toString: 1 } } });
	const { json, error } = await run(entry());
	expect(json).toEqual([]);
	expect(error?.message).toContain('unknown whether the entry was booked');
	expect(error?.description).toContain('The answer has belegnummer K-11.');
	// To run it again with another option would book twice.
	expect(error?.description).not.toContain('Simplify');
});

describe('The accounting system’s reply in an answer about an entry', () => {
	const UNDER_WAY =
		'in Verarbeitung, IN_ARBEIT, IN_PRÜFUNG, In Übertragung, IN-WARTESCHLANGE, OFFEN, WARTEND, AUSSTEHEND, ' +
		'IN_PROGRESS, IN_PROCESS, IN_QUEUE, IN_REVIEW, PENDING, PROCESSING, QUEUED, RUNNING';
	const said = (status: string, meldungen: IDataObject[string]): IDataObject => ({ status, meldungen });
	it.each<[string, IDataObject, warning?: RegExp]>([
		...UNDER_WAY.split(', ').map((status): [string, IDataObject, RegExp] => [
			status,
			said(status, []),
			new RegExp(status),
		]),
		[
			'booked, and more',
			said('ERFOLGREICH', [{ nachricht: 'Bild fehlt', typ: 'WARNUNG' }]),
			/ERFOLGREICH: Bild fehlt$/,
		],
		[
			'ten of many texts',
			said(
				'OFFEN',
				range(12).map((i) => ({ nachricht: `M${i}` })),
			),
			/ OFFEN: M0; .*; M9$/,
		],
		['a long text, cut', said('OFFEN', [{ nachricht: 'x'.repeat(2000) }]), / OFFEN: x{900,1000}…?$/],
		['no list of texts', said('OFFEN', { nachricht: 'Kasse zu' }), / OFFEN: Kasse zu$/],
		['one text', said('OFFEN', 'Kasse zu'), / OFFEN: Kasse zu$/],
		['mere information', { meldungen: [{ nachricht: 'Beleg übernommen', typ: 'INFO' }] }],
		['booked', said('ERFOLGREICH', [{ nachricht: 'Beleg übernommen' }])],
		['nothing', {}],
	])('(%s) is a warning where it is more than that it is booked', async (_what, acctAntwort, warning) => {
		await answers({ belegnummer: 'K-11', acctAntwort });
		const { error, json, hints } = await run(entry());
		expect([error, json.length]).toEqual([undefined, 1]);
		const expected = expect.stringMatching(/^Item 1: the accounting system answered /) as string;
		expect(hints.filter(({ type }) => type === 'warning')).toMatchObject(
			warning ? [{ message: expected }] : [],
		);
		if (warning) expect(hints[0].message).toMatch(warning);
	});

	it('is told in English and German, whatever the provider is called, and passed on untouched', async () => {
		const zahlwerkAntwort = said('IN_PRUEFUNG', [{ nachricht: 'Kostenstelle neu' }]);
		const body = { belegnummer: 'K-11', zahlwerkAntwort, svc: { neuesGuthaben: 7 } };
		await gateway.fault({ kind: 'status', status: 201, body, times: 2 });
		const en = 'the accounting system answered IN_PRUEFUNG: Kostenstelle neu';
		const de = 'Das Buchhaltungssystem antwortete „IN_PRUEFUNG: Kostenstelle neu“.';
		expect((await run(entry())).json).toEqual([{ belegnummer: 'K-11', warnings: [{ en, de }] }]);
		expect((await run(entry({ simple: false }))).json).toMatchObject([{ zahlwerkAntwort }]);
	});

	it('is not lost when a later item fails', async () => {
		await answers({ belegnummer: 'K-11', acctAntwort: said('IN_PRUEFUNG', []) });
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const { error } = await run(entry({ belegnummer: '={{ "K-1" + ($itemIndex + 1) }}' }), [{}, {}]);
		expect(error?.description).toContain('Item 1: the accounting system answered IN_PRUEFUNG');
	});

	const ERROR = { typ: 'ERROR', nachricht: 'Kasse gesperrt' };
	const GOOD = said('ERFOLGREICH', [{ nachricht: 'Gut' }]);
	const REJECTED =
		'FEHLERHAFT, NICHT_ERFOLGREICH, NOT_BOOKED, storniert, IN_ABLEHNUNG, in Stornierung, OK, BEARBEITUNG_ABGEBROCHEN';
	it.each<[IDataObject]>([
		...REJECTED.split(', ').map((status): [IDataObject] => [
			{ acctAntwort: said(status, [{ nachricht: 'Kasse gesperrt', typ: 'INFO' }]) },
		]),
		[{ acctAntwort: said('ERFOLGREICH', ERROR) }],
		[{ acctAntwort: { meldungen: [{ nachricht: 'Kasse gesperrt', typ: 'FEHLER' }] } }],
		[{ acctAntwort: GOOD, meldungen: [ERROR] }],
		[{ acctAntwort: null, meldung: ERROR }],
		[{ acctAntwort: { status: 'ERFOLGREICH', fehler: 'F-17', nachricht: 'Kasse gesperrt' } }],
		[{ data: [{ belegnummer: 'K-11', acctAntwort: said('FEHLERHAFT', 'Kasse gesperrt') }] }],
		[{ data: { belegnummer: 'K-11', acctAntwort: said('FEHLERHAFT', 'Kasse gesperrt') } }],
	])('%j: the gateway has the entry, the accounting system has not booked it', async (answer) => {
		await answers({ ...(!('data' in answer) && { belegnummer: 'K-11' }), ...answer });
		const { json, errors } = await gateway.run(node, entry(), {
			settings: { onError: 'continueErrorOutput' },
		});
		expect([json, errors]).toMatchObject([[], [{ details: { outcome: 'incomplete' } }]]);
		expect(errors[0].error).toMatch(
			/^The gateway accepted it, but the accounting system answered (\S+( \S+)?: )?Kasse gesperrt.*belegnummer K-11/s,
		);
	});

	it.each([{ acctAntwort: '' }, { acctAntwort: null, data: 'text' }])(
		'may be nothing: %o',
		async (answer) => {
			await answers({ belegnummer: 'K-11', ...answer });
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
		[{ error_message: 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ status: 422 }, 'status: 422'],
		[{ 'svc.error': 'Kasse gesperrt' }, 'Kasse gesperrt'],
		[{ acctAntwort: 'Kasse gesperrt' }, 'Kasse gesperrt'],
	])('and says failure in other words (%j) leaves open whether it was booked', async (set, text) => {
		const { json, errors, details } = await answered(set);
		expect([json, details]).toMatchObject([[], [{ outcome: 'unknown', sent: { belegnummer: 'K-11' } }]]);
		expect(errors[0].error).toContain(text);
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
	it('by HTTP 202 is told again by Retry', async () => {
		await gateway.variant({ success: 202 });
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const parameters = entry({ belegnummer: '={{ "Z-1" + $itemIndex }}' });
		const failed = await run(parameters, [{}, {}]);
		expect(failed.error?.message).toContain('HTTP 422');
		const again = await gateway.run(node, parameters, { items: [{}, {}], retryOf: failed.run });
		expect(again.hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^Items 1–2: .*still being worked on/),
		);
	});

	it('by a status beside the record is done, with a warning', async () => {
		await gateway.fault({ kind: 'alter', set: { status: 'IN_BEARBEITUNG' } });
		const { json, hints } = await run(entry());
		expect(json).toHaveLength(1);
		expect(hints[0].message).toContain('still being worked on: look up later whether it is there');
	});
});
