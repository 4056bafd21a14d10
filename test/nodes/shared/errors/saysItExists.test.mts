/** Product rule: the number is the subject before "already exists" at the end of the clause, or beside an exact code. */
import { describe, expect, it } from 'vitest';

import { saysItExists } from '../../../../nodes/shared/errors/saysItExists.js';
import { processorTime } from '../../../../tools/timing.mjs';

const ID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const ENTRY = { field: 'belegnummer', value: 'K-2026/17' };
const DOCUMENT = { field: 'id', value: ID };
const says = (body: unknown, identity = ENTRY, status = 409) => saysItExists(status, body, identity);

describe('a refusal says that the gateway has the very record', () => {
	it.each<[unknown]>([
		['Beleg K-2026/17 existiert bereits'],
		['K-2026/17 bereits vorhanden'],
		['Abgelehnt: K-2026/17 ist bereits vorhanden.'],
		[{ message: 'An entry with the belegnummer "k-2026/17" already exists.' }],
		[{ message: 'Der Beleg wurde abgelehnt. Die Nummer K-2026/17 ist bereits vorhanden. Bitte prüfen.' }],
		[{ message: 'Nicht gebucht, der Beleg mit der Nummer „K-2026/17“ existiert bereits!' }],
		[{ detail: 'Key (belegnummer)=(K-2026/17) already exists.' }],
		[{ error: "Duplicate entry 'K-2026/17' for key 'belegnummer'" }],
		[{ error: { message: 'duplicate key: K-2026/17' } }],
		['Duplicate number K-2026/17'],
		['duplicate ID "K-2026/17"'],
		['DUPLICATE: K-2026/17'],
		[{ errors: { belegnummer: ['K-2026/17 existiert bereits'] } }],
		[{ code: 'ALREADY_EXISTS', belegnummer: 'K-2026/17' }],
		[{ error: { code: 'DUPLICATE', message: 'Conflict', details: { belegnummer: 'k-2026/17' } } }],
		[{ errors: [{ field: 'belegnummer', rejectedValue: 'K-2026/17', code: 'duplicate' }] }],
		[{ error: 'already-exists', belegnummer: 'K-2026/17' }],
		...['ENTRY', 'RECORD', 'DOCUMENT', 'ID', 'KEY', 'NUMBER'].flatMap(
			(thing): Array<[unknown]> => [
				[{ code: `${thing}_ALREADY_EXISTS`, belegnummer: 'K-2026/17' }],
				[{ errorCode: `DUPLICATE_${thing}`, belegnummer: 'K-2026/17' }],
			],
		),
		[{ code: 'EntryAlreadyExists', belegnummer: 'K-2026/17' }],
	])('%j', (body) => {
		const statuses = [200, 400, 401, 403, 404, 409, 422, 423, 500];
		expect(
			statuses.filter((status) => says(body, ENTRY, status)),
			'the statuses with which it counts',
		).toEqual([400, 409, 422]);
		expect(says(body, { ...ENTRY, value: 'K-2026/1' }), 'of another number').toBe(false);
		// An advanced entry has no number.
		expect(saysItExists(409, body), 'of an entry without a number').toBe(false);
		expect(says(body, { field: '', value: '' }), 'of an empty number').toBe(false);
	});

	it.each<[unknown, string, boolean]>([
		[{ code: 'DUPLICATE', belegnummer: 7 }, '7', true],
		[{ code: 'DUPLICATE', retryAfter: 7 }, '7', false],
		['Duplicate 7 requests', '7', false],
		['Belegnummer 7 existiert bereits', '7', true],
		['Kassenabschluss 7 existiert bereits', '7', false],
		['Belegnummer 17 existiert bereits', '7', false],
		['Das Geschäftsjahr 2026 existiert bereits', '2026', false],
		['Die Belegnummer 2026 existiert bereits', '2026', true],
	])('%j, by the short number %s, which is named as one: %s', (body, value, isNamed) => {
		expect(says(body, { field: 'belegnummer', value })).toBe(isNamed);
	});

	it.each<[unknown]>([
		[{ id: ID.toUpperCase(), code: 'duplicate' }],
		[`Dokument ${ID.toUpperCase()} existiert bereits.`],
	])('%j, by an ID in any case', (body) => {
		expect(says(body, DOCUMENT)).toBe(true);
	});
});

