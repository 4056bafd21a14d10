import { describe, expect, it } from 'vitest';

import { shortened, ValueReader } from '../../../../nodes/shared/eInvoice/values.js';
import { XmlElement } from '../../../../nodes/shared/eInvoice/xml.js';

const element = (text: string, attributes: Record<string, string> = {}) => {
	const one = new XmlElement('cbc:Any', new Map(Object.entries(attributes)));
	one.text = text;
	return one;
};
const amount = (text: string, currencyID?: string) =>
	element(text, currencyID === undefined ? {} : { currencyID });

/** What a reader makes of something, and what it can't read. */
function read<T>(reading: (values: ValueReader) => T, currency: string | null = 'EUR') {
	const values = new ValueReader(currency);
	return [reading(values), ...values.unreadable];
}

describe('an amount', () => {
	it.each([
		['1', 1],
		[' +1.50\n', 1.5],
		['1.', 1],
		['.5', 0.5],
		['-0', 0],
		['000000000000000123456789012345', 123456789012345],
		['0.00000000000001', 1e-14],
		['', null],
		['  ', null],
	])('%o is read', (text, value) => {
		expect(read((values) => values.amount(amount(text), 'the tax'))).toEqual([value]);
	});

	it.each(['1,5', '.', '1 5', '1e2', 'x1', '1x', '1234567890123456', '12345678901234.56'])(
		'%s is none',
		(text) => {
			expect(read((values) => values.amount(amount(text), 'the tax'))).toEqual([
				null,
				expect.stringContaining(`the tax is "${text}", which isn't an amount`),
			]);
		},
	);

	it('that is not there is none', () => {
		expect(read((values) => values.amount(undefined, 'the tax'))).toEqual([null]);
	});
});

describe('a total', () => {
	const total = (...elements: XmlElement[]) => read((values) => values.total(elements, 'the tax'));

	it('is the first one in the currency of the invoice', () => {
		expect(total(amount('1', 'SEK'), amount('2', ' EUR '), amount('3', 'EUR'))).toEqual([2]);
		expect(total(amount('1', 'SEK'), amount('2'))).toEqual([2]);
		expect(total(amount('1', 'SEK'), amount('2', ' '))).toEqual([2]);
		expect(total()).toEqual([null]);
	});

	it('in another currency is named with it', () => {
		expect(total(amount('1', 'SEK'), amount('2', 'NOK'))).toEqual([
			null,
			expect.stringContaining("the tax is in SEK, but the invoice's currency is EUR"),
		]);
	});

	it('may be in any currency where the invoice names none', () => {
		expect(read((values) => values.total([amount('1', 'SEK')], 'the tax'), null)).toEqual([1]);
	});
});

describe('a day', () => {
	it.each([
		['2026-11-03', undefined, '2026-11-03'],
		[' 2026-11-03 ', undefined, '2026-11-03'],
		['2026-11-03T23:30:00', undefined, '2026-11-03'],
		['2026-11-03T23:30:00.5-11:00', undefined, '2026-11-03'],
		['2026-11-03Z', '102', '2026-11-03'],
		['20261103', undefined, '2026-11-03'],
		['20261103', '102', '2026-11-03'],
		['202611032359', '203', '2026-11-03'],
		['20261103235959', '204', '2026-11-03'],
		['202611032330+0100', '205', '2026-11-03'],
		['202611032330+1200', '303', '2026-11-03'],
		['20261103', '610', '2026-11-03'],
		['', '102', null],
	])('%o in the format %s is read', (text, format, day) => {
		expect(read((values) => values.date(element(text), 'the due date', format))).toEqual([day]);
	});

	it.each([
		['2026-02-30', undefined],
		['2026-11-3', undefined],
		['x2026-11-03', undefined],
		['2026-11-03 10:00', undefined],
		['202611', '610'],
		['2026110', undefined],
		['202611031', undefined],
		['20261103', '203'],
	])('%o in the format %s is none', (text, format) => {
		expect(read((values) => values.date(element(text), 'the due date', format))).toEqual([
			null,
			expect.stringContaining(`the due date is "${text}", which isn't a date`),
		]);
	});

	it('of CII stands in an element with a format, or by itself', () => {
		const within = element('');
		within.children.push(element('202611032359', { format: '203' }));
		for (const one of [within, element('202611032359', { format: '203' })]) {
			expect(read((values) => values.ciiDate(one, 'the due date'))).toEqual(['2026-11-03']);
		}
		expect(read((values) => values.ciiDate(undefined, 'the due date'))).toEqual([null]);
	});
});

it('a text in a sentence has at most 40 characters', () => {
	expect(shortened('x'.repeat(40))).toBe('x'.repeat(40));
	expect(shortened('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
});
