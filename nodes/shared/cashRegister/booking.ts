/** Makes the booking of a closing: lines with accounts, and the reasons why it must not be booked. */
import { partition, uniq } from 'lodash';

import { accountFor, CASES, CHARTS, DIFFERENCE, IN_CASH, isTaxed, OPENING, PAYMENTS } from './accounts';
import type { Account, AccountRow } from './accounts';
import { amountText, rounded } from './closing';
import type { Closing, Position } from './closing';
import { cut, oneLine } from '../errors/presentable';
import { CURRENCIES } from '../values/currencies';
import { parseDateTime } from '../values/dates';
import { sum } from '../values/money';

/** A line in the form that "Create Advanced" takes. */
export interface BookingLine extends Account {
	betrag: number;
	prozent: number;
	belegtext: string;
	belegNummer: string;
}

export interface Booking {
	currency: string;
	lines: BookingLine[];
	/** The change of the cash book: the sum of all lines. */
	gain: number;
	/** Cash in the drawer before and after; `undefined` if the register doesn't record it. */
	opening?: number;
	cashAtEnd?: number;
	warnings: string[];
	problems: string[];
}

const DEFAULT_CURRENCY = 'EUR';
/** The longest text in the cash book. */
const MAX_TEXT = 60;
/** The longest register ID in such a text. Some IDs are UUIDs, which also differ at the end. */
const MAX_REGISTER = 16;
/** A booking day that is further off is a date that the register never set. */
const MAX_DAYS_APART = 366;
const DAY_MS = 86_400_000;

/** Tax keys of business cases without tax: none, not taxable, exempt, and not known. */
const WITHOUT_TAX = ['', '5', '6', '7'];

const total = (positions: Iterable<Position>): number => sum([...positions].map(({ amount }) => amount));
const listed = (names: Iterable<string>): string => [...new Set(names)].join(', ');

/**
 * Makes the booking of a closing.
 * @param own accounts that come before those of the chart
 * @param chart by its name; without one, only the own accounts count
 */
export function bookingOf(closing: Closing, own: readonly AccountRow[], chart?: string): Booking {
	const problems: string[] = [...closing.problems];
	// Sums of a closing that isn't read as a whole are no facts, neither about it nor about the next one.
	const isWhole = problems.length === 0;
	const currency = currencyOf(closing, problems);
	const charts = [own, chart === undefined ? [] : CHARTS[chart]];
	const cases = positionsIn(closing.cases, currency);
	const payments = positionsIn(closing.payments, currency);
	const [openings, others] = partition(cases, { type: OPENING });
	const opening = isWhole && openings.length > 0 ? total(openings) : undefined;
	const moved = [
		...others,
		...payments
			.filter(({ type }) => type !== IN_CASH)
			.map((payment) => ({ ...payment, amount: 0 - payment.amount, isPayment: true })),
	].filter(({ amount }) => amount !== 0);
	const lines = moved.flatMap((position) => lineOf(closing, charts, position, problems));
	const gain = total(moved);
	if (isWhole) checkSums(cases, payments, opening ?? 0, currency, problems);
	checkDay(closing, problems);
	if (moved.length === 0 && problems.length === 0) {
		problems.push('Nothing was sold, taken out or put in: there is nothing to book.');
	}
	const cash = [...closing.cash.values()];
	const counted = cash.find(({ type }) => type === currency)?.amount;
	const computed = opening === undefined ? undefined : sum([opening, gain]);
	// Without an opening balance, counted cash that equals the gain may be without what was in the drawer before.
	const cashAtEnd = computed ?? (isWhole && counted !== gain ? counted : undefined);
	return {
		currency,
		lines,
		gain,
		opening,
		cashAtEnd,
		warnings: [
			...differenceWarnings(moved, cashAtEnd, currency),
			...cashWarnings(cash, currency, [gain, computed]),
		],
		problems,
	};
}

/** A closing's sums, without fractions of a cent. */
const positionsIn = (positions: ReadonlyMap<string, Position>, currency: string): Position[] =>
	[...positions.values()].map((one) => ({ ...one, amount: rounded(one.amount, currency) }));

function currencyOf({ currencies, cash }: Closing, problems: string[]): string {
	// Where the register's isn't named, cash in one other currency alone may be that, or foreign.
	const counted = cash.size === 1 ? [...cash.values()].map(({ type }) => type) : [];
	const named = currencies.size > 0 ? [...currencies] : uniq([DEFAULT_CURRENCY, ...counted]);
	const [currency] = named;
	if (named.length > 1) problems.push(`Its register has several currencies: ${listed(named)}.`);
	else if (!CURRENCIES.has(currency)) problems.push(`"${currency}" is no currency (KASSE_BASISWAEH_CODE).`);
	return currency;
}

