import { describe, expect, it } from 'vitest';

import {
	flat,
	isEmptyList,
	listIn,
	recordOf,
	recordsOf,
	recordsOfList,
	rowsOf,
	untouched,
} from '../../../../nodes/shared/answer/records.js';

const svc = { neuesGuthaben: 7 };

describe('the list in an answer', () => {
	it.each<[string, unknown, unknown[] | undefined]>([
		['bare', [1], [1]],
		['under data', { data: [1], other: [2] }, [1]],
		['not there when data is null', { data: null, other: [2] }, undefined],
		['not one of messages', { status: 'LAEUFT', meldungen: [{ nachricht: 'Bitte warten' }] }, undefined],
		['below data', { data: { entries: [1] }, other: [2] }, [1]],
		['the only one there is', { total: 1, entries: [1], svc }, [1]],
		['not to be told from another one', { entries: [1], others: [2] }, undefined],
		['not there', { total: 1 }, undefined],
		['nothing', null, undefined],
		['a text', 'OK', undefined],
		['beside a text under data', { data: 'OK', entries: [1] }, [1]],
	])('%s: %j', (_where, body, list) => {
		expect(listIn(body)).toEqual(list);
	});
});

describe('the records of an answer', () => {
	it.each<[string, unknown, object[]]>([
		['without content', null, []],
		['that is a list', [{ a: 1 }, 2, null, [3]], [{ a: 1 }, { value: 2 }, { value: null }, { value: [3] }]],
		['that is a text', 'OK', [{ value: 'OK' }]],
		['with a list under data', { data: [{ a: 1 }, 2], svc }, [{ a: 1 }, { value: 2 }]],
		['with a record under data', { data: { a: 1 }, svc }, [{ a: 1 }]],
		['with an empty list under data', { data: [], total: 0, svc }, []],
		['with nothing under data', { data: null, svc }, [{ data: null }]],
		['that is the record, beside an empty data', { data: {}, a: 1, svc }, [{ data: {}, a: 1 }]],
		['with a text under data', { data: 'x', svc }, [{ data: 'x' }]],
		['that is the record, beside the balance', { a: null, b: { c: 1 }, svc }, [{ a: null, b: { c: 1 } }]],
	])('%s', (_what, body, records) => {
		expect(recordsOf(body)).toEqual(records);
	});

	it('is the first one where one is asked for, or an empty one', () => {
		expect([recordOf([{ a: 1 }, { a: 2 }]), recordOf(null)]).toEqual([{ a: 1 }, {}]);
		expect(recordOf({ data: [], a: 1, svc })).toEqual({ data: [], a: 1 });
	});

	it('are those of the list, or of the answer where there is none', () => {
		expect(recordsOfList()({ entries: [{ a: 1 }, 2], svc })).toEqual([{ a: 1 }, { value: 2 }]);
		expect(recordsOfList()({ a: 1, svc })).toEqual([{ a: 1 }]);
	});

	it('are as received on request', () => {
		expect(untouched({ data: [1], svc })).toEqual([{ data: [1], svc }]);
		expect(untouched([{ a: 1 }, 2])).toEqual([{ a: 1 }, { value: 2 }]);
		expect(untouched('OK')).toEqual([{ value: 'OK' }]);
		expect(untouched(null)).toEqual([]);
	});
});

describe('rows', () => {
	it("repeat their parent's own fields, and their own come behind", () => {
		const parents = [
			{ konto: '1000', posten: [{ saldo: 1 }, { saldo: 2 }, 3] },
			{ konto: '1200', posten: [] },
			{ konto: '1400', posten: null },
			{ konto: '1600' },
		];
		expect(rowsOf(parents, 'posten')).toEqual([
			{ konto: '1000', saldo: 1 },
			{ konto: '1000', saldo: 2 },
			{ konto: '1000', value: 3 },
		]);
	});

	it.each<[unknown, boolean]>([
		[[], true],
		[undefined, true],
		[null, true],
		['', true],
		[{ length: 1 }, true],
		[[0], false],
	])('come of the list %j or not', (list, isEmpty) => {
		expect(isEmptyList(list)).toBe(isEmpty);
	});

	it('have a field named "__proto__" as any other, which can be changed and removed', () => {
		const parent = JSON.parse('{"__proto__":{"a":1},"b":2,"posten":[{"c":3}]}');
		for (const row of [...rowsOf([parent], 'posten'), flat(parent, [])]) {
			expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
			expect(Object.getOwnPropertyDescriptor(row, '__proto__')).toEqual({
				value: { a: 1 },
				writable: true,
				enumerable: true,
				configurable: true,
			});
		}
	});

	it('have a column for each field of a group, which has its name unless that is taken', () => {
		const record = { kost1: 'own', stellen: { kost1: 1, kost2: 2 }, leer: null, text: 'x', other: { a: 1 } };
		expect(flat(record, ['stellen', 'leer', 'text'])).toEqual({
			kost1: 'own',
			stellen_kost1: 1,
			kost2: 2,
			text: 'x',
			other: { a: 1 },
		});
	});
});
