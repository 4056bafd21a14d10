/**
 * Made the sample e-invoices of the example workflows, once: `npx tsx workflows/make/makeEInvoices.mts`. Needs Debian's
 * packages chromium, fonts-liberation and qpdf. All companies are invented.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Big } from 'big.js';
import { execa } from 'execa';
import { DateTime } from 'luxon';
import escape from 'lodash/escape.js';
import { launchBrowser } from '../../host/editor.mjs';

interface Party {
	name: string;
	street: string;
	postalCode: string;
	city: string;
	vatId: string;
	email: string;
	iban: string;
}

interface Line {
	text: string;
	quantity: number;
	price: string;
	rate: 7 | 19;
}

interface Invoice {
	number: string;
	/** UNTDID 1001: an invoice by default, 381 a credit note. */
	typeCode?: '381';
	date: string;
	due: string;
	seller: Party;
	buyer: Party;
	lines: Line[];
	/** Of a faulty sample: what its total says instead of the sum. */
	wrongTotal?: string;
}

const BAKERY: Party = {
	name: 'Bäckerei Sonnenschein GmbH',
	street: 'Marktplatz 4',
	postalCode: '04177',
	city: 'Leipzig',
	vatId: 'DE999999999',
	email: 'belege@baeckerei-sonnenschein.example',
	iban: 'DE89370400440532013000',
};
const PAPER: Party = {
	name: 'Papier Schmidt OHG',
	street: 'Gerberstraße 12',
	postalCode: '04105',
	city: 'Leipzig',
	vatId: 'DE123456788',
	email: 'rechnung@papier-schmidt.example',
	iban: 'DE02120300000000202051',
};
const FLOUR: Party = {
	name: 'Mühle Korntal GmbH',
	street: 'Am Mühlgraben 1',
	postalCode: '04683',
	city: 'Naunhof',
	vatId: 'DE136695976',
	email: 'rechnung@muehle-korntal.example',
	iban: 'DE02500105170137075030',
};
const HOTEL: Party = {
	name: 'Hotel am Auwald GmbH',
	street: 'Auwaldweg 3',
	postalCode: '04179',
	city: 'Leipzig',
	vatId: 'DE811128135',
	email: 'einkauf@hotel-am-auwald.example',
	iban: 'DE02100500000054540402',
};

const PAPER_INVOICE: Invoice = {
	number: 'RE-4711',
	date: '2026-11-20',
	due: '2026-12-04',
	seller: PAPER,
	buyer: BAKERY,
	lines: [{ text: 'Kuchenkartons 30 × 30 cm, 25 Stück', quantity: 20, price: '5.00', rate: 19 }],
};
const FLOUR_INVOICE: Invoice = {
	number: '2026-1203',
	date: '2026-11-19',
	due: '2026-12-03',
	seller: FLOUR,
	buyer: BAKERY,
	lines: [
		{ text: 'Weizenmehl Type 550, 25 kg', quantity: 16, price: '19.80', rate: 7 },
		{ text: 'Anlieferung', quantity: 1, price: '25.00', rate: 19 },
	],
};
const CREDIT_NOTE: Invoice = {
	number: 'GS-0098',
	typeCode: '381',
	date: '2026-11-20',
	due: '2026-12-04',
	seller: PAPER,
	buyer: BAKERY,
	lines: [{ text: 'Rückgabe Kuchenkartons, 25 Stück', quantity: 2, price: '5.00', rate: 19 }],
};
const OWN_INVOICE: Invoice = {
	number: 'AR-2026-0331',
	date: '2026-11-20',
	due: '2026-12-20',
	seller: BAKERY,
	buyer: HOTEL,
	lines: [{ text: 'Frühstücksgebäck November, Lieferungen', quantity: 18, price: '41.50', rate: 7 }],
};
const WRONG_SUM: Invoice = {
	number: 'R-778',
	date: '2026-11-18',
	due: '2026-12-02',
	seller: HOTEL,
	buyer: BAKERY,
	lines: [{ text: 'Seminarraum, 18.11.2026', quantity: 1, price: '150.00', rate: 19 }],
	wrongTotal: '187.50',
};

