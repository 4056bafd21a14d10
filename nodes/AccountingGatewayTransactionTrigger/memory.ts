/**
 * What a trigger remembers of an account between polls, and what follows from it for the next one. n8n stores it with the
 * workflow when it is published and whenever a poll emits something; after a restart, all since then is read again.
 */
import { maxBy, minBy } from 'lodash';

import { daysBefore } from '../shared/values/dates';
import { isPending, isWanted } from './transactions';
import type { Filter, Listed } from './transactions';

/** JSON in n8n's static data. */
export interface Memory {
	/** The last day on which everything was read; the next poll looks back from there. */
	polledOn: string;
	/** The first day that was ever read. */
	begins: string;
	/** Of days before it, it is forgotten what was seen. */
	knownFrom: string;
	/** Where the next poll has to begin, when there was more than one poll emits. */
	resumeFrom?: string;
	/** By day, the keys of what was emitted; with `~` in front, of what was there before and isn't. */
	seen: Record<string, string[]>;
	/** What was emitted last, and by which process: if that was killed, it may not have started the workflow. */
	last: { keys: string[]; from: string };
	process: string;
	/** What was wanted. */
	filter: Filter;
	startDate?: string;
}

export interface Wanted {
	filter: Filter;
	includePending: boolean;
	startDate?: string;
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
/** Days by which what was seen is kept longer than it is read: a booking may move to another day. */
const KEPT_DAYS = 30;
/** In front of what was there before. */
const BEFORE = '~';

const earliest = (...days: Array<string | undefined>) => minBy(days, (day) => day ?? '9999') as string;
const latest = (...days: string[]) => maxBy(days) as string;

/** Whether the start date was set, or set to another day. */
const isMoved = ({ startDate }: Wanted, memory: Memory | undefined) =>
	startDate !== undefined && startDate !== memory?.startDate;

/** What was emitted by a process that may have been killed before n8n had stored it. */
const unsureIn = (memory: Memory | undefined, { process }: Now) =>
	memory && memory.process !== process && memory.last.keys.length > 0 ? memory.last : undefined;

/** A clock that was ahead for a while must not stop the trigger until then. */
const knownFromOf = (memory: Memory, { today }: Now) => earliest(memory.knownFrom, today);

/** The first day to ask for. */
export function firstDay(memory: Memory | undefined, wanted: Wanted, now: Now): string {
	const { startDate, lookbackDays } = wanted;
	const back = daysBefore(earliest(now.today, memory?.polledOn), lookbackDays);
	return earliest(
		memory ? latest(back, knownFromOf(memory, now)) : back,
		memory?.resumeFrom,
		unsureIn(memory, now)?.from,
		isMoved(wanted, memory) ? startDate : undefined,
	);
}

/**
 * Takes note of what the gateway lists.
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
	const { filter, startDate, includePending } = wanted;
	const begins = memory?.begins ?? from;
	const knownFrom = memory ? knownFromOf(memory, now) : from;
	const moved = isMoved(wanted, memory);
	const seen = marks(memory, moved ? startDate : undefined);
	const unsure = new Set(unsureIn(memory, now)?.keys);
	/** Whether what isn't known of that day is new: neither forgotten nor from before the trigger began. */
	const isOpen = (day: string) =>
		day >= begins ? day >= knownFrom : startDate !== undefined && day >= startDate;
	/** Whether it was there before: a changed filter, too, is about what comes. */
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
	const keys = fresh.map(({ key }) => key).filter((key) => !unsure.has(key));
	const kept = isMore ? knownFrom : latest(knownFrom, daysBefore(from, KEPT_DAYS));
	return {
		fresh,
		memory: {
			polledOn: isMore ? (memory?.polledOn ?? now.today) : now.today,
			begins: isMore ? begins : earliest(begins, from),
			knownFrom: kept,
			...(isMore && { resumeFrom: from }),
			// Of days that are read again, everything is kept.
			seen: byDay(seen, isMore ? earliest(kept, from) : kept),
			last: { keys, from },
			process: now.process,
			filter,
			...(startDate !== undefined && { startDate }),
		},
	};
}

type Marks = Map<string, { day: string; mark: string }>;

/** What was seen, by key. @param open the day from which on it no longer counts that something was there before */
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
