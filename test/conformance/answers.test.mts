/**
 * Booked means that the record came back: answers of gateways in English and German, what becomes of them, and what a
 * person sees. None counts as booked without the record, and none of a gateway that follows the specification is unknown.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { runNode } from '../../host/harness.mjs';
import { exampleItem, exampleParameters, FILE } from './examples.mjs';
import { actions } from './operations.mjs';
import { type Answer, useRecorder } from './recorder.mjs';

type Body = Record<string, unknown>;

const recorder = useRecorder();

/** What became of an item, and the warnings about it in both languages. */
async function send(
	id: string,
	answer: Answer,
	own: INodeParameters = {},
	files = false,
	timezone = 'Europe/Berlin',
) {
	recorder.answer = () => answer;
	const action = actions.find(({ contract }) => contract.id === id)!;
	const { json, errors, hints } = await (async () => {
		const { main, hints, error } = await runNode({
			node: action.node,
			parameters: exampleParameters(action, own),
			items: [files ? { files: { data: FILE } } : exampleItem(action)],
			credential: recorder.credential,
			settings: { onError: 'continueErrorOutput' },
			workflowSettings: { timezone },
		});
		expect(error).toBeUndefined();
		return { json: main[0].map((one) => one.json), errors: (main[1] ?? []).map((one) => one.json), hints };
	})();
	const [failed] = errors;
	return {
		outcome: failed
			? (failed.details as IDataObject).outcome
			: json[0]?.alreadyExisted === true
				? 'existed'
				: 'booked',
		error: (failed?.error ?? '') as string,
		advice: (failed?.details as IDataObject | undefined)?.advice,
		warnings: ((json[0]?.warnings ?? []) as Array<{ en: string; de: string }>).map(({ en, de }) => [en, de]),
		hints: hints.filter(({ type }) => type === 'warning').map(({ message }) => message),
	};
}

const without = (body: Body, ...names: string[]) =>
	Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const OWN: INodeParameters = {
	belegnummer: 'K-17',
	kassenname: 'Hauptkasse',
	betrag: '12,50',
	bewegung: 'AUSGABE',
	waehrung: 'EUR',
	steuersatz: '19',
	belegtext: 'Büromaterial',
	transaktionsdatum: '2026-07-01T12:00:00+02:00',
	gegenkonto: '4930',
	belegNummer: 'R-1',
};
/** The entry as a gateway that follows the specification repeats it. */
const ENTRY: Body = {
	belegnummer: 'K-17',
	kassenname: 'Hauptkasse',
	transaktionsdatum: '2026-07-01T12:00:00.000+02:00',
	bewegung: 'AUSGABE',
	betrag: -12.5,
	waehrung: 'EUR',
	belegtext: 'Büromaterial',
	gegenkonto: '4930',
	belegNummer: 'R-1',
	steuersatz: 19,
	belegbilder: [],
	acctAntwort: null,
	svc: { neuesGuthaben: 99 },
};
const INFO = {
	dateiname: 'a.pdf',
	nachricht: 'Beleg angelegt',
	zeitstempel: '2026-07-01T12:00:01Z',
	typ: 'INFO',
};
const booked = (meldungen: unknown) => ({ status: 'ERFOLGREICH', meldungen });

const CONFORMING: Record<string, Body> = {
	'no task was polled': ENTRY,
	'the accounting system has booked it': { ...ENTRY, acctAntwort: booked([INFO]) },
	'booked, without a message': { ...ENTRY, acctAntwort: booked([]) },
	'booked, no messages': { ...ENTRY, acctAntwort: { status: 'ERFOLGREICH' } },
	'a message without a file': { ...ENTRY, acctAntwort: booked([{ ...INFO, dateiname: null }]) },
	'the provider’s own name': { ...without(ENTRY, 'acctAntwort'), providerAntwort: booked([INFO]) },
	'the platform’s own name': { ...without(ENTRY, 'svc'), plattform: { neuesGuthaben: 99 } },
	'no balance': without(ENTRY, 'svc'),
	'optional fields are null': { ...ENTRY, belegbilder: null, svc: null },
	'what describes it is spelled otherwise': {
		...ENTRY,
		gegenkonto: 4930,
		belegNummer: ' r-1',
		belegtext: 'BÜROMATERIAL',
	},
	'optional fields are missing': without(ENTRY, 'gegenkonto', 'belegNummer', 'belegbilder', 'acctAntwort'),
	'the amount as text': { ...ENTRY, betrag: '-12.50' },
	'the tax rate as text': { ...ENTRY, steuersatz: '19.00' },
	'the tax rate as an object': { ...ENTRY, steuersatz: { prozent: 19, buSchluessel: '9' } },
	'the time in UTC': { ...ENTRY, transaktionsdatum: '2026-07-01T10:00:00Z' },
	'the time in another zone': { ...ENTRY, transaktionsdatum: '2026-07-01T05:00:00-05:00' },
	'the day alone': { ...ENTRY, transaktionsdatum: '2026-07-01' },
	'the cash book in other letters': { ...ENTRY, kassenname: ' HAUPTKASSE ' },
	'the number alone': { belegnummer: 'K-17' },
	'the record under data': { data: without(ENTRY, 'svc'), svc: ENTRY.svc },
	'the record in a list': { data: [ENTRY] },
	'no errors': { ...ENTRY, error: null, errors: [], fehler: '', errorDetails: {} },
};

