/** Finds the open items that a payment settles. */
import type { IDataObject } from 'n8n-workflow';
import { groupBy, map, partition, pick, sum, sumBy, uniq } from 'lodash';
import { DateTime } from 'luxon';

import { rowsOf } from '../../shared/answer';
import { isObject, maskIbans, plainText } from '../../shared/values';
import { LONGEST_TEXT, numbersIn, plainNumber } from './invoiceNumber';
import { accountsIn, isDebtor, owedIn } from './report';

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

interface Terms {
	/** Percent that may be deducted. */
	discount?: number;
	/** Until how many days after the document date; without it, always. */
	discountDays?: number;
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
	/** The document dates of the items with the claim's own sign: a credit note or a prepayment has no discount. */
	dates: string[];
}

const centsOf = (amount: unknown) => Math.round(Number(amount) * 100);

/** The most characters of a name that are read. */
const LONGEST_NAME = 500;

/** A name without spaces and punctuation. */
const plainName = (name: unknown) =>
	plainText(String(name ?? ''), LONGEST_NAME).replace(/[^\p{L}\p{N}]/gu, '');

/** A text without its IBANs, whose groups of digits may look like a number. */
const withoutIbans = (text: string) => maskIbans(text).replace(/…\w{4}/g, '…');

/** The open items of a report, ready to be looked up for very many payments. */
export class OpenItems {
	private readonly byNumber: Partial<Record<string, Claim[]>>;
	private readonly byNameAndAmount: Partial<Record<string, Claim[]>>;
	/** The numbers that money which comes in can settle, those that money which goes out can, and all. */
	private readonly numbers: Record<'in' | 'out' | 'all', ReadonlySet<string>>;

	/** @param answer of `getOpenItems` */
	constructor(answer: unknown) {
		const claims = claimsIn(accountsIn(answer).filter(isObject));
		const numbered = claims.filter(({ number }) => number !== undefined);
		this.byNumber = groupBy(numbered, 'number');
		const numbersOf = (isOne: (claim: Claim) => boolean) =>
			new Set(numbered.filter(isOne).map(({ number }) => number as string));
		this.numbers = {
			in: numbersOf(({ cents }) => cents > 0),
			out: numbersOf(({ cents }) => cents < 0),
			all: numbersOf(() => true),
		};
		this.byNameAndAmount = groupBy(claims, ({ name, cents }) => `${cents} ${name}`);
	}

	/** What a payment settles, as a record. */
	find(payment: Payment, terms: Terms): IDataObject {
		const { cents } = payment;
		if (cents === 0) return NONE;
		const named = this.namedIn(payment);
		const open = sumBy(named, 'cents') * Math.sign(cents);
		if (open > 0) return judge(named, open, payment, terms);
		const name = plainName(payment.name);
		const alike = name === '' ? undefined : this.byNameAndAmount[`${cents} ${name}`];
		return alike?.length === 1 ? recordOf('probable', alike, Math.abs(cents), 0) : NONE;
	}

	/** What the numbers in the text mean: invoices, and credit notes of their owners. Nothing, if a number may mean several. */
	private namedIn(payment: Payment): Claim[] {
		const isPayable = (claim: Claim) => claim.cents * payment.cents > 0;
		const text = withoutIbans(payment.text.slice(0, LONGEST_TEXT));
		// A number that the payment can't settle must not hide one that it can: a supplier's RE-4711 beside our 4711.
		const own = numbersIn(text, this.numbers[payment.cents > 0 ? 'in' : 'out']);
		const numbers = uniq([...own, ...numbersIn(text, this.numbers.all)]);
		const claims = numbers.map((number) => this.byNumber[number] ?? []);
		const [due, others] = partition(claims, (claims) => claims.some(isPayable));
		const meant = due.map((claims) => meantOf(claims.filter(isPayable), payment));
		if (meant.some(({ length }) => length !== 1)) return [];
		const owners = new Set(meant.flat().map(ownerOf));
		return [...meant, ...others].flat().filter((claim) => owners.has(ownerOf(claim)));
	}
}

