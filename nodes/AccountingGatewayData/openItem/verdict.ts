/** How a payment relates to what is open: settled, with discount, in part. */
import type { IDataObject } from 'n8n-workflow';
import { pick, sumBy, uniq } from 'lodash';

import type { Claim, Payment } from './claim';
import { leastOf, reductions } from './discount';
import type { Due, Terms } from './discount';
import { scalarText } from './report';

export type Verdict =
	| 'settles'
	| 'settlesWithDiscount'
	| 'discountTooLate'
	| 'partial'
	| 'overpaid'
	| 'probable'
	| 'none';

/** Each item's discount may have been rounded up or down. */
const CENTS_OF_TOLERANCE = 1;

/** How a payment relates to claims. */
export interface Judgment {
	verdict: Verdict;
	claims: Claim[];
	/** In cents, as is the difference. */
	open: number;
	difference: number;
	/** The last day for the discount. */
	until?: string;
}

export const duesOf = (claims: Claim[], { cents }: Payment): Due[] =>
	claims.flatMap(({ dues }) => dues.map((due) => ({ ...due, cents: due.cents * Math.sign(cents) })));

/** @returns `undefined` if nothing of the claims is open in the payment's direction */
export function verdictOn(claims: Claim[], payment: Payment, terms: Terms): Judgment | undefined {
	const open = sumBy(claims, 'cents') * Math.sign(payment.cents);
	if (open <= 0) return undefined;
	const paid = Math.abs(payment.cents);
	const dues = duesOf(claims, payment);
	// Half of the last digit that is compared, for what binary fractions lose.
	const isNear = (cents: number) => Math.abs(paid - cents) <= dues.length * CENTS_OF_TOLERANCE + 1e-6;
	const judged = { claims, open, difference: paid - open };
	if (isNear(open)) return { ...judged, verdict: 'settles' };
	if (paid > open) return { ...judged, verdict: 'overpaid' };
	const least = leastOf(dues, terms);
	const reduced =
		paid > least || isNear(least)
			? reductions(dues, payment.day, terms).find(({ amount }) => isNear(amount))
			: undefined;
	if (!reduced) return { ...judged, verdict: 'partial' };
	const verdict = reduced.isInTime ? 'settlesWithDiscount' : 'discountTooLate';
	return { ...judged, verdict, until: reduced.until };
}

export function recordFrom({ verdict, claims, open, difference, until }: Judgment): IDataObject {
	const items = claims.flatMap((claim) => claim.items);
	const each = (field: string) =>
		uniq(items.map((item) => scalarText(item[field])))
			.filter(Boolean)
			.join(', ');
	return {
		verdict,
		open: open / 100,
		difference: difference / 100,
		beleg: each('beleg'),
		kontonummer: each('kontonummer'),
		bezeichnung: each('bezeichnung'),
		discountUntil: until,
		items: items.map((item) => pick(item, ['kontonummer', 'bezeichnung', 'beleg', 'belegdatum', 'saldo'])),
	};
}

export const NO_MATCH: IDataObject = Object.freeze({ verdict: 'none', items: [] });
