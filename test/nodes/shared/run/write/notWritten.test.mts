import { describe, expect, it } from 'vitest';

import type { Failure } from '../../../../../nodes/shared/errors/index.js';
import {
	EARLIER_ATTEMPT,
	FROM_MEMORY,
	NO_MEMORY,
	rejected,
	SAME_RECORD,
} from '../../../../../nodes/shared/run/write/notWritten.js';
import { both } from '../../../../../nodes/shared/values/index.js';

const FAILURE: Failure = {
	outcome: 'refused',
	message: both('the cause', 'die Ursache'),
	description: both('', ''),
};
const failureOf = (one: Failure | { failure: Failure }): Failure => ('failure' in one ? one.failure : one);

/** What the sentences that take something are given, which they must then say. */
const TOLD = {
	full: NO_MEMORY.full({ held: 4711, added: 815 }),
	silent: NO_MEMORY.silent(new Error('the cause')),
	'once more': rejected(FAILURE.message, true),
	'not again': rejected(FAILURE.message, false),
	elsewhere: failureOf(EARLIER_ATTEMPT.elsewhere('the cause')),
	...Object.fromEntries(
		(['refused', 'unknown', 'incomplete'] as const).map((outcome) => [
			`again ${outcome}`,
			failureOf(
				EARLIER_ATTEMPT.again({
					...FAILURE,
					outcome,
					description: both('Look it up in the books.', 'Sehen Sie in den Büchern nach.'),
				}),
			),
		]),
	),
} satisfies Record<string, Failure>;

/** Every sentence of the tables, by table and name: two tables have an `incomplete`. */
const ALL: Array<[name: string, failure: Failure]> = [
	...Object.entries({ SAME_RECORD, FROM_MEMORY, NO_MEMORY, EARLIER_ATTEMPT }).flatMap(([table, sentences]) =>
		Object.entries(sentences)
			.filter(([name]) => !(name in TOLD) && name !== 'again')
			.map(([name, one]): [string, Failure] => [
				`${table}.${name}`,
				failureOf(typeof one === 'function' ? one() : one),
			]),
	),
	['SAME_RECORD.unknown, remembered', failureOf(SAME_RECORD.unknown(true))],
	...Object.entries<Failure>(TOLD),
];

describe('A record that was not written, or may have been', () => {
	it.each(ALL)('is told of in whole sentences in both languages: %s', (_, told) => {
		for (const part of ['message', 'description'] as const) {
			const { en, de } = told[part];
			for (const text of [en, de]) expect(text).toMatch(/^(?:\p{Lu}|n8n)[^]{14,}/u);
			expect(en).not.toBe(de);
			expect(en + de).not.toMatch(/undefined|\[object| {2}|\.\./);
			if (part === 'description') expect([en.at(-1), de.at(-1)]).toEqual(['.', '.']);
		}
	});

	it.each(Object.entries(TOLD))(
		'is told of with the cause or the numbers: %s',
		(_, { message, description }) => {
			for (const text of [message.en + description.en, message.de + description.de])
				expect(text).toMatch(/the cause|die Ursache|4711.*815|815.*4711/s);
		},
	);

	it('is told to be kept out of a new run only where that would send it', () => {
		const [once, not] = [rejected(FAILURE.message, true), rejected(FAILURE.message, false)];
		for (const language of ['en', 'de'] as const)
			expect(once.description[language].length).toBeGreaterThan(not.description[language].length + 20);
	});

	it('counts as remembered where the next run knows it', () => {
		const remembered = Object.values(FROM_MEMORY).map((one) => failureOf(one).remembered);
		expect(remembered).toEqual([true, true, true]);
		expect(failureOf(SAME_RECORD.unknown(true)).remembered).toBe(true);
		expect(failureOf(SAME_RECORD.unknown()).remembered).toBeUndefined();
	});
});