const amountOf = ({ quantity, price }: Line) => new Big(price).times(quantity);
const sum = (amounts: Big[]) => amounts.reduce((total, amount) => total.plus(amount), new Big(0));

function totalsOf({ lines, wrongTotal }: Invoice) {
	const rates = ([19, 7] as const).filter((rate) => lines.some((line) => line.rate === rate));
	const taxes = rates.map((rate) => {
		const base = sum(lines.filter((line) => line.rate === rate).map(amountOf));
		return { rate, base, amount: base.times(rate).div(100).round(2) };
	});
	const net = sum(lines.map(amountOf));
	const tax = sum(taxes.map(({ amount }) => amount));
	return { taxes, net, tax, gross: wrongTotal ? new Big(wrongTotal) : net.plus(tax) };
}

function ubl(invoice: Invoice): string {
	const { number, typeCode = '380', date, due, seller, buyer, lines } = invoice;
	const { taxes, net, tax, gross } = totalsOf(invoice);
	const isCredit = typeCode === '381';
	const root = isCredit ? 'CreditNote' : 'Invoice';
	const amount = (name: string, value: Big) => `<cbc:${name} currencyID="EUR">${value.toFixed(2)}</cbc:${name}>`;
	const category = (name: string, rate: number) =>
		`<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>${rate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;
	const party = (name: string, { street, city, postalCode, vatId, ...of }: Party) => `<cac:${name}>
		<cac:Party>
			<cbc:EndpointID schemeID="EM">${of.email}</cbc:EndpointID>
			<cac:PostalAddress><cbc:StreetName>${street}</cbc:StreetName><cbc:CityName>${city}</cbc:CityName><cbc:PostalZone>${postalCode}</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
			<cac:PartyTaxScheme><cbc:CompanyID>${vatId}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
			<cac:PartyLegalEntity><cbc:RegistrationName>${escape(of.name)}</cbc:RegistrationName></cac:PartyLegalEntity>
		</cac:Party>
	</cac:${name}>`;
	return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2"
	xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
	xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
	<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>
	<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
	<cbc:ID>${number}</cbc:ID>
	<cbc:IssueDate>${date}</cbc:IssueDate>${isCredit ? '' : `\n\t<cbc:DueDate>${due}</cbc:DueDate>`}
	<cbc:${root}TypeCode>${typeCode}</cbc:${root}TypeCode>
	<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
	<cbc:BuyerReference>Einkauf</cbc:BuyerReference>
	${party('AccountingSupplierParty', seller)}
	${party('AccountingCustomerParty', buyer)}
	<cac:PaymentMeans>
		<cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>
		<cac:PayeeFinancialAccount><cbc:ID>${seller.iban}</cbc:ID></cac:PayeeFinancialAccount>
	</cac:PaymentMeans>
	<cac:TaxTotal>
		${amount('TaxAmount', tax)}
		${taxes.map((one) => `<cac:TaxSubtotal>${amount('TaxableAmount', one.base)}${amount('TaxAmount', one.amount)}${category('TaxCategory', one.rate)}</cac:TaxSubtotal>`).join('\n\t\t')}
	</cac:TaxTotal>
	<cac:LegalMonetaryTotal>
		${amount('LineExtensionAmount', net)}
		${amount('TaxExclusiveAmount', net)}
		${amount('TaxInclusiveAmount', gross)}
		${amount('PayableAmount', gross)}
	</cac:LegalMonetaryTotal>
	${lines
		.map((line, i) => {
			const [name, quantity] = isCredit ? ['CreditNoteLine', 'CreditedQuantity'] : ['InvoiceLine', 'InvoicedQuantity'];
			return `<cac:${name}><cbc:ID>${i + 1}</cbc:ID><cbc:${quantity} unitCode="C62">${line.quantity}</cbc:${quantity}>${amount('LineExtensionAmount', amountOf(line))}<cac:Item><cbc:Name>${escape(line.text)}</cbc:Name>${category('ClassifiedTaxCategory', line.rate)}</cac:Item><cac:Price>${amount('PriceAmount', new Big(line.price))}</cac:Price></cac:${name}>`;
		})
		.join('\n\t')}
</${root}>
`;
}

