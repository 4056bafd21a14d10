import escapeRegExp from 'lodash/escapeRegExp.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesWildcard } from '../../../../../nodes/shared/parameters/kinds/wildcard.js';
import { processorTime } from '../../../../support/timing.mjs';

describe('a pattern', () => {
	it.each([
		['*.pdf', 'a.pdf.exe', false],
		['a*a', 'a', false],
		['*ab*ab*', 'aab', false],
		['scan*', 'SCAN-1.PDF', true],
		['*straße*', 'HAUPTSTRASSE 1', true],
		['*Müller*', 'Mu\u0308ller', true],
		['*Mu\u0308ller*', 'Müller', true],
		['*Muller*', 'Müller', false],
		['a*', 'a\nb', true],
	])('%j matches %j: %o', (pattern, text, matches) => {
		expect(matchesWildcard(pattern, text)).toBe(matches);
	});

	it('matches what a regular expression with ".*" for each star matches', () => {
		const short = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'ä'), maxLength: 8 });
		const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'ä', '*'), maxLength: 7 });
		fc.assert(
			fc.property(pattern, short, (given, text) => {
				const expression = new RegExp(`^${given.split('*').map(escapeRegExp).join('.*')}$`, 'isu');
				expect(matchesWildcard(given, text)).toBe(expression.test(text));
			}),
			{ numRuns: 2000 },
		);
	});

	it.each(['*a*a*a*a*a*b', '*ab*ab*ab*c', `${'*'.repeat(20)}b`, '*aaaaaaaab*c'])(
		'%s takes time in proportion to the length of the text',
		(pattern) => {
			for (const unit of ['a', 'ab', 'aaaaaaaaaaaaaaaab', 'u\u0308', 'ß', '\ud83d']) {
				const text = unit.repeat(1_000_000 / unit.length);
				const took = processorTime(() => matchesWildcard(pattern, `${text}x`));
				if (took > 1000) expect.fail(`${unit.slice(0, 20)} took ${took} ms`);
			}
		},
	);
});