/** Whose claim it is; by the name, as a customer or supplier may have several accounts. */
const ownerOf = ({ name, items }: Claim) => name || String(items[0].kontonummer).slice(0, LONGEST_NAME);

/** Of several suppliers with the same number, name or amount must tell which is meant. */
function meantOf(claims: Claim[], { name, cents }: Payment): Claim[] {
	if (claims.length === 1) return claims;
	const payee = plainName(name);
	const ofName = claims.filter((claim) => payee !== '' && claim.name === payee);
	return ofName.length > 0 ? ofName : claims.filter((claim) => claim.cents === cents);
}

function claimsIn(accounts: IDataObject[]): Claim[] {
	const owed = owedIn(accounts);
	return accounts.flatMap((account) => {
		const sign = isDebtor(account) ? 1 : -1;
		const name = plainName(account.bezeichnung);
		const open = rowsOf([account], 'posten').filter(({ saldo }) => centsOf(saldo));
		const numbered = open.map((item, i) => ({ item, number: plainNumber(String(item.beleg ?? '')), i }));
		return Object.values(groupBy(numbered, ({ number, i }) => number ?? `#${i}`)).map((group): Claim => {
			const items = map(group, 'item');
			const owedFor = ({ saldo }: IDataObject) => sign * owed(account, centsOf(saldo));
			const cents = sumBy(items, owedFor);
			const own = items.filter((item) => owedFor(item) * cents > 0);
			const dates = own.map(({ belegdatum }) => String(belegdatum).slice(0, 10));
			return { number: group[0].number, items, cents, name, dates };
		});
	});
}

/** Each item's discount may have been rounded up or down. */
const CENTS_OF_TOLERANCE = 1;

/** @param open in cents, what is open of the claims */
function judge(claims: Claim[], open: number, payment: Payment, { discount = 0, discountDays }: Terms) {
	const paid = Math.abs(payment.cents);
	const count = sum(map(claims, 'items.length'));
	const isNear = (cents: number) => Math.abs(paid - cents) <= count * CENTS_OF_TOLERANCE;
	const due = claims.filter(({ cents }) => cents * payment.cents > 0);
	const until = discountDays === undefined ? undefined : lastDayOf(map(due, 'dates').flat(), discountDays);
	const isInTime = discountDays === undefined || (until !== undefined && payment.day <= until);
	const verdict = (): Verdict => {
		if (isNear(open)) return 'settles';
		if (discount > 0 && isNear((open * (100 - discount)) / 100))
			return isInTime ? 'settlesWithDiscount' : 'discountTooLate';
		return paid < open ? 'partial' : 'overpaid';
	};
	return recordOf(verdict(), claims, open, paid - open, discount > 0 ? until : undefined);
}

/** The last day for the discount of all items: that of the oldest one. If an item's day is unknown, there is none. */
function lastDayOf(dates: string[], days: number): string | undefined {
	if (!dates.every((date) => /^\d{4}-\d{2}-\d{2}$/.test(date))) return undefined;
	const [oldest] = dates.sort();
	return DateTime.fromISO(oldest, { zone: 'utc' }).plus({ days }).toISODate() ?? undefined;
}

/** @param open in cents, as is the difference */
function recordOf(
	verdict: Verdict,
	claims: Claim[],
	open: number,
	difference: number,
	discountUntil?: string,
): IDataObject {
	const items = claims.flatMap((claim) => claim.items);
	const each = (field: string) => uniq(map(items, field)).filter(Boolean).join(', ');
	return {
		verdict,
		open: open / 100,
		difference: difference / 100,
		beleg: each('beleg'),
		kontonummer: each('kontonummer'),
		bezeichnung: each('bezeichnung'),
		discountUntil,
		items: items.map((item) => pick(item, ['kontonummer', 'bezeichnung', 'beleg', 'belegdatum', 'saldo'])),
	};
}

const NONE: IDataObject = Object.freeze({ verdict: 'none', items: [] });
