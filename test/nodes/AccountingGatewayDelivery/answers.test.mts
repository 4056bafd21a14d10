/** Which answers to a write count. The fields by themselves: test/conformance/otherRecord.test.mts. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { TestItem } from '../../../host/harness.mjs';
import { simpleEntry } from '../../../host/workflows.mjs';
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
	const lines = (...belegzeilen: unknown[]) => ({ betrag: 0.2, kassenname: 'Hauptkasse', belegzeilen });
	/** As the form has it. */
	const seven = { betrag: '0,1', prozent: '7' };
	const OTHER_LINES = 'other amounts or tax rates';
	const SIGNED = ['-10', '-3', '3'].map((betrag) => ({ betrag, prozent: '19' }));
	const twice = { belegzeilen: { belegzeile: [seven, seven] } };

	it.each<[string, () => INodeParameters, object, string]>([
		[
			'income of the same amount',
			entry,
			{ belegnummer: 'K-11', betrag: 12.5, bewegung: 'unklar' },
			'instead of',
		],
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
			{ betrag: -0.2, bewegung: 'AUSGABE', belegzeilen: [line(19), line('7,0')] },
		],
		['by its number in capitals', () => entry({ belegnummer: 'k-11' }), { belegnummer: 'K-11 ' }],
		['with an object without a rate', entry, { belegnummer: 'K-11', steuersatz: { buSchluessel: '9' } }],
		['with its lines in another order', advanced, lines(line(19), line(7))],
		['with a line that could be either', advanced, lines({ betrag: 0.1 }, line(7))],
		['with lines that say nothing', advanced, lines({}, null)],
		[
			'with lines of either sign in another order',
			() => advanced({ belegzeilen: { belegzeile: SIGNED } }),
			{ betrag: -10, bewegung: 'AUSGABE', belegzeilen: [{ betrag: 3 }, { betrag: -10 }, { betrag: -3 }] },
		],
		[
			'with lines that each say something else',
			() => advanced({ belegzeilen: { belegzeile: [seven, { betrag: '0,1', prozent: '19' }] } }),
			lines({ betrag: 0.1 }, { steuersatz: 7 }),
		],
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

describe('The accounting system’s reply in an answer about an entry', () => {
	const said = (nachricht: string): IDataObject => ({
		status: 'ERFOLGREICH',
		meldungen: [{ nachricht, typ: 'HINWEIS' }],
	});

	it('is told in English and German, whatever the provider is called, and passed on untouched', async () => {
		const zahlwerkAntwort = said('Kostenstelle neu');
		const body = { belegnummer: 'K-11', zahlwerkAntwort, svc: { neuesGuthaben: 7 } };
		await gateway.fault({ kind: 'status', status: 201, body, times: 2 });
		const en = 'the accounting system answered ERFOLGREICH: Kostenstelle neu';
		const de = 'Das Buchhaltungssystem antwortete „ERFOLGREICH: Kostenstelle neu“.';
		expect((await run(entry())).json).toEqual([
			{ belegnummer: 'K-11', meldungen: 'Kostenstelle neu', warnings: [{ en, de }] },
		]);
		expect((await run(entry({ simple: false }))).json).toMatchObject([{ zahlwerkAntwort }]);
	});

	it('is seen in the simplified entry, mere information included, and is none where nothing was said', async () => {
		const meldungen = ['Beleg A.pdf übernommen', 'Buchung angelegt'].map((nachricht) => ({
			dateiname: 'A.pdf',
			nachricht,
			zeitstempel: '2026-11-20T09:00:00Z',
			typ: 'INFO',
		}));
		await answers({ belegnummer: 'K-11', acctAntwort: { status: 'ERFOLGREICH', meldungen } });
		expect((await run(entry())).json).toEqual([
			{ belegnummer: 'K-11', meldungen: 'Beleg A.pdf übernommen; Buchung angelegt' },
		]);
		await answers({ belegnummer: 'K-11', acctAntwort: null });
		expect((await run(entry())).json[0]).not.toHaveProperty('meldungen');
	});

	it('is not lost when a later item fails', async () => {
		await answers({ belegnummer: 'K-11', acctAntwort: said('Kostenstelle neu') });
		await gateway.fault({ kind: 'status', status: 422, after: 1 });
		const { error } = await run(entry({ belegnummer: '={{ "K-1" + ($itemIndex + 1) }}' }), [{}, {}]);
		expect(error?.description).toContain(
			'Item 1: the accounting system answered ERFOLGREICH: Kostenstelle neu',
		);
	});
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
});