describe('An entry is booked without a word', () => {
	it.each(Object.entries(CONFORMING))('%s', async (_what, body) => {
		expect(await send('createCashBookEntry', { body }, OWN)).toMatchObject({
			outcome: 'booked',
			warnings: [],
			hints: [],
		});
	});
});

/** What stands beside the record, and what a person sees of it. */
const SHOWN: Array<[beside: Body, shown?: string]> = [
	[{ gebucht: false }],
	[{ booked: false }],
	[{ gebucht: 'nein' }],
	[{ result: 'failed' }],
	[{ ergebnis: 'FEHLGESCHLAGEN' }],
	[{ state: 'REJECTED' }],
	[{ status: 'completed' }],
	[{ status: 'abgelehnt' }],
	[{ message: 'Der Eintrag wurde nicht gebucht: Periode gesperrt' }],
	[{ message: 'will be booked tonight' }],
	[{ hinweis: 'Vorläufig erfasst, noch nicht gebucht' }],
	[{ violations: ['period is locked'] }, 'violations: ["period is locked"]'],
	[{ testmodus: true }],
	[{ sandbox: true }],
	[{ entwurf: true }],
	[{ dry_run: 1 }],
	[{ meldungen: ['Beleg nicht gebucht'] }, 'meldungen: ["Beleg nicht gebucht"]'],
	[{ warnung: 'Die Kasse ist nicht abgestimmt' }],
	[{ meta: { outcome: 'rejected' } }, 'meta: {"outcome":"rejected"}'],
	[{ success: true }],
	[{ error: 'none' }],
	[{ fehler: 'keine' }],
	[{ errorMessage: 'OK' }],
	[{ errorCount: 0 }],
	[{ hasError: false }],
	[{ status: 200 }],
	[{ betragInEuro: 12.5 }],
	[{ belegbilder: [{ dateiname: 'a.pdf', abgelegt: false }] }, 'belegbilder.abgelegt: false'],
	[{ svc: { neuesGuthaben: 99, gesperrt: true } }, 'svc.gesperrt: true'],
	[{ acctAntwort: { ...booked([]), vorgang: 'T-17' } }, 'acctAntwort.vorgang: T-17'],
	[{ konto: 'DE02120300000000202051' }, 'konto: DE…2051'],
	[{ gegenkonto: '1590' }, 'gegenkonto: 1590 instead of 4930'],
	[
		{ gegenkonto: null, belegNummer: '' },
		'gegenkonto: empty instead of 4930; belegNummer: empty instead of R-1',
	],
	[{ belegtext: 'Büromat' }, 'belegtext: Büromat instead of Büromaterial'],
	[
		{ belegtext: 'Fehler 404: not booked, storniert' },
		'belegtext: Fehler 404: not booked, storniert instead of Büromaterial',
	],
];

const inGerman = (shown: string) => shown.replaceAll('empty', 'leer').replaceAll('instead of', 'statt');

