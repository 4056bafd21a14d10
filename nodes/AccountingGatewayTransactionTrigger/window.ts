/**
 * What a trigger remembers about an account between polls, and what the next poll makes of it. n8n stores it with the
 * workflow when it is published and whenever a poll emits something; after a restart, everything since then is read again.
 *
 * A poll reads a window of days: what is listed there, is booked and wasn't seen before starts the workflow. The window
 * begins `lookbackDays` before the newest day with a transaction. When a newer one comes, the days since then stay in the
 * window for as long as that took, plus `lookbackDays`; so does the day of a transaction that is pending.
 *
 * After each poll, one of three things is so for every transaction of the window: it is `seen` and never starts the workflow
 * again; the filter `leftOut` it; or the next window has its day. So none is lost, and none comes twice.
 */
import { maxBy, minBy } from 'lodash';
import { DateTime } from 'luxon';

import { DAY_MS } from '../shared/values';
import { isPending, isWanted, sameFilter } from './transactions';
import type { Filter, Listed } from './transactions';

/** Of what is stored; another format gets another number. */
export const MEMORY_FORMAT = 1;

/** JSON in n8n's static data. Days are `YYYY-MM-DD`. */
export interface Memory {
	format: number;
	/** The first day of the window. It only moves forward: what happened before is forgotten. */
	from: string;
	/** Days that the window has to reach back to, and until when. The last one is the newest with a transaction. */
	open: Record<string, string>;
	/** The keys of the transactions that have been decided about, whether or not they started the workflow, with their days. */
	seen: Record<string, string>;
	/** The keys of those that the filter left out: one starts the workflow if the bank puts right what kept it out. */
	leftOut: Record<string, string>;
	/**
	 * The keys of the transactions that the last poll emitted: if the process was killed, they may not have started the
	 * workflow.
	 */
	last: string[];
	process: string;
	filter: Filter;
}

export interface Wanted {
	filter: Filter;
	includePending: boolean;
	lookbackDays: number;
	/** The day on which the first window begins; transactions listed since then are new. */
	startDate?: string;
}

interface Now {
	/** The current day in the workflow's time zone. */
	today: string;
	process: string;
	/** Keys of transactions that n8n couldn't store as an execution. */
	notStored?: string[];
	/** Whether days of the window are missing that the next poll may get. */
	isPartial?: boolean;
}

/** The most transactions in one execution; the rest comes with the next poll. */
export const MOST_AT_ONCE = 1000;
/** How many days longer a seen transaction is remembered than its day is read: a booking may move to another day. */
const KEPT_DAYS = 30;
/** The most days from the beginning of the window to the newest day with a transaction. */
const LONGEST_DAYS = 366;

const earliest = (days: string[]) => minBy(days) as string;
const latest = (days: Array<string | undefined>) => maxBy(days) as string;
/** How many days ago a day was. Both texts are read as UTC. */
const age = (day: string, today: string) => (Date.parse(today) - Date.parse(day)) / DAY_MS;

/** The first day of the window. */
export const windowFrom = (
	memory: Memory | undefined,
	{ startDate, lookbackDays }: Wanted,
	today: string,
): string => memory?.from ?? startDate ?? daysBefore(today, lookbackDays);

/**
 * Records what the gateway lists.
 * @param listed oldest first
 * @returns what is to be emitted, oldest first, and what to remember
 */
export function remember(
	memory: Memory | undefined,
	listed: Listed[],
	wanted: Wanted,
	now: Now,
): { fresh: Listed[]; memory: Memory } {
	const selection = select(memory, listed, wanted, now);
	const { fresh } = selection;
	const window = nextWindow(memory, listed, selection, wanted, now);
	const oldestKept = daysBefore(window.from, KEPT_DAYS);
	const kept = (days: Map<string, string>) =>
		Object.fromEntries([...days].filter(([, day]) => day >= oldestKept));
	const [seen, leftOut] = [kept(selection.seen), kept(selection.leftOut)];
	const last = fresh.map(({ key }) => key);
	const { process } = now;
	return {
		fresh,
		memory: { format: MEMORY_FORMAT, ...window, seen, leftOut, last, process, filter: wanted.filter },
	};
}

