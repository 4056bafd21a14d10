/** The rows of a list as entries of a cash book. */
import type { IDataObject } from 'n8n-workflow';
import { mapValues } from 'lodash';

import type { Cell, Row, Table } from '../formats/table';
import { CURRENCIES, bilingual, dayIn, isDatevDay, isEuro, numberIn } from '../../shared/values';
import type { Bilingual, Turn } from '../../shared/values';
import { amountsOf, isIncome, quotable, textIn, valueIn, wordsIn } from './cells';
import type { Cells } from './cells';
import { headingsIn, mayRepeat } from './headings';
import type { Headings } from './headings';
import { MAYBE_SPLIT, NO_MOVEMENT, belowOther, besideOf, problemIn, severalCashBooks } from './rowProblems';
import { Sums } from './sums';

/** What "Cash Book Entry: Create" takes, as a person typed it; where there is a problem, without an amount. */
interface ListedEntry extends IDataObject {
	/** Its row in the file. */
	row: number;
	/** What it says, for a person who looks for it there. */
	summary: Bilingual;
	transaktionsdatum: string | number | null;
	bewegung: string | number | null;
	betrag: string | number | null;
	steuersatz: string | number | null;
	belegtext: string | null;
	gegenkonto: string | null;
	belegnummer: string | null;
	belegNummer: string | null;
	problem: Bilingual | null;
}

export interface Found {
	entry: ListedEntry;
	cells: Cell[];
	isHidden: boolean;
}

/** A row that is no entry. */
export interface Skipped {
	row: number;
	text: string;
}

/** Makes an entry of each row below the headings that has an amount. */
export async function entriesIn(
	{ rows, separator, dayOf }: Table,
	first: Headings,
	own: Parameters<typeof headingsIn>[1],
	turn: Turn,
): Promise<{ entries: Found[]; skipped: Skipped[] }> {
	const entries: Found[] = [];
	const skipped: Skipped[] = [];
	/** Rows with whole amounts, which may be the first halves of others. */
	const whole: Found[] = [];
	let isWithPoints = false;
	let here = first;
	let beside = besideOf(first);
	/** The row that says that amounts are net, and that of other headings. */
	const net = rows.find((row) => row.number < first.row.number && row.cells.some(saysNet))?.number;
	let other = net;
	const currency = currencyAbove(rows, first);
	const cashBooks = new Set<string>();
	const sums = new Sums();
	for (const row of rows) {
		await turn.yield();
		if (row.number <= first.row.number) continue;
		// Each page of a list may have its headings, and a second list others.
		const again = mayRepeat(row, here) ? headingsIn([row], own) : undefined;
		if (again && 'row' in again) {
			[here, beside, other] = [again, besideOf(again), net];
			continue;
		}
		const cells: Cells = mapValues(here.places, (place) =>
			place === undefined ? undefined : (row.cells[place] ?? ''),
		);
		const values = Object.values(cells).filter((cell) => cell !== undefined && cell !== '');
		// Templates have a balance in each row to their end.
		if (values.length === 0) continue;
		const isOther =
			(again !== undefined && !hasDigit(cells.transaktionsdatum)) ||
			amountsOf(cells).some((cell) => ['netto', 'net'].includes(wordsIn(cell)));
		if (isOther) other = row.number;
		if (!isOther && isEntry(cells)) {
			const problem =
				other === undefined
					? (problemIn(row, cells, { ...here, ...beside }, separator) ?? sums.add(cells))
					: belowOther(other);
			if (problem === NO_MOVEMENT) sums.end();
			const found = {
				entry: entryOf(row.number, cells, { dayOf, currency, problem }),
				cells: row.cells,
				isHidden: row.isHidden === true,
			};
			entries.push(found);
			const cashBook = textIn(row.cells[beside.cashBook])?.trim() ?? '';
			if (/\p{L}/u.test(cashBook) && cashBooks.size <= MAX_CASH_BOOKS) cashBooks.add(cashBook);
			if (problem) continue;
			const amount = String(amountsOf(cells)[0]);
			if (separator === ',' && !/[.,]\d/.test(amount)) whole.push(found);
			isWithPoints ||= /\d\.\d{1,2}(?!\d)/.test(amount);
		} else {
			if (amountsOf(cells).length > 0) sums.end();
			const text = values.find((cell) => typeof cell === 'string' && /\p{L}/u.test(cell));
			skipped.push({ row: row.number, text: quotable((text as string | undefined) ?? '') });
		}
	}
	// Nobody can tell a whole amount from one that its comma has split, in a row that lacks a field, unless decimals have points.
	if (!isWithPoints) for (const { entry } of whole) refuse(entry, MAYBE_SPLIT);
	if (cashBooks.size > 1)
		for (const { entry } of entries) refuse(entry, severalCashBooks([...cashBooks].map(quotable)));
	return { entries, skipped };
}

