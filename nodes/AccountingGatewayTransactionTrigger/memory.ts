/**
 * What a trigger remembers about an account between polls, and what the next poll makes of it. n8n stores it with the
 * workflow when it is published and whenever a poll emits something; after a restart, everything since then is read
 * again.
 */
import { maxBy, minBy } from 'lodash';

import { daysBefore } from '../shared/values/dates';
import { isPending, isWanted } from './transactions';
import type { Filter, Listed } from './transactions';

/** JSON in n8n's static data. */
export interface Memory {
	/** The last day on which everything was read; the next poll looks back from there. */
	polledOn: string;
	/** The latest day with a transaction: what comes after it may not have reached the gateway yet. */
	listedOn?: string;
	/** The first day that was ever read. */
	begins: string;
	/** What was seen on days before it is forgotten. */
	knownFrom: string;
	/** Where the next poll has to begin, if there was more than one poll emits. */
	resumeFrom?: string;
	/** By day, the keys of what was emitted and, with `~` in front, of what was there before and isn't emitted. */
	seen: Record<string, string[]>;
	/**
	 * What was emitted last, and the first day that was read for it: if the process was killed, it may not have started
	 * the workflow.
	 */
	last: { keys: string[]; from: string };
	process: string;
	/** The filter of the last poll. */
	filter: Filter;
	startDate?: string;
	startDateGiven?: string;
}

export interface Wanted {
	filter: Filter;
	includePending: boolean;
	startDate?: string;
	/** As the form has it, which may be an expression. */
	startDateGiven?: string;
	lookbackDays: number;
}

interface Now {
	/** In the workflow's time zone. */
	today: string;
	/** Identifies this process. */
	process: string;
}

/** The most transactions in one execution; the rest comes with the next poll. */
export const MOST_AT_ONCE = 1000;
/** How many days longer a seen transaction is remembered than its day is read: a booking may move to another day. */
const KEPT_DAYS = 30;
/**
 * How long an account may list nothing new and still be read from its latest transaction on: once the bank's consent has
 * expired, the gateway gets nothing until the account holder renews it, and then lists all of it at once.
 */
const SILENT_DAYS = 90;
/** Marks what was there before. */
const BEFORE = '~';

const earliest = (...days: Array<string | undefined>) => minBy(days, (day) => day ?? '9999') as string;
const latest = (...days: string[]) => maxBy(days) as string;

/**
 * What is wanted, with the start date that holds. One given by an expression, like the form's default, stays as
 * the first poll read it: were it today's every day, what the bank books late would be from before the start.
 */
export const settled = (wanted: Wanted, memory: Memory | undefined): Wanted => ({
	...wanted,
	...(wanted.startDate !== undefined &&
		wanted.startDateGiven === memory?.startDateGiven && {
			startDate: earliest(wanted.startDate, memory?.startDate),
		}),
});

/** Whether the start date was set, or set to another day. */
const isMoved = ({ startDate }: Wanted, memory: Memory | undefined) =>
	startDate !== undefined && startDate !== memory?.startDate;

/** What was emitted by a process that may have been killed before n8n had stored it. */
const unsureIn = (memory: Memory | undefined, { process }: Now) =>
	memory && memory.process !== process && memory.last.keys.length > 0 ? memory.last : undefined;

/** A clock that was ahead for a while must not stop the trigger until that date. */
const knownFromOf = (memory: Memory, { today }: Now) => earliest(memory.knownFrom, today);

/** The first day to ask for. */
export function firstDay(memory: Memory | undefined, wanted: Wanted, now: Now): string {
	const { startDate, lookbackDays } = wanted;
	const polledOn = earliest(now.today, memory?.polledOn);
	const listedOn = latest(earliest(polledOn, memory?.listedOn), daysBefore(polledOn, SILENT_DAYS));
	const back = daysBefore(listedOn, lookbackDays);
	return earliest(
		memory ? latest(back, knownFromOf(memory, now)) : back,
		memory?.resumeFrom,
		unsureIn(memory, now)?.from,
		isMoved(wanted, memory) ? startDate : undefined,
	);
}

