/** Finds the open items that a payment settles. */
import type { IDataObject } from 'n8n-workflow';
import { compact, groupBy, map, mapValues, partition, pick, sumBy, uniq } from 'lodash';

import { rowsOf } from '../../shared/answer';
import { isObject, maskIbans, plainText } from '../../shared/values';
import { discountUntil, leastOf, reductions } from './discount';
import type { Due, Terms } from './discount';
import { mentionsIn, ownWords, plainNumber, spellingsOf, withoutPrefix } from './invoiceNumber';
import { accountsIn, isDebtor, owedIn, scalarText } from './report';

export interface Payment {
	/** In cents: positive for money that came in. */
	cents: number;
	/** The bank's text. */
	text: string;
	/** The name of the payer or payee. */
	name: string;
	/** `YYYY-MM-DD` */
	day: string;
}

export type Verdict =
	| 'settles'
	| 'settlesWithDiscount'
	| 'discountTooLate'
	| 'partial'
	| 'overpaid'
	| 'probable'
	| 'none';

/** What an account has open under one document number; an item without one is alone. */
interface Claim {
	number?: string;
	items: IDataObject[];
	/** Positive if it is settled by money that comes in. */
	cents: number;
	name: string;
	/** Whose claim it is: the name, as a customer or supplier may have several accounts; without one, the account. */
	owner: string;
	/** Its items, with the sign of `cents`. */
	dues: Due[];
}

/** What one place in a text may mean: claims with the numbers that stand there. */
interface Slot {
	claims: Claim[];
	/** Whether it may mean nothing: it follows from the number before. */
	isImplied: boolean;
	/** Whether it means nothing where that leaves something: it may be an amount, a year or a customer's number. */
	isDoubtful: boolean;
}

const centsOf = (amount: unknown) => Math.round(Number(scalarText(amount)) * 100);

/** The most characters of a name that are read. */
const LONGEST_PARTNER_NAME = 200;

/** A name without spaces and punctuation. */
const plainName = (name: unknown) =>
	plainText(scalarText(name), LONGEST_PARTNER_NAME).replace(/[^\p{L}\p{N}]/gu, '');

/** A text without its IBANs, whose groups of digits may look like a number. */
const withoutIbans = (text: string) => maskIbans(text).replace(/…\w{4}/g, '…');

/** With more claims, digits without their prefix say nothing, like the year in each number. */
const MOST_WITH_SAME_DIGITS = 50;

/** The open items of a report, ready to be looked up for very many payments. */
export class OpenItems {
	private readonly byNumber: Partial<Record<string, Claim[]>>;
	private readonly byDigits = new Map<string, Claim[]>();
	private readonly byNameAndAmount: Partial<Record<string, Claim[]>>;
	private readonly byNameAndTotal: Partial<Record<string, Claim[][]>>;
	/** The numbers that money which comes in can settle, those that money which goes out can, and all. */
	private readonly numbers: Record<'in' | 'out' | 'all', ReadonlySet<string>>;
	private readonly accounts: ReadonlySet<string>;

	/** @param answer of `getOpenItems` */
	constructor(answer: unknown) {
		const accounts = accountsIn(answer).filter(isObject);
		const ofAccounts = claimsIn(accounts);
		const claims = ofAccounts.flat();
		const numbered = claims.filter(({ number }) => number !== undefined);
		this.accounts = new Set(accounts.map(({ kontonummer }) => scalarText(kontonummer)));
		const spelled = numbered.flatMap((claim) =>
			spellingsOf(claim.number!).map((spelling) => ({ claim, spelling })),
		);
		this.byNumber = mapValues(groupBy(spelled, 'spelling'), (alike) => map(alike, 'claim'));
		const numbersOf = (isOne: (claim: Claim) => boolean) =>
			new Set(
				map(
					spelled.filter(({ claim }) => isOne(claim)),
					'spelling',
				),
			);
		this.numbers = {
			in: numbersOf(({ cents }) => cents > 0),
			out: numbersOf(({ cents }) => cents < 0),
			all: numbersOf(() => true),
		};
		for (const claim of numbered) {
			for (const digits of withoutPrefix(claim.number!)) {
				const alike = this.byDigits.get(digits);
				if (!alike) this.byDigits.set(digits, [claim]);
				else if (alike.length <= MOST_WITH_SAME_DIGITS) alike.push(claim);
			}
		}
		this.byNameAndAmount = groupBy(claims, ({ name, cents }) => `${cents} ${name}`);
		this.byNameAndTotal = groupBy(
			ofAccounts.filter(({ length }) => length > 0),
			(all) => `${sumBy(all, 'cents')} ${all[0].name}`,
		);
	}

