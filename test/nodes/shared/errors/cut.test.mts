import fc from 'fast-check';
import { expect, it } from 'vitest';

import { alsoSays } from '../../../../nodes/shared/run/report/besides.js';
import { besidesIn, openListOf, replyWarning } from '../../../../nodes/shared/answer/index.js';
import { cut, excerpt, gatewayMessage } from '../../../../nodes/shared/errors/index.js';
import { Remarks } from '../../../../nodes/shared/parameters/place.js';

/** Half of an emoji. */
const HALF = /\p{Surrogate}/u;

it('a text that is cut never ends in half of an emoji, and is nearly as long as it may be', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(60), (text, units) => {
			const beginning = cut(text, units);
			expect(text.slice(0, beginning.length)).toBe(beginning);
			expect(beginning).not.toMatch(HALF);
			expect(beginning.length).toBeGreaterThanOrEqual(Math.min(text.length, units) - 1);
			expect(beginning.length).toBeLessThanOrEqual(units);
		}),
	);
});

// One of two such texts would be cut in the middle of an emoji.
it.each(['', 'x'])('nothing that is shown ends in half of an emoji (%j before them)', (before) => {
	const long = before + '👍'.repeat(5000);
	const remarks = new Remarks();
	remarks.addIssue('field', 'Field', { en: 'is wrong', de: 'ist falsch' }, long);
	const shown = [
		remarks.issues[0].value,
		gatewayMessage({ message: long }),
		replyWarning({ acctAntwort: { status: 'ERFOLGREICH', meldungen: [{ nachricht: long, typ: 'HINWEIS' }] } })
			?.en,
		alsoSays(besidesIn({ data: [], hinweis: long }, openListOf({ en: 'lists', de: 'der Listen' }), false)).en,
	];
	for (const text of shown) {
		expect(text).toContain('👍');
		expect(text).not.toMatch(HALF);
	}
});

it('an excerpt shows the beginning of a text, on one line, without half an emoji', () => {
	expect(excerpt('a\nb\u202e 🧾')).toBe('a b  🧾');
	expect(excerpt(`${'x'.repeat(63)}🧾`)).toBe('x'.repeat(63));
	expect(excerpt(`${'x'.repeat(62)}🧾y`)).toBe(`${'x'.repeat(62)}🧾`);
});

it('an excerpt shows no bank account', () => {
	expect(excerpt('Miete DE02 1203 0000 0000 2020 51')).not.toContain('0000 2020');
});
