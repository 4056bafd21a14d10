import { compact, map, uniq } from 'lodash';

import { sum } from '../../shared/values';
import type { Allowance, EInvoice, Line, Party, Period, Read, Tax } from './invoice';
import { kindOf } from './kind';
import { cashDiscountsIn, isDirectDebit, isTrue, othersOf, shortened, sumOf, ValueReader } from './values';
import type { Value } from './values';
import type { XmlElement } from './xml';
import { INVOICE_LIMITS } from './limits';

/** Reads a UBL 2.1 invoice or credit note: XRechnung, Peppol, EN 16931. */
export function readUbl(root: XmlElement, lineCount: number): Read {
	const currency = root.value('cbc:DocumentCurrencyCode');
	const taxCurrency = root.value('cbc:TaxCurrencyCode');
	const values = new ValueReader(currency);
	const total = (name: string, what: Value) =>
		values.total(root.all(`cac:LegalMonetaryTotal/cbc:${name}`), what);
	const gross = total('TaxInclusiveAmount', 'the total with tax');
	const net = total('TaxExclusiveAmount', 'the total without tax');
	const taxTotals = taxTotalsOf(root, values, gross, net);
	const account = root.all('cac:PaymentMeans/cac:PayeeFinancialAccount').find((one) => one.value('cbc:ID'));
	// A credit note has no due date of its own.
	const dueDates = compact(
		[
			...root.values('cbc:DueDate'),
			...root.values('cac:PaymentMeans/cbc:PaymentDueDate'),
			...root.values('cac:PaymentTerms/cbc:PaymentDueDate'),
		].map((day) => values.date(day, 'the due date')),
	);
	const isCreditNote = root.name === 'ubl:CreditNote';
	const typeCode =
		root.value('cbc:InvoiceTypeCode') ??
		root.value('cbc:CreditNoteTypeCode') ??
		// Unlike EN 16931, UBL itself doesn't require a type code.
		(isCreditNote ? '381' : null);
	const isContradicted = isCreditNote && kindOf(typeCode) !== 'creditNote';
	if (isContradicted)
		values.unreadable.push({
			term: 'BT-3',
			en: `the type is ${shortened(typeCode!)}, but the document is a credit note, which reduces what is owed`,
			de: `die Rechnungsart ist ${shortened(typeCode!)}, das Dokument aber eine Gutschrift, die den Betrag mindert`,
		});
	const terms = root.values('cac:PaymentTerms/cbc:Note').join(' ') || null;
	const issueDate = values.date(root.value('cbc:IssueDate'), 'the invoice date');
	const invoice: EInvoice = {
		kind: isContradicted ? 'creditNote' : typeCode === null ? 'invoice' : kindOf(typeCode),
		syntax: 'UBL',
		profile: root.value('cbc:CustomizationID'),
		typeCode,
		number: root.value('cbc:ID'),
		issueDate,
		dueDate: dueDates[0] ?? null,
		dueDates: uniq(dueDates),
		instalments: [],
		deliveryDate: values.date(root.value('cac:Delivery/cbc:ActualDeliveryDate'), 'the delivery date'),
		deliveryCountry: root.value(
			'cac:Delivery/cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode',
		),
		period: periodIn(root, values),
		seller: party(root.first('cac:AccountingSupplierParty/cac:Party')),
		buyer: party(root.first('cac:AccountingCustomerParty/cac:Party')),
		taxRepresentativeVatId: party(root.first('cac:TaxRepresentativeParty')).vatId,
		payeeName: root.value('cac:PayeeParty/cac:PartyName/cbc:Name'),
		currency,
		grossAmount: gross,
		netAmount: net,
		taxAmount: sumOf(taxTotals.map(({ amount }) => amount)),
		taxCurrency,
		taxAmountInTaxCurrency: values.taxIn(taxCurrency, root.all('cac:TaxTotal/cbc:TaxAmount')),
		taxes: taxTotals.flatMap(({ taxes }) => taxes),
		lineTotal: total('LineExtensionAmount', 'the sum of the lines'),
		allowanceTotal: total('AllowanceTotalAmount', 'the sum of the allowances'),
		chargeTotal: total('ChargeTotalAmount', 'the sum of the charges'),
		prepaidAmount: total('PrepaidAmount', 'what was paid in advance'),
		roundingAmount: total('PayableRoundingAmount', 'the rounding'),
		thirdPartyAmount: thirdPartyAmount(root, values),
		payableAmount: total('PayableAmount', 'the amount to pay'),
		paymentMeans: root.value('cac:PaymentMeans/cbc:PaymentMeansCode'),
		paymentTerms: terms,
		cashDiscounts: cashDiscountsIn(terms, issueDate),
		directDebit: directDebit(root),
		iban: account?.value('cbc:ID') ?? null,
		otherIbans: othersOf(root.values('cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID')),
		bic: account?.value('cac:FinancialInstitutionBranch/cbc:ID') ?? null,
		accountName: account?.value('cbc:Name') ?? null,
		references: {
			buyerReference: root.value('cbc:BuyerReference'),
			order: root.value('cac:OrderReference/cbc:ID'),
			contract: root.value('cac:ContractDocumentReference/cbc:ID'),
			project: root.value('cac:ProjectReference/cbc:ID'),
			payment: root.value('cac:PaymentMeans/cbc:PaymentID'),
			precedingInvoices: root.values('cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID'),
		},
		notes: root.values('cbc:Note').slice(0, INVOICE_LIMITS.list),
		allowances: root
			.all('cac:AllowanceCharge')
			.slice(0, INVOICE_LIMITS.list)
			.map((one) => allowance(one, values)),
		lines: root.all(isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine').map((one) => line(one, values)),
		lineCount,
		attachments: root
			.all('cac:AdditionalDocumentReference')
			.slice(0, INVOICE_LIMITS.list)
			.map((one) => ({
				id: one.value('cbc:ID'),
				description: one.value('cbc:DocumentDescription'),
				fileName: one.first('cac:Attachment/cbc:EmbeddedDocumentBinaryObject')?.attributes.filename ?? null,
				url: one.value('cac:Attachment/cac:ExternalReference/cbc:URI'),
			})),
	};
	return { invoice, unreadable: values.unreadable };
}

const allowance = (element: XmlElement, values: ValueReader): Allowance => ({
	isCharge: isTrue(element.value('cbc:ChargeIndicator')),
	reason: element.value('cbc:AllowanceChargeReason') ?? element.value('cbc:AllowanceChargeReasonCode'),
	amount: values.amount(element.first('cbc:Amount'), 'an allowance or charge'),
	category: element.value('cac:TaxCategory/cbc:ID'),
	rate: values.amount(element.first('cac:TaxCategory/cbc:Percent'), 'a tax rate'),
});

function line(element: XmlElement, values: ValueReader): Line {
	const quantity = element.first('cbc:InvoicedQuantity') ?? element.first('cbc:CreditedQuantity');
	const amount = (path: string) => values.amount(element.first(path), 'an amount of a line');
	return {
		id: element.value('cbc:ID'),
		parent: null,
		status: null,
		name: element.value('cac:Item/cbc:Name'),
		description: element.value('cac:Item/cbc:Description'),
		quantity: values.amount(quantity, 'an amount of a line'),
		unit: quantity?.attributes.unitCode ?? null,
		price: amount('cac:Price/cbc:PriceAmount'),
		priceQuantity: amount('cac:Price/cbc:BaseQuantity'),
		allowances: element.all('cac:AllowanceCharge').map((one) => allowance(one, values)),
		netAmount: amount('cbc:LineExtensionAmount'),
		category: element.value('cac:Item/cac:ClassifiedTaxCategory/cbc:ID'),
		rate: values.amount(element.first('cac:Item/cac:ClassifiedTaxCategory/cbc:Percent'), 'a tax rate'),
		period: periodIn(element, values),
	};
}

const periodIn = (element: XmlElement, values: ValueReader): Period => ({
	from: values.date(element.value('cac:InvoicePeriod/cbc:StartDate'), 'the delivery period'),
	to: values.date(element.value('cac:InvoicePeriod/cbc:EndDate'), 'the delivery period'),
});

function directDebit(root: XmlElement): EInvoice['directDebit'] {
	const means = root.all('cac:PaymentMeans');
	if (!isDirectDebit(means.map((one) => one.value('cbc:PaymentMeansCode')))) return null;
	const value = (path: string) => means.map((one) => one.value(path)).find((one) => one !== null) ?? null;
	const creditors = ['cac:AccountingSupplierParty/cac:Party', 'cac:PayeeParty'].flatMap((party) =>
		root.values(`${party}/cac:PartyIdentification/cbc:ID`, isCreditorId),
	);
	return {
		mandate: value('cac:PaymentMandate/cbc:ID'),
		creditorId: creditors[0] ?? null,
		iban: value('cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID'),
	};
}

/** UBL has it among the identifiers of the seller. */
const isCreditorId = ({ attributes }: XmlElement) => attributes.schemeID === 'SEPA';

/** In the extension of XRechnung, what is due to others is where UBL has what was paid in advance. */
function thirdPartyAmount(root: XmlElement, values: ValueReader): number | null {
	if (!root.value('cbc:CustomizationID')?.includes(':extension:xrechnung')) return null;
	const amounts = root.all('cac:PrepaidPayment/cbc:PaidAmount').filter((one) => values.isOwn(one));
	return sumOf(amounts.map((one) => values.amount(one, 'an amount that is collected for others')));
}

interface TaxTotal {
	amount: number | null;
	taxes: Tax[];
}

/**
 * The totals of the tax in the invoice's currency: one, and maybe another one in the currency of the tax office. Some
 * invoices have a total for each kind of tax, others repeat the total: of several, those that lead from net to gross
 * count.
 */
function taxTotalsOf(
	root: XmlElement,
	values: ValueReader,
	gross: number | null,
	net: number | null,
): TaxTotal[] {
	const all = root.all('cac:TaxTotal');
	const totals = all
		.filter((total) => values.isOwn(total.first('cbc:TaxAmount')))
		.map((total) => ({
			amount: values.amount(total.first('cbc:TaxAmount'), 'the tax'),
			taxes: total.all('cac:TaxSubtotal').map((subtotal) => tax(subtotal, values)),
		}));
	if (totals.length === 0 && all.length > 0)
		values.unreadable.push({
			term: 'BR-CO-15',
			en: 'the tax is in another currency only',
			de: 'die Steuer ist nur in einer anderen Währung angegeben',
		});
	if (totals.length < 2 || gross === null || net === null) return totals;
	const adds = (some: TaxTotal[]) => {
		const amount = sumOf(some.map((total) => total.amount));
		return amount !== null && sum([net, amount]) === gross;
	};
	if (adds(totals)) return totals;
	values.checkSame(map(totals, 'amount'), 'the tax');
	const one = totals.filter(({ taxes }) => taxes.length > 0).find((total) => adds([total]));
	return one ? [one] : totals;
}

function tax(subtotal: XmlElement, values: ValueReader): Tax {
	return {
		rate: values.amount(
			subtotal.first('cac:TaxCategory/cbc:Percent') ?? subtotal.first('cbc:Percent'),
			'a tax rate',
		),
		base: values.amount(subtotal.first('cbc:TaxableAmount'), 'the taxable amount'),
		amount: values.amount(subtotal.first('cbc:TaxAmount'), 'the amount of a tax'),
		category: subtotal.value('cac:TaxCategory/cbc:ID'),
		exemptionReason:
			subtotal.value('cac:TaxCategory/cbc:TaxExemptionReason') ??
			subtotal.value('cac:TaxCategory/cbc:TaxExemptionReasonCode'),
	};
}

function party(element: XmlElement | undefined): Party {
	const value = (path: string) => element?.value(path) ?? null;
	const schemes = element?.all('cac:PartyTaxScheme') ?? [];
	const isVat = (scheme: XmlElement) => scheme.value('cac:TaxScheme/cbc:ID')?.toUpperCase() === 'VAT';
	return {
		name: value('cac:PartyLegalEntity/cbc:RegistrationName') ?? value('cac:PartyName/cbc:Name'),
		vatId: schemes.find(isVat)?.value('cbc:CompanyID') ?? null,
		taxNumber: schemes.find((scheme) => !isVat(scheme))?.value('cbc:CompanyID') ?? null,
		street: value('cac:PostalAddress/cbc:StreetName'),
		postalCode: value('cac:PostalAddress/cbc:PostalZone'),
		city: value('cac:PostalAddress/cbc:CityName'),
		country: value('cac:PostalAddress/cac:Country/cbc:IdentificationCode'),
		email: value('cac:Contact/cbc:ElectronicMail'),
		ids:
			element
				?.values('cac:PartyIdentification/cbc:ID', (one) => !isCreditorId(one))
				.concat(element.values('cac:PartyLegalEntity/cbc:CompanyID')) ?? [],
	};
}
