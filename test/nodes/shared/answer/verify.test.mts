/** Whether an answer is about the record that was sent; what the operations say of their records: conformance/otherRecord. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { sameNumber, sameText } from '../../../../nodes/shared/answer/same.js';
import {
	contradiction,
	listOf,
	oneOf,
	openListOf,
	type RecordKind,
	PRESENT,
} from '../../../../nodes/shared/answer/verify.js';
import { listed } from '../../../../nodes/shared/values/bilingual.js';
import { partial } from '../../../../tools/partial.mjs';

const ENTRY: RecordKind = {
	name: 'an entry',
	fields: { nummer: sameText, betrag: sameNumber, status: PRESENT },
};
const SENT = { nummer: 'K-1', betrag: 12.5, status: 'neu' };
const LINES: RecordKind = { name: 'lines', fields: { nummer: sameText } };
const WITH_LINES: RecordKind = { ...ENTRY, lists: { zeilen: LINES } };
const svc = { neuesGuthaben: 7 };

describe('a record', () => {
	it.each<[string, unknown]>([
		['with all that was sent', { nummer: 'K-1', betrag: '12,50', status: 'neu' }],
		['with one of its fields', { nummer: 'K-1' }],
		['under data', { data: { betrag: 12.5 }, svc }],
		['that shows a field which is not compared', { status: 'gebucht' }],
		['with fields that have no value', { nummer: '', betrag: null, status: 'neu' }],
		['with a value where nothing was sent', { nummer: 'K-1', other: 7 }],
	])('%s is the one that was sent', (_what, body) => {
		expect(oneOf(ENTRY).problem(body, SENT)).toBeUndefined();
	});

	it('is compared with no more than was sent', () => {
		expect(
			oneOf(ENTRY).problem({ nummer: 'K-2', betrag: 1 }, { nummer: '', betrag: undefined }),
		).toBeUndefined();
	});

	it.each<[unknown, string]>([
		[{ nummer: 'K-2', betrag: 12.5 }, 'has the nummer "K-2" instead of "K-1"'],
		[{ nummer: 'K-1', betrag: -12.5 }, 'has the betrag -12.5 instead of 12.5'],
		[{ data: { betrag: '12,51' } }, 'has the betrag "12,51" instead of 12.5'],
	])('%j is another one', (body, problem) => {
		expect(oneOf(ENTRY).problem(body, SENT)).toBe(problem);
	});

	it('shows the beginning of a long value, and nothing of one without a text', () => {
		const long = oneOf(ENTRY).problem({ nummer: 'x'.repeat(500) }, SENT);
		expect(long).toBe(`has the nummer "${'x'.repeat(99)} instead of "K-1"`);
		const never: RecordKind = { name: 'an entry', fields: { nummer: () => false } };
		expect(contradiction(partial<IDataObject>({ nummer: () => {} }), never, SENT)).toBe(
			'has the nummer  instead of "K-1"',
		);
	});

	it.each<[unknown, string]>([
		[null, 'has none of the fields of an entry'],
		[{}, 'has none of the fields of an entry'],
		[[], 'has none of the fields of an entry'],
		[{ nummer: '', betrag: null }, 'has none of the fields of an entry'],
		[{ other: 1 }, 'has none of the fields of an entry'],
		['Wird erstellt', 'has none of the fields of an entry, but says “Wird erstellt”'],
		[{ data: 'Wird erstellt' }, 'has none of the fields of an entry, but says “Wird erstellt”'],
		[{ message: 'Wird erstellt', other: 1 }, 'has none of the fields of an entry, but says “Wird erstellt”'],
		[{ data: { message: 'Läuft' } }, 'has none of the fields of an entry, but says “Läuft”'],
		[{ data: { other: 'x' } }, 'has none of the fields of an entry'],
		[7, 'has none of the fields of an entry'],
	])('%j is none', (body, problem) => {
		expect(oneOf(ENTRY).problem(body, SENT)).toBe(problem);
	});

	it('is shown by the fields that the operation names, and lacks what it says', () => {
		const kind: RecordKind = { ...ENTRY, shownBy: ['betrag'], lacks: 'has no amount' };
		expect(oneOf(kind).problem({ nummer: 'K-1' }, SENT)).toBe('has no amount');
		expect(oneOf(kind).problem({ nummer: 'K-1', betrag: 12.5 }, SENT)).toBeUndefined();
	});

	it.each<[unknown, string | undefined]>([
		[undefined, undefined],
		['none', undefined],
		[[], undefined],
		[[{ nummer: 'K-1' }], undefined],
		[[{ other: 1 }, { nummer: 'K-1' }], undefined],
		[[{ nummer: 'K-1' }, { nummer: 'K-2' }], 'has the nummer "K-2" instead of "K-1"'],
		[[{ other: 1 }], 'has a list without any lines'],
	])('with the lines %j', (zeilen, problem) => {
		expect(oneOf(WITH_LINES).problem({ nummer: 'K-1', zeilen }, SENT)).toBe(problem);
	});
});

describe('a list', () => {
	it.each<[string, unknown, string | undefined]>([
		['bare', [{ nummer: 'K-1' }], undefined],
		['under data', { data: [{ nummer: 'K-1' }], svc }, undefined],
		['empty', [], undefined],
		['with one usable entry', [null, 'x', { nummer: 'K-1' }], undefined],
		['of something else', [{ other: 1 }, 7], 'has a list without any lines'],
		['of something else, once', { data: [{ nummer: null }] }, 'has a list without any lines'],
		['with another record', [{ nummer: 'K-1' }, { nummer: 'K-2' }], 'has the nummer "K-2" instead of "K-1"'],
		['that is none', { nummer: 'K-1' }, 'holds no list of lines'],
		['of which there is only talk', { message: 'Zu viele' }, 'holds no list of lines, but says “Zu viele”'],
		['without content', null, 'holds no list of lines'],
	])('%s', (_what, body, problem) => {
		expect(listOf(LINES).problem(body, SENT)).toBe(problem);
	});

	it('is compared with nothing where nothing was asked for', () => {
		expect(listOf(LINES).problem([{ nummer: 'K-2' }], {})).toBeUndefined();
	});

	it.each<[string, unknown, string | undefined]>([
		['of names', ['a'], undefined],
		['of numbers', [0], undefined],
		['of records', { entries: [{ a: 1 }] }, undefined],
		['empty', [], undefined],
		['with one usable entry', [{}, null, 'a'], undefined],
		['of nothing', [{}, null, true, []], 'has a list without any companies'],
		['that is none', { data: 'Zu viele' }, 'holds no list of companies, but says “Zu viele”'],
	])('whose shape is open, %s', (_what, body, problem) => {
		expect(openListOf('companies').problem(body, {})).toBe(problem);
	});

	it.each<[unknown, string | undefined]>([
		[[{ nummer: 'K-1' }], undefined],
		[{ nummer: 'K-1' }, undefined],
		[
			{ data: [{ other: 1 }, { nummer: 'K-1' }, 7] },
			"the gateway's list of lines has invalid entries: no. 1, 3",
		],
	])('%j: names the entries that are no records', (body, warning) => {
		expect(listOf(LINES).strange!(body)?.en).toBe(warning);
	});

	it('names ten, and how many more there are', () => {
		const names = Array.from({ length: 12 }, (_, i) => `${i}`);
		expect(listed(names.slice(0, 10))).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9');
		expect(listed(names)).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more');
		expect(listed(names, 'de')).toBe('0, 1, 2, 3, 4, 5, 6, 7, 8, 9 und 2 weitere');
	});
});