describe('An entry that came back is booked, and a person sees what else the gateway says', () => {
	it.each(SHOWN)('%j', async (beside, shown = Object.entries(beside).flat().join(': ')) => {
		const { outcome, warnings, hints } = await send(
			'createCashBookEntry',
			{ body: { ...ENTRY, ...beside } },
			OWN,
		);
		expect([outcome, warnings]).toEqual([
			'booked',
			[[`The gateway also says: ${shown}`, `Das Gateway sagt außerdem: ${inGerman(shown)}`]],
		]);
		expect(hints).toHaveLength(1);
	});

	it.each<[sent: string, answered: string, shows?: string, timezone?: string]>([
		['2026-11-28', '2026-11-27T12:30:00+01:00', '2026-11-27'],
		['2026-11-28', '2026-11-29T11:59:00+01:00', '2026-11-29'],
		['2026-11-28', '2026-11-27T13:00:00', '2026-11-27'],
		// Midnight of the next day.
		['2026-07-01', '2026-07-01T22:00:00Z', '2026-07-02'],
		['2026-01-01T00:30:00', '2025-12-31', '2025-12-31'],
		['2026-01-01T00:30:00', '2025-12-31T00:00:00Z', '2025-12-31'],
		['2026-01-01T00:30:00', '2025-12-31T23:30:00Z'],
		['2026-01-01T00:30:00', '2026-01-01'],
		['2026-07-01', '2026-06-30T22:00:00Z'],
		['2026-07-01', '2026-07-01T00:00:00Z'],
		['2026-07-01', '2026-07-01T08:00:00'],
		// Midnight in UTC, and the same moment.
		['2026-07-01', '2026-07-01T00:00:00Z', undefined, 'America/Chicago'],
		['2026-06-30T19:00:00', '2026-07-01T00:00:00Z', undefined, 'America/Chicago'],
		['2026-07-01', '2026-07-02T03:00:00Z', undefined, 'America/Chicago'],
		['2026-07-01', ''],
	])(
		'the day, if another one came back than was sent: %s, %s',
		async (transaktionsdatum, answered, shows, timezone) => {
			const own = { ...OWN, transaktionsdatum };
			const { outcome, warnings } = await send(
				'createCashBookEntry',
				{ body: { ...ENTRY, transaktionsdatum: answered } },
				own,
				false,
				timezone,
			);
			const sent = transaktionsdatum.slice(0, 10);
			const german = (day: string) => day.split('-').reverse().join('.');
			expect([outcome, warnings]).toEqual([
				'booked',
				shows
					? [
							[
								`the answer shows ${shows} instead of ${sent}: look up which day the entry has`,
								`Die Antwort nennt den ${german(shows)} statt des ${german(sent)}: Sehen Sie nach, welchen Tag der Eintrag hat.`,
							],
						]
					: [],
			]);
		},
	);

	it('a message of the accounting system that is more than information', async () => {
		const body = {
			...ENTRY,
			acctAntwort: booked([INFO, { ...INFO, typ: 'HINWEIS', nachricht: 'Kostenstelle neu' }]),
		};
		const { outcome, warnings } = await send('createCashBookEntry', { body }, OWN);
		expect([outcome, warnings[0][0]]).toEqual([
			'booked',
			'the accounting system answered ERFOLGREICH: Kostenstelle neu',
		]);
	});
});

const FAILED: Array<[Body, says?: string]> = [
	[{ success: false }],
	[{ success: 'false' }],
	[{ error: 'period is locked' }, 'period is locked'],
	[{ fehler: 'Periode gesperrt' }, 'Periode gesperrt'],
	[{ fehlermeldung: 'Periode gesperrt' }, 'Periode gesperrt'],
	[{ errors: [{ field: 'kassenname', message: 'is closed' }] }, 'is closed'],
	[{ Fehlercode: 4711 }, '4711'],
	[{ hasErrors: true }],
	[{ errorCount: 1 }],
	[{ meta: { error: 'not booked' } }, 'not booked'],
	[{ svc: { neuesGuthaben: 99, fehlertext: 'nicht gebucht' } }, 'nicht gebucht'],
	[{ belegbilder: [{ dateiname: 'a.pdf', fehler: 'zu groß' }] }, 'zu groß'],
	[{ status: 422 }, 'status: 422'],
	[{ statusCode: 409 }, 'statusCode: 409'],
	[{ code: 500 }, 'code: 500'],
	[{ status: '503' }, 'status: 503'],
	[{ meta: { status: 422 } }],
	[{ acctAntwort: 'ERFOLGREICH' }],
	[{ acctAntwort: true }],
	[{ acctAntwort: [booked([])] }],
	[{ acctAntwort: '' }],
	[{ acctAntwort: null, providerAntwort: 'nicht gebucht' }, 'nicht gebucht'],
];

describe('An entry that came back with a sign of failure is of unknown outcome', () => {
	it.each(FAILED)('%j', async (beside, says = '') => {
		const { outcome, error } = await send('createCashBookEntry', { body: { ...ENTRY, ...beside } }, OWN);
		expect(outcome).toBe('unknown');
		expect(error).toContain(says);
	});
});

