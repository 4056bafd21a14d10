import { describe, expect, it } from 'vitest';

import { saysItExists } from '../../../../nodes/shared/errors/alreadyExists.js';
import { processorTime } from '../../../support/processorTime.mjs';

const ID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const OTHER = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f12';
const ENTRY = { field: 'belegnummer', value: 'K-2026/17' };
const DOCUMENT = { field: 'id', value: ID };

describe('a 409 says that the gateway has it', () => {
	it.each<[unknown]>([
		['Das Dokument existiert bereits'],
		['document already exists'],
		[{ message: 'already exists' }],
		[{ error: { message: 'There is such a document.', code: 'duplicate' } }],
		[{ error: 'ALREADY_EXISTS' }],
		[{ code: 'EntryAlreadyExists', message: '' }],
		[{ code: 'DUPLICATE_KEY' }],
		[{ errors: [{ field: 'belegnummer', message: 'ist bereits vergeben' }] }],
		[{ errors: { belegnummer: ['existiert bereits'] } }],
		[{ fehler: 'Die Belegnummer ist schon vorhanden.' }],
		[{ nachricht: 'Beleg wurde bereits gebucht' }],
		[{ nachricht: 'Beleg nicht angenommen: Belegnummer bereits vorhanden' }],
		[{ message: "The document can't be accepted because it already exists." }],
		[{ message: 'Beleg liegt bereits vor' }],
		[{ message: 'Im Kassenbuch bereits vorhanden' }],
		[{ message: 'Die Belegnummer wurde in dieser Periode bereits gebucht' }],
		[{ message: 'The document already exists in this period' }],
		[{ message: 'Doppelte Belegnummer in diesem Geschäftsjahr' }],
		[{ message: 'Doppelte Belegnummer' }],
		[{ message: 'Dublette erkannt' }],
		[{ message: 'Duplikate sind nicht zulässig' }],
		[{ message: 'Duplicates are not allowed' }],
		[{ message: 'has already been uploaded' }],
		[{ message: 'The ID is already in use' }],
		[{ message: 'duplicate key value violates unique constraint "documents_id_key"' }],
		[{ message: 'belegnummer must be unique' }],
		[{ message: 'Die Belegnummer muss eindeutig sein' }],
		[{ title: 'Conflict', detail: 'conflicts with an existing record' }],
		[{ duplicate: true }],
		[{ message: 'Konflikt', alreadyExists: true, code: 'EXISTS' }],
		[{ belegnummer: 'duplicate' }],
	])('in words: %j', (body) => {
		expect(saysItExists(body)).toBe(true);
		expect(saysItExists(body, ENTRY)).toBe(true);
		expect(saysItExists(body, DOCUMENT)).toBe(true);
	});

	it.each<[unknown]>([
		['K-2026/17'],
		[{ message: 'Konflikt: K-2026/17' }],
		[{ message: 'Conflict', belegnummer: 'K-2026/17' }],
		[{ error: { message: 'Conflict', details: { belegnummer: 'K-2026/17' } } }],
		[{ message: 'The cash book "Hauptkasse" already has an entry with the belegnummer "K-2026/17".' }],
		[{ title: 'Conflict', detail: 'Entry K-2026/17.' }],
	])('by the number that was sent: %j', (body) => {
		expect(saysItExists(body, ENTRY)).toBe(true);
	});

	it.each<[unknown]>([
		[{ message: `Conflict with document ${ID}` }],
		[{ message: 'Conflict', id: ID.toUpperCase() }],
	])('by the ID that was sent: %j', (body) => {
		expect(saysItExists(body, DOCUMENT)).toBe(true);
	});

	it('by a short number in the field of its name only', () => {
		const short = { field: 'belegnummer', value: '7' };
		expect(saysItExists({ error: 'Conflict', belegnummer: '7' }, short)).toBe(true);
		expect(saysItExists({ error: 'Conflict', attempts: 7 }, short)).toBe(false);
		expect(saysItExists({ error: 'Conflict', fehlernummer: '71' }, short)).toBe(false);
		expect(saysItExists({ error: 'Conflict', belegnummer: [' 7 '] }, short)).toBe(true);
		expect(saysItExists({ error: 'Conflict 7' }, short)).toBe(false);
		expect(saysItExists({ status: 409, error: 'Conflict' }, { field: 'belegnummer', value: '409' })).toBe(
			false,
		);
	});
});

describe('a 409 says that the gateway has it, whatever else it names', () => {
	it.each<[unknown]>([
		// Numbers of something else, or no numbers.
		[{ vorgang: 'V-4711', message: 'existiert bereits' }],
		[{ errors: { belegnummer: 'existiert bereits seit 2026' } }],
		[{ errors: { belegnummer: '409: existiert bereits' } }],
		[{ message: 'Abschlussbuchung existiert bereits' }],
	])('%j', (body) => {
		expect(saysItExists(body, ENTRY)).toBe(true);
	});

	it('an ID of the error', () => {
		expect(saysItExists({ id: 'err-4711', message: 'already exists' }, DOCUMENT)).toBe(true);
	});

	it('a number as a number, and one of four characters in a sentence', () => {
		const entry = { field: 'belegnummer', value: '1234' };
		expect(saysItExists({ error: 'Conflict', beleg: 1234 }, entry)).toBe(true);
		expect(saysItExists({ error: 'Conflict: 1234' }, entry)).toBe(true);
	});
});

