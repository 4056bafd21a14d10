/** What a rule of EN 16931 is, for whom it holds, and what it finds. */
import type { Bilingual } from '../../../shared/values';
import type { EInvoice } from '../invoice';
import type { Finding } from './wording';

/** A statement about an invoice that breaks a rule, and what to do, where that isn't what the row says. */
export type Broken = Pick<Finding, 'is' | 'then'>;

export interface Rule {
	id: string;
	/** Its name in EXTENDED, where the same rule allows a cent for each amount; `null` where EXTENDED has no such rule. */
	extended?: string | null;
	/** What is wrong; nothing if the invoice keeps the rule. */
	broken: (invoice: EInvoice) => Broken[];
	then: Bilingual;
	/** What of German law asks for the same. */
	source?: string;
}

/** Factur-X and ZUGFeRD EXTENDED: EN 16931 extended by lines within lines, logistics charges, payment terms and tolerances. */
export const isExtended = ({ profile }: EInvoice): boolean => /:extended\b/.test(profile ?? '');

/**
 * Which rules hold for an invoice: those of EN 16931, of EXTENDED, or, of another extension of EN 16931 ("conformant", as
 * opposed to "compliant"), none; but XRechnung's own extension has them all.
 */
const holds = (rule: Rule, invoice: EInvoice): boolean => {
	if (isExtended(invoice)) return rule.extended !== null;
	const { profile } = invoice;
	return !profile?.includes('#conformant#') || profile.includes(':extension:xrechnung');
};

export const judge = (rules: readonly Rule[], invoice: EInvoice): Finding[] =>
	rules
		.filter((rule) => holds(rule, invoice))
		.flatMap(({ id, extended, broken, then, source }) =>
			broken(invoice).map((one) => ({
				then,
				source,
				...one,
				rules: [(isExtended(invoice) && extended) || id],
			})),
		);
