import { expect, it } from 'vitest';

import { isMissing, isObject } from '../../../../nodes/shared/values/json.js';

it.each([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	[undefined, false],
	['text', false],
	[1, false],
])('%j is an object: %s', (value, expected) => {
	expect(isObject(value)).toBe(expected);
});

it.each([
	[undefined, true],
	[null, true],
	['', true],
	[' ', false],
	[0, false],
	[false, false],
	[{}, false],
	[[], false],
])('%j is missing: %s', (value, expected) => {
	expect(isMissing(value)).toBe(expected);
});