const NOT_CONFIRMED: Body[] = [
	{ ergebnis: 'FEHLGESCHLAGEN' },
	{ status: 'FEHLGESCHLAGEN', meldungen: [{ ...INFO, typ: 'FEHLER' }] },
	{ status: 'IN_BEARBEITUNG', meldungen: [] },
	{ status: 'erfolgreich', meldungen: [] },
	{ status: 'SUCCESS', meldungen: [] },
	{ status: ['ERFOLGREICH'] },
	{ status: { toString: 1 } },
	{},
	booked(['Beleg K-17 nicht gebucht']),
	booked({ nachricht: 'nicht gebucht' }),
	booked([{ nachricht: 7 }]),
	booked([{ ...INFO, typ: 'ERROR' }]),
	booked([INFO, { ...INFO, typ: 'Fehler' }]),
	{ ...booked([]), error: 'not booked' },
];

describe('An entry that the accounting system hasn’t said that it has booked is an error of the item', () => {
	it.each(NOT_CONFIRMED.map((reply) => [reply]))('%j', async (acctAntwort) => {
		for (const body of [{ ...ENTRY, acctAntwort }, { data: { ...ENTRY, acctAntwort } }]) {
			const { outcome, error } = await send('createCashBookEntry', { body }, OWN);
			expect(outcome).toBe('incomplete');
			expect(error).toContain('The gateway accepted it, but the accounting system answered');
		}
	});
});

const NO_RECORD: Record<string, unknown> = {
	'an empty object': {},
	null: 'null',
	'an empty list': [],
	'ok: true': { ok: true },
	'success: true': { success: true },
	'a message that it was booked': { message: 'K-17 wurde gebucht' },
	'only a text': { belegtext: 'Büromaterial' },
	'only the currency': { waehrung: 'EUR' },
	'an empty form': { ...ENTRY, belegnummer: '' },
	'a form without a number': { ...ENTRY, belegnummer: null },
	'all but the number': without(ENTRY, 'belegnummer'),
	'the request': { request: ENTRY },
	'another number': { ...ENTRY, belegnummer: 'K-18' },
	'a longer number': { ...ENTRY, belegnummer: 'K-170' },
	'another cash book': { ...ENTRY, kassenname: 'Nebenkasse' },
	'another amount': { ...ENTRY, betrag: -12.51 },
	'the other movement': { ...ENTRY, bewegung: 'EINNAHME' },
	'an income': { ...ENTRY, bewegung: 'EINNAHME', betrag: 12.5 },
	'another currency': { ...ENTRY, waehrung: 'USD' },
	'another tax rate': { ...ENTRY, steuersatz: 7 },
	'another day': { ...ENTRY, transaktionsdatum: '2026-07-04T12:00:00+02:00' },
	'other entries': [
		{ ...ENTRY, belegnummer: 'K-16' },
		{ ...ENTRY, belegnummer: 'K-18' },
	],
	'an amount without meaning': { ...ENTRY, betrag: 'zwölf' },
};

describe('Without the record, nothing is booked', () => {
	it.each(Object.entries(NO_RECORD))('%s', async (_what, body) => {
		expect(await send('createCashBookEntry', { body }, OWN)).toMatchObject({ outcome: 'unknown' });
	});
});

const LINES = [
	{ betrag: -7, steuersatz: { prozent: 7 } },
	{ betrag: -5.5, steuersatz: { prozent: 19 } },
];
const ADVANCED: Body = {
	erstellungsdatum: '2026-07-01T12:00:01Z',
	waehrung: 'EUR',
	kassenname: 'Hauptkasse',
	betrag: -12.5,
	transaktionsdatum: '2026-07-01T12:00:00+02:00',
	acctAntwort: null,
	svc: { neuesGuthaben: 99 },
	belegbilder: [{ id: 7, name: 'a.pdf', abgelegt: true }],
	belegzeilen: LINES.map((line) => ({
		...line,
		gegenkonto: '4930',
		erstellungsdatum: null,
		waehrung: 'EUR',
		belegtext: 'x',
		belegnummer: 'A-1',
		kostenstellen: [{ name: '100' }],
	})),
};
const [FIRST, SECOND] = ADVANCED.belegzeilen as Body[];
const UUID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const TICKET: Body = {
	id: UUID,
	product_id: 'job-ticket',
	coupon_id: 'CPN-1',
	status: 'active',
	customer_id: null,
	subscription_id: null,
	metadata: { order: { state: 'done', code: 404 }, ticket: {}, product: {}, billable_item_id: 'b' },
};
const CUSTOMER: Body = {
	id: UUID,
	name: 'Müller',
	address_lines: { street: 'Weg 1', postal_code: '90402', city: 'Nürnberg' },
};

