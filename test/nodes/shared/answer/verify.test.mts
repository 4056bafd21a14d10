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
	unconfirmed,
} from '../../../../nodes/shared/answer/verify.js';
import type { Endpoint } from '../../../../nodes/shared/gateway/index.js';
import { both, listed } from '../../../../nodes/shared/values/bilingual.js';
import { partial } from '../../../../host/partial.mjs';

const ENTRY: RecordKind = {
	name: both('an entry', 'eines Eintrags'),
	fields: { nummer: sameText, betrag: sameNumber, status: PRESENT },
};
const SENT = { nummer: 'K-1', betrag: 12.5, status: 'neu' };
const LINES: RecordKind = { name: both('lines', 'der Zeilen'), fields: { nummer: sameText } };

it('An answer that our own code fails to read proves nothing: a write is unknown, a read failed', () => {
	const answer = {
		problem: () => {
			throw new Error('a defect of ours');
		},
	};
	const outcomeOf = (endpoint: Endpoint) => unconfirmed({ id: 'K-1' }, { endpoint }, answer)?.outcome;
	expect(outcomeOf('POST /v2/acct-duo/kassenbuch-advanced')).toBe('unknown');
	expect(outcomeOf('GET /v2/acct-duo/kassenbuecher')).toBe('failed');
});

describe('a record', () => {
	it('shows the beginning of a long value, and nothing of one without a text', () => {
		const long = oneOf(ENTRY).problem({ nummer: 'x'.repeat(500) }, SENT);
		expect(long?.en).toBe(`has the nummer "${'x'.repeat(99)} instead of "K-1"`);
		const never: RecordKind = { name: both('an entry', 'eines Eintrags'), fields: { nummer: () => false } };
		expect(contradiction(partial<IDataObject>({ nummer: () => {} }), never, SENT)?.en).toBe(
			'has the nummer  instead of "K-1"',
		);
	});

	it('is shown by the fields that the operation names, and lacks what it says', () => {
		const kind: RecordKind = {
			...ENTRY,
			shownBy: ['betrag'],
			lacks: both('has no amount', 'hat keinen Betrag'),
		};
		expect(oneOf(kind).problem({ nummer: 'K-1' }, SENT)?.en).toBe('has no amount');
		expect(oneOf(kind).problem({ nummer: 'K-1', betrag: 12.5 }, SENT)).toBeUndefined();
	});
});

describe('a list', () => {
	it.each<[string, unknown, string | undefined]>([
		['of names', ['a'], undefined],
		['of numbers', [0], undefined],
		['of records', { entries: [{ a: 1 }] }, undefined],
		['with one usable entry', [{}, null, 'a'], undefined],
		['of nothing', [{}, null, true, []], 'has a list without any companies'],
	])('whose shape is open, %s', (_what, body, problem) => {
		expect(openListOf(both('companies', 'der Mandanten')).problem(body, {})?.en).toBe(problem);
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
