import { sum } from '../../values';
import type { EInvoice, Party, Read, Tax } from './invoice';
import { shortened, ValueReader } from './values';
import { CREDIT_NOTES } from './warnings';
import type { XmlElement } from './xml';

/** Reads a UBL 2.1 invoice or credit note: XRechnung, Peppol, EN 16931. */
export function readUbl(root: XmlElement): Read {
	const currency = root.value('cbc:DocumentCurrencyCode');
	const values = new ValueReader(currency);
	const total = (name: string, what: string) =>
		values.total(root.all(`cac:LegalMonetaryTotal/cbc:${name}`), what);
	const gross = total('TaxInclusiveAmount', 'the total with tax');
	const net = total('TaxExclusiveAmount', 'the total without tax');
	const taxTotals = taxTotalsOf(root, values, gross, net);
	const account = root.all('cac:PaymentMeans/cac:PayeeFinancialAccount').find((one) => one.value('cbc:ID'));
	// A credit note has no due date of its own.
	const dueDate =
		root.value('cbc:DueDate') ??
		root.value('cac:PaymentMeans/cbc:PaymentDueDate') ??
		root.value('cac:PaymentTerms/cbc:PaymentDueDate');
	const isCreditNote = root.name === 'ubl:CreditNote';
	const typeCode =
		root.value('cbc:InvoiceTypeCode') ??
		root.value('cbc:CreditNoteTypeCode') ??
		// Unlike EN 16931, UBL itself doesn't require a type code.
		(isCreditNote ? '381' : null);
	if (isCreditNote && !CREDIT_NOTES.has(typeCode!))
		values.unreadable.push(
			`the type is ${shortened(typeCode!)}, but the document is a credit note, which reduces what is owed`,
		);
	const invoice: EInvoice = {
		syntax: 'UBL',
		profile: root.value('cbc:CustomizationID'),
		typeCode,
		number: root.value('cbc:ID'),
		issueDate: values.date(root.value('cbc:IssueDate'), 'the invoice date'),
		dueDate: values.date(dueDate, 'the due date'),
		deliveryDate: values.date(root.value('cac:Delivery/cbc:ActualDeliveryDate'), 'the delivery date'),
		seller: party(root.first('cac:AccountingSupplierParty/cac:Party')),
		buyer: party(root.first('cac:AccountingCustomerParty/cac:Party')),
		currency,
		grossAmount: gross,
		netAmount: net,
		taxAmount: sumOf(taxTotals.map(({ amount }) => amount)),
		taxes: taxTotals.flatMap(({ taxes }) => taxes),
		prepaidAmount: total('PrepaidAmount', 'what was paid in advance'),
		roundingAmount: total('PayableRoundingAmount', 'the rounding'),
		thirdPartyAmount: thirdPartyAmount(root, values),
		payableAmount: total('PayableAmount', 'the amount to pay'),
		iban: account?.value('cbc:ID') ?? null,
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
	};
	return { invoice, unreadable: values.unreadable };
}

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
	if (totals.length === 0 && all.length > 0) values.unreadable.push('the tax is in another currency only');
	if (totals.length < 2 || gross === null || net === null) return totals;
	const adds = (some: TaxTotal[]) => {
		const amount = sumOf(some.map((total) => total.amount));
		return amount !== null && sum([net, amount]) === gross;
	};
	if (adds(totals)) return totals;
	const one = totals.filter(({ taxes }) => taxes.length > 0).find((total) => adds([total]));
	return one ? [one] : totals;
}

const sumOf = (amounts: Array<number | null>): number | null =>
	amounts.length === 0 || amounts.includes(null) ? null : sum(amounts.map(Number));

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
	};
}