/** Of the other writes. */
const OTHERS: Array<[what: string, id: string, body: unknown, outcome: string, shown?: string]> = [
	['an advanced entry', 'createAdvancedCashBookEntry', ADVANCED, 'booked'],
	['its amount alone', 'createAdvancedCashBookEntry', { betrag: -12.5 }, 'booked'],
	[
		'its lines in another order',
		'createAdvancedCashBookEntry',
		{ ...ADVANCED, belegzeilen: [SECOND, FIRST] },
		'booked',
	],
	[
		'a line that isn’t booked',
		'createAdvancedCashBookEntry',
		{ ...ADVANCED, belegzeilen: [FIRST, { ...SECOND, gebucht: false }] },
		'booked',
		'belegzeilen.gebucht: false',
	],
	[
		'a line with an error',
		'createAdvancedCashBookEntry',
		{ ...ADVANCED, belegzeilen: [FIRST, { ...SECOND, fehler: 'nein' }] },
		'unknown',
	],
	[
		'other accounts and no tax keys',
		'createAdvancedCashBookEntry',
		{
			...ADVANCED,
			belegzeilen: [FIRST, SECOND].map(({ steuersatz, ...line }) => ({
				...line,
				gegenkonto: '1590',
				steuersatz: { ...(steuersatz as Body), buSchluessel: null },
			})),
		},
		'booked',
		'belegzeilen.gegenkonto: 1590 instead of 4930, 4940; belegzeilen.steuersatz.buSchluessel: empty instead of 8, 9',
	],
	['no amount', 'createAdvancedCashBookEntry', without(ADVANCED, 'betrag'), 'unknown'],
	['its lines alone', 'createAdvancedCashBookEntry', { belegzeilen: ADVANCED.belegzeilen }, 'unknown'],
	['a line less', 'createAdvancedCashBookEntry', { ...ADVANCED, belegzeilen: [FIRST] }, 'unknown'],
	[
		'a document’s own ID',
		'uploadDuoDocument',
		{ id: 'DMS-7', dateiname: 'Beleg (2).pdf', svc: { neuesGuthaben: 9 } },
		'booked',
	],
	['an ID alone', 'uploadReweDocument', { id: 7, dateiname: null }, 'booked'],
	['its name alone', 'uploadDuoDocument', { dateiname: 'beleg.pdf' }, 'booked'],
	['another name alone', 'uploadDuoDocument', { dateiname: 'Rechnung.pdf' }, 'unknown'],
	['neither', 'uploadReweDocument', { id: '', dateiname: null, belegtyp: 'Rechnungseingang' }, 'unknown'],
	[
		'a document that is locked out',
		'uploadDuoDocument',
		{ id: 'DMS-7', status: 'abgewiesen' },
		'booked',
		'status: abgewiesen',
	],
	['a document with an error', 'uploadReweDocument', { id: 'DMS-7', fehler: 'Virus' }, 'unknown'],
	['a ticket', 'createTicket', TICKET, 'booked'],
	['a ticket without an ID', 'createTicket', without(TICKET, 'id'), 'unknown'],
	['another product', 'createTicket', { ...TICKET, product_id: 'schuelerticket' }, 'unknown'],
	['a cancelled ticket', 'createTicket', { ...TICKET, status: 'cancelled' }, 'unknown'],
	['a ticket, and more', 'createTicket', { ...TICKET, gesperrt: true }, 'booked', 'gesperrt: true'],
	[
		'a ticket without its settings',
		'createTicket',
		{ ...TICKET, tariff_settings: {} },
		'booked',
		'tariff_settings: empty instead of {"postal_code":"90402","student":true}',
	],
	[
		'a ticket of another place',
		'createTicket',
		{ ...TICKET, tariff_settings: { postal_code: '10115', student: true, zone: 'A' } },
		'booked',
		'tariff_settings.postal_code: 10115 instead of 90402',
	],
	['a ticket with its own settings', 'createTicket', { ...TICKET, tariff_settings: { zone: 'A' } }, 'booked'],
	['a list of settings', 'createTicket', { ...TICKET, tariff_settings: ['A'] }, 'booked'],
	['an activated ticket', 'activateTicket', TICKET, 'booked'],
	['an activation without an ID', 'activateTicket', without(TICKET, 'id'), 'unknown'],
	['the activation of another', 'activateTicket', { ...TICKET, id: UUID.replace('5', '6') }, 'unknown'],
	['still to be activated', 'activateTicket', without(TICKET, 'status'), 'unknown'],
	['a customer', 'createCustomer', CUSTOMER, 'booked'],
	[
		'another name',
		'createCustomer',
		{ ...CUSTOMER, name: 'MÜLLER GMBH' },
		'booked',
		'name: MÜLLER GMBH instead of Müller',
	],
	['an empty record beside it', 'createCustomer', { ...CUSTOMER, data: {} }, 'booked'],
	['an empty list beside it', 'createCustomer', { ...CUSTOMER, data: [] }, 'booked'],
	['a customer without an ID', 'createCustomer', without(CUSTOMER, 'id'), 'unknown'],
	[
		'a customer, and more',
		'createCustomer',
		{ ...CUSTOMER, address_lines: { city: 'X', valid: false } },
		'booked',
		'address_lines.valid: false',
	],
	['a webhook URL', 'setWebhookUrl', {}, 'booked'],
	['its text', 'setWebhookUrl', 'OK', 'booked'],
	['the URL', 'setWebhookUrl', { url: 'https://n8n.example.com/webhook/payments' }, 'booked'],
	['a webhook URL, and more', 'setWebhookUrl', { verified: false }, 'booked', 'verified: false'],
	['a webhook URL with an error', 'setWebhookUrl', { error: 'unreachable' }, 'unknown'],
];
const OWN_OF: Record<string, INodeParameters> = {
	createAdvancedCashBookEntry: {
		...without(OWN as Body, 'belegnummer', 'belegtext', 'steuersatz', 'betrag', 'bewegung'),
		bewegung: '',
		betrag: '',
		belegzeilenFrom: 'json',
		belegzeilenJson: JSON.stringify(
			LINES.map(({ betrag, steuersatz: { prozent } }) => ({
				betrag,
				prozent,
				...(prozent === 7
					? { gegenkonto: '4930', buSchluessel: '8' }
					: { gegenkonto: '4940', buSchluessel: '9' }),
			})),
		),
	},
	createTicket: { product_id: 'job-ticket', tariff_settings: '{"postal_code":"90402","student":true}' },
	activateTicket: { ticket_id: UUID, coupon_id: 'CPN-1' },
	createCustomer: { name: 'Müller' },
	setWebhookUrl: { url: 'https://n8n.example.com/webhook/payments' },
};

