import type { EInvoice, Party, Read, Tax } from './invoice';
import { ValueReader } from './values';
import type { XmlElement } from './xml';

/** The names of an invoice's elements. */
interface Names {
	context: string;
	document: string;
	transaction: string;
	agreement: string;
	delivery: string;
	settlement: string;
	totals: string;
	rate: string;
	orderId: string;
}

/** Cross Industry Invoice D16B: Factur-X, ZUGFeRD 2, XRechnung. */
const CII: Names = {
	context: 'rsm:ExchangedDocumentContext',
	document: 'rsm:ExchangedDocument',
	transaction: 'rsm:SupplyChainTradeTransaction',
	agreement: 'ram:ApplicableHeaderTradeAgreement',
	delivery: 'ram:ApplicableHeaderTradeDelivery',
	settlement: 'ram:ApplicableHeaderTradeSettlement',
	totals: 'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
	rate: 'ram:RateApplicablePercent',
	orderId: 'ram:IssuerAssignedID',
};

const ZUGFERD_1: Names = {
	context: 'rsm:SpecifiedExchangedDocumentContext',
	document: 'rsm:HeaderExchangedDocument',
	transaction: 'rsm:SpecifiedSupplyChainTradeTransaction',
	agreement: 'ram:ApplicableSupplyChainTradeAgreement',
	delivery: 'ram:ApplicableSupplyChainTradeDelivery',
	settlement: 'ram:ApplicableSupplyChainTradeSettlement',
	totals: 'ram:SpecifiedTradeSettlementMonetarySummation',
	rate: 'ram:ApplicablePercent',
	orderId: 'ram:ID',
};

/** Reads UN/CEFACT's Cross Industry Invoice, or its forerunner in ZUGFeRD 1. */
export function readCii(root: XmlElement): Read {
	const isFirst = root.name === 'rsm:CrossIndustryDocument';
	const names = isFirst ? ZUGFERD_1 : CII;
	const agreement = `${names.transaction}/${names.agreement}`;
	const settlement = `${names.transaction}/${names.settlement}`;
	const currency = root.value(`${settlement}/ram:InvoiceCurrencyCode`);
	const values = new ValueReader(currency);
	// The tax may be given once more, in the currency of the tax office.
	const total = (name: string, what: string) =>
		values.total(root.all(`${settlement}/${names.totals}/ram:${name}`), what);
	const taxes = root
		.all(`${settlement}/ram:ApplicableTradeTax`)
		.filter((one) => values.isOwn(one.first('ram:CalculatedAmount')));
	const means = root.all(`${settlement}/ram:SpecifiedTradeSettlementPaymentMeans`);
	const ibanPath = 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID';
	const account = means.find((one) => one.value(ibanPath));
	const invoice: EInvoice = {
		syntax: isFirst ? 'ZUGFeRD 1' : 'CII',
		profile: root.value(`${names.context}/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID`),
		typeCode: root.value(`${names.document}/ram:TypeCode`),
		number: root.value(`${names.document}/ram:ID`),
		issueDate: values.ciiDate(root.first(`${names.document}/ram:IssueDateTime`), 'the invoice date'),
		dueDate: dueDate(root.all(`${settlement}/ram:SpecifiedTradePaymentTerms`), values),
		deliveryDate: values.ciiDate(
			root.first(
				`${names.transaction}/${names.delivery}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`,
			),
			'the delivery date',
		),
		seller: party(root.first(`${agreement}/ram:SellerTradeParty`)),
		buyer: party(root.first(`${agreement}/ram:BuyerTradeParty`)),
		currency,
		grossAmount: total('GrandTotalAmount', 'the total with tax'),
		netAmount: total('TaxBasisTotalAmount', 'the total without tax'),
		taxAmount: total('TaxTotalAmount', 'the tax'),
		taxes: taxes.map((one) => tax(one, names, values)),
		prepaidAmount: total('TotalPrepaidAmount', 'what was paid in advance'),
		roundingAmount: total('RoundingAmount', 'the rounding'),
		thirdPartyAmount: null,
		payableAmount: total('DuePayableAmount', 'the amount to pay'),
		iban: account?.value(ibanPath) ?? null,
		bic: account?.value('ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID') ?? null,
		accountName: account?.value('ram:PayeePartyCreditorFinancialAccount/ram:AccountName') ?? null,
		references: {
			buyerReference: root.value(`${agreement}/ram:BuyerReference`),
			order: root.value(`${agreement}/ram:BuyerOrderReferencedDocument/${names.orderId}`),
			contract: root.value(`${agreement}/ram:ContractReferencedDocument/${names.orderId}`),
			project: root.value(`${agreement}/ram:SpecifiedProcuringProject/ram:ID`),
			payment: root.value(`${settlement}/ram:PaymentReference`),
			precedingInvoices: root.values(`${settlement}/ram:InvoiceReferencedDocument/${names.orderId}`),
		},
	};
	return { invoice, unreadable: values.unreadable };
}

/** If there are several terms, the one without a discount (Skonto) counts, or else the first. */
function dueDate(terms: XmlElement[], values: ValueReader): string | null {
	const dated = terms.filter((one) => one.first('ram:DueDateDateTime'));
	const net = dated.find((one) => !one.first('ram:ApplicableTradePaymentDiscountTerms')) ?? dated[0];
	return values.ciiDate(net?.first('ram:DueDateDateTime'), 'the due date');
}

function tax(element: XmlElement, names: Names, values: ValueReader): Tax {
	return {
		rate: values.amount(element.first(names.rate), 'a tax rate'),
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
			?.all('ram:SpecifiedTaxRegistration/ram:ID')
			.find(({ attributes }) => attributes.get('schemeID') === scheme)
			?.text.trim() || null;
	return {
		name: value('ram:Name') ?? value('ram:SpecifiedLegalOrganization/ram:TradingBusinessName'),
		vatId: registration('VA'),
		taxNumber: registration('FC'),
		street: value('ram:PostalTradeAddress/ram:LineOne'),
		postalCode: value('ram:PostalTradeAddress/ram:PostcodeCode'),
		city: value('ram:PostalTradeAddress/ram:CityName'),
		country: value('ram:PostalTradeAddress/ram:CountryID'),
		email: value('ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID'),
	};
}