	/** What a payment settles, as a record. */
	find(payment: Payment, terms: Terms): IDataObject {
		if (payment.cents === 0) return NO_MATCH;
		const text = withoutIbans(ownWords(payment.text));
		const slots = this.slotsIn(text, payment);
		const mentioned = resolved(slots, payment, terms);
		// The day counts whether the discount was taken or not.
		if (mentioned)
			return recordFrom({ until: discountUntil(duesOf(mentioned.claims, payment), terms), ...mentioned });
		const claims = (slots.length === 0 && this.byDigitsIn(text, payment)) || this.byName(payment);
		if (!claims) return NO_MATCH;
		return recordFrom({ verdict: 'probable', claims, open: Math.abs(payment.cents), difference: 0 });
	}

	/** The places in a text that name claims which the payment can settle, or credit notes. */
	private slotsIn(text: string, payment: Payment): Slot[] {
		// A number that the payment can't settle must not hide one that it can: a supplier's RE-4711 beside our 4711.
		const own = mentionsIn(text, this.numbers[payment.cents > 0 ? 'in' : 'out']);
		const all = mentionsIn(text, this.numbers.all);
		const seen = new Set<string>();
		return [...own, ...all].flatMap(({ numbers, isImplied }) => {
			const isKnown = numbers.every((number) => seen.has(number));
			numbers.forEach((number) => seen.add(number));
			if (isKnown) return [];
			const claims = numbers.flatMap((number) => this.byNumber[number] ?? []);
			return [{ claims, isImplied, isDoubtful: numbers.every((one) => this.isDoubtful(one, payment)) }];
		});
	}

	/** Whether digits may be the payment's own amount, a year, or the number of a customer or supplier. */
	private isDoubtful(number: string, { cents }: Payment): boolean {
		const isYear = /^(?:19|20)\d\d$/.test(number);
		return isYear || number === String(Math.abs(cents) / 100) || this.accounts.has(number);
	}

	/** The claims of one owner whose numbers end in digits of the text, if they are exactly the payment. */
	private byDigitsIn(text: string, payment: Payment): Claim[] | undefined {
		const mentions = mentionsIn(text, this.byDigits).filter(
			({ numbers }) => !numbers.some((number) => this.isDoubtful(number, payment)),
		);
		const slots = mentions.map(({ numbers, isImplied }) => {
			const alike = numbers.flatMap((number) => this.byDigits.get(number) ?? []);
			const claims = alike.length > MOST_WITH_SAME_DIGITS ? [] : alike;
			return { claims, isImplied, isDoubtful: false };
		});
		const exact = [...byOwner(slots, payment).values()]
			.map((own) => claimsOf(own, payment))
			.filter((claims) => claims && sumBy(claims, 'cents') === payment.cents);
		return exact.length === 1 ? exact[0] : undefined;
	}

	/** The only claim, or else the only account's claims, of somebody with the payment's name and amount. */
	private byName({ name: given, cents }: Payment): Claim[] | undefined {
		const name = plainName(given);
		if (name === '') return undefined;
		const alike = this.byNameAndAmount[`${cents} ${name}`] ?? [];
		if (alike.length > 0) return alike.length === 1 ? alike : undefined;
		const totals = this.byNameAndTotal[`${cents} ${name}`] ?? [];
		return totals.length === 1 ? totals[0] : undefined;
	}
}

const isPayable = ({ cents }: Claim, payment: Payment) => cents * payment.cents > 0;

