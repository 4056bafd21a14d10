/** The page that shows an e-invoice to a person: all that decides, as text, from nowhere else. */
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayFiles } from '../../../../nodes/AccountingGatewayFiles/AccountingGatewayFiles.node.js';
import { readInvoice } from '../../../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { viewOf } from '../../../../nodes/AccountingGatewayFiles/eInvoice/view.js';
import { ciiInvoice, ciiOf, paymentTerms, ublInvoice } from '../../../support/eInvoices.mjs';
import { initBinaryData } from '../../../../host/fileStore.mjs';
import { runNode } from '../../../../host/harness.mjs';

const pageOf = async (xml: string) => {
	const { invoice, warnings } = await readInvoice(Buffer.from(xml), 'x.xml');
	return viewOf(invoice!, warnings);
};
/** What a person reads. */
const textOf = (page: string) =>
	page
		.replace(/<style>.*?<\/style>/s, '')
		.replace(/<[^>]+>/g, ' ')
		.replace(/\s+/g, ' ');

const BASE = '<ram:BasisAmount>119.00</ram:BasisAmount>';
const PERCENT = '<ram:CalculationPercent>2.00</ram:CalculationPercent>';
const LESS = '<ram:ActualDiscountAmount>2.38</ram:ActualDiscountAmount>';

