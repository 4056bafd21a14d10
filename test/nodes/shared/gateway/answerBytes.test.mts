/** An answer is parsed in parts, all the same as JSON.parse would parse it, however much work it is made to be. */
import fc from 'fast-check';
import range from 'lodash/range.js';
import sumBy from 'lodash/sumBy.js';
import { describe, expect, it } from 'vitest';

import { JsonOutline, MAX_KINDS, MAX_VALUES } from '../../../../nodes/shared/gateway/jsonOutline.js';
import { firstOf } from '../../../../scripts/base/extent.mjs';
import { watched } from '../../../support/timing.mjs';
import { answerOf } from '../../../support/answers.mjs';
import { CONSTRUCTED, OF_MANY_KINDS } from '../../../support/constructedAnswers.mjs';

const parsed = async (...pieces: Array<string | Uint8Array>) =>
	(await (await answerOf(...pieces)).json([]))?.value;
/** Comparing texts is quicker than comparing so many values. */
const written = async (...pieces: Array<string | Uint8Array>) => JSON.stringify(await parsed(...pieces));

/** Longer than what is parsed at once. */
const LONG = 'ä€😀\\"\\\\'.repeat(5000);
const many = (text: string, count = 40_000) => Array(count).fill(text).join();

describe('An answer that is parsed in parts', () => {
	it.each<[string, string]>([
		['a bare list', `[${many('{"id":1,"a":[1,"x"]}')}]`],
		[
			'a list in an object, with more beside it',
			`{"a":[1],"data":[${many('{}')}],"svc":{"neuesGuthaben":900}}`,
		],
		['two lists', `{"data":[${many('1.5')}],"more":[${many('null')}],"x":"y"}`],
		['a list in a list in a list', `[1,[2,[${many('3')}],[${many('"4"')}]],5]`],
		[
			'lists that are each long enough',
			`[${Array(5)
				.fill(`[${many('[7]')}]`)
				.join()}]`,
		],
		['a list under the name __proto__', `{"__proto__":[${many('1')}],"b":2}`],
		['a list twice under a name', `{"a":[${many('1')}],"a":[${many('2')}]}`],
		['long texts with brackets, commas and escapes', `[${many(`"[,]{,}\\"${LONG}"`, 10)},"\\\\",[]]`],
		['a list with spaces around everything', ` [ ${many(' 1 ')} , [ ] ] `],
		['a byte order mark', `\ufeff{"data":[${many('true')}]}`],
	])('%s is what JSON.parse makes of it', async (_what, json) => {
		const expected = JSON.stringify(JSON.parse(json.trim()));
		expect((await written(json)) === expected).toBe(true);
		const bytes = Buffer.from(json);
		const third = Math.floor(bytes.length / 3);
		// Pieces may end within a character.
		const pieces = [
			bytes.subarray(0, third + 1),
			bytes.subarray(third + 1, 2 * third),
			bytes.subarray(2 * third),
		];
		expect((await written(...pieces)) === expected).toBe(true);
	});

	it.each<[string, string]>([
		['a comma at the end', `[${many('1')},]`],
		['a comma at the beginning', `[,${many('1')}]`],
		['two commas where it is cut', `[${many('1', 32_768)},,${many('1')}]`],
		['another bracket at the end', `[${many('1')}}`],
		['a bracket too many', `[${many('1')}]]`],
		['a bracket too few', `{"data":[${many('1')}]`],
		['a list as a name', `{[${many('1')}]:1}`],
		['two lists without a comma', `[[${many('1')}][${many('1')}]]`],
		['something behind it', `{"data":[${many('1')}]} x`],
		['a text without an end', `[${many('1')},"a]`],
		['a line break in a text', `[${many('"a\n"')}]`],
		['a number with a zero before it', `[${many('1')},01234567890123456789]`],
	])('is no JSON with %s', async (_what, text) => {
		expect(() => void JSON.parse(text)).toThrow();
		expect(await parsed(text)).toBeUndefined();
	});

	it('keeps numbers that JavaScript would change, and hides secrets, in every part', async () => {
		const row = '{"id":12345678901234567890,"text":"my-secret-\\u006bey","n":1e400}';
		const answer = await answerOf(
			`{"data":[${many(row, 3000)}],"id":12345678901234567890,"my-secret-key":1}`,
		);
		const clean = { id: '12345678901234567890', text: '***', n: '1e400' };
		expect(await answer.json(['my-secret-key'])).toEqual({
			value: { data: Array(3000).fill(clean), id: '12345678901234567890', '***': 1 },
		});
	});

	it('is read as by JSON.parse, whatever it is and wherever its pieces end', async () => {
		const list = fc.array(fc.jsonValue({ noUnicodeString: false }), { maxLength: 5 });
		const sample = fc.tuple(list, fc.nat(), fc.nat(2000));
		await fc.assert(
			fc.asyncProperty(sample, async ([values, at, count]) => {
				const json = JSON.stringify({ data: Array(count).fill(values), values, rest: [[values]] });
				const bytes = Buffer.from(json);
				const cut = at % bytes.length;
				const again = await written(bytes.subarray(0, cut), bytes.subarray(cut));
				expect(again === JSON.stringify(JSON.parse(json))).toBe(true);
			}),
			{ numRuns: 50 },
		);
	});
});

it('A name is the same one wherever pieces end, so that a long list of equal objects is no work', () => {
	const bytes = Buffer.from(`[${many('{"name" : 1, "other\\"name":"x"}', 1000)}]`);
	for (const size of [1, 2, 3, 7, 1000]) {
		const outline = new JsonOutline();
		for (let at = 0; at < bytes.length; at += size) outline.read(bytes.subarray(at, at + size));
		expect(outline).toMatchObject({ kinds: 2, values: 3000, isClosed: true });
	}
});

/** Not a limit of speed: each night, the largest answers are read on a busy machine. */
const NIGHTLY_MS = 600_000;

/** What n8n may be held up by an answer, and grow: milliseconds, megabytes, and bytes of memory for each of the answer. */
const GOALS = { blocked: 500, memory: 300, perByte: 4 };
const MAKERS = [
	...firstOf(2, Object.entries(CONSTRUCTED)).map(([what, make]) => ({ what, make, limit: MAX_VALUES })),
	...firstOf(2, Object.entries(OF_MANY_KINDS)).map(([what, make]) => ({ what, make, limit: MAX_KINDS })),
];
const piecesOf = (json: string) => {
	const bytes = Buffer.from(json);
	return range(0, bytes.length, 16_384).map((at) => bytes.subarray(at, at + 16_384));
};

describe.each(MAKERS)('An answer of $what', ({ make, limit }) => {
	it(
		'just within the limits holds n8n up for half a second at most, and takes little memory',
		async () => {
			const pieces = piecesOf(make(limit - 1000));
			const { result, blocked, memory } = await watched(async () => await parsed(...pieces));
			expect(result).toBeDefined();
			expect(blocked, 'milliseconds').toBeLessThan(GOALS.blocked);
			const bytes = sumBy(pieces, 'length');
			expect(memory, 'MB').toBeLessThan(Math.max(GOALS.memory, (GOALS.perByte * bytes) / 1e6));
		},
		NIGHTLY_MS,
	);

	it(
		'beyond the limits is read no further',
		async () => {
			await expect(parsed(...piecesOf(make(limit * 1.1)))).rejects.toMatchObject({
				code: 'ANSWER_TOO_LARGE',
			});
		},
		NIGHTLY_MS,
	);
});