/** The places by owner, each with that owner's claims alone. Only those of whom the payment can settle something. */
function byOwner(slots: Slot[], payment: Payment): Map<string, Slot[]> {
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
function claimsOf(slots: Slot[], payment: Payment): Claim[] | undefined {
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

/**
 * What the named invoices come to: those of the payer or, where the name is nobody's, of the only one whose sum is right; those
 * of several owners only if that is the payment. Otherwise, those of the only owner, or nobody knows.
 */
function resolved(slots: Slot[], payment: Payment, terms: Terms): Judgment | undefined {
	const owners = byOwner(slots, payment);
	const payer = plainName(payment.name);
	const ofPayer = owners.get(payer);
	const right = compact(
		(ofPayer ? [ofPayer] : [...owners.values()]).map((own) => rightOf(own, payment, terms)),
	);
	if (right.length > 0) return right.length === 1 ? right[0] : undefined;
	const ofAll = owners.size > 1 ? rightOfAll(slots, payment, terms) : undefined;
	if (ofAll) return ofAll;
	const sure = byOwner(
		slots.filter(({ isDoubtful }) => !isDoubtful),
		payment,
	);
	const meant = sure.size > 0 ? sure : owners;
	const [own, ...others] = ofPayer ? [meant.get(payer) ?? ofPayer] : [...meant.values()];
	return own === undefined || others.length > 0
		? undefined
		: verdictOn(claimsOf(own, payment) ?? [], payment, terms);
}

const IS_RIGHT: Verdict[] = ['settles', 'settlesWithDiscount', 'discountTooLate'];

const ifRight = (found: Judgment | undefined): Judgment | undefined =>
	found && IS_RIGHT.includes(found.verdict) ? found : undefined;

/** What a payment settles of an owner's claims, if it is their sum, with or without the places that may mean nothing. */
function rightOf(own: Slot[], payment: Payment, terms: Terms): Judgment | undefined {
	for (const attempt of attempts(own)) {
		const found = ifRight(verdictOn(claimsOf(attempt, payment) ?? [], payment, terms));
		if (found) return found;
	}
	return undefined;
}

/** The same for the claims of all owners, if each place means one of them. */
function rightOfAll(slots: Slot[], payment: Payment, terms: Terms): Judgment | undefined {
	for (const attempt of attempts(slots)) {
		const meant = attempt.map(({ claims }) => claims.filter((claim) => isPayable(claim, payment)));
		if (!meant.every(({ length }) => length === 1)) continue;
		const found = ifRight(verdictOn(uniq(meant.flat()), payment, terms));
		if (found) return found;
	}
	return undefined;
}

/** By account. */
function claimsIn(accounts: IDataObject[]): Claim[][] {
	const owed = owedIn(accounts);
	return accounts.map((account) => {
		const sign = isDebtor(account) ? 1 : -1;
		const name = plainName(account.bezeichnung);
		const open = rowsOf([account], 'posten').filter(({ saldo }) => centsOf(saldo));
		const numbered = open.map((item, i) => ({ item, number: plainNumber(scalarText(item.beleg)), i }));
		return Object.values(groupBy(numbered, ({ number, i }) => number ?? `#${i}`)).map((group): Claim => {
			const items = map(group, 'item');
			const owedFor = ({ saldo }: IDataObject) => sign * owed(account, centsOf(saldo));
			const cents = sumBy(items, owedFor);
			const dues = items.map((item) => ({
				cents: owedFor(item),
				date: scalarText(item.belegdatum).slice(0, 10),
			}));
			const owner = name || scalarText(account.kontonummer).slice(0, LONGEST_PARTNER_NAME);
			return { number: group[0].number, items, cents, name, owner, dues };
		});
	});
}

/** Each item's discount may have been rounded up or down. */
const CENTS_OF_TOLERANCE = 1;

/** How a payment relates to claims. */
interface Judgment {
	verdict: Verdict;
	claims: Claim[];
	/** In cents, as is the difference. */
	open: number;
	difference: number;
	/** The last day for the discount. */
	until?: string;
}

const duesOf = (claims: Claim[], { cents }: Payment): Due[] =>
	claims.flatMap(({ dues }) => dues.map((due) => ({ ...due, cents: due.cents * Math.sign(cents) })));

/** @returns `undefined` if nothing of the claims is open in the payment's direction */
function verdictOn(claims: Claim[], payment: Payment, terms: Terms): Judgment | undefined {
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

function recordFrom({ verdict, claims, open, difference, until }: Judgment): IDataObject {
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

const NO_MATCH: IDataObject = Object.freeze({ verdict: 'none', items: [] });
