/**
 * The rules of EN 16931 that an accountant asks about: a closed table, a row for each rule. CEN's own tests judge it
 * (`npm run e-invoices`); docs/e-invoices.md says what is left out, and why.
 */
import { both } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import type { EInvoice } from '../invoice';
import { shortened } from '../values';
import { CATEGORY_RULES } from './categoryRules';
import { TOTAL_RULES } from './totalRules';
import type { Broken, Rule } from './rule';
import { ASK, bothJoined, CHECK } from './wording';

const REQUIRED: Array<[id: string, name: Bilingual, valueOf: (invoice: EInvoice) => unknown]> = [
	['BR-02', both('invoice number', 'Rechnungsnummer'), ({ number }) => number],
	['BR-03', both('invoice date', 'Rechnungsdatum'), ({ issueDate }) => issueDate],
	['BR-05', both('currency', 'Währung'), ({ currency }) => currency],
	['BR-06', both("seller's name", 'Name des Verkäufers'), ({ seller }) => seller.name],
	['BR-07', both("buyer's name", 'Name des Käufers'), ({ buyer }) => buyer.name],
	['BR-13', both('total without tax', 'Gesamtbetrag netto'), ({ netAmount }) => netAmount],
	['BR-14', both('total with tax', 'Gesamtbetrag brutto'), ({ grossAmount }) => grossAmount],
	// ZUGFeRD 1 wants it only from COMFORT on; in BASIC, the total with tax is to be paid.
	[
		'BR-15',
		both('amount to pay', 'Zahlbetrag'),
		({ payableAmount, syntax, grossAmount }) =>
			payableAmount ?? (syntax === 'ZUGFeRD 1' ? grossAmount : null),
	],
];

/** One sentence names all that is missing. */
const missingIn = (invoice: EInvoice): Broken => {
	const names = bothJoined(
		REQUIRED.filter(([, , valueOf]) => valueOf(invoice) === null).map(([, name]) => name),
	);
	return {
		is: both(`missing or unreadable: ${names.en}`, `Es fehlt oder ist nicht lesbar: ${names.de}`),
	};
};

/** What must be there. */
const REQUIRED_RULES: Rule[] = [
	...REQUIRED.map(([id, , valueOf]) => ({
		id,
		broken: (invoice: EInvoice) => (valueOf(invoice) === null ? [missingIn(invoice)] : []),
		then: CHECK,
	})),
	{
		// Where the seller accounts for the tax in another currency, only the tax in that one is what the tax office takes.
		id: 'BR-53',
		broken: ({ currency, taxCurrency, taxAmountInTaxCurrency }) => {
			if (taxCurrency === null || taxCurrency === currency || taxAmountInTaxCurrency !== null) return [];
			const code = shortened(taxCurrency);
			return [
				{
					is: both(
						`the tax in the accounting currency (${code}) is missing or unreadable`,
						`Die Umsatzsteuer in Buchungswährung (${code}) fehlt oder ist nicht lesbar`,
					),
				},
			];
		},
		then: ASK,
	},
];

/** The rules by what they are about, in the order in which a person is told. */
export const RULES = {
	required: REQUIRED_RULES,
	categories: CATEGORY_RULES,
	totals: TOTAL_RULES,
} satisfies Record<string, Rule[]>;