describe('The other writes', () => {
	it.each(OTHERS)('%s (%s) %j: %s', async (_what, id, body, outcome, shown) => {
		const found = await send(id, { body }, OWN_OF[id]);
		expect([found.outcome, found.error]).toEqual([
			outcome,
			outcome === 'booked' ? '' : expect.stringMatching('.'),
		]);
		// That nobody is named for whom it is only sent once is known before.
		expect(found.warnings.filter(([en]) => !en.includes('Only Once For'))).toEqual(
			shown ? [[`The gateway also says: ${shown}`, `Das Gateway sagt außerdem: ${inGerman(shown)}`]] : [],
		);
	});
});

it('What a line doesn’t say may come back as anything', async () => {
	const lines = [{ betrag: -7, prozent: 7, gegenkonto: '4930', buSchluessel: '8' }, { betrag: -5.5 }];
	const belegzeilen = [
		FIRST,
		{ ...SECOND, gegenkonto: '1590', steuersatz: { prozent: 0, buSchluessel: null } },
	];
	const own = { ...OWN_OF.createAdvancedCashBookEntry, belegzeilenJson: JSON.stringify(lines) };
	const body = { ...ADVANCED, belegzeilen };
	expect(await send('createAdvancedCashBookEntry', { body }, own)).toMatchObject({
		outcome: 'booked',
		warnings: [],
	});
});