describe('The page of an e-invoice', () => {
	it('says what decides, in German', async () => {
		const text = textOf(await pageOf(ublInvoice()));
		for (const said of [
			'Rechnung RE-4711',
			'Papier Schmidt GmbH &amp; Co. KG',
			'Hauptstr. 1',
			'USt-IdNr. BT-31 DE123456789',
			'Käufer AG',
			'Rechnungsdatum BT-2 03.11.2026',
			'Rechnungsart BT-3 Rechnung (380)',
			'Lieferdatum BT-72 01.11.2026',
			'Papier A4 10 Karton 10,00 19 % 100,00',
			'Fachbuch 2 Stück 25,00 7 % 50,00',
			'steuerpflichtig S 19 % 100,00 19,00',
			'Brutto BT-112 172,50 EUR',
			'Zahlbetrag BT-115 172,50 EUR',
			'SEPA-Überweisung',
			'Fällig am BT-9 03.12.2026',
			'IBAN BT-84 DE02120300000000202051',
			'Leitweg-ID, Käuferreferenz BT-10 04011000-12345-03',
			'Stundenzettel BG-24 a.pdf',
		])
			expect(text).toContain(said);
	});

	it.each([
		['AE', 'Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG AE 19 %'],
		['L', 'Kanarische Inseln L 19 %'],
		['XX', 'XX 19 %'],
	])('names the tax category %s as the warnings do', async (code, said) => {
		const xml = ublInvoice().replace(
			/(<cac:TaxSubtotal>.*?<cac:TaxCategory><cbc:ID>)S/s,
			(_, before: string) => before + code,
		);
		expect(textOf(await pageOf(xml))).toContain(said);
	});

	// Without them, a person multiplies and gets another amount than the line has.
	it.each([
		[
			'UBL',
			ublInvoice({
				'<cbc:PriceAmount currencyID="EUR">10.00</cbc:PriceAmount>':
					'<cbc:PriceAmount currencyID="EUR">1200.00</cbc:PriceAmount><cbc:BaseQuantity>100</cbc:BaseQuantity>',
				'<cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>':
					'<cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Mengenrabatt</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">20.00</cbc:Amount></cac:AllowanceCharge>',
			}),
		],
		[
			'CII',
			ciiInvoice({
				'<ram:ChargeAmount>10.00</ram:ChargeAmount>':
					'<ram:ChargeAmount>1200.00</ram:ChargeAmount><ram:BasisQuantity>100</ram:BasisQuantity>',
				'<ram:SpecifiedLineTradeSettlement>':
					'<ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>20.00</ram:ActualAmount><ram:Reason>Mengenrabatt</ram:Reason></ram:SpecifiedTradeAllowanceCharge>',
			}),
		],
	])('shows for how many units a price is, and what is deducted from a line, in %s', async (_, xml) => {
		expect(textOf(await pageOf(xml))).toMatch(
			/Papier A4 Nachlass −20,00 Mengenrabatt 10 Karton 1\.200,00 je 100 (19 % )?100,00/,
		);
	});

	it('has allowances, discounts, periods and warnings', async () => {
		const text = textOf(
			await pageOf(
				ublInvoice({
					'<cac:TaxTotal>':
						'<cac:PaymentTerms><cbc:Note>#SKONTO#TAGE=14#PROZENT=2.50#</cbc:Note></cac:PaymentTerms><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Treue</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">1234.50</cbc:Amount></cac:AllowanceCharge><cac:TaxTotal>',
					'<cbc:BuyerReference>':
						'<cac:InvoicePeriod><cbc:StartDate>2026-10-01</cbc:StartDate><cbc:EndDate>2026-10-31</cbc:EndDate></cac:InvoicePeriod><cbc:BuyerReference>',
					'>380<': '>386<',
					'<cac:OrderReference>': '<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode><cac:OrderReference>',
					'<cac:LegalMonetaryTotal>':
						'<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">248.10</cbc:TaxAmount></cac:TaxTotal><cac:LegalMonetaryTotal>',
					'<cbc:PayableAmount currencyID':
						'<cbc:AllowanceTotalAmount currencyID="EUR">1234.50</cbc:AllowanceTotalAmount><cbc:PrepaidAmount currencyID="EUR">100.00</cbc:PrepaidAmount><cbc:PayableAmount currencyID',
				}),
			),
		);
		expect(text).toContain('Anzahlungsrechnung RE-4711');
		expect(text).toContain('Vor dem Buchen prüfen Das ist eine Anzahlungsrechnung');
		// Behind the lines, in the same column.
		expect(text).toContain('Fachbuch 2 Stück 25,00 7 % 50,00 Nachlass: Treue −1.234,50 Umsatzsteuer');
		expect(text).toContain('Nachlässe BT-107 −1.234,50 EUR');
		expect(text).toContain('Umsatzsteuer in Buchungswährung BT-111 248,10 SEK');
		expect(text).toContain('Bereits gezahlt BT-113 −100,00 EUR');
		expect(text).toContain('Skonto BT-20 2,5 % bis 17.11.2026');
		expect(text).toContain('01.10.2026 bis 31.10.2026');
	});

	/** Factur-X EXTENDED, ApplicableTradePaymentDiscountTerms: a percentage, an amount or both; a day, a period or neither. */
	it.each<[what: string, terms: string, said: string]>([
		['of an amount', paymentTerms('2026-11-30', BASE + LESS), '2,38 EUR von 119,00 EUR bis 30.11.2026'],
		[
			'of a percentage and its amount',
			paymentTerms('2026-11-30', BASE + PERCENT + LESS),
			'2 % von 119,00 EUR (2,38 EUR) bis 30.11.2026',
		],
		['of a percentage alone', paymentTerms('2026-11-30', PERCENT), '2 % bis 30.11.2026'],
		[
			'that begins on a day and ends on none',
			paymentTerms(
				null,
				`<ram:BasisDateTime><udt:DateTimeString format="102">20261120</udt:DateTimeString></ram:BasisDateTime>${PERCENT}`,
			),
			'2 %',
		],
		['that says nothing but its day', paymentTerms('2026-11-30', BASE), 'von 119,00 EUR bis 30.11.2026'],
	])('has a discount %s', async (_, terms, said) => {
		const page = await pageOf(ciiOf({ profile: 'extended', terms: terms + paymentTerms('2026-12-20') }));
		expect(
			page.match(/Skonto <small>BT-20<\/small><\/dt>\s*<dd><bdi>(?<said>.*?)<\/bdi>/)?.groups?.said,
		).toBe(said);
	});

	it('has the days of instalments whose amounts can’t be read, and nothing of one without both', async () => {
		const part = (due: string | null) =>
			paymentTerms(due).replace(
				'</ram:Spec',
				'<ram:PartialPaymentAmount>?</ram:PartialPaymentAmount></ram:Spec',
			);
		const terms = part('2026-12-20') + part(null) + part('2027-01-20');
		const text = textOf(await pageOf(ciiOf({ profile: 'extended', terms })));
		expect(text).toContain('Fällig am BT-9 20.12.2026; 20.01.2027 ');
	});

	it('has freight as a line, lines within a line, and why a line has no tax', async () => {
		const text = textOf(
			await pageOf(
				ciiOf({
					profile: 'extended',
					type: 751,
					lines: [
						['100.00', 'S', '19', 'GROUP'],
						['60.00', 'S', '19', 'DETAIL'],
						['40.00', 'AE', '0', 'DETAIL'],
						['5.00', 'S', '19', 'INFORMATION'],
					],
					freight: ['15.00', 'S', '19'],
				}),
			),
		);
		expect(text).toContain('Rechnungsart BT-3 Rechnung (andere Art) (751)');
		// A subtotal has no rate of its own.
		expect(text).toContain('1 Ware 1 Zwischensumme 1 Stück 100,00 2 Ware 2 1 Stück 19 % 60,00');
		expect(text).toContain('3 Ware 3 1 Stück 0 % § 13b UStG 40,00');
		expect(text).toContain('4 Ware 4 nur zur Information 1 Stück 5,00 Zuschlag: Fracht 19 % 15,00');
	});

	it('tells that an amount is collected, and not the account that nobody is to pay to', async () => {
		const terms = `${paymentTerms('2026-12-04').slice(0, -'</ram:SpecifiedTradePaymentTerms>'.length)}<ram:DirectDebitMandateID>M-77</ram:DirectDebitMandateID></ram:SpecifiedTradePaymentTerms>`;
		const account = (who: string, iban: string) =>
			`<ram:${who}FinancialAccount><ram:IBANID>${iban}</ram:IBANID></ram:${who}FinancialAccount>`;
		const means = (code: number) =>
			`<ram:TypeCode>${code}</ram:TypeCode>${account('PayerPartyDebtor', 'DE02500105170137075030')}${account('PayeePartyCreditor', 'DE02120300000000202051')}`;
		const [debit, transfer] = await Promise.all(
			[59, 58].map(async (code) => textOf(await pageOf(ciiOf({ means: means(code), terms })))),
		);
		expect(debit).toContain(
			'Lastschrift Der Betrag wird abgebucht: nicht überweisen. Mandatsreferenz BT-89 M-77 Gläubiger-ID BT-90 DE98ZZZ09999999999 Belastetes Konto BT-91 DE02500105170137075030',
		);
		expect(debit).not.toContain('DE02120300000000202051');
		expect(transfer).toContain('IBAN BT-84 DE02120300000000202051');
		expect(transfer).not.toContain('abgebucht');
	});

	it('is text where the sender has written markup, and loads nothing', async () => {
		const evil =
			'&lt;img src=x onerror=alert(1)&gt;&lt;/style&gt;&lt;script src="https://evil.example/x.js"&gt;&lt;/script&gt;" onmouseover="x';
		const xml = ublInvoice({
			'>RE-4711<': `>${evil}<`,
			'Papier Schmidt GmbH &amp; Co. KG': evil,
			'>Fachbuch<': `>${evil}<`,
			'>Vielen Dank<': `>${evil}<`,
			'>Stundenzettel<': `>${evil}<`,
			'filename="a.pdf"': 'filename="&lt;b&gt;javascript:alert(1)"',
			'>DE02120300000000202051<': `>${evil}<`,
			'unitCode="H87"': 'unitCode="&lt;i&gt;"',
			'<cbc:Percent>7.00':
				'<cbc:TaxExemptionReason>&lt;a href="https://evil.example"&gt;</cbc:TaxExemptionReason><cbc:Percent>7.00',
		});
		const page = await pageOf(xml);
		const names = [...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name);
		expect(new Set(names)).not.toContain('script');
		expect(
			names.filter((name) => ['img', 'a', 'iframe', 'i', 'link', 'form', 'object'].includes(name)),
		).toEqual([]);
		expect(page.match(/<(?!!)[^>]*\s(?:on\w+|src|href|srcset|action)\s*=/gi)).toBeNull();
		expect(page).toContain("default-src 'none'");
		expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
		expect(page.match(/<\/style>/g)).toHaveLength(1);
	});

	it('is bounded, and is whole for a thousand lines', async () => {
		const line = ublInvoice().match(/<cac:InvoiceLine>.*?<\/cac:InvoiceLine>/s)![0];
		const xml = ublInvoice({ '</Invoice>': `${line.repeat(3_000)}</Invoice>` });
		const page = await pageOf(xml);
		expect(page.length).toBeLessThan(1_000_000);
		expect(textOf(page)).toContain('… und 2.502 weitere Positionen');
	});

	it('is well-formed', async () => {
		const page = (await pageOf(ciiInvoice()))
			.replace(/^<!doctype html>\n/, '')
			.replace(/<meta[^>]+>|<br>/g, '');
		const errors: string[] = [];
		const parser = new SaxesParser({ xmlns: true });
		parser.on('error', ({ message }) => errors.push(message));
		parser.write(page).close();
		expect(errors).toEqual([]);
	});
});

it('The option "Readable Page" adds the page to the item, beside its file, and to no other', async () => {
	await initBinaryData();
	const run = async (view?: boolean) =>
		await runNode({
			node: new AccountingGatewayFiles(),
			parameters: {
				resource: 'eInvoice',
				operation: 'read',
				datei: '*',
				...(view !== undefined && { options: { view } }),
			},
			items: [
				{
					files: {
						view: { fileName: 'RE-4711.xml', content: Buffer.from(ublInvoice()) },
						photo: { fileName: 'a.jpg', content: Buffer.from('ffd8ff', 'hex') },
					},
				},
			],
		});
	const { main } = await run(true);
	const files = main[0]?.map(({ binary = {} }) =>
		Object.entries(binary).map(([field, { fileName, mimeType }]) => [field, fileName, mimeType]),
	);
	expect(files).toEqual([
		[
			['view', 'RE-4711.xml', expect.any(String)],
			['view_2', 'RE-4711.html', 'text/html'],
		],
		[['photo', 'a.jpg', expect.any(String)]],
	]);
	const without = await run();
	expect(without.main[0]?.map(({ binary = {} }) => Object.keys(binary))).toEqual([['view'], ['photo']]);
});
