import { describe, expect, it } from 'vitest';

import { INVALID, pathId, text } from '../../../../../nodes/shared/parameters/index.js';
import { readParameter } from '../../../../support/fakes.mjs';

const name = { displayName: 'Field' };
const RULE = { en: 'must be digits', de: 'Regel' };
const ITSELF: Record<string, unknown> = {};
ITSELF.a = ITSELF;

describe('A text in the form', () => {
	it.each([
		['Büromaterial', 'Büromaterial'],
		[' K-1\n', 'K-1'],
		[4711, '4711'],
	])('takes %o', async (given, value) => {
		expect(await readParameter(text(name), given)).toMatchObject({ value, rules: [] });
	});

	it.each<[string, unknown, string?]>([
		['a number with decimals', 1.5],
		['a number that JavaScript may have rounded', 2 ** 53],
		['a group', { a: 1 }],
		['true', true],
		['an object that contains itself', ITSELF, '[object Object]'],
	])('refuses %s', async (_what, given, shown = JSON.stringify(given)) => {
		expect(await readParameter(text(name), given)).toMatchObject({
			value: INVALID,
			rules: ['must be text'],
			issues: [{ value: shown }],
		});
	});

	it('refuses half of an emoji, which nothing can send', async () => {
		const { rules, issues } = await readParameter(text(name), 'a\ud83d');
		expect(rules).toEqual(['has a broken character, like half of an emoji']);
		expect(issues[0].value).toBe('a\ud83d');
	});

	it.each([
		['Brot\r\nButter', 'Brot Butter'],
		['Brot\nButter', 'Brot Butter'],
		['Brot\rButter\u2028\u2029Salz', 'Brot Butter Salz'],
		['Brot\tButter\r\n\r\nSalz\u000b', 'Brot Butter Salz'],
	])('is one line, whatever breaks the lines of %j', async (given, value) => {
		expect(await readParameter(text(name), given)).toMatchObject({ value, rules: [] });
	});

	/** Text as a program shows it that reads its bytes in another encoding. */
	const misread = (written: string, as: string) => new TextDecoder(as).decode(Buffer.from(written));
	it.each([
		...'Brötchen|Größe|Spaß|Ähre|Öl|Übung|Café|Façade|5 €|a – b|„a“|½|👍'.split('|'),
		...'Michał|Škoda|Győr|naïve|Æ|œuf|a\u00a0b|§ 13b|Größe: 5 €, „süß“'.split('|'),
	])('refuses %s as UTF-8 that was read as Windows-1252, but not as it is', async (written) => {
		const wrong = misread(written, 'windows-1252');
		expect(wrong).not.toBe(written);
		for (const given of [wrong, `Bar – für Büro: ${wrong}`, misread(wrong, 'windows-1252')]) {
			expect((await readParameter(text(name), given)).rules).toEqual([
				expect.stringMatching(/^contains .+: its file was read in the wrong encoding/),
			]);
			expect((await readParameter(text({ ...name, asWritten: true }), given)).value).toBe(given);
		}
		expect(await readParameter(text(name), written)).toMatchObject({ value: written, rules: [] });
	});

	const [WINDOWS, UTF_16, UTF_8] = [
		Buffer.from('Brötchen', 'latin1').toString(),
		Buffer.from('Brot', 'utf16le').toString('latin1'),
		Buffer.from('Ähre').toString('latin1'),
	];
	it.each([
		['Windows-1252 read as Latin-1', '\u0084Br\u00f6tchen\u0093', 'a control character (U+0084)'],
		['Windows-1252 read as UTF-8', WINDOWS, '"\ufffd" in place of a letter'],
		['UTF-16 read as Latin-1', UTF_16, 'a control character (U+0000)'],
		['UTF-8 read as Latin-1', UTF_8, 'a control character (U+0084)'],
		['an escape sequence', 'Brot\u001b[1m', 'a control character (U+001B)'],
	])('refuses %s', async (_what, given, found) => {
		expect((await readParameter(text(name), given)).rules).toEqual([
			`contains ${found}: its file was read in the wrong encoding; most are UTF-8 or Windows-1252`,
		]);
	});

	it.each([...'„Spaß“|NESCAFÉ® Gold|GETRÄ…|Maß: 5 Å|SÃO PAULO|Straße–Süd|Typ „Ä“|CAFÉ™|ÂGE|×5'.split('|')])(
		'takes %s, as people write it',
		async (given) => {
			expect(await readParameter(text(name), given)).toMatchObject({ value: given, rules: [] });
		},
	);

	it('takes a name from a list of the gateway as the gateway has it', async () => {
		const { kassenname } = await import(
			'../../../../../nodes/AccountingGatewayDelivery/cashBookEntry/parameters.js'
		);
		const of = (mode: string, value: string) => ({ __rl: true, mode, value });
		expect(await readParameter(kassenname, of('list', 'BÃ¼ro\n'))).toMatchObject({
			value: 'BÃ¼ro\n',
			rules: [],
		});
		expect((await readParameter(kassenname, of('value', 'BÃ¼ro'))).value).toBe(INVALID);
	});

	it('counts characters as people do', async () => {
		const note = text({ ...name, max: 2 });
		expect(await readParameter(note, '👍👍')).toMatchObject({ value: '👍👍', rules: [] });
		expect(await readParameter(note, '👍👍👍')).toMatchObject({
			value: INVALID,
			rules: ['has 3 characters, 2 are allowed'],
			issues: [{ value: '👍👍👍' }],
		});
	});

	it.each([
		['4 4', 'contains a space; it must be digits'],
		['4\n4', 'contains a line break; it must be digits'],
		['4\u00a04', 'contains a special space; it must be digits'],
		['4ü', 'contains "ü"; it must be digits'],
		['44444', 'has 5 characters, 4 are allowed'],
	])('names the character that is wrong in %j', async (given, rule) => {
		const digits = text({ ...name, pattern: /^\d{1,4}$/, characters: /\d/, max: 4, rule: RULE });
		expect((await readParameter(digits, given)).rules).toEqual([rule]);
	});

	it.each<[object, object?]>([
		[
			{ pattern: /^\d+$/, rule: RULE },
			{ pattern: '\\d+', rule: 'must be digits' },
		],
		[{ pattern: /^\d+$/ }],
		[{ pattern: /^\d+/, rule: RULE }],
		[{ pattern: /\d+$/, rule: RULE }],
		[{ pattern: /[^.]$/, rule: RULE }],
		[{ rule: RULE }],
	])('is checked in the form where the pattern is for the whole text and has a rule: %o', (spec, shape) => {
		expect(text({ ...name, ...spec }).shape).toEqual(shape);
	});
});

describe('An ID in the path of an address', () => {
	it.each(['pay-1', '...', '.a', 'a.', 'a/b'])('may be %s', async (given) => {
		expect(await readParameter(pathId(name), given)).toMatchObject({ value: given, rules: [] });
	});

	it.each(['.', '..'])('is not %s, which would lead to another address', async (given) => {
		expect((await readParameter(pathId(name), given)).rules).toEqual(['must be an ID']);
		expect(pathId(name).shape, 'what the form checks').toBeUndefined();
	});
});
