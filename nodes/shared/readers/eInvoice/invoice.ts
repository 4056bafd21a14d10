/** The values of an e-invoice. A field that the invoice doesn't have is null. */
export interface EInvoice {
	syntax: 'UBL' | 'CII' | 'ZUGFeRD 1';
	/** Identifier of the rules that the invoice follows, e.g. of XRechnung 3.0 or Factur-X Basic. */
	profile: string | null;
	/** UNTDID 1001: 380 is an invoice, 381 a credit note. */
	typeCode: string | null;
	number: string | null;
	/** `YYYY-MM-DD`, as all days. */
	issueDate: string | null;
	dueDate: string | null;
	deliveryDate: string | null;
	seller: Party;
	buyer: Party;
	/** ISO 4217. All amounts are in it. */
	currency: string | null;
	/** With tax, before what was paid in advance. */
	grossAmount: number | null;
	/** Without tax, after allowances and charges. */
	netAmount: number | null;
	taxAmount: number | null;
	taxes: Tax[];
	prepaidAmount: number | null;
	roundingAmount: number | null;
	/** What the seller collects for others and isn't part of the total, like the fee for a parking space (XRechnung Extension). */
	thirdPartyAmount: number | null;
	/** The amount due: gross, less what was paid in advance, rounded, with what is collected for others. */
	payableAmount: number | null;
	iban: string | null;
	bic: string | null;
	accountName: string | null;
	references: References;
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

export interface References {
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

/** An invoice as read from its XML. */
export interface Read {
	invoice: EInvoice;
	/**
	 * What is wrong with values, most of which are missing because of it: sentences without a capital letter and a period.
	 */
	unreadable: string[];
}
