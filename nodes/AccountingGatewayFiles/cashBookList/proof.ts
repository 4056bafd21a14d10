/** Proves by arithmetic which rows are movements of cash: the balance before, plus the rows, is the balance after. */
import { isEqual, map, sortBy, sumBy } from 'lodash';

import { DAY_MS, bilingual, both, dayIn } from '../../shared/values';
import type { Bilingual, Language } from '../../shared/values';
import { labelOf, money } from './rows';
import type { ListRow } from './rows';

/** What a person has typed, in cents. */
export type Given = { total: number } | { before: number; after?: number };

/** What was proved: every entry, and nothing else. */
export interface Proven {
	/** In the order in which they are proved, the oldest first; what comes out, in the order of the file. */
	entries: ListRow[];
	before?: number;
	after?: number;
}

type Result = Proven | { problem: Bilingual };

/** @param rows in the order of the file */
export function prove(rows: readonly ListRow[], given: Given): Result {
	if ('total' in given) return bySum(rows, given.total, AS_TOTAL);
	const { before, after } = given;
	const balances = rows.flatMap(({ balance }) => balance ?? []);
	// A column that shows the same throughout, though another balance was counted, holds something else.
	const isOther = after !== undefined && after !== before && balances.every((balance) => balance === before);
	if (balances.length === 0 && after === undefined) return unclearIn(rows) ?? { problem: NO_BALANCES };
	const proven =
		after !== undefined && isOther
			? bySum(ends(rows)[0], after, AS_COUNTED, before)
			: byBalances(rows, before, after);
	if ('problem' in proven) return proven;
	const problem = outOfOrder(proven.entries) ?? belowZero(proven.entries, before);
	return problem ? { problem } : { after, ...proven, entries: sortBy(proven.entries, 'number'), before };
}

const NO_BALANCES = both(
	'The list shows no balance: give the Cash Balance After, counted after the last row.',
	'Die Liste nennt keinen Bestand: Geben Sie den gezählten Bestand nach der letzten Zeile an (Cash Balance After).',
);

type Say = (language: Language, sum: string, given: string) => string;
const AS_TOTAL: Say = (language, sum, given) =>
	language === 'en'
		? `The rows add up to ${sum}, the total is ${given}`
		: `Die Zeilen ergeben ${sum}, die Summe ist ${given}`;
const AS_COUNTED: Say = (language, sum, given) =>
	language === 'en'
		? `The rows make it ${sum}, counted are ${given}`
		: `Die Zeilen ergeben ${sum}, gezählt sind ${given}`;

const sumOf = (rows: readonly ListRow[]): number => sumBy(rows, ({ amount = 0 }) => amount);

/** A row with neither day nor balance is none: the sum or the next balance tells if it was one. */
export const counts = ({ isDated, amount, unreadable }: ListRow): boolean =>
	isDated && (amount !== undefined || unreadable !== undefined);

/** The first row whose amount or balance can't be read. */
function unclearIn(rows: readonly ListRow[]): { problem: Bilingual } | undefined {
	const row = rows.find(({ unreadable }) => unreadable);
	return row?.unreadable && at([row], row.unreadable);
}

/** One number proves nothing but the sum, so each row with a day and an amount counts. */
function bySum(rows: readonly ListRow[], given: number, say: Say, before = 0): Result {
	const counted = rows.filter(counts);
	const unclear = unclearIn(counted);
	if (unclear) return unclear;
	const sum = before + sumOf(counted);
	if (sum !== given) return difference(counted, sum, given, say);
	return { entries: provedTogether(counted.filter(({ amount }) => amount !== 0)) };
}

/** Rows of which a sum proves all at once. @param none how many of the first ones are 0 together, so that nothing proves them */
function provedTogether(rows: readonly ListRow[], none = 0): ListRow[] {
	const problem = none > 0 ? noneOf(rows[0], rows[none - 1]) : undefined;
	return rows.map((row, i) => {
		const taken = withoutProof(row, [rows[i - 1], rows[i + 1]]);
		return taken === row && problem && i < none ? { ...row, problems: [...row.problems, problem] } : taken;
	});
}

const noneOf = (first: ListRow, last: ListRow): Bilingual =>
	both(
		`The rows ${first.number} to ${last.number} add up to 0.00, so the balance proves none of them: book them by hand if cash was moved.`,
		`Die Zeilen ${first.number} bis ${last.number} ergeben zusammen 0,00, der Bestand beweist also keine davon: Bitte von Hand buchen, wenn Geld bewegt wurde.`,
	);

/** Of a row and the one beside it that takes it back, such as what a page carries over, neither is proved. */
function withoutProof(row: ListRow, beside: ReadonlyArray<ListRow | undefined>): ListRow {
	const other = beside.find((one) => one?.amount === -(row.amount ?? 0));
	if (!other) return row;
	const problem = both(
		`Row ${other.number} takes it back, so neither of them is proved: book them by hand if cash was moved.`,
		`Zeile ${other.number} hebt sie auf, also ist keine von beiden bewiesen: Bitte von Hand buchen, wenn Geld bewegt wurde.`,
	);
	return { ...row, problems: [...row.problems, problem] };
}