const SAME = [
	{ message: 'K-17 already exists' },
	{ message: 'belegnummer K-17 already exists.' },
	{ error: 'The entry with the number K-17 already exists' },
	{ detail: 'Entry with the ID K-17 already exists' },
	{ error: { message: 'Die Buchung K-17 existiert bereits.' } },
	{ fehler: 'Beleg mit der Nummer K-17 ist bereits vorhanden' },
	{ message: 'Ein Beleg mit der Belegnummer "K-17" ist bereits vorhanden!' },
	{ nachricht: 'Eintrag k-17 bereits vorhanden' },
	{ errors: [{ field: 'belegnummer', message: 'belegnummer K-17 already exists' }] },
	{ code: 'ALREADY_EXISTS', belegnummer: 'K-17' },
	{ code: 'DUPLICATE', belegnummer: 'K-17' },
	{
		error: {
			code: 'DUPLICATE_ENTRY',
			belegnummer: 'K-17',
			betrag: -12.5,
			kassenname: 'hauptkasse',
			belegtext: 'Büromaterial',
		},
	},
	{ code: 'DUPLICATE_NUMBER', belegnummer: 'K-17', message: 'The number K-17 already exists' },
	'K-17 existiert bereits',
	{ success: false, message: 'K-17 already exists' },
];
const ELSE = [
	{ message: 'Draft K-17 already exists' },
	{ message: 'Sperre K-17 existiert bereits' },
	{ message: 'Eine stornierte Buchung K-17 ist bereits vorhanden' },
	{ message: 'Nebenkasse: K-17 existiert bereits' },
	{ message: 'K-17 already exists. It was rejected, please delete it first' },
	{ code: 'DUPLICATE', belegnummer: 'K-17', vorhanden: { betrag: 99 } },
	{ code: 'DUPLICATE', belegnummer: 'K-17', betrag: 99 },
	{ code: 'DUPLICATE', belegnummer: 'K-18' },
	{ code: 'DUPLICATE' },
	{ code: 'DUPLICATE_LOCK', belegnummer: 'K-17' },
	{ code: 'ALREADY_EXISTS_IN_TRASH', belegnummer: 'K-17' },
	{ code: 'DUPLICATE', belegnummer: 'K-17', status: 'draft' },
	{ code: 'DUPLICATE', belegnummer: 'K-17', message: 'The draft is to be deleted first' },
	{ code: 'ALREADY_EXISTS', closing: 'K-17' },
	{ code: 'DUPLICATE', belegnummer: 'K-17', belegtext: 'Anderes' },
	{ message: 'K-170 already exists' },
	{ message: 'K-1 existiert bereits' },
	{ message: 'K-17 existiert nicht' },
	{ message: 'K-17 does not exist' },
	{ message: 'Buchung K-17 existiert bereits nicht mehr' },
	{ message: 'Kein Beleg K-17 existiert bereits' },
	{ message: 'Beleg K-17 ist bereits vorhanden und storniert' },
	{ message: 'Ein Entwurf mit der Nummer K-17 ist bereits vorhanden' },
	{ message: 'Duplicate entry K-17' },
	{ message: 'entry already exists' },
	{ message: 'Buchung existiert bereits' },
	{ message: 'Cash book K-17 already exists' },
	{ message: 'K-17 already exists', hint: 'It is locked' },
	{ message: 'A job for K-17 already exists' },
	{ message: 'K-17 already exists in another cash book' },
	{ message: 'Kasse gesperrt, K-17 existiert bereits' },
	{ errors: ['K-17 already exists', 'period is locked'] },
	'K-17 existiert bereits als Entwurf',
	{},
	null,
];
const ALREADY_BOOKED: INodeParameters = { ...OWN, alreadyBooked: true };

describe('A refusal', () => {
	it.each(SAME.map((body) => [body]))('says that the gateway has the entry: %j', async (body) => {
		for (const status of [400, 409, 422]) {
			const { outcome, warnings } = await send(
				'createCashBookEntry',
				{ status, body: JSON.stringify(body) },
				ALREADY_BOOKED,
			);
			expect([status, outcome]).toEqual([status, 'existed']);
			expect(warnings[0][0]).toContain('K-17 was already booked');
		}
		const byOther = await send(
			'createCashBookEntry',
			{ status: 404, body: JSON.stringify(body) },
			ALREADY_BOOKED,
		);
		expect(byOther.outcome).toBe('refused');
	});

	it.each(ELSE.map((body) => [body]))('says something else: %j', async (body) => {
		const { outcome } = await send(
			'createCashBookEntry',
			{ status: 409, body: JSON.stringify(body) },
			ALREADY_BOOKED,
		);
		expect(outcome).toBe('refused');
	});

	it('of an advanced entry never says that the gateway has it', async () => {
		const body = { message: 'belegnummer K-17 already exists', code: 'DUPLICATE', betrag: -12.5 };
		const own = OWN_OF.createAdvancedCashBookEntry;
		expect(await send('createAdvancedCashBookEntry', { status: 409, body }, own)).toMatchObject({
			outcome: 'refused',
		});
	});

	it.each<[string, INodeParameters, isParts: boolean]>([
		['createCashBookEntry', { ...OWN, belegbilder: '*' }, true],
		['createCashBookEntry', { ...OWN, belegbilder: '' }, false],
		['createAdvancedCashBookEntry', { belegzeilenJson: '[{ "betrag": -12.5 }]', belegbilder: '*' }, true],
		['createAdvancedCashBookEntry', { belegzeilenJson: '[{ "betrag": -12.5 }]', belegbilder: '' }, false],
		['createAdvancedCashBookEntry', {}, true],
	])('of %s %j may have been carried out in part: %s', async (id, own, isParts) => {
		const answer = { status: 422, body: { message: 'Bild zu groß' } };
		const { outcome, error } = await send(id, answer, { ...OWN_OF[id], ...own }, true);
		expect([outcome, error.includes('may be booked all the same')]).toEqual(['refused', isParts]);
	});
});

