import type { Bilingual } from '../../shared/values';

/** The values of an e-invoice. A field that the invoice doesn't have is null. */
export interface EInvoice {
	kind: Kind;
	syntax: 'UBL' | 'CII' | 'ZUGFeRD 1';
	/** Identifier of the rules that the invoice follows, e.g. of XRechnung 3.0 or Factur-X Basic. */
	profile: string | null;
	/** UNTDID 1001: 380 is an invoice, 381 a credit note. */
	typeCode: string | null;
	number: string | null;
	/** `YYYY-MM-DD`, as all days. */
	issueDate: string | null;
	dueDate: string | null;
	/** All days that are given as the last one for payment. */
	dueDates: string[];
	/** In EXTENDED, the parts in which it is to be paid. */
	instalments: Instalment[];
	deliveryDate: string | null;
	/** ISO 3166-1: where the goods go, if the invoice says it. */
	deliveryCountry: string | null;
	/** Of the delivery or service, where it took longer than a day. */
	period: Period;
	seller: Party;
	buyer: Party;
	/** Of the seller's tax representative (Fiskalvertreter), whose VAT ID stands for the seller's. */
	taxRepresentativeVatId: string | null;
	/** Who gets the money, where it isn't the seller. */
	payeeName: string | null;
	/** ISO 4217. All amounts are in it. */
	currency: string | null;
	/** With tax, before what was paid in advance. */
	grossAmount: number | null;
	/** Without tax, after allowances and charges. */
	netAmount: number | null;
	taxAmount: number | null;
	/** ISO 4217: what the seller accounts for the tax in (BT-6), where the invoice says it; and the tax in it (BT-111). */
	taxCurrency: string | null;
	taxAmountInTaxCurrency: number | null;
	taxes: Tax[];
	/** The sums of the lines, and of the allowances and charges that concern the invoice as a whole. */
	lineTotal: number | null;
	allowanceTotal: number | null;
	chargeTotal: number | null;
	prepaidAmount: number | null;
	roundingAmount: number | null;
	/** What the seller collects for others and isn't part of the total, like the fee for a parking space (XRechnung Extension). */
	thirdPartyAmount: number | null;
	/** The amount due: gross, less what was paid in advance, rounded, with what is collected for others. */
	payableAmount: number | null;
	/** UNTDID 4461: 58 is a SEPA transfer, 59 a SEPA direct debit. */
	paymentMeans: string | null;
	/** The seller's own words about payment. */
	paymentTerms: string | null;
	cashDiscounts: CashDiscount[];
	/** Of an invoice whose amount the seller collects (Lastschrift). */
	directDebit: DirectDebit | null;
	iban: string | null;
	/** Of further means of payment, among which the buyer chooses. */
	otherIbans: string[];
	bic: string | null;
	accountName: string | null;
	references: References;
	notes: string[];
	allowances: Allowance[];
	/** The first lines; of very long invoices, not all are kept. */
	lines: Line[];
	lineCount: number;
	attachments: Attachment[];
}

/** What is booked differently. A file that is no e-invoice has the kind `none`. */
export type Kind =
	| 'invoice'
	| 'creditNote'
	| 'correction'
	| 'selfBilled'
	| 'prepayment'
	| 'partial'
	| 'final'
	| 'other';

export interface Period {
	from: string | null;
	to: string | null;
}

interface Instalment {
	dueDate: string | null;
	amount: number | null;
}

export interface CashDiscount {
	/** Until how many days after the invoice date, if the invoice says it so. */
	days: number | null;
	/** The last day for it. */
	until: string | null;
	percent: number | null;
	/** What it comes to, if the invoice says it. */
	amount: number | null;
	/** What it is computed from, where it isn't the amount to pay. */
	base: number | null;
}

interface DirectDebit {
	/** The mandate that the buyer has given (Mandatsreferenz). */
	mandate: string | null;
	/** Who collects it (Gläubiger-Identifikationsnummer). */
	creditorId: string | null;
	/** The buyer's account. */
	iban: string | null;
}

/** An allowance (Nachlass) or charge (Zuschlag) that concerns the invoice as a whole. */
export interface Allowance {
	isCharge: boolean;
	reason: string | null;
	amount: number | null;
	category: string | null;
	rate: number | null;
}

export interface Line {
	id: string | null;
	/** In EXTENDED, the line that it is a part of, and what it is: a DETAIL, a GROUP (the sum of its parts), or an INFORMATION. */
	parent: string | null;
	status: string | null;
	name: string | null;
	description: string | null;
	quantity: number | null;
	/** UN/ECE Recommendation 20: HUR is an hour. */
	unit: string | null;
	price: number | null;
	/** How many units have the price (BT-149); `null` is one. */
	priceQuantity: number | null;
	/** Of this line alone. */
	allowances: Allowance[];
	netAmount: number | null;
	category: string | null;
	rate: number | null;
	period: Period;
}

/** The lines that add up: of EXTENDED, neither subtotals nor what is only told. */
export const countedLines = ({ lines }: Pick<EInvoice, 'lines'>): Line[] =>
	lines.filter(({ status }) => status === null || status === 'DETAIL');

interface Attachment {
	id: string | null;
	description: string | null;
	fileName: string | null;
	/** Where it is, if it isn't in the invoice. Nothing is loaded from there. */
	url: string | null;
}

export interface Party {
	name: string | null;
	vatId: string | null;
	/** Number of the local tax office (Steuernummer). */
	taxNumber: string | null;
	street: string | null;
	postalCode: string | null;
	city: string | null;
	/** ISO 3166-1, two letters. */
	country: string | null;
	email: string | null;
	/** Other numbers that name it: from a register, or one that the parties agreed. */
	ids: string[];
}

export interface Tax {
	/** Percent. Null where none is given, as outside the scope of VAT. */
	rate: number | null;
	base: number | null;
	amount: number | null;
	/** UNTDID 5305: S standard, Z zero, E exempt, AE reverse charge, K intra-community, G export, O outside scope. */
	category: string | null;
	exemptionReason: string | null;
}

interface References {
	/** Leitweg-ID, for public buyers. */
	buyerReference: string | null;
	order: string | null;
	contract: string | null;
	project: string | null;
	/** What the buyer is to state when paying (Verwendungszweck). */
	payment: string | null;
	/** Numbers of the invoices that this one corrects or follows. */
	precedingInvoices: string[];
}

/** What is wrong with a value: a sentence without a capital letter (in English) and a period. */
export interface Unreadable extends Bilingual {
	/** The value's, in EN 16931. */
	term: string;
}

/** An invoice as read from its XML. */
export interface Read {
	invoice: EInvoice;
	/** What is wrong with values, most of which are missing because of it. */
	unreadable: Unreadable[];
}