/** As in the PDF of a ZUGFeRD invoice, profile EN 16931. */
function cii(invoice: Invoice): string {
	const { number, typeCode = '380', date, due, seller, buyer, lines } = invoice;
	const { taxes, net, tax, gross } = totalsOf(invoice);
	const day = (value: string) => `<udt:DateTimeString format="102">${value.replaceAll('-', '')}</udt:DateTimeString>`;
	const taxOf = (name: string, rate: number, more = '') =>
		`<ram:${name}>${more}<ram:TypeCode>VAT</ram:TypeCode>%<ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>${rate}</ram:RateApplicablePercent></ram:${name}>`;
	const party = (name: string, { street, city, postalCode, vatId, ...of }: Party) =>
		`<ram:${name}><ram:Name>${escape(of.name)}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>${postalCode}</ram:PostcodeCode><ram:LineOne>${street}</ram:LineOne><ram:CityName>${city}</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">${vatId}</ram:ID></ram:SpecifiedTaxRegistration></ram:${name}>`;
	return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
	<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
	<rsm:ExchangedDocument><ram:ID>${number}</ram:ID><ram:TypeCode>${typeCode}</ram:TypeCode><ram:IssueDateTime>${day(date)}</ram:IssueDateTime></rsm:ExchangedDocument>
	<rsm:SupplyChainTradeTransaction>
		${lines
			.map(
				(line, i) =>
					`<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${i + 1}</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>${escape(line.text)}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${line.price}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${line.quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement>${taxOf('ApplicableTradeTax', line.rate).replace('%', '')}<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amountOf(line).toFixed(2)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`,
			)
			.join('\n\t\t')}
		<ram:ApplicableHeaderTradeAgreement>${party('SellerTradeParty', seller)}${party('BuyerTradeParty', buyer)}</ram:ApplicableHeaderTradeAgreement>
		<ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${day(date)}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
		<ram:ApplicableHeaderTradeSettlement>
			<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
			<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${seller.iban}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>
			${taxes.map(({ rate, base, amount }) => taxOf('ApplicableTradeTax', rate, `<ram:CalculatedAmount>${amount.toFixed(2)}</ram:CalculatedAmount>`).replace('%', `<ram:BasisAmount>${base.toFixed(2)}</ram:BasisAmount>`)).join('\n\t\t\t')}
			<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${day(due)}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
			<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${net.toFixed(2)}</ram:LineTotalAmount><ram:TaxBasisTotalAmount>${net.toFixed(2)}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">${tax.toFixed(2)}</ram:TaxTotalAmount><ram:GrandTotalAmount>${gross.toFixed(2)}</ram:GrandTotalAmount><ram:DuePayableAmount>${gross.toFixed(2)}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
		</ram:ApplicableHeaderTradeSettlement>
	</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

const euro = (amount: Big) =>
	`${amount
		.toFixed(2)
		.replace('.', ',')
		.replace(/\B(?=(?:\d{3})+(?!\d))/g, '.')} €`;
const german = (day: string) => DateTime.fromISO(day).toFormat('dd.MM.yyyy');

/** What a person looks at. @param forwarded what an e-mail program prints above it */
function printed(invoice: Invoice, forwarded = ''): string {
	const { number, typeCode, date, due, seller, buyer, lines } = invoice;
	const { taxes, net, gross } = totalsOf(invoice);
	const row = (left: string, right: string, tag = 'td') => `<tr><${tag}>${left}</${tag}><${tag}>${right}</${tag}></tr>`;
	const title = `${typeCode === '381' ? 'Gutschrift' : 'Rechnung'} ${number}`;
	return `<!doctype html><html lang="de"><meta charset="utf-8"><title>${title}</title><style>
		body { font: 11pt/1.45 'Liberation Sans', sans-serif; margin: 0; color: #222; }
		header { border-bottom: 2px solid #35607a; padding-bottom: 8px; margin-bottom: 30px; } header b { font-size: 18pt; color: #35607a; display: block; }
		.meta { float: right; text-align: right; } h1 { font-size: 15pt; margin: 34px 0 4px; } pre { font: 9pt 'Liberation Mono'; color: #555; }
		table { width: 100%; border-collapse: collapse; margin: 22px 0; } td, th { padding: 6px 4px; border-bottom: 1px solid #ccc; text-align: left; } :is(td, th):last-child { text-align: right; }
	</style>${forwarded && `<pre>${escape(forwarded)}</pre>`}
	<header><b>${escape(seller.name)}</b>${seller.street} · ${seller.postalCode} ${seller.city} · USt-IdNr. ${seller.vatId}</header>
	<div class="meta">Datum: ${german(date)}<br>Zahlbar bis: ${german(due)}</div>
	<div>${escape(buyer.name)}<br>${buyer.street}<br>${buyer.postalCode} ${buyer.city}</div>
	<h1>${title}</h1>
	<table>${lines.map((line) => row(`${line.quantity} × ${escape(line.text)}`, euro(amountOf(line)))).join('')}
		${row('Summe netto', euro(net))}
		${taxes.map(({ rate, amount }) => row(`zzgl. ${rate} % Umsatzsteuer`, euro(amount))).join('')}
		${row('Gesamtbetrag', euro(gross), 'th')}</table>
	Bitte überweisen Sie auf das Konto IBAN ${seller.iban.replace(/(.{4})(?!$)/g, '$1 ')}.</html>`;
}

const pathOf = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const browser = await launchBrowser();
try {
	const page = await browser.newPage();
	const picture = async (html: string) => {
		await page.setContent(html);
		const margin = { top: '20mm', bottom: '20mm', left: '22mm', right: '22mm' };
		return await page.pdf({ format: 'A4', margin });
	};
	const zugferd = async (invoice: Invoice) => {
		const folder = await mkdtemp(join(tmpdir(), 'e-invoice-'));
		const [xml, before, after] = ['factur-x.xml', 'before.pdf', 'after.pdf'].map((name) => join(folder, name));
		await writeFile(xml, cii(invoice));
		await writeFile(before, await picture(printed(invoice)));
		await execa('qpdf', [before, '--add-attachment', xml, '--mimetype=text/xml', '--description=E-Rechnung', '--', after]);
		return await readFile(after);
	};
	const write = async (file: string, content: string | Uint8Array) => await writeFile(pathOf(file), content);

	await write('receipts-email/Rechnung RE-4711 Papier Schmidt.xml', ubl(PAPER_INVOICE));
	await write('receipts-email/Rechnung RE-4711 Papier Schmidt.pdf', await picture(printed(PAPER_INVOICE)));
	await write('receipts-email/Kopie RE-4711 mit ZUGFeRD.pdf', await zugferd(PAPER_INVOICE));
	const forwarded =
		'Von: Papier Schmidt <rechnung@papier-schmidt.example>\nAn: Einkauf <einkauf@baeckerei-sonnenschein.example>\nBetreff: Fwd: Ihre Rechnung';
	await write('receipts-email/Kopie RE-4711 gedruckt.pdf', await picture(printed(PAPER_INVOICE, forwarded)));

	await write('e-invoices-rewe/RE-4711 Papier Schmidt.xml', ubl(PAPER_INVOICE));
	await write('e-invoices-rewe/GS-0098 Papier Schmidt.xml', ubl(CREDIT_NOTE));
	await write('e-invoices-rewe/2026-1203 Mühle Korntal.pdf', await zugferd(FLOUR_INVOICE));
	await write('e-invoices-rewe/AR-2026-0331 Hotel am Auwald.pdf', await zugferd(OWN_INVOICE));
	await write('e-invoices-rewe/R-778 Hotel am Auwald.xml', ubl(WRONG_SUM));
	// Sent before e-invoices, and cut off by a mail program.
	await write('e-invoices-rewe/Scan Wartung Backofen.pdf', await picture(printed({ ...FLOUR_INVOICE, number: '88-12' })));
	await write('e-invoices-rewe/RE-4709 Papier Schmidt.xml', ubl({ ...PAPER_INVOICE, number: 'RE-4709' }).slice(0, 2000));
} finally {
	await browser.close();
}
