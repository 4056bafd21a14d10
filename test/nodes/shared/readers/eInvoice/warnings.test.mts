import { describe, expect, it } from 'vitest';

import type { EInvoice, Tax } from '../../../../../nodes/shared/readers/eInvoice/invoice.js';
import { warningsAbout } from '../../../../../nodes/shared/readers/eInvoice/warnings.js';

/** As much of an invoice as a warning can be about; all of it adds up. */
const invoice = (own: Partial<EInvoice> = {}) =>
	({
		syntax: 'CII',
		profile: 'urn:cen.eu:en16931:2017',
		typeCode: '380',
		number: 'RE-1',
		issueDate: '2026-11-03',
		seller: { name: 'Papier Schmidt' },
		currency: 'EUR',
		grossAmount: 119,
		netAmount: 100,
		taxAmount: 19,
		taxes: [tax()],
		prepaidAmount: null,
		roundingAmount: null,
		thirdPartyAmount: null,
		payableAmount: 119,
		...own,
	}) as EInvoice;
const tax = (own: Partial<Tax> = {}) => ({ rate: 19, base: 100, amount: 19, ...own }) as Tax;
const about = (own?: Partial<EInvoice>) => warningsAbout(invoice(own), []);

it.each<[string, Partial<EInvoice>]>([
	['that adds up', {}],
	['without a tax', { taxAmount: null, taxes: [], grossAmount: 100, payableAmount: 100 }],
	['whose taxes are not listed', { taxes: [] }],
	['in CII that gives no total of the tax', { taxAmount: null }],
	['with a tax that can not be read', { taxes: [tax({ amount: null })] }],
	['with a tax without a rate', { taxes: [tax({ rate: null, base: 7 })] }],
	['with a tax on nothing known', { taxes: [tax({ rate: 7, base: null })] }],
	['with a tax that is rounded otherwise', { taxes: [tax({ base: 105.2 })] }],
	['whose total is rounded', { grossAmount: 119.02, roundingAmount: 0.02, payableAmount: 119.02 }],
	['whose amount to pay is rounded', { roundingAmount: -0.03, payableAmount: 118.97 }],
	['with something for others', { thirdPartyAmount: 6, payableAmount: 125 }],
	['with no amount to pay', { payableAmount: null }],
	['in ZUGFeRD 1, whose profiles have other names', { syntax: 'UBL', profile: 'urn:x:basicwl' }],
	['without type and profile', { typeCode: null, profile: null }],
])('No warning is given about an invoice %s', (_what, own) => {
	expect(about(own)).toEqual([]);
});

it('Warnings about an invoice begin with what can’t be read', () => {
	expect(warningsAbout(invoice({ number: null }), ['the tax is "x"', 'the due date is "y"'])).toEqual([
		expect.stringMatching(/Geschäftsregelfehler.*the tax is "x"/),
		expect.stringMatching(/Geschäftsregelfehler.*the due date is "y"/),
		expect.stringMatching(/Geschäftsregelfehler.*invoice number/),
	]);
});

it('All that an invoice lacks is in one warning', () => {
	const nothing = {
		number: null,
		issueDate: null,
		currency: null,
		grossAmount: null,
		netAmount: null,
		seller: { name: null } as EInvoice['seller'],
	};
	expect(about(nothing)).toEqual([
		"Business-rule error (Geschäftsregelfehler): missing or unreadable in the invoice: invoice number, invoice date, currency, total with tax, total without tax, seller's name. Check it yourself.",
	]);
});

describe('Amounts of an invoice that don’t add up give a warning', () => {
	it.each<[string, Partial<EInvoice>]>([
		[
			'net plus tax is 119.00 EUR, but the total with tax is given as 120.00 EUR',
			{ grossAmount: 120, payableAmount: 120 },
		],
		[
			'net plus tax is 100.00 EUR, but the total with tax is given as 119.00 EUR',
			{ taxAmount: null, taxes: [] },
		],
		[
			'net plus tax is 119.00 EUR, but the total with tax is given as 119.05 EUR',
			{ grossAmount: 119.05, roundingAmount: 0.02, payableAmount: 119.05 },
		],
		[
			'the sum of the taxes is 22.50 EUR, but the tax is given as 19.00 EUR',
			{ taxes: [tax(), tax({ rate: 7, base: 50, amount: 3.5 })] },
		],
		['7 % of 100.00 EUR is 7.00 EUR, but that tax is given as 19.00 EUR', { taxes: [tax({ rate: 7 })] }],
		[
			'19 % of 94.737 EUR is 18.00 EUR, but that tax is given as 19.00 EUR',
			{ taxes: [tax({ base: 94.737 })] },
		],
		['what is left to pay is 119.00 EUR, but the amount to pay is given as 19.00 EUR', { payableAmount: 19 }],
		[
			'what is left to pay is 115.50, but the amount to pay is given as 118.00',
			{ currency: '', roundingAmount: 0.5, thirdPartyAmount: -4, payableAmount: 118 },
		],
	])('%s', (text, own) => {
		expect(about(own)).toEqual([
			`Business-rule error (Geschäftsregelfehler): the amounts don't add up: ${text}. Ask the sender before you book it.`,
		]);
	});
});

describe('A warning says that an invoice', () => {
	const NEGATIVE = { grossAmount: -119, netAmount: -100, taxAmount: -19, payableAmount: -119, taxes: [] };

	it.each<[string, Partial<EInvoice>, string]>([
		['is a credit note', { typeCode: '381' }, 'credit note'],
		[
			'is a credit note of a rare type',
			{ typeCode: '532' },
			'its amounts are positive, but reduce what is owed',
		],
		[
			'is a credit note with amounts below 0',
			{ typeCode: '381', ...NEGATIVE },
			'negative, as in the document',
		],
		['has a total below 0', NEGATIVE, 'The total is negative'],
		...['AE', 'K', 'IC'].map((category): [string, Partial<EInvoice>, string] => [
			`leaves the tax to the buyer (${category})`,
			{ grossAmount: 100, taxAmount: 0, payableAmount: 100, taxes: [tax({ rate: 0, amount: 0, category })] },
			'The buyer owes tax',
		]),
		['is paid in part', { prepaidAmount: 19, payableAmount: 100 }, '19.00 EUR of the total with tax is paid'],
		['is none yet', { typeCode: '325' }, 'proforma'],
		['is a corrected one', { typeCode: '384' }, 'corrected invoice'],
		['is a self-billed one', { typeCode: '389' }, 'self-billed invoice'],
		[
			'has the profile MINIMUM, which has no place for what was paid',
			{ profile: 'urn:factur-x.eu:1p0:minimum', payableAmount: 19 },
			'MINIMUM',
		],
		['has the profile BASIC WL', { profile: 'urn:zugferd.de:2p0:basicwl' }, 'BASIC WL'],
	])('%s', (_what, own, said) => {
		expect(about(own)).toEqual([expect.stringContaining(said)]);
	});
});

it('However many amounts don’t add up, what an invoice is comes first, and the same is told once', () => {
	const taxes = Array.from({ length: 30 }, () => tax({ rate: 7 }));
	expect(about({ typeCode: '381', taxes })).toEqual([
		expect.stringContaining('credit note'),
		expect.stringContaining('the sum of the taxes is 570.00 EUR'),
		expect.stringContaining('7 % of 100.00 EUR'),
	]);
});

it('Of very many warnings about an invoice, the first are told', () => {
	const { length, [length - 1]: last } = warningsAbout(
		invoice(),
		Array.from({ length: 50 }, (_, i) => String(i)),
	);
	expect([length, last]).toEqual([21, 'There are 30 more warnings.']);
});