const LIST: Body[] = [
	{ bezeichnung: 'Hauptkasse', error: null },
	{ bezeichnung: 'Nebenkasse', fehler: 'Saldo', code: 500 },
];

describe('A read shows what stands beside the list or record that was asked for', () => {
	it.each<[string, unknown, shown?: string]>([
		['listTaxKeys', { data: [{ buSchluessel: '9', neu: 1 }], svc: { neuesGuthaben: 9 } }],
		['listTaxKeys', [{ buSchluessel: '9' }]],
		[
			'listTaxKeys',
			{ data: [{ buSchluessel: '9' }], next: '/v2?page=2', total: 17 },
			'next: /v2?page=2; total: 17',
		],
		[
			'listTaxKeys',
			{ data: [], message: 'nur ein Teil', seiten: 0, cursor: null },
			'message: nur ein Teil; seiten: 0',
		],
		[
			'listCashBooks',
			{ data: { kassen: [{ bezeichnung: 'Hauptkasse' }], hasMore: false } },
			'hasMore: false',
		],
		['listCashBooks', { kassen: [{ bezeichnung: 'Hauptkasse' }], weitere: true }, 'weitere: true'],
		// What a row says is the row's, wherever the list stands.
		...[LIST, { data: LIST }].map((body): [string, unknown] => ['listCashBooks', body]),
		[
			'getOpenItems',
			{ data: { stichtag: null, konten: [], sumDebitoren: 0, sumKreditoren: 0, seite: 1 } },
			'seite: 1',
		],
		['getPayment', { data: { id: 'pay-1', status: 'failed', error: 'declined', neu: 1 } }],
		['getPayment', { id: 'pay-1', status: 'failed', error: 'declined' }],
		['getPayment', { id: 'pay-1', status: 'failed', error: 'declined', data: {} }],
		['getPayment', { data: { id: 'pay-1', status: 'settled' }, stand: 'gestern' }, 'stand: gestern'],
	])('%s %j: %s', async (id, body, shown) => {
		const { error, hints } = await send(id, { body }, id === 'getPayment' ? { id: 'pay-1' } : {});
		expect([error, hints.filter((text) => text.includes('also says'))]).toEqual([
			'',
			shown ? [`Item 1: The gateway also says: ${shown}`] : [],
		]);
	});

	it.each<[unknown]>([
		[{ data: [], error: 'timeout' }],
		[{ data: [], success: false }],
		[{ data: [], status: 503 }],
		[{ data: [], meta: { fehler: 'x' } }],
	])('and fails where that is a failure: %j', async (body) => {
		expect(await send('listTaxKeys', { body })).toMatchObject({ outcome: 'failed' });
	});

	it('and a header that names a next page', async () => {
		const headers = { link: '</v2/list?page=1>; rel="self", </v2/list?page=2>; rel="next"' };
		const { hints } = await send('listTaxKeys', { headers, body: [{ buSchluessel: '9' }] });
		expect(hints).toEqual(['Item 1: The gateway also says: Link: rel="next"']);
	});
});

it('What the gateway also says is shown once a run, and again only with another value', async () => {
	const says = ['x', 'x', 'y', 'z', 'x', 'u'];
	recorder.answer = ({ text }) => {
		const { belegnummer } = JSON.parse(text) as { belegnummer: string };
		return { body: { belegnummer, gebucht: says[Number(belegnummer.slice(2)) - 1] } };
	};
	const action = actions.find(({ contract }) => contract.id === 'createCashBookEntry')!;
	const { json } = await runNode({
		node: action.node,
		parameters: exampleParameters(action, { ...OWN, belegnummer: '={{ "K-" + ($itemIndex + 1) }}' }),
		items: says.map(() => ({})),
		credential: recorder.credential,
	});
	const shown = json.map(({ warnings = [] }) =>
		(warnings as Array<{ en: string }>).map(({ en }) => en.at(-1)).join(),
	);
	expect(shown).toEqual(['x', '', 'y', 'z', '', '']);
});