/** The tax rate of a business case in percent; `undefined` if it isn't known. */
function rateOf(closing: Closing, { type, vat }: Position, problems: string[]): number | undefined {
	if (!isTaxed(type) && WITHOUT_TAX.includes(vat)) return 0;
	const rate = closing.rates.get(vat) ?? NaN;
	// Key 7 is "UmsatzsteuerNichtErmittelbar": the rate isn't 0, but unknown.
	if (vat !== '7' && !Number.isNaN(rate)) return rate;
	problems.push(`The tax rate of ${type} isn't known (UST_SCHLUESSEL ${vat || 'missing'}).`);
	return undefined;
}

/** The line of a business case or payment; none if its rate isn't known, or it has no account. */
function lineOf(
	closing: Closing,
	charts: ReadonlyArray<readonly AccountRow[]>,
	position: Position & { isPayment?: boolean },
	problems: string[],
): BookingLine[] {
	const prozent = rateOf(closing, position, problems);
	if (prozent === undefined) return [];
	const { number, register } = closing;
	const { type, name, amount, isPayment } = position;
	const isKnown = (isPayment ? PAYMENTS : CASES).includes(type);
	const account = isKnown ? accountFor(charts, type, prozent, amount) : undefined;
	const what = [type, name && `(${name})`].filter(Boolean).join(' ');
	if (!account) {
		problems.push(`No account is given for ${what}${isTaxed(type) ? ` at ${prozent} %` : ''}.`);
		return [];
	}
	if (prozent !== 0 && !isTaxed(type)) {
		problems.push(`${what} has a tax rate of ${prozent} %, although it isn't taxed.`);
		return [];
	}
	const characters = [...register];
	const shortRegister =
		characters.length > MAX_REGISTER ? `…${characters.slice(1 - MAX_REGISTER).join('')}` : register;
	// Entries of two registers may be equal in everything else; then the text distinguishes them.
	const text = oneLine(['Z', number, shortRegister, type, name].filter(Boolean).join(' '));
	const belegtext = [...text].slice(0, MAX_TEXT).join('').trim();
	return [{ betrag: amount, prozent, belegtext, ...account, belegNummer: `Z-${number}` }];
}

/** Some registers count the opening balance as a payment in cash, some don't. */
function checkSums(
	cases: Position[],
	payments: Position[],
	opening: number,
	currency: string,
	problems: string[],
): void {
	const [done, paid] = [total(cases), total(payments)];
	if (cases.length === 0 && payments.length > 0) {
		problems.push('Its business cases are missing (businesscases.csv).');
	} else if (payments.length === 0 && done !== opening) {
		problems.push('Its payments are missing (payment.csv).');
	} else if (paid !== done && paid !== sum([done, 0 - opening])) {
		problems.push(
			`Its business cases add up to ${amountText(done, currency)}, its payments to ${amountText(paid, currency)}.`,
		);
	}
}

function checkDay({ day, time, bookingDay }: Closing, problems: string[]): void {
	const read = (given: string) => {
		const parsed = parseDateTime(given, 'UTC');
		return 'value' in parsed ? Date.parse(parsed.value) : undefined;
	};
	const [at, made] = [read(day), read(time)];
	if (at === undefined) problems.push(`Its day can't be read: "${cut(day, 30)}".`);
	else if (made !== undefined && Math.abs(at - made) > MAX_DAYS_APART * DAY_MS) {
		problems.push(`Its booking day (${bookingDay}) is more than a year from its time (${time}).`);
	}
}

function differenceWarnings(moved: Position[], cashAtEnd: number | undefined, currency: string): string[] {
	const difference = total(moved.filter(({ type }) => type === DIFFERENCE));
	if (difference === 0) return [];
	const counted =
		cashAtEnd === undefined
			? ''
			: `: ${amountText(cashAtEnd, currency)} counted, ${amountText(sum([cashAtEnd, 0 - difference]), currency)} computed`;
	return [`Cash difference (Kassendifferenz) of ${amountText(difference, currency)}${counted}.`];
}

/** @param expected what may be in the drawer: what came in, alone or with what was in it before, if that is known */
function cashWarnings(cash: Position[], currency: string, expected: [number, number | undefined]): string[] {
	const [foreign, own] = partition(cash, ({ type, amount }) => type !== currency && amount !== 0);
	if (foreign.length > 0) {
		const amounts = foreign.map(({ type, amount }) => amountText(amount, type)).join(', ');
		return [
			`Part of its cash is in another currency (${amounts}); the cash book gains its value in ${currency}.`,
		];
	}
	const [, computed] = expected;
	const counted = own.find(({ type }) => type === currency)?.amount;
	if (counted === undefined || computed === undefined || expected.includes(counted)) return [];
	return [`Its cash is ${amountText(counted, currency)}, computed ${amountText(computed, currency)}.`];
}