/** What else gateways say; `K-2026/17` is the number that was sent. */
const SOMETHING_ELSE: unknown[] = [
	// It is about the closing, the period, or another record.
	'Beleg K-2026/17 abgelehnt, Kassenabschluss bereits vorhanden',
	{ code: 'CLOSING_ALREADY_EXISTS', belegnummer: 'K-2026/17' },
	{ code: 'ALREADY_EXISTS_CLOSING', belegnummer: 'K-2026/17', message: 'Tag abgeschlossen' },
	'Beleg K-2026/17: Kassenabschluss existiert bereits',
	'Für K-2026/17 existiert bereits ein Kassenabschluss',
	'Eine Sperre für K-2026/17 existiert bereits',
	'A lock for K-2026/17 already exists.',
	'Für den Tag des Belegs K-2026/17 ist ein Abschluss bereits vorhanden',
	'Entry K-2026/17 rejected: a lock already exists for this cash book',
	'Beleg K-2026/17 kann nicht gebucht werden. Für diesen Monat existiert bereits ein Abschluss',
	{ belegnummer: 'K-2026/17', message: 'Für diesen Monat existiert bereits ein Kassenbericht' },
	{ belegnummer: 'K-2026/17', message: 'Diese Nummer existiert bereits' },
	'Entry K-2026/170 already exists',
	'Entry AK-2026/17 already exists',
	'Entry K-2026/17.1 already exists',
	'Entry 1.K-2026/17 already exists',
	// It is the number, but not the entry as it was sent.
	'K-2026/17 existiert bereits als Entwurf',
	'K-2026/17 already exists with a different amount',
	'K-2026/17 already exists, but with a different amount',
	'K-2026/17 existiert bereits, jedoch mit anderem Betrag',
	'K-2026/17 already exists (as a draft)',
	'K-2026/17 already exists?',
	'Beleg K-2026/17 bereits vorhanden in einer anderen Kasse',
	'Eine Stornierung von K-2026/17 ist bereits vorhanden',
	"It couldn't be checked whether K-2026/17 already exists",
	'Not a duplicate: K-2026/17. The period is locked',
	'K-2026/17 is not a duplicate, but the period is locked',
	'Duplicate check of K-2026/17 timed out',
	'Possible duplicate of K-2026/17',
	{ code: 'DUPLICATE_REQUEST', message: 'The request is already being processed', belegnummer: 'K-2026/17' },
	{ code: 'DUPLICATE_CHECK_FAILED', belegnummer: 'K-2026/17' },
	{ code: 'NOT_DUPLICATE', belegnummer: 'K-2026/17' },
	// The number stands elsewhere.
	{ code: 'DUPLICATE', message: 'Konflikt: K-2026/17' },
	{ errors: [{ code: 'duplicate', field: 'kassenname' }, { message: 'K-2026/17 ist gesperrt' }] },
	{ errors: [{ code: 'duplicate', field: 'kassenname', value: 'Haupt' }, { belegnummer: 'K-2026/17' }] },
	{ code: 'ALREADY_EXISTS', closing: 'K-2026/17' },
	{ code: 'ALREADY_EXISTS', belegnummer: 'K-2026/18' },
	{ message: 'already exists', belegnummer: 'K-2026/17' },
	{ duplicate: true, belegnummer: 'K-2026/17' },
	{ title: 'Conflict', type: 'https://gateway.example/already-exists', detail: 'K-2026/17' },
	// What was sent, sent back: its texts can say anything.
	{ message: 'Kasse gesperrt', entry: { belegnummer: 'K-2026/17', belegtext: 'Duplicate K-2026/17' } },
	{ message: 'Kasse gesperrt', request: { belegnummer: 'K-2026/17', description: 'duplicate' } },
	// Nothing says that it exists.
	null,
	7,
	{},
	'Conflict: K-2026/17',
	'Das Dokument existiert bereits',
	'Unique constraint violated',
	'Die Belegnummer ist bereits vergeben',
	'Concurrent update of K-2026/17. Please try again.',
	{ code: 'PERIOD_LOCKED', message: 'Beleg K-2026/17 nicht angenommen' },
];

it.each(SOMETHING_ELSE.map((body) => [body]))('a refusal says something else: %j', (body) => {
	const counted = [400, 409, 422].filter((status) => says(body, ENTRY, status));
	expect(counted, 'the statuses with which it counts').toEqual([]);
});

it('a word in the number of the record that was sent says nothing of what the gateway has', () => {
	expect(says('DUPLICATE-1 ist gesperrt', { field: 'belegnummer', value: 'DUPLICATE-1' })).toBe(false);
});

it('a refusal of any size and depth is read quickly', () => {
	let deep: unknown = 'K-2026/17 already exists';
	for (let i = 0; i < 100_000; i++) deep = [{ message: deep }];
	const long = {
		message: 'K-2026/17: '.repeat(1_000_000),
		list: Array(1_000_000).fill('bereits'),
		colons: ': duplicate '.repeat(1_000_000),
	};
	const taken = processorTime(() => {
		expect(says(deep)).toBe(false);
		expect(says(long)).toBe(false);
	});
	// Of the length squared it would take minutes.
	expect(taken).toBeLessThan(2000);
});