/**
 * Records what the gateway lists.
 * @param from the first day that was asked for
 * @returns what is to be emitted, oldest first, and what to remember
 */
export function remember(
	memory: Memory | undefined,
	all: Listed[],
	from: string,
	wanted: Wanted,
	now: Now,
): { fresh: Listed[]; memory: Memory } {
	const { filter, startDate, startDateGiven, includePending } = wanted;
	const begins = memory?.begins ?? from;
	const knownFrom = memory ? knownFromOf(memory, now) : from;
	const moved = isMoved(wanted, memory);
	const seen = marks(memory, moved ? startDate : undefined);
	const unsure = new Set(unsureIn(memory, now)?.keys);
	/** Whether an unknown transaction of that day is new: neither forgotten nor from before the trigger began. */
	const isOpen = (day: string) =>
		day >= begins ? day >= knownFrom : startDate !== undefined && day >= startDate;
	/** Whether it was there before. A changed filter, too, only applies to what comes later. */
	const wasThere = ({ day, transaction }: Listed) => {
		if (startDate !== undefined && day < startDate) return true;
		return memory ? !moved && !isWanted(transaction, memory.filter) : startDate === undefined;
	};

	const fresh: Listed[] = [];
	let isMore = false;
	for (const one of all) {
		const { key, day, transaction } = one;
		const known = seen.get(key);
		if (known) known.day = latest(known.day, day);
		if (!unsure.has(key)) {
			if (known || !isOpen(day)) continue;
			if (isPending(transaction) && !includePending) continue;
			if (!isWanted(transaction, filter)) continue;
			if (wasThere(one)) {
				seen.set(key, { day, mark: BEFORE + key });
				continue;
			}
		}
		isMore = fresh.length === MOST_AT_ONCE;
		if (isMore) break;
		fresh.push(one);
		seen.set(key, { day, mark: key });
	}
	const days = all.map(({ day }) => day).filter((day) => day <= now.today);
	const listedOn = maxBy([memory?.listedOn, ...days], (day) => day ?? '');
	const keys = fresh.map(({ key }) => key).filter((key) => !unsure.has(key));
	const kept = isMore ? knownFrom : latest(knownFrom, daysBefore(from, KEPT_DAYS));
	return {
		fresh,
		memory: {
			polledOn: isMore ? (memory?.polledOn ?? now.today) : now.today,
			...(listedOn !== undefined && { listedOn }),
			begins: isMore ? begins : earliest(begins, from),
			knownFrom: kept,
			...(isMore && { resumeFrom: from }),
			// Everything is kept for days that are read again.
			seen: byDay(seen, isMore ? earliest(kept, from) : kept),
			last: { keys, from },
			process: now.process,
			filter,
			...(startDate !== undefined && { startDate }),
			...(startDateGiven !== undefined && { startDateGiven }),
		},
	};
}

type Marks = Map<string, { day: string; mark: string }>;

/** What was seen, by key. @param open the first day on which it no longer counts that something was there before */
function marks(memory: Memory | undefined, open: string | undefined): Marks {
	const all: Marks = new Map();
	for (const [day, list] of Object.entries(memory?.seen ?? {})) {
		for (const mark of list) {
			const wasBefore = mark.startsWith(BEFORE);
			if (wasBefore && open !== undefined && day >= open) continue;
			all.set(wasBefore ? mark.slice(BEFORE.length) : mark, { day, mark });
		}
	}
	return all;
}

function byDay(marked: Marks, from: string): Memory['seen'] {
	const seen: Memory['seen'] = {};
	for (const { day, mark } of marked.values()) {
		if (day >= from) (seen[day] ??= []).push(mark);
	}
	return seen;
}
