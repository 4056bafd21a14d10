import { expect, it } from 'vitest';

import { shown } from '../../../../nodes/shared/errors/logText.js';

it('shows the beginning of a text, on one line, without half an emoji', () => {
	expect(shown('a\nb\u202e 🧾')).toBe('ab 🧾');
	expect(shown(`${'x'.repeat(63)}🧾`)).toBe('x'.repeat(63));
	expect(shown(`${'x'.repeat(62)}🧾y`)).toBe(`${'x'.repeat(62)}🧾`);
});

it('shows no bank account', () => {
	expect(shown('Miete DE02 1203 0000 0000 2020 51')).not.toContain('0000 2020');
});
