/** What may be deducted from the items that a payment settles, and until when (Skonto). */
import { max, min, partition, sumBy } from 'lodash';

import { DAY_MS } from '../../shared/values';

/** What may be deducted from an invoice that is paid early. */
export interface Terms {
	/** The one that lasts longest at the end. */
	rates: Rate[];
	/** Days after the last one on which a payment still counts as in time. */
	graceDays: number;
}

export interface Rate {
	percent: number;
	/** Until how many days after the document date; without it, always. */
	days?: number;
}

/** An item: in cents, positive for an invoice, negative for a credit note; and its document date. */
export interface Due {
	cents: number;
	date: string;
}

/** What would be paid after deductions. */
interface Reduced {
	/** In cents, with fractions. */
	amount: number;
	isInTime: boolean;
	/** The last day for all of them, `YYYY-MM-DD`; `undefined` if there is none, or the day of an item isn't known. */
	until?: string;
}

/** With more invoices, the deductions of some of them add up to any amount by chance. */
const MOST_CHOSEN = 3;

/** The least that a payment may be after deductions, in cents with fractions. */
export function leastOf(items: Due[], { rates }: Terms): number {
	const percent = max(rates.map((rate) => rate.percent)) ?? 0;
	return sumBy(items, ({ cents }) => (cents > 0 ? (cents * (100 - percent)) / 100 : cents));
}

/** All that a payment on a day may be after deductions, those in time first. */
export function reductions(items: Due[], day: string, terms: Terms): Reduced[] {
	const [invoices, credits] = partition(items, ({ cents }) => cents > 0);
	const full = invoices.map(({ cents }): Choice => ({ amount: cents, isInTime: true, isReduced: false }));
	const byRate = terms.rates.map(({ percent, days }) =>
		invoices.map(({ cents, date }): Choice => {
			const until = days === undefined ? undefined : lastDay(date, days, terms.graceDays);
			const isInTime = days === undefined || (until !== undefined && day <= until);
			return { amount: (cents * (100 - percent)) / 100, isInTime, isReduced: true, until };
		}),
	);
	const ways: Choice[][] = byRate.flatMap((reduced) => [
		// All by one rate, or those whose time isn't over.
		reduced,
		reduced.map((one, i) => (one.isInTime ? one : full[i])),
	]);
	// Each by the first rate whose time isn't over.
	ways.push(
		full.map((one, i) => byRate.map((reduced) => reduced[i]).find(({ isInTime }) => isInTime) ?? one),
	);
	if (invoices.length <= MOST_CHOSEN) ways.push(...combinations([full, ...byRate]));
	const open = sumBy(items, 'cents');
	const found = ways
		.filter((way) => way.some(({ isReduced }) => isReduced))
		.map((way) => ({
			...together(way),
			amount: sumBy([...way, ...credits.map(({ cents }) => ({ amount: cents }))], 'amount'),
		}));
	// A credit note may reduce what the discount is calculated from.
	byRate.forEach((way, i) =>
		found.push({ ...together(way), amount: (open * (100 - terms.rates[i].percent)) / 100 }),
	);
	return partition(found, 'isInTime').flat();
}

/** The last day for the discount of all items, by the rate that lasts longest. */
export function discountUntil(items: Due[], { rates, graceDays }: Terms): string | undefined {
	const days = rates.at(-1)?.days;
	if (days === undefined) return undefined;
	return earliest(items.filter(({ cents }) => cents > 0).map(({ date }) => lastDay(date, days, graceDays)));
}

/**
 * The last day of a period: one that ends on a Saturday or Sunday ends on the Monday after it (§ 193 BGB). Holidays differ from
 * state to state; days of grace cover them.
 */
function lastDay(date: string, days: number, graceDays: number): string | undefined {
	const start = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : NaN;
	if (Number.isNaN(start)) return undefined;
	const end = start + days * DAY_MS;
	const weekday = new Date(end).getUTCDay();
	const toMonday = weekday === 6 ? 2 : Number(weekday === 0);
	return new Date(end + (toMonday + graceDays) * DAY_MS).toISOString().slice(0, 10);
}

type Choice = Reduced & { isReduced: boolean };

function together(way: Choice[]): Omit<Reduced, 'amount'> {
	const reduced = way.filter(({ isReduced }) => isReduced);
	return {
		isInTime: reduced.every(({ isInTime }) => isInTime),
		until: earliest(reduced.map(({ until }) => until)),
	};
}

const earliest = (days: Array<string | undefined>) => (days.includes(undefined) ? undefined : min(days));

/** Each item with each of its choices. @param choices of all items, by choice */
const combinations = (choices: Choice[][]): Choice[][] =>
	choices[0].reduce<Choice[][]>(
		(ways, _, i) => ways.flatMap((way) => choices.map((of) => [...way, of[i]])),
		[[]],
	);
