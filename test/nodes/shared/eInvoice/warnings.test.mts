import { describe, expect, it } from 'vitest';

import type { EInvoice, Tax } from '../../../../nodes/shared/eInvoice/invoice.js';
import { warningsAbout } from '../../../../nodes/shared/eInvoice/warnings.js';

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
	['of which a part is paid', { prepaidAmount: 19, payableAmount: 100 }],
	['with something for others', { thirdPartyAmount: 6, payableAmount: 125 }],
	['with no amount to pay', { payableAmount: null }],
	['in ZUGFeRD 1, whose profiles have other names', { syntax: 'UBL', profile: 'urn:x:basicwl' }],
	['without type and profile', { typeCode: null, profile: null }],
])('there is none about an invoice %s', (_what, own) => {
	expect(about(own)).toEqual([]);
});

it('what can not be read is said first', () => {
	expect(warningsAbout(invoice({ number: null }), ['the tax is "x"', 'the due date is "y"'])).toEqual([
		expect.stringMatching(/Geschäftsregelfehler.*the tax is "x"/),
		expect.stringMatching(/Geschäftsregelfehler.*the due date is "y"/),
		expect.stringMatching(/Geschäftsregelfehler.*invoice number/),
	]);
});

it('all that is missing is in one sentence', () => {
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

describe('amounts that do not add up', () => {
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
			'what is left to pay is 96.50, but the amount to pay is given as 99.00',
			{ currency: '', prepaidAmount: 19, roundingAmount: 0.5, thirdPartyAmount: -4, payableAmount: 99 },
		],
	])('%s', (text, own) => {
		expect(about(own)).toEqual([
			`Business-rule error (Geschäftsregelfehler): the amounts don't add up: ${text}. Ask the sender before you book it.`,
		]);
	});
});

describe('its kind', () => {
	it.each(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532'])(
		'%s is a credit note',
		(typeCode) => {
			expect(about({ typeCode })).toEqual([
				'This is a credit note (kaufmännische Gutschrift, Rechnungskorrektur): its amounts are positive, but reduce what is owed.',
			]);
		},
	);

	it('is a credit note with amounts below 0', () => {
		const amounts = { grossAmount: -119, netAmount: -100, taxAmount: -19, payableAmount: -119, taxes: [] };
		expect(about({ typeCode: '381', ...amounts })).toEqual([
			'This is a credit note (kaufmännische Gutschrift, Rechnungskorrektur): its amounts are negative, as in the document.',
		]);
	});

	it.each([
		['minimum', 'MINIMUM'],
		['basicwl', 'BASIC WL'],
	])('has a profile with too little in it: %s', (profile, name) => {
		expect(about({ profile: `urn:factur-x.eu:1p0:${profile}` })).toEqual([
			`The XML has the profile ${name}, which in Germany isn't an invoice by itself: the PDF counts.`,
		]);
	});

	it('has no place for what was paid in the profile Minimum', () => {
		expect(about({ profile: 'urn:factur-x.eu:1p0:minimum', payableAmount: 19 })).toHaveLength(1);
	});

	it.each([
		['384', 'corrected invoice'],
		['389', 'self-billed invoice'],
	])('%s is a %s', (typeCode, kind) => {
		expect(about({ typeCode })).toEqual([expect.stringContaining(kind)]);
	});

	it('is an invoice with a total below 0', () => {
		const amounts = { grossAmount: -119, netAmount: -100, taxAmount: -19, payableAmount: -119, taxes: [] };
		expect(about(amounts)).toEqual([expect.stringContaining('The total is negative')]);
	});
});

it('of very many warnings, the first are told', () => {
	const { length, [length - 1]: last } = warningsAbout(invoice(), Array.from({ length: 50 }, String));
	expect([length, last]).toEqual([21, 'There are 30 more warnings.']);
});