/** Names the row that alone has the difference, because it may be none. */
function difference(rows: readonly ListRow[], sum: number, given: number, say: Say): Result {
	const likely = rows.filter(({ amount }) => amount === sum - given);
	const only = likely.length === 1 ? labelOf(likely[0]) : undefined;
	return {
		problem: bilingual((language) => {
			const said = say(language, money(language, sum), money(language, given));
			const difference = money(language, Math.abs(sum - given));
			return language === 'en'
				? `${said}: a difference of ${difference}.${only ? ` Row ${only.en} alone has that amount.` : ''}`
				: `${said}: Differenz ${difference}.${only ? ` Nur Zeile ${only.de} hat diesen Betrag.` : ''}`;
		}),
	};
}

/**
 * Proves a list from its older end, which its days tell. If they don't, only one end may prove it, or both the same rows. Against
 * the days, as where a receipt was found later, the other end has to prove each row.
 */
function byBalances(rows: readonly ListRow[], before: number, after?: number): Result {
	const [first, second] = ends(rows).map((one) => rowByRow(one, before, after));
	const isOrdered = orderOf(rows) !== 0;
	if ('problem' in second) return first;
	if ('problem' in first) return !isOrdered || moving(second.entries) === moving(rows) ? second : first;
	return isOrdered || isEqual(map(first.entries, 'cells'), map([...second.entries].reverse(), 'cells'))
		? first
		: { problem: BOTH_ENDS };
}

/** How many rows there are with a day and an amount. */
const moving = (rows: readonly ListRow[]): number =>
	rows.filter((row) => counts(row) && row.amount !== 0).length;

/** The rows from the end that is the older one by their days, and from the other. */
function ends(rows: readonly ListRow[]): [older: readonly ListRow[], newer: readonly ListRow[]] {
	const reversed = [...rows].reverse();
	return orderOf(rows) < 0 ? [reversed, rows] : [rows, reversed];
}

const BOTH_ENDS = both(
	'Either end of the list can be the older one, and they prove different rows: sort it, the oldest row first, or give the Cash Balance After.',
	'Beide Enden der Liste können das ältere sein und beweisen verschiedene Zeilen: Sortieren Sie sie, die älteste Zeile zuerst, oder geben Sie den Bestand danach an (Cash Balance After).',
);

/** Positive if the days go up from row to row more often than down. */
function orderOf(rows: readonly ListRow[]): number {
	const days = rows.flatMap(({ day }) => day?.slice(0, 'YYYY-MM-DD'.length) ?? []);
	return sumBy(days.slice(1).map((day, i) => (day > days[i] ? 1 : day < days[i] ? -1 : 0)));
}

/** Each balance proves the rows since the one before it. @param rows from the oldest one on */
function rowByRow(rows: readonly ListRow[], before: number, counted?: number): Result {
	const entries: ListRow[] = [];
	/** Rows without a balance, which the next one proves. */
	let open: ListRow[] = [];
	/** Those without a day either, which count for nothing. */
	let undated: ListRow[] = [];
	let cash = before;
	for (const row of rows) {
		const { amount, balance, unreadable } = row;
		if (balance === undefined) {
			if (counts(row) && unreadable) return at([row], unreadable);
			if (amount) (counts(row) ? open : undated).push(row);
			continue;
		}
		const change = balance - cash;
		const isOwn = !unreadable && amount !== undefined && amount !== 0 && change === sumOf(open) + amount;
		// Where rows before it explain the balance without it, the row may be the movement, and one of those a card payment.
		const isEither = open.length > 0 && counts(row) && amount !== 0;
		if (!isOwn && (isEither || change !== sumOf(open)))
			return contradiction(row, open, change, cash, entries.length === 0);
		const moved = isOwn ? [...open, row] : open;
		const others = isOwn || unreadable ? undated : [...undated, row];
		if (undated.length > 0 && sumOf(others) === 0) return at(others, UNDATED);
		const none = [open, moved].find((one) => sumOf(one) === 0)?.length;
		entries.push(...provedTogether(moved, none));
		[cash, open, undated] = [balance, [], []];
	}
	if (open.length > 0 && counted === undefined) return at(open, UNPROVED);
	cash += sumOf(open);
	entries.push(...provedTogether(open, sumOf(open) === 0 ? open.length : 0));
	if (counted !== undefined && counted !== cash) return difference(entries, cash, counted, AS_COUNTED);
	return { entries: withoutCarriedOver(entries, before), after: cash };
}

