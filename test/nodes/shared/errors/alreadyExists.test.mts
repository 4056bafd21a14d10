import { describe, expect, it } from 'vitest';

import { saysItExists } from '../../../../nodes/shared/errors/alreadyExists.js';
import { processorTime } from '../../../support/timing.mjs';

const ID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const ENTRY = { field: 'belegnummer', value: 'K-2026/17' };
const DOCUMENT = { field: 'id', value: ID };

describe('an answer 409 says that the gateway has the very record', () => {
	it.each<[unknown]>([
		['Beleg K-2026/17 existiert bereits'],
		['K-2026/17: bereits vorhanden'],
		[{ message: 'An entry with the belegnummer "k-2026/17" already exists in Hauptkasse.' }],
		[{ message: 'Der Beleg wurde abgelehnt. Die Nummer K-2026/17 ist bereits vorhanden.' }],
		[{ error: { code: 'ALREADY_EXISTS', message: 'Conflict', details: { belegnummer: 'K-2026/17' } } }],
		[{ code: 'EntryAlreadyExists', message: 'Beleg K-2026/17 nicht angenommen' }],
		[{ errors: [{ field: 'belegnummer', rejectedValue: 'K-2026/17', code: 'duplicate' }] }],
		[{ errors: { belegnummer: ['K-2026/17 existiert bereits'] } }],
		[{ belegnummer: 'K-2026/17', message: 'Diese Nummer existiert bereits' }],
		[{ title: 'Conflict', type: 'https://gateway.example/already-exists', detail: 'K-2026/17' }],
		[{ detail: 'duplicate key: Key (belegnummer)=(K-2026/17) already exists' }],
	])('%j', (body) => {
		expect(saysItExists(body, ENTRY)).toBe(true);
		expect(saysItExists(body, DOCUMENT)).toBe(false);
		expect(saysItExists(body)).toBe(false);
	});

	it('by an ID in any case, in the sentence or beside it', () => {
		const message = 'Document with this GUID already exists and cannot be overwritten';
		expect(saysItExists({ id: ID.toUpperCase(), message }, DOCUMENT)).toBe(true);
		expect(saysItExists(message, DOCUMENT)).toBe(false);
		expect(saysItExists({ id: ID.toUpperCase(), code: 'duplicate' }, DOCUMENT)).toBe(true);
		expect(saysItExists(`Dokument ${ID} existiert bereits.`, DOCUMENT)).toBe(true);
	});

	it('by a short number only where it is named as one', () => {
		const short = { field: 'belegnummer', value: '7' };
		expect(saysItExists({ code: 'DUPLICATE', belegnummer: 7 }, short)).toBe(true);
		expect(saysItExists({ code: 'DUPLICATE', retryAfter: 7 }, short)).toBe(false);
		expect(saysItExists('7 duplicate requests', short)).toBe(false);
		expect(saysItExists('Belegnummer 7 existiert bereits', short)).toBe(true);
		expect(saysItExists('Belegnummer 17 existiert bereits', short)).toBe(false);
	});
});

/** What other conflicts are called; `K-2026/17` is the number that was sent. */
const OTHER_CONFLICTS: unknown[] = [
	null,
	7,
	{},
	'Conflict',
	'Conflict: K-2026/17',
	'Das Dokument existiert bereits',
	'Duplikate sind nicht zulässig',
	'Unique constraint violated',
	'Die Belegnummer muss eindeutig sein',
	'Die Belegnummer ist bereits vergeben',
	'Es existieren bereits Buchungen mit späterem Datum',
	'Cash book is already in use',
	'Concurrent update of K-2026/17. Please try again.',
	'Beleg K-2026/17: Konto 1234 ist inaktiv',
	'Beleg K-2026/17 kann nicht gebucht werden. Für diesen Monat existiert bereits ein Abschluss',
	'Beleg K-2026/17: Für diesen Monat existiert bereits ein Abschluss',
	'Entry K-2026/17 rejected: a lock already exists for this cash book',
	'Entry K-2026/170 already exists',
	'Entry AK-2026/17 already exists',
	'Entry K-2026/17.1 already exists',
	'Entry 1.K-2026/17 already exists',
	'Duplicate check of K-2026/17 timed out',
	'K-2026/17 is not a duplicate, but the period is locked',
	'Die Periode wurde bereits an den Steuerberater übermittelt',
	{ code: 'PERIOD_LOCKED', message: 'Beleg K-2026/17 nicht angenommen' },
	{ code: 'DUPLICATE_REQUEST', message: 'The request is already being processed' },
	{ belegnummer: 'K-2026/17', message: 'Für diesen Monat existiert bereits ein Kassenbericht' },
	{ errors: [{ code: 'duplicate', field: 'kassenname' }, { message: 'K-2026/17 ist gesperrt' }] },
	{ message: 'already exists', belegnummer: 'K-2026/18' },
	{ duplicate: true, belegnummer: 'K-2026/17' },
	// What was sent, sent back: its texts can say anything.
	{ message: 'Kasse gesperrt', entry: { belegnummer: 'K-2026/17', belegtext: 'Duplicate of K-2026/17' } },
	{ message: 'Kasse gesperrt', request: { belegnummer: 'K-2026/17', description: 'duplicate' } },
];

it.each(OTHER_CONFLICTS.map((body) => [body]))(
	'an answer 409 is a refusal, and says nothing of the record that was sent: %j',
	(body) => {
		expect(saysItExists(body, ENTRY)).toBe(false);
	},
);

it('a word in the number of the record that was sent says nothing of what the gateway has', () => {
	expect(saysItExists('DUPLICATE-1 ist gesperrt', { field: 'belegnummer', value: 'DUPLICATE-1' })).toBe(
		false,
	);
});

it('an answer 409 of any size and depth is read quickly', () => {
	let deep: unknown = 'K-2026/17 already exists';
	for (let i = 0; i < 100_000; i++) deep = [{ message: deep }];
	const long = {
		message: 'K-2026/17: '.repeat(1_000_000),
		list: Array(1_000_000).fill('bereits'),
		colons: ': duplicate '.repeat(1_000_000),
	};
	const taken = processorTime(() => {
		expect(saysItExists(deep, ENTRY)).toBe(false);
		expect(saysItExists(long, ENTRY)).toBe(false);
	});
	// Of the length squared it would take minutes.
	expect(taken).toBeLessThan(2000);
});
