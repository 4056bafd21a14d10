/** Answers that are made to be as much work as they can be, each a maker for a number of values. */

const joined = (count: number, entry: (n: number) => string) =>
	Array.from({ length: count }, (_, n) => entry(n)).join();
const listed = (count: number, entry: (n: number) => string) => `{"data":[${joined(count, entry)}]}`;
const chain = (open: string, inner: string, close: string) => open.repeat(97) + inner + close.repeat(97);

/** Makers of JSON with about so many values (`{`, `[` and `,`). */
export const CONSTRUCTED: Record<string, (values: number) => string> = {
	'empty objects': (values) => listed(values / 2, () => '{}'),
	'different texts': (values) => listed(values, (n) => `"s${n}"`),
	'empty lists': (values) => listed(values / 2, () => '[]'),
	'whole numbers': (values) => listed(values, () => '1'),
	fractions: (values) => listed(values, () => '1.5'),
	'numbers that JavaScript would change': (values) => listed(values, (n) => `1234567890123456789${n}`),
	'texts with escapes': (values) => listed(values, (n) => `"\\u00e4${n}"`),
	'objects with one name': (values) => listed(values / 2, () => '{"id":1}'),
	'objects with many equal names': (values) =>
		listed(values / 21, () => `{${joined(20, (n) => `"name${n}":0`)}}`),
	'nested lists': (values) => listed(values / 98, () => chain('[', '', ']')),
	'nested objects': (values) => listed(values / 98, () => chain('{"a":', '0', '}')),
	'a list in a list': (values) => `{"data":[[${joined(values, () => '0')}]]}`,
	'a list beside the list': (values) => `{"data":[],"more":[${joined(values / 2, () => '{}')}]}`,
};

/** The same for kinds of objects, of which an answer has fewer. */
export const OF_MANY_KINDS: Record<string, (kinds: number) => string> = {
	'an object of different names': (kinds) => `{"data":[{${joined(kinds, (n) => `"s${n}":0`)}}]}`,
	'objects of twenty different names': (kinds) =>
		listed(kinds / 20, (n) => `{${joined(20, (one) => `"s${n}_${one}":0`)}}`),
	'objects of different names': (kinds) => listed(kinds, (n) => `{"s${n}":0}`),
	'numbers as names': (kinds) => `{"data":[{${joined(kinds, (n) => `"${n * 1000}":0`)}}]}`,
};