/** What takes out all of the cash, and then brings it back, may be a page's carry-over: its balances are right whether cash was moved or not. */
function withoutCarriedOver(entries: readonly ListRow[], before: number): ListRow[] {
	let cash = before;
	const isOut = entries.map(({ amount = 0 }, i) => {
		cash += amount;
		return cash === 0 && amount < 0 && entries[i + 1]?.amount === -amount;
	});
	return entries.map((row, i) => {
		const other = isOut[i] ? entries[i + 1] : isOut[i - 1] ? entries[i - 1] : undefined;
		return row.problems.length > 0 ? row : withoutProof(row, [other]);
	});
}

const UNDATED = both(
	"The balance doesn't prove whether cash was moved, and the day is missing: enter it, or delete the amount",
	'Der Bestand beweist nicht, ob hier Geld bewegt wurde, und der Tag fehlt: Tragen Sie ihn ein, oder löschen Sie den Betrag',
);
const UNPROVED = both(
	'No balance proves it: give the Cash Balance After',
	'Kein Bestand beweist das: Geben Sie den Bestand danach an (Cash Balance After)',
);

function contradiction(
	row: ListRow,
	open: ListRow[],
	change: number,
	cash: number,
	isFirst: boolean,
): Result {
	const { amount, balance = 0, unreadable } = row;
	if (unreadable) return at([row], unreadable);
	if (isFirst && open.length === 0 && amount === undefined)
		return at(
			[row],
			bilingual((language) =>
				language === 'en'
					? `The list begins with a balance of ${money('en', balance)}, the Cash Balance Before is ${money('en', cash)}`
					: `Die Liste beginnt mit dem Bestand ${money('de', balance)}, angegeben ist ${money('de', cash)}`,
			),
		);
	const own = sumOf(open) + (amount ?? 0);
	// An expense of 16.44 that takes 15.44 out of the cash.
	const sign = Math.sign(change) === Math.sign(own) ? Math.sign(own) : 1;
	const rows = [...open, row];
	return at(
		rows,
		bilingual((language) => {
			const [changed, moved] = [money(language, sign * change), money(language, sign * own)];
			const isOne = rows.length === 1;
			return language === 'en'
				? `The balance changes by ${changed}, ${isOne ? 'the amount is' : 'the amounts add up to'} ${moved}`
				: `Der Bestand ändert sich um ${changed}, ${isOne ? 'der Betrag ist' : 'die Beträge ergeben'} ${moved}`;
		}),
	);
}

/** A sentence about rows: `Zeile 7 (20.11.2026, Putzmittel): …`. */
function at(rows: readonly ListRow[], said: Bilingual): { problem: Bilingual } {
	const [first, last] = [rows[0], rows[rows.length - 1]].map(labelOf);
	return {
		problem:
			rows.length === 1
				? both(`Row ${first.en}: ${said.en}.`, `Zeile ${first.de}: ${said.de}.`)
				: both(
						`Rows ${first.en} to ${last.en}: ${said.en}.`,
						`Zeilen ${first.de} bis ${last.de}: ${said.de}.`,
					),
	};
}

/** Days that a list may go back: a receipt that was found later. */
const MAX_DAYS_BACK = 31;

/** A day that is more than a month before one that came earlier: one of the two is mistyped. */
function outOfOrder(entries: readonly ListRow[]): Bilingual | undefined {
	const rows = entries.filter(({ day }) => day !== undefined);
	let [latest] = rows;
	for (const row of rows) {
		if (Date.parse(latest.day!) - Date.parse(row.day!) > MAX_DAYS_BACK * DAY_MS) {
			const [one, other] = [labelOf(row), labelOf(latest)];
			return both(
				`Row ${one.en} is more than a month before row ${other.en}: one of the two days is wrong.`,
				`Zeile ${one.de} liegt mehr als einen Monat vor Zeile ${other.de}: Einer der beiden Tage ist falsch.`,
			);
		}
		if (row.day! > latest.day!) latest = row;
	}
	return undefined;
}

/** Cash at the end of a day can't be negative, whatever the order of the rows (§ 146 AO). A row without a day is of that before it. */
function belowZero(entries: readonly ListRow[], before: number): Bilingual | undefined {
	const byDay = new Map<string, number>();
	let day = '';
	for (const row of entries) {
		day = row.day?.slice(0, 'YYYY-MM-DD'.length) ?? day;
		byDay.set(day, (byDay.get(day) ?? 0) + (row.amount ?? 0));
	}
	let cash = before;
	for (const [date, change] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
		cash += change;
		if (cash < 0)
			return bilingual((language) =>
				language === 'en'
					? `At the end of ${dayIn('en', date)}, the cash would be ${money('en', cash)}: cash is never negative, so rows or the balance before are wrong.`
					: `Am Ende des ${dayIn('de', date)} wären ${money('de', cash)} in der Kasse: Ein Kassenbestand ist nie negativ, also stimmen Zeilen oder Anfangsbestand nicht.`,
			);
	}
	return undefined;
}
