import { compact, uniq } from 'lodash';

import type { Allowance, CashDiscount, EInvoice, Line, Party, Read, Tax } from './invoice';
import { kindOf } from './kind';
import { cashDiscountsIn, dayAfter, isDirectDebit, isTrue, othersOf, sumOf, ValueReader } from './values';
import type { Value } from './values';
import { XmlElement } from './xml';
import { INVOICE_LIMITS } from './limits';

/** What ZUGFeRD 1 calls otherwise than its successor. */
const RENAMED = new Map([
	['rsm:SpecifiedExchangedDocumentContext', 'rsm:ExchangedDocumentContext'],
	['rsm:HeaderExchangedDocument', 'rsm:ExchangedDocument'],
	['rsm:SpecifiedSupplyChainTradeTransaction', 'rsm:SupplyChainTradeTransaction'],
	['ram:ApplicableSupplyChainTradeAgreement', 'ram:ApplicableHeaderTradeAgreement'],
	['ram:ApplicableSupplyChainTradeDelivery', 'ram:ApplicableHeaderTradeDelivery'],
	['ram:ApplicableSupplyChainTradeSettlement', 'ram:ApplicableHeaderTradeSettlement'],
	['ram:SpecifiedTradeSettlementMonetarySummation', 'ram:SpecifiedTradeSettlementHeaderMonetarySummation'],
	['ram:ApplicablePercent', 'ram:RateApplicablePercent'],
	['ram:SpecifiedSupplyChainTradeAgreement', 'ram:SpecifiedLineTradeAgreement'],
	['ram:SpecifiedSupplyChainTradeDelivery', 'ram:SpecifiedLineTradeDelivery'],
	['ram:SpecifiedSupplyChainTradeSettlement', 'ram:SpecifiedLineTradeSettlement'],
]);

/** An element of ZUGFeRD 1 under the names of its successor. */
function renamed({ name, attributes, text, children }: XmlElement, parent = ''): XmlElement {
	const isNumber = name === 'ram:ID' && parent.endsWith('ReferencedDocument');
	const element = new XmlElement(isNumber ? 'ram:IssuerAssignedID' : (RENAMED.get(name) ?? name), attributes);
	element.text = text;
	for (const child of children) element.children.push(renamed(child, name));
	return element;
}

const TRADE_TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRADE_TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRADE_TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRADE_TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;
const TOTALS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const PAYEE_IBAN = 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID';

