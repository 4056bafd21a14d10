import { describe, expect, it } from 'vitest';

import * as failures from '../../../../../nodes/shared/gateway/failures/unexpectedResponse.js';
import { both } from '../../../../../nodes/shared/values/index.js';
import { english } from '../../../../support/english.mjs';

const unexpectedResponse = (...args: Parameters<typeof failures.unexpectedResponse>) =>
	english(failures.unexpectedResponse(...args));
const invalidJson = (...args: Parameters<typeof failures.invalidJson>) =>
	english(failures.invalidJson(...args));

describe('unexpectedResponse', () => {
	it('says what is wrong with the answer, and that a write is of unknown outcome', () => {
		expect(
			unexpectedResponse(true, { problem: both('says “Kasse gesperrt”', 'sagt „Kasse gesperrt“') }),
		).toEqual({
			outcome: 'unknown',
			message: "The gateway's answer isn't what was expected: it says “Kasse gesperrt”",
			description: 'Whether it was carried out is unknown: look it up before you send it again.',
		});
	});

	it('treats a write as probably done only if nothing suggests otherwise', () => {
		expect(unexpectedResponse(true).description).toContain('it was probably carried out');
		expect(unexpectedResponse(true, { problem: both('is empty', 'ist leer') }).description).not.toContain(
			'probably',
		);
	});

	it('says what to do about a read', () => {
		expect(unexpectedResponse(false)).toMatchObject({
			outcome: 'failed',
			description: 'Try again; if the problem persists, ask the provider of the gateway.',
		});
		const { description } = unexpectedResponse(false, { error: new Error('konten is no list') });
		expect(description).toBe('Turn off "Simplify" to get it unchanged. (konten is no list)');
		expect(unexpectedResponse(false).message).toBe("The gateway's answer isn't what was expected");
	});
});

describe('invalidJson', () => {
	const page = '<html><title>Anmelden</title></html>';

	it.each([
		[
			'a page',
			page,
			true,
			'unknown',
			/^The gateway says: “Anmelden” Whether it was carried out .* login page/,
		],
		['a page', page, false, 'failed', /^The gateway says: “Anmelden” Check the base URL.* login page/],
		['broken JSON', '{"a":', true, 'unknown', /^The gateway reported success.* Whether it was carried out/],
		['broken JSON', '{"a":', false, 'failed', /^Try again; if the problem persists/],
	])('of %s %j in answer to a write: %o: the outcome is %s', (what, text, writes, outcome, description) => {
		expect(invalidJson(200, text, writes)).toEqual({
			outcome,
			message:
				what === 'a page'
					? 'A web page (HTML) came back instead of an answer from the gateway'
					: "The gateway's answer is broken: it isn't valid JSON",
			...(what === 'a page' && { said: 'Anmelden' }),
			description: expect.stringMatching(description),
			status: 200,
		});
	});
});
