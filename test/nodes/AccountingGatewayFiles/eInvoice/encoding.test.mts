/** In which encodings an e-invoice's XML may be stored: the buyer is "Käufer AG", unless a test says otherwise. */
import { expect, it } from 'vitest';

import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { ublInvoice } from '../../../support/eInvoices.mjs';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
/** An invoice that declares an encoding, whatever it is stored in. */
const declaring = (label: string, more: Record<string, string> = {}) =>
	ublInvoice({ 'encoding="UTF-8"': `encoding="${label}"`, ...more });
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const bigEnd = (text: string) => utf16(text).swap16();
/** Windows-1252 and ISO-8859-15 have signs where ISO-8859-1 has control characters. */
const withSigns = (label: string, bytes: number[]) =>
	latin1(declaring(label, { 'Käufer AG': String.fromCharCode(...bytes) }));

const read = async (bytes: Buffer) => {
	const { invoice, problem, warnings } = await readInvoice(bytes, 'x.xml');
	return { buyer: invoice?.buyer.name ?? problem?.en, warnings: warnings.map(({ en }) => en) };
};

it.each<[string, Buffer, string?]>([
	['UTF-8', utf8(ublInvoice())],
	['UTF-8 without a declaration', utf8(ublInvoice({ [`${DECLARATION}\n`]: '' }))],
	['UTF-8 with a mark, whatever it declares', utf8(`\ufeff${declaring('windows-1252')}`)],
	['UTF-8 that is called UTF-16', utf8(declaring('utf-16'))],
	['UTF-8 with a name that nobody knows', utf8(declaring('x-none'))],
	['UTF-8 with white space before it and zeros behind', utf8(`\ufeff\r\n ${ublInvoice()}\n\0\0`)],
	['ISO-8859-1', latin1(declaring('ISO-8859-1'))],
	['ISO-8859-15', withSigns('ISO-8859-15', [0xa4]), '€'],
	['Windows-1252', withSigns('windows-1252', [0x80, 0x84, 0x93, 0x96, 0x9f, 0xdf]), '€„“–Ÿß'],
	[
		'Windows-1252, oddly declared',
		latin1(ublInvoice({ [DECLARATION]: `\n<?xml version='1.0'  encoding = 'windows-1252' ?>` })),
	],
	['UTF-16 with a mark', utf16(`\ufeff${declaring('UTF-16')}`)],
	['UTF-16 without a mark', utf16(declaring('UTF-16'))],
	['UTF-16, big end first, with a mark', bigEnd(`\ufeff${declaring('UTF-16')}`)],
	['UTF-16, big end first, without a mark', bigEnd(declaring('UTF-16'))],
])('An e-invoice is read in %s', async (_what, bytes, buyer = 'Käufer AG') => {
	expect(await read(bytes)).toEqual({ buyer, warnings: [] });
});

it.each<[string, string]>([
	['declared', DECLARATION],
	[
		'meant, because another one is declared too far behind',
		`<?xml version="1.0"${' '.repeat(300)} encoding="windows-1252"?>`,
	],
])('An e-invoice in Windows-1252 is read with a warning where UTF-8 is %s', async (_how, declaration) => {
	expect(await read(latin1(ublInvoice({ [DECLARATION]: declaration })))).toEqual({
		buyer: 'Käufer AG',
		warnings: [
			"The file says that its characters are stored as UTF-8, but they aren't. Check the umlauts in names and texts.",
		],
	});
});

it('A zero within an e-invoice is no character of XML', async () => {
	expect((await read(utf8(ublInvoice({ 'Käufer AG': 'Käufer\0AG' })))).buyer).toMatch(/damaged on line/);
});
