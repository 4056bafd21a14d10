import { describe, expect, it } from 'vitest';

import { Decoding, encodingsOf } from '../../../../nodes/shared/eInvoice/encoding.js';

/** As the first encoding that fits, in pieces that cut characters in half. */
function decodeXml(bytes: Uint8Array): { text: string; warning?: string } {
	const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) =>
		bytes.subarray(3 * i, 3 * i + 3),
	);
	for (const { label, ...told } of encodingsOf(bytes)) {
		const decoding = new Decoding(label);
		const text = [...decoding.texts(pieces)].join('');
		if (!decoding.isWrong) return { text, ...told };
	}
	throw new Error('No encoding fits.');
}

const xml = (label: string, quote = '"') => `<?xml version="1.0" encoding=${quote}${label}${quote}?><ä/>`;
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bigEnd = (text: string) => utf16(text).swap16();

it.each<[string, Buffer, string]>([
	['UTF-8', utf8(xml('UTF-8')), xml('UTF-8')],
	['UTF-8 without a declaration', utf8('<ä/>'), '<ä/>'],
	['UTF-8 with a mark, whatever it declares', utf8(`\ufeff${xml('windows-1252')}`), xml('windows-1252')],
	['UTF-8 that is called UTF-16', utf8(xml('utf-16')), xml('utf-16')],
	['UTF-8 with a name that nobody knows', utf8(xml('x-none')), xml('x-none')],
	['ISO-8859-1', latin1(xml('ISO-8859-1')), xml('ISO-8859-1')],
	['ISO-8859-15', Buffer.from([...latin1(xml('ISO-8859-15')), 0xa4]), `${xml('ISO-8859-15')}€`],
	['Windows-1252 in single quotes', latin1(xml('windows-1252', "'")), xml('windows-1252', "'")],
	[
		'Windows-1252 beyond ISO-8859-1',
		Buffer.from([...latin1(xml('windows-1252')), 0x80, 0x84, 0x93, 0x96, 0x9f, 0xdf]),
		`${xml('windows-1252')}€„“–Ÿß`,
	],
	[
		'Windows-1252 with spaces',
		latin1('\n<?xml version="1.0"  encoding = "windows-1252" ?><ä/>'),
		'<?xml version="1.0"  encoding = "windows-1252" ?><ä/>',
	],
	['UTF-16 with a mark', utf16(`\ufeff${xml('UTF-16')}`), xml('UTF-16')],
	['UTF-16 without', utf16(xml('UTF-16')), xml('UTF-16')],
	['UTF-16, big end first', bigEnd(`\ufeff${xml('UTF-16')}`), xml('UTF-16')],
	['UTF-16, big end first, without', bigEnd(xml('UTF-16')), xml('UTF-16')],
	['zeros and lines around it', utf8('\ufeff\r\n <ä/>\n\0\0'), '<ä/>\n'],
	['zeros within it', utf8('<ä>\0</ä>\0'), '<ä>\0</ä>'],
	['nothing', utf8(''), ''],
])('XML in this encoding is read: %s', (_what, bytes, text) => {
	expect(decodeXml(bytes)).toEqual({ text });
});

describe('Characters of XML that are none in its declared encoding', () => {
	it.each([['utf-8', 'UTF-8']])('%s are read as Windows-1252, with a warning', (label, name) => {
		const bytes = Buffer.concat([latin1(xml(label)), Buffer.from([0xff, 0x80])]);
		expect(decodeXml(bytes)).toEqual({
			text: `${xml(label)}ÿ€`,
			warning: `The file says that its characters are stored as ${name}, but they aren't. Check the umlauts in names and texts.`,
		});
	});

	it('are those of UTF-8 where a mark says so', () => {
		const bytes = Buffer.concat([utf8(`\ufeff<ä/>`), Buffer.from([0xe4])]);
		expect(decodeXml(bytes).warning).toContain('stored as UTF-8');
	});

	it.each([
		['behind the declaration', `<?xml version="1.0"?><a encoding="windows-1252">`],
		['too far behind', `<?xml version="1.0"${' '.repeat(300)} encoding="windows-1252"?>`],
		['in front of it', `x<?xml version="1.0" encoding="windows-1252"?>`],
	])('don’t count as those of an encoding that is declared %s', (_where, text) => {
		expect(decodeXml(latin1(`${text}ä`)).warning).toContain('stored as UTF-8');
	});
});

describe('Bytes that resemble a mark of UTF-16', () => {
	it.each<[number[], string]>([
		[[0xff, 0x3c, 0x61], 'ÿ<a'],
		[[0x3c, 0xfe, 0x61], '<þa'],
		[[0x3c, 0, 0], '<'],
		[[0, 0x61], '\0a'],
	])('are read one by one: %j', (bytes, text) => {
		expect(decodeXml(Uint8Array.from(bytes)).text).toBe(text);
	});
});