describe('a 409 is a refusal', () => {
	it.each<[unknown]>([
		[null],
		[''],
		[{}],
		[[]],
		[7],
		['Conflict'],
		[{ error: 'Conflict', status: 409 }],
		[{ code: 'PERIOD_LOCKED', message: 'Der Beleg wurde nicht angenommen' }],
		[{ code: 'PERIOD_LOCKED', message: 'Beleg K-2026/17 nicht angenommen' }],
		[{ code: 'PERIOD_LOCKED', belegnummer: 'K-2026/17', id: ID }],
		[{ message: 'Das Kassenbuch existiert nicht' }],
		[{ message: 'The cash book does not exist' }],
		[{ message: "The document type doesn't exist" }],
		[{ message: 'Es existiert kein Kassenbuch dieses Namens' }],
		[{ message: 'Kassenbuch nicht vorhanden' }],
		[{ message: 'Beleg wurde noch nicht gebucht' }],
		[{ message: 'not yet booked' }],
		[{ message: 'No duplicate was found' }],
		[{ message: 'Die Periode ist bereits abgeschlossen' }],
		[{ message: 'Für diesen Monat existiert bereits ein Abschluss' }],
		[{ message: 'Für diesen Monat existiert bereits ein Kassenabschluss' }],
		[{ message: 'A lock already exists for this cash book' }],
		// The month has gone to the tax adviser: the entry wasn't taken.
		[{ message: 'Die Periode wurde bereits an den Steuerberater übermittelt' }],
		[{ message: 'Beleg K-2026/17: Die Periode wurde bereits übermittelt' }],
		[{ message: 'Der Monat ist bereits gebucht' }],
		[{ message: 'Der Buchungszeitraum wurde schon verarbeitet' }],
		[{ message: 'Das Geschäftsjahr 2025 wurde bereits übertragen' }],
		[{ message: 'Für den Monat liegt bereits eine Meldung vor' }],
		[{ message: 'Die Umsatzsteuervoranmeldung für 03/2026 wurde bereits übermittelt' }],
		[{ message: 'Für diesen Monat existiert bereits ein Kassenbericht' }],
		[{ message: 'The period has already been submitted' }],
		[{ message: 'A report for this month already exists' }],
		[{ code: 'FISCAL_YEAR_ALREADY_PROCESSED' }],
		[{ message: 'Das Kassenbuch wurde bereits übertragen' }],
		[{ message: 'Das Kassenbuch wird gerade von einem anderen Benutzer verwendet' }],
		[{ message: 'The cash book is already used by another user' }],
		[{ message: 'The request is already being processed' }],
		[{ message: 'Das Dokument wird bereits verarbeitet' }],
		[{ message: 'Der Name des Kassenbuchs ist nicht eindeutig' }],
		[{ message: 'Beleg K-2026/17: Zeitraum ist festgeschrieben' }],
		[{ message: `Dokument ${ID} wurde abgelehnt` }],
		[{ message: 'K-2026/17: Betrag ungültig' }],
		[{ message: 'Entry K-2026/17 was modified in the meantime' }],
		[{ message: 'Buchung K-2026/17 ist storniert' }],
		[{ message: 'exist' + 'ential problem' }],
		[{ message: 'preexisting' }],
		[{ exists: false, duplicate: false }],
		// What was sent, sent back: its text may say anything.
		[{ message: 'Conflict', request: { belegnummer: 'K-2026/17', belegtext: 'doppelt bezahlt', id: ID } }],
		[{ message: 'Kasse gesperrt', entry: { belegtext: 'Rückzahlung, war doppelt' } }],
		[{ error: { kasse: { message: 'gesperrt' } }, entry: { belegtext: 'war doppelt' } }],
	])('that says otherwise: %j', (body) => {
		expect(saysItExists(body)).toBe(false);
		expect(saysItExists(body, ENTRY)).toBe(false);
		expect(saysItExists(body, DOCUMENT)).toBe(false);
	});

	it.each<[unknown]>([
		[{ message: 'Conflict with K-2026/170' }],
		[{ message: 'Conflict with AK-2026/17' }],
		[{ message: 'already exists', belegnummer: 'K-2026/18' }],
		[{ message: `Conflict with ${OTHER}` }],
	])('that names another one: %j', (body) => {
		expect(saysItExists(body, ENTRY)).toBe(false);
	});

	it('that names nothing, whatever the number is', () => {
		expect(saysItExists({ message: 'Conflict', beleg: null }, { field: 'belegnummer', value: 'null' })).toBe(
			false,
		);
	});

	it('where only the number that was sent holds such a word', () => {
		const odd = { field: 'belegnummer', value: 'DUPLICATE-1' };
		expect(saysItExists({ message: 'Not accepted: DUPLICATE-1' }, odd)).toBe(false);
		expect(saysItExists({ message: 'K+1 locked' }, { field: 'belegnummer', value: 'K+1' })).toBe(false);
	});
});

it('reads a body of any size and depth quickly', () => {
	let deep: unknown = 'already exists';
	for (let i = 0; i < 100_000; i++) deep = [{ message: deep }];
	const long = { message: 'bereits '.repeat(1_000_000), list: Array(1_000_000).fill('schon') };
	const taken = processorTime(() => {
		expect(saysItExists(deep, ENTRY)).toBe(false);
		expect(saysItExists(long, ENTRY)).toBe(false);
	});
	// Of the length squared it would take minutes.
	expect(taken).toBeLessThan(2000);
});
