import type { EInvoice, Party, Read, Tax } from './invoice';
import { ValueReader } from './values';
import { XmlElement } from './xml';

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
]);

/** An element of ZUGFeRD 1 under the names of its successor. */
function renamed({ name, attributes, text, children }: XmlElement, parent = ''): XmlElement {
	const isNumber = name === 'ram:ID' && parent.endsWith('ReferencedDocument');
	const element = new XmlElement(isNumber ? 'ram:IssuerAssignedID' : (RENAMED.get(name) ?? name), attributes);
	element.text = text;
	for (const child of children) element.children.push(renamed(child, name));
	return element;
}

const TRANSACTION = 'rsm:SupplyChainTradeTransaction';
const AGREEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeAgreement`;
const DELIVERY = `${TRANSACTION}/ram:ApplicableHeaderTradeDelivery`;
const SETTLEMENT = `${TRANSACTION}/ram:ApplicableHeaderTradeSettlement`;
const TOTALS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
const IBAN = 'ram:PayeePartyCreditorFinancialAccount/ram:IBANID';

/** Reads UN/CEFACT's Cross Industry Invoice (Factur-X, ZUGFeRD 2, XRechnung), or its forerunner in ZUGFeRD 1. */
export function readCii(given: XmlElement): Read {
	const isFirst = given.name === 'rsm:CrossIndustryDocument';
	const root = isFirst ? renamed(given) : given;
	const currency = root.value(`${SETTLEMENT}/ram:InvoiceCurrencyCode`);
	const values = new ValueReader(currency);
	// The tax may be given once more, in the currency of the tax office.
	const total = (name: string, what: string) => values.total(root.all(`${TOTALS}/ram:${name}`), what);
	const taxes = root
		.all(`${SETTLEMENT}/ram:ApplicableTradeTax`)
		.filter((one) => values.isOwn(one.first('ram:CalculatedAmount')));
	const account = root
		.all(`${SETTLEMENT}/ram:SpecifiedTradeSettlementPaymentMeans`)
		.find((one) => one.value(IBAN));
	const invoice: EInvoice = {
		syntax: isFirst ? 'ZUGFeRD 1' : 'CII',
		profile: root.value('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID'),
		typeCode: root.value('rsm:ExchangedDocument/ram:TypeCode'),
		number: root.value('rsm:ExchangedDocument/ram:ID'),
		issueDate: values.ciiDate(root.first('rsm:ExchangedDocument/ram:IssueDateTime'), 'the invoice date'),
		dueDate: dueDate(root.all(`${SETTLEMENT}/ram:SpecifiedTradePaymentTerms`), values),
		deliveryDate: values.ciiDate(
			root.first(`${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`),
			'the delivery date',
		),
		seller: party(root.first(`${AGREEMENT}/ram:SellerTradeParty`)),
		buyer: party(root.first(`${AGREEMENT}/ram:BuyerTradeParty`)),
		currency,
		grossAmount: total('GrandTotalAmount', 'the total with tax'),
		netAmount: total('TaxBasisTotalAmount', 'the total without tax'),
		taxAmount: total('TaxTotalAmount', 'the tax'),
		taxes: taxes.map((one) => tax(one, values)),
		prepaidAmount: total('TotalPrepaidAmount', 'what was paid in advance'),
		roundingAmount: total('RoundingAmount', 'the rounding'),
		thirdPartyAmount: null,
		payableAmount: total('DuePayableAmount', 'the amount to pay'),
		iban: account?.value(IBAN) ?? null,
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
	};
	return { invoice, unreadable: values.unreadable };
}

/** If there are several terms, the one without a discount (Skonto) counts, or else the first. */
function dueDate(terms: XmlElement[], values: ValueReader): string | null {
	const dated = terms.filter((one) => one.first('ram:DueDateDateTime'));
	const net = dated.find((one) => !one.first('ram:ApplicableTradePaymentDiscountTerms')) ?? dated[0];
	return values.ciiDate(net?.first('ram:DueDateDateTime'), 'the due date');
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
			?.all('ram:SpecifiedTaxRegistration/ram:ID')
			.find(({ attributes }) => attributes.schemeID === scheme)
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
