/** What the invoices come to that a payment's text names, where a place in the text may mean several or none. */
import { compact, groupBy, partition, uniq } from 'lodash';

import { isPayable } from './claim';
import type { Claim, Payment } from './claim';
import type { Terms } from './discount';
import { verdictOn } from './verdict';
import type { Judgment, Verdict } from './verdict';

/** What one place in a text may mean: claims with the numbers that stand there. */
export interface Slot {
	claims: Claim[];
	/** Whether it may mean nothing: it follows from the number before. */
	isImplied: boolean;
	/** Whether it means nothing where that leaves something: it may be an amount, a year or a customer's number. */
	isDoubtful: boolean;
}

/** The places by owner, each with that owner's claims alone. Only those of whom the payment can settle something. */
export function byOwner(slots: Slot[], payment: Payment): Map<string, Slot[]> {
	const found = new Map<string, Slot[]>();
	for (const slot of slots) {
		for (const [owner, claims] of Object.entries(groupBy(slot.claims, 'owner'))) {
			const own = found.get(owner) ?? [];
			if (own.length === 0) found.set(owner, own);
			own.push({ ...slot, claims });
		}
	}
	const isDue = (own: Slot[]) => own.some(({ claims }) => claims.some((claim) => isPayable(claim, payment)));
	return new Map([...found].filter(([, own]) => isDue(own)));
}

/** What an owner has open in these places, credit notes included; `undefined` if a place may mean several claims. */
export function claimsOf(slots: Slot[], payment: Payment): Claim[] | undefined {
	const found: Claim[] = [];
	for (const { claims } of slots) {
		const [payable, others] = partition(claims, (claim) => isPayable(claim, payment));
		const meant = payable.length > 1 ? payable.filter(({ cents }) => cents === payment.cents) : payable;
		if (meant.length !== Math.min(payable.length, 1)) return undefined;
		found.push(...meant, ...(payable.length > 0 ? [] : others));
	}
	return uniq(found);
}

/** With more places that may mean nothing, only all of them are left out together. */
const MOST_TRIED = 4;

/** The places without some of those that may mean nothing, beginning with all places. */
function* attempts(slots: Slot[]): Generator<Slot[]> {
	yield slots;
	const unsure = slots.filter(({ isImplied, isDoubtful }) => isImplied || isDoubtful);
	const count = unsure.length <= MOST_TRIED ? 2 ** unsure.length : 2;
	for (let mask = 1; mask < count; mask++) {
		const isLeftOut = (slot: Slot) => {
			const i = unsure.indexOf(slot);
			return i !== -1 && (unsure.length > MOST_TRIED || (mask >> i) % 2 === 1);
		};
		yield slots.filter((slot) => !isLeftOut(slot));
	}
}

/** Who a payer may be: the owners with his name, and whether one of them owes exactly what he paid. */
export interface Payer {
	owners: ReadonlySet<string>;
	owesExactly: boolean;
}

/**
 * What the named invoices come to: those of the payer or, where the name is nobody's, of the only one whose sum is right; those
 * of several owners only if that is the payment. Otherwise, those of the only owner, or nobody knows. Whoever is known and names
 * only others' invoices, without their amount, has mistyped: these aren't paid in part. With it, too, if he owes as much himself.
 */
export function judgmentOf(
	slots: Slot[],
	payment: Payment,
	terms: Terms,
	payer: Payer,
): Judgment | undefined {
	const owners = byOwner(slots, payment);
	const ofPayer = new Map([...owners].filter(([owner]) => payer.owners.has(owner)));
	const isForOthers = payer.owners.size > 0 && ofPayer.size === 0;
	const namesOwn = slots.some(({ claims }) => claims.some(({ owner }) => payer.owners.has(owner)));
	if (isForOthers && payer.owesExactly && !namesOwn) return undefined;
	const accepted = isForOthers ? IS_SUM : IS_RIGHT;
	const candidates = ofPayer.size > 0 ? ofPayer : owners;
	const right = compact([...candidates.values()].map((own) => rightOf(own, payment, terms, accepted)));
	if (right.length > 0) return right.length === 1 ? right[0] : undefined;
	const ofAll = rightOfAll(slots, payment, terms, accepted);
	if (ofAll || isForOthers) return ofAll;
	const sure = byOwner(
		slots.filter(({ isDoubtful }) => !isDoubtful),
		payment,
	);
	const meant = sure.size > 0 ? sure : owners;
	const [own, ...others] =
		ofPayer.size > 0 ? [...ofPayer].map(([owner, all]) => meant.get(owner) ?? all) : [...meant.values()];
	return own === undefined || others.length > 0
		? undefined
		: verdictOn(claimsOf(own, payment) ?? [], payment, terms);
}

const IS_SUM: Verdict[] = ['settles'];
const IS_RIGHT: Verdict[] = [...IS_SUM, 'settlesWithDiscount', 'discountTooLate'];

/** What a payment settles of an owner's claims, if it is their sum, with or without the places that may mean nothing. */
function rightOf(
	own: Slot[],
	payment: Payment,
	terms: Terms,
	accepted: readonly Verdict[],
): Judgment | undefined {
	for (const attempt of attempts(own)) {
		const found = verdictOn(claimsOf(attempt, payment) ?? [], payment, terms);
		if (found && accepted.includes(found.verdict)) return found;
	}
	return undefined;
}

/** The same for the claims of all owners, credit notes included, if each place means one of them. */
function rightOfAll(
	slots: Slot[],
	payment: Payment,
	terms: Terms,
	accepted: readonly Verdict[],
): Judgment | undefined {
	for (const attempt of attempts(slots)) {
		const meant = attempt.map(({ claims }) => {
			const payable = claims.filter((claim) => isPayable(claim, payment));
			return payable.length > 0 ? payable : claims.filter(({ isCreditNote }) => isCreditNote);
		});
		if (!meant.every(({ length }) => length === 1)) continue;
		const found = verdictOn(uniq(meant.flat()), payment, terms);
		if (found && accepted.includes(found.verdict)) return found;
	}
	return undefined;
}