function refuse(entry: ListedEntry, problem: Bilingual): void {
	if (!entry.problem) Object.assign(entry, { betrag: null, bewegung: null, problem });
}

const hasDigit = (cell: Cell | undefined): boolean => /\d/.test(String(valueIn(cell) ?? ''));

/** A title such as `Alle Beträge netto`. */
const saysNet = (cell: Cell): boolean => {
	const words = wordsIn(cell).split(/[^a-z]+/);
	return (
		['betraege', 'amounts'].some((word) => words.includes(word)) &&
		['netto', 'net'].some((word) => words.includes(word))
	);
};

/** Names of cash books that are compared. */
const MAX_CASH_BOOKS = 5;

/** The currency that a title names: `Währung: CHF`, with the name in the same cell or the next one; `Alle Beträge in CHF`. */
function currencyAbove(rows: readonly Row[], { row: { number } }: Headings): string | undefined {
	for (const row of rows) {
		if (row.number >= number) break;
		const at = row.cells.findIndex((cell) =>
			/^(?:waehrung|currency)\b|\b(?:betraege|amounts) in\b/.test(wordsIn(cell)),
		);
		if (at === -1) continue;
		const said = row.cells.slice(at).map(textIn).join(' ');
		const [name] = said.match(/\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? [];
		if (name !== undefined && (name.length === 1 || CURRENCIES.has(name))) return name;
	}
	return undefined;
}

/** A row without an amount is none; nor is a sum: it has no day ("Summe" has no digit), no tax rate and no movement. */
const isEntry = (cells: Cells): boolean =>
	amountsOf(cells).length > 0 &&
	([cells.steuersatz, cells.einnahme === undefined ? cells.bewegung : ''].some(
		(cell) => (cell ?? '') !== '',
	) ||
		hasDigit(cells.transaktionsdatum));

function entryOf(
	row: number,
	cells: Cells,
	{ dayOf, currency, problem }: { dayOf: Table['dayOf']; currency?: string; problem?: Bilingual },
): ListedEntry {
	const [amount] = amountsOf(cells);
	const movement = cells.einnahme === undefined ? cells.bewegung : isIncome(cells) ? 'EINNAHME' : 'AUSGABE';
	const cell = cells.transaktionsdatum;
	const day = valueIn(typeof cell === 'number' && !isDatevDay(cell) ? dayOf(cell) : cell);
	return {
		row,
		summary: summaryOf(cells, day),
		transaktionsdatum: day,
		bewegung: problem ? null : valueIn(movement),
		betrag: problem ? null : inCurrency(valueIn(amount), textIn(cells.waehrung)?.trim() || currency),
		steuersatz: valueIn(cells.steuersatz),
		belegtext: textIn(cells.belegtext),
		gegenkonto: textIn(cells.gegenkonto),
		belegnummer: textIn(cells.belegnummer),
		belegNummer: textIn(cells.belegNummer),
		problem: problem ?? null,
	};
}

/** An amount with its currency, unless that is the euro: who books it in another one is told. */
function inCurrency(amount: string | number | null, currency = ''): string | number | null {
	const isKnown = currency === '' || isEuro(currency);
	return isKnown || String(amount).includes(currency) ? amount : `${amount} ${currency}`;
}

/** The day of a date cell, as the readers give it. */
const ISO_DAY = /^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/;

/** `15,44 · Putzmittel · 20.11.2026`: numbers and days of a spreadsheet as people write them. */
const summaryOf = (cells: Cells, day: string | number | null): Bilingual =>
	bilingual((language) => {
		const amounts = amountsOf(cells).map((cell) =>
			typeof cell === 'number' ? numberIn(language, cell, 2) : quotable(String(valueIn(cell) ?? '')),
		);
		const text = quotable(textIn(cells.belegtext) ?? '');
		const said = String(day ?? '');
		const date = ISO_DAY.test(said) ? dayIn(language, said) : quotable(said);
		return [amounts.join(' / '), text, date].filter(Boolean).join(' · ');
	});