/**
 * Decides about each transaction of the window.
 * @returns those that start the workflow, with whether there are more than one execution takes; those that are pending and
 * may start it when they are booked; what is known of all others
 */
function select(
	memory: Memory | undefined,
	listed: Listed[],
	wanted: Wanted,
	{ today, process, notStored = [] }: Now,
) {
	const { filter, includePending, startDate } = wanted;
	const from = windowFrom(memory, wanted, today);
	const seen = new Map(Object.entries(memory?.seen ?? {}));
	const leftOut = new Map(Object.entries(memory?.leftOut ?? {}));
	// n8n's record tells which of these have started the workflow.
	const uncertain = memory && memory.process !== process ? memory.last : [];
	for (const key of [...uncertain, ...notStored]) seen.delete(key);
	if (memory && !sameFilter(memory.filter, filter)) {
		// What the former filter left out and isn't listed now can't be judged by it any more.
		const keys = new Set(listed.map(({ key }) => key));
		for (const [key, day] of leftOut) {
			if (keys.has(key)) continue;
			leftOut.delete(key);
			seen.set(key, day);
		}
	}
	// Without either, what is listed was there before the publication.
	const isLater = memory !== undefined || startDate !== undefined;

	const fresh: Listed[] = [];
	const pending: Listed[] = [];
	let isMore = false;
	for (const one of listed) {
		const { key, day, transaction } = one;
		// A gateway may list more than it was asked for.
		if (day < from) continue;
		const isNew = !seen.has(key);
		const passes = isWanted(transaction, filter);
		if (isNew && isPending(transaction) && !(includePending && passes)) {
			pending.push(one);
			continue;
		}
		// A changed filter only applies to what comes later.
		const starts = isNew && isLater && passes && (!memory || isWanted(transaction, memory.filter));
		if (starts && fresh.length === MOST_AT_ONCE) {
			isMore = true;
			continue;
		}
		if (starts) fresh.push(one);
		// A day in the future would be remembered until then.
		const until = earliest([day, today]);
		if (isNew && isLater && !passes) leftOut.set(key, until);
		else {
			leftOut.delete(key);
			seen.set(key, until);
		}
	}
	return { fresh, pending, isMore, seen, leftOut };
}

/** The window of the next poll: where it begins, and the days that it has to reach back to. */
function nextWindow(
	memory: Memory | undefined,
	listed: Listed[],
	{ fresh, pending, isMore }: ReturnType<typeof select>,
	wanted: Wanted,
	{ today, isPartial = false }: Now,
): Pick<Memory, 'from' | 'open'> {
	const { lookbackDays } = wanted;
	const from = windowFrom(memory, wanted, today);
	const days = listed.map(({ day }) => day).filter((day) => day <= today);
	const before = maxBy(Object.keys(memory?.open ?? {}));
	const newest = maxBy([before, ...days]) ?? today;
	const formerNewest = before ?? newest;
	const open = new Map(Object.entries(memory?.open ?? {}));
	const keepOpen = (day: string, daysMore: number) => {
		if (day <= today) open.set(day, latest([open.get(day), daysBefore(today, -daysMore)]));
	};
	for (const { day } of pending) keepOpen(day, lookbackDays);
	// If the process is killed, these days are read again.
	for (const { day } of fresh) keepOpen(day, 0);
	keepOpen(formerNewest, age(formerNewest, today) + lookbackDays);
	keepOpen(newest, 0);
	const stillOpen = [...open].filter(([, until]) => until >= today);
	const begin = daysBefore(earliest(stillOpen.map(([day]) => day)), lookbackDays);
	return {
		from: isMore || isPartial ? from : latest([from, begin, daysBefore(newest, LONGEST_DAYS)]),
		open: Object.fromEntries(stillOpen),
	};
}

/** @param day `YYYY-MM-DD`, as is the result */
export const daysBefore = (day: string, days: number): string =>
	DateTime.fromISO(day, { zone: 'utc' }).minus({ days }).toISODate() as string;
