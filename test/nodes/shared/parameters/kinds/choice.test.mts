import { describe, expect, it } from 'vitest';

import { choice, flag, INVALID } from '../../../../../nodes/shared/parameters/index.js';
import { readParameter } from '../../../../support/fakes.mjs';

const name = { displayName: 'Field' };
const CHOICES = [
	{ name: 'Expense (AUSGABE)', value: 'AUSGABE', synonyms: ['Expense', 'Ausgaben'] },
	{ name: 'Income (EINNAHME)', value: 'EINNAHME', synonyms: ['Income'] },
	{ name: 'Other', value: 'OTHER', description: 'Neither' },
] as const;
const bewegung = () => choice({ ...name, choices: CHOICES, default: '', required: true });

describe('A choice', () => {
	it.each([
		['AUSGABE', 'AUSGABE'],
		[' Expense ', 'AUSGABE'],
		['expense (ausgabe)', 'AUSGABE'],
		['INCOME', 'EINNAHME'],
	])('is meant by %o', async (given, value) => {
		expect(await readParameter(bewegung(), given)).toMatchObject({ value, rules: [] });
	});

	// Without synonyms, only the value itself counts.
	it.each([['other'], ['Other'], ['Entnahme'], [1], [['AUSGABE']]])('is not meant by %o', async (given) => {
		expect(await readParameter(bewegung(), given)).toMatchObject({
			value: INVALID,
			rules: ['must be AUSGABE, EINNAHME or OTHER'],
			issues: [{ value: typeof given === 'string' ? given : JSON.stringify(given) }],
		});
	});

	it('must be made where there is no default', async () => {
		const { options, required } = bewegung().property;
		expect([options![0], required]).toEqual([{ name: 'Choose…', value: '' }, true]);
		expect((await readParameter(bewegung(), '')).rules).toEqual(['is required']);
	});

	it('isn’t marked in the form where an expression gives another word for it', () => {
		expect(bewegung().property.allowArbitraryValues).toBe(true);
		const exact = choice({ ...name, choices: [{ name: 'Fields', value: 'fields' }] });
		expect(exact.property.allowArbitraryValues).toBeUndefined();
	});

	it('may be left open, where the empty choice has a name', async () => {
		const open = choice({ ...name, choices: CHOICES, default: '', empty: 'By the Sign' });
		expect(open.property.options![0]).toEqual({ name: 'By the Sign', value: '' });
		expect(await readParameter(open, '')).toMatchObject({ value: undefined, rules: [] });
	});
});

it.each(['true', 1])('A switch is not %o, which could mean anything', async (given) => {
	expect(await readParameter(flag({ ...name, default: true }), given)).toMatchObject({
		value: INVALID,
		issues: [{ rule: 'must be true or false', value: String(given) }],
	});
});
