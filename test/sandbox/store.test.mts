import { expect, it } from 'vitest';
import { keepLast, MAX_RECORDS, Store } from '../../sandbox/store.mjs';

it('a list of records in the sandbox’s store keeps only the last ones', () => {
	const list: number[] = [];
	for (let i = 1; i <= MAX_RECORDS + 2; i++) keepLast(list, i);
	expect([list.length, list[0], list.at(-1)]).toEqual([MAX_RECORDS, 3, MAX_RECORDS + 2]);
});

it('the sandbox’s store counts each kind separately, and knows the last number', () => {
	const store = new Store();
	expect(store.lastNumber('a')).toBe(0);
	expect([store.nextNumber('a'), store.nextNumber('a'), store.nextNumber('b')]).toEqual([1, 2, 1]);
	expect([store.lastNumber('a'), store.lastNumber('b')]).toEqual([2, 1]);
});

it('the sandbox’s store has every slice once', () => {
	const store = new Store();
	store.addSlice('a', () => 1);
	expect(() => store.addSlice('a', () => 2)).toThrow('already exists');
});