/** Reads UN/CEFACT's Cross Industry Invoice (Factur-X, ZUGFeRD 2, XRechnung), or its forerunner in ZUGFeRD 1. */
export function readCii(given: XmlElement, lineCount: number): Read {
	const isFirst = given.name === 'rsm:CrossIndustryDocument';
	const root = isFirst ? renamed(given) : given;
	const currency = root.value(`${SETTLEMENT}/ram:InvoiceCurrencyCode`);
	const taxCurrency = root.value(`${SETTLEMENT}/ram:TaxCurrencyCode`);
	const values = new ValueReader(currency);
	// The tax may be given once more, in the currency of the tax office.
	const total = (name: string, what: Value) => values.total(root.all(`${TOTALS}/ram:${name}`), what);
	const taxes = root
		.all(`${SETTLEMENT}/ram:ApplicableTradeTax`)
		.filter((one) => values.isOwn(one.first('ram:CalculatedAmount')));
	const account = root
		.all(`${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`)
		.find((one) => one.value(PAYEE_IBAN));
	const terms = root.all(`${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`);
	const dueDates = dueDatesOf(terms, values);
	const issueDate = values.ciiDate(root.first('rsm:ExchangedDocument/ram:IssueDateTime'), 'the invoice date');
	const words = root.values(`${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:Description`).join(' ') || null;
	const typeCode = root.value('rsm:ExchangedDocument/ram:TypeCode');
	const invoice: EInvoice = {
		kind: kindOf(typeCode),
		syntax: isFirst ? 'ZUGFeRD 1' : 'CII',
		profile: root.value('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
		typeCode,
		number: root.value('rsm:ExchangedDocument/ram:ID'),
		issueDate,
		dueDate: dueDates[0] ?? null,
		dueDates,
		instalments: terms
			.filter((one) => one.first('ram:PartialPaymentAmount'))
			.map((one) => ({
				dueDate: values.ciiDate(one.first('ram:DueDateDateTime'), 'the due date'),
				amount: values.amount(one.first('ram:PartialPaymentAmount'), 'an instalment'),
			}))
			.slice(0, INVOICE_LIMITS.list),
		deliveryDate: values.ciiDate(
			root.first(`${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`),
			'the delivery date',
		),
		deliveryCountry: root.value(`${DELIVERY}/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID`),
		period: periodIn(root, `${SETTLEMENT}/ram:BillingSpecifiedPeriod`, values),
		seller: party(root.first(`${AGREEMENT}/ram:SellerTradeParty`)),
		buyer: party(root.first(`${AGREEMENT}/ram:BuyerTradeParty`)),
		taxRepresentativeVatId: party(root.first(`${AGREEMENT}/ram:SellerTaxRepresentativeTradeParty`)).vatId,
		payeeName: root.value(`${SETTLEMENT}/ram:PayeeTradeParty/ram:Name`),
		currency,
		grossAmount: total('GrandTotalAmount', 'the total with tax'),
		netAmount: total('TaxBasisTotalAmount', 'the total without tax'),
		taxAmount: total('TaxTotalAmount', 'the tax'),
		taxCurrency,
		taxAmountInTaxCurrency: values.taxIn(taxCurrency, root.all(`${TOTALS}/ram:TaxTotalAmount`)),
		taxes: taxes.map((one) => tax(one, values)),
		lineTotal: total('LineTotalAmount', 'the sum of the lines'),
		allowanceTotal: total('AllowanceTotalAmount', 'the sum of the allowances'),
		chargeTotal: total('ChargeTotalAmount', 'the sum of the charges'),
		prepaidAmount: total('TotalPrepaidAmount', 'what was paid in advance'),
		roundingAmount: total('RoundingAmount', 'the rounding'),
		thirdPartyAmount: sumOf(
			root
				.all(`${SETTLEMENT}/ram:SpecifiedFinancialAdjustment/ram:ActualAmount`)
				.map((one) => values.amount(one, 'an amount that is collected for others')),
		),
		payableAmount: total('DuePayableAmount', 'the amount to pay'),
		paymentMeans: root.value(`${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/ram:TypeCode`),
		paymentTerms: words,
		cashDiscounts: [
			...cashDiscountsIn(words, issueDate),
			...terms.flatMap((one) =>
				one
					.all('ram:ApplicableTradePaymentDiscountTerms')
					.map((discount) => discountOf(discount, one, issueDate, values)),
			),
		],
		directDebit: directDebit(root),
		iban: account?.value(PAYEE_IBAN) ?? null,
		otherIbans: othersOf(root.values(`${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans/${PAYEE_IBAN}`)),
		bic: account?.value('ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID') ?? null,
		accountName: account?.value('ram:PayeePartyCreditorFinancialAccount/ram:AccountName') ?? null,
		references: {
			buyerReference: root.value(`${AGREEMENT}/ram:BuyerReference`),
			order: root.value(`${AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID`),
			contract: root.value(`${AGREEMENT}/ram:ContractReferencedDocument/ram:IssuerAssignedID`),
			project: root.value(`${AGREEMENT}/ram:SpecifiedProcuringProject/ram:ID`),
			payment: root.value(`${SETTLEMENT}/ram:PaymentReference`),
			precedingInvoices: root.values(`${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`),
		},
		notes: root.values('rsm:ExchangedDocument/ram:IncludedNote/ram:Content').slice(0, INVOICE_LIMITS.list),
		allowances: root
			.all(`${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge`)
			.map((one) => allowance(one, values))
			.concat(
				root.all(`${SETTLEMENT}/ram:SpecifiedLogisticsServiceCharge`).map((one) => logistics(one, values)),
			)
			.slice(0, INVOICE_LIMITS.list),
		lines: root
			.all(`${TRADE_TRANSACTION}/ram:IncludedSupplyChainTradeLineItem`)
			.map((one) => line(one, values)),
		lineCount,
		attachments: root
			.all(`${AGREEMENT}/ram:AdditionalReferencedDocument`)
			.slice(0, INVOICE_LIMITS.list)
			.map((one) => ({
				id: one.value('ram:IssuerAssignedID'),
				description: one.value('ram:Name'),
				fileName: one.first('ram:AttachmentBinaryObject')?.attributes.filename ?? null,
				url: one.value('ram:URIID'),
			})),
	};
	return { invoice, unreadable: values.unreadable };
}

/** The days of the terms without a discount (Skonto); if all have one, all days. */
function dueDatesOf(terms: XmlElement[], values: ValueReader): string[] {
	const dated = terms.filter((one) => one.first('ram:DueDateDateTime'));
	const net = dated.filter((one) => !one.first('ram:ApplicableTradePaymentDiscountTerms'));
	const days = (net.length > 0 ? net : dated).map((one) =>
		values.ciiDate(one.first('ram:DueDateDateTime'), 'the due date'),
	);
	return uniq(compact(days));
}

const periodIn = (element: XmlElement, path: string, values: ValueReader) => ({
	from: values.ciiDate(element.first(`${path}/ram:StartDateTime`), 'the delivery period'),
	to: values.ciiDate(element.first(`${path}/ram:EndDateTime`), 'the delivery period'),
});

/** UN/ECE Recommendation 20: the units of a period. */
const PERIODS: Record<string, 'days' | 'weeks' | 'months' | 'years'> = {
	DAY: 'days',
	WEE: 'weeks',
	MON: 'months',
	ANN: 'years',
};

/** A discount for payment within a period, which begins on a day of its own or on the invoice date; or by the day of its term. */
function discountOf(
	element: XmlElement,
	term: XmlElement,
	issueDate: string | null,
	values: ValueReader,
): CashDiscount {
	const date = (from: XmlElement, name: string) => values.ciiDate(from.first(name), 'the cash discount');
	const amount = (name: string) => values.amount(element.first(name), 'the cash discount');
	const period = amount('ram:BasisPeriodMeasure');
	const code = element.first('ram:BasisPeriodMeasure')?.attributes.unitCode ?? 'DAY';
	const unit = Object.hasOwn(PERIODS, code) ? PERIODS[code] : undefined;
	const begin = date(element, 'ram:BasisDateTime');
	const inPeriod = period !== null && unit ? dayAfter(begin ?? issueDate, { [unit]: period }) : null;
	return {
		days: begin !== null || period === null || unit === undefined ? null : daysOf(period, unit),
		until: period === null ? date(term, 'ram:DueDateDateTime') : inPeriod,
		percent: amount('ram:CalculationPercent'),
		amount: amount('ram:ActualDiscountAmount'),
		base: amount('ram:BasisAmount'),
	};
}

/** A month has no fixed number of days. */
const daysOf = (period: number, unit: string): number | null =>
	unit === 'days' ? period : unit === 'weeks' ? 7 * period : null;

function directDebit(root: XmlElement): EInvoice['directDebit'] {
	const means = `${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`;
	if (!isDirectDebit(root.all(means).map((one) => one.value('ram:TypeCode')))) return null;
	return {
		mandate: root.value(`${SETTLEMENT}/ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID`),
		creditorId: root.value(`${SETTLEMENT}/ram:CreditorReferenceID`),
		iban: root.value(`${means}/ram:PayerPartyDebtorFinancialAccount/ram:IBANID`),
	};
}

const allowance = (element: XmlElement, values: ValueReader): Allowance => ({
	isCharge: isTrue(element.value('ram:ChargeIndicator/udt:Indicator')),
	reason: element.value('ram:Reason') ?? element.value('ram:ReasonCode'),
	amount: values.amount(element.first('ram:ActualAmount'), 'an allowance or charge'),
	category: element.value('ram:CategoryTradeTax/ram:CategoryCode'),
	rate: values.amount(element.first('ram:CategoryTradeTax/ram:RateApplicablePercent'), 'a tax rate'),
});

/** Freight and the like, which EXTENDED and ZUGFeRD 1 have an element of their own for: a charge. */
const logistics = (element: XmlElement, values: ValueReader): Allowance => ({
	isCharge: true,
	reason: element.value('ram:Description'),
	amount: values.amount(element.first('ram:AppliedAmount'), 'an allowance or charge'),
	category: element.value('ram:AppliedTradeTax/ram:CategoryCode'),
	rate: values.amount(element.first('ram:AppliedTradeTax/ram:RateApplicablePercent'), 'a tax rate'),
});

function line(element: XmlElement, values: ValueReader): Line {
	const quantity = element.first('ram:SpecifiedLineTradeDelivery/ram:BilledQuantity');
	const settlement = 'ram:SpecifiedLineTradeSettlement';
	const netPrice = 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice';
	const amount = (path: string) => values.amount(element.first(path), 'an amount of a line');
	return {
		id: element.value('ram:AssociatedDocumentLineDocument/ram:LineID'),
		parent: element.value('ram:AssociatedDocumentLineDocument/ram:ParentLineID'),
		status: element.value('ram:AssociatedDocumentLineDocument/ram:LineStatusReasonCode'),
		name: element.value('ram:SpecifiedTradeProduct/ram:Name'),
		description: element.value('ram:SpecifiedTradeProduct/ram:Description'),
		quantity: values.amount(quantity, 'an amount of a line'),
		unit: quantity?.attributes.unitCode ?? null,
		price: amount(`${netPrice}/ram:ChargeAmount`),
		priceQuantity: amount(`${netPrice}/ram:BasisQuantity`),
		allowances: element
			.all(`${settlement}/ram:SpecifiedTradeAllowanceCharge`)
			.map((one) => allowance(one, values)),
		netAmount:
			amount(`${settlement}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`) ??
			// ZUGFeRD 1 has one name for this and for the invoice's.
			amount(`${settlement}/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:LineTotalAmount`),
		category: element.value(`${settlement}/ram:ApplicableTradeTax/ram:CategoryCode`),
		rate: values.amount(
			element.first(`${settlement}/ram:ApplicableTradeTax/ram:RateApplicablePercent`),
			'a tax rate',
		),
		period: periodIn(element, `${settlement}/ram:BillingSpecifiedPeriod`, values),
	};
}

function tax(element: XmlElement, values: ValueReader): Tax {
	return {
		rate: values.amount(element.first('ram:RateApplicablePercent'), 'a tax rate'),
		base: values.amount(element.first('ram:BasisAmount'), 'the taxable amount'),
		amount: values.amount(element.first('ram:CalculatedAmount'), 'the amount of a tax'),
		category: element.value('ram:CategoryCode'),
		exemptionReason: element.value('ram:ExemptionReason') ?? element.value('ram:ExemptionReasonCode'),
	};
}

function party(element: XmlElement | undefined): Party {
	const value = (path: string) => element?.value(path) ?? null;
	const registration = (scheme: string) =>
		element
			?.all('ram:SpecifiedTaxRegistration')
			.find((one) => one.first('ram:ID')?.attributes.schemeID === scheme)
			?.value('ram:ID') ?? null;
	return {
		name: value('ram:Name') ?? value('ram:SpecifiedLegalOrganization/ram:TradingBusinessName'),
		vatId: registration('VA'),
		taxNumber: registration('FC'),
		street: value('ram:PostalTradeAddress/ram:LineOne'),
		postalCode: value('ram:PostalTradeAddress/ram:PostcodeCode'),
		city: value('ram:PostalTradeAddress/ram:CityName'),
		country: value('ram:PostalTradeAddress/ram:CountryID'),
		email: value('ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID'),
		ids: ['ram:ID', 'ram:GlobalID', 'ram:SpecifiedLegalOrganization/ram:ID'].flatMap(
			(path) => element?.values(path) ?? [],
		),
	};
}
