import groupBy from 'lodash/groupBy.js';
import partition from 'lodash/partition.js';
import type { components } from '../../../api/gateway.js';
import { type Booking, sumOf, toAmount } from './booking.mjs';
import { type Books, type FiscalYear, isIn } from './books.mjs';
import { type AccountKind, type Chart, isPerson, kindOf } from './chart.mjs';

type Schemas = components['schemas'];

/** The side of an amount; zero counts as debit. */
const sideOf = (cents: number) => (cents < 0 ? 'HABEN' : 'SOLL');

/** An amount with its side. */
export const balanceOf = (cents: number): Schemas['Saldo'] => ({
	betrag: toAmount(Math.abs(cents)),
	sollHabenKennzeichen: sideOf(cents),
});

const byNumber = (a: string, b: string) => Number(a) - Number(b);

export const fiscalYearDetail = (
	{ kontenrahmen, digits }: Chart,
	{ id, start, end }: FiscalYear,
): Schemas['FiscalYearDetail'] => ({
	id,
	startDatum: start,
	endDatum: end,
	kontonummernLaenge: digits,
	kontenrahmen,
});

/** Every booking of the year, including opening balances. A booking's side is that of its first line. */
export function journal(books: Books, year: FiscalYear): Schemas['JournalBooking'][] {
	return books.bookings.filter(isIn(year)).map(({ text, currency, lines }) => ({
		// The contract's examples only show null.
		id: null,
		waehrung: currency,
		buchungstext: text,
		buchungszeilen: lines.map(({ account, cents, kost1 = null, kost2 = null, taxKey = null }) => ({
			kontonummer: account,
			kostenstellen: { kost1, kost2 },
			buSchluessel: taxKey,
			umsatz: toAmount(cents),
		})),
		sollHabenKennzeichen: sideOf(lines[0].cents),
	}));
}

/**
 * The accounts with an opening balance or a booking in the year. A period's value is the month's movement; opening
 * balance and periods add up to the balance.
 * @param only the one account to list
 */
export function trialBalance(
	books: Books,
	year: FiscalYear,
	only?: string,
): Schemas['TrialBalanceAccount'][] {
	const entries = books.bookings
		.filter(isIn(year))
		.flatMap(({ date, opening, lines }) => lines.map((line) => ({ ...line, date, opening })))
		.filter(({ account }) => only === undefined || account === only);
	return Object.entries(groupBy(entries, 'account'))
		.sort(([a], [b]) => byNumber(a, b))
		.map(([account, ofAccount]) => {
			const [opening, current] = partition(ofAccount, 'opening');
			const periods = groupBy(current, ({ date }) => Number(date.slice(5, 7)));
			return {
				kontobeschriftung: books.names.get(account) ?? '',
				kontonummer: account,
				saldo: balanceOf(sumOf(ofAccount)),
				periodenwerte: Object.entries(periods).map(([periode, ofPeriod]) => ({
					periode: Number(periode),
					saldo: balanceOf(sumOf(ofPeriod)),
				})),
				ebWert: balanceOf(sumOf(opening)),
				umsatzHaben: toAmount(Math.abs(sumOf(current.filter(({ cents }) => cents < 0)))),
				umsatzSoll: toAmount(sumOf(current.filter(({ cents }) => cents > 0))),
			};
		});
}

export interface OpenItemsQuery {
	/** YYYY-MM-DD. Later bookings are ignored. */
	stichtag: string;
	filter: keyof typeof FILTERS;
	eb: 'reconcile' | 'raw';
}

const FILTERS = { all: ['debtor', 'creditor'], debitors: ['debtor'], creditors: ['creditor'] };

/** An open item: the balance of one document on a customer or supplier account. */
interface Item {
	document: string;
	date: string;
	text: string;
	cents: number;
}

/**
 * The open items on a day, in the fiscal year of that day, as the contract describes `getOpenItems`. Amounts are
 * signed, debit positive.
 */
export function openItems(books: Books, { stichtag, filter, eb }: OpenItemsQuery): Schemas['OpenItems'] {
	const year = books.years.findLast(({ start }) => start <= stichtag);
	const until = year ? books.bookings.filter(({ date }) => date <= stichtag) : [];
	const { digits } = books.chart;
	const konten = [...ofPersons(until, digits)]
		.sort(([a], [b]) => byNumber(a, b))
		.map(([account, bookings]) => ({
			account,
			kind: kindOf(account, digits)!,
			items: itemsOf(account, bookings, year!, eb),
		}))
		.filter(({ kind, items }) => FILTERS[filter].includes(kind) && items.length > 0);
	const sumOfAll = (one: AccountKind) =>
		toAmount(sumOf(konten.filter(({ kind }) => kind === one).flatMap(({ items }) => items)));
	return {
		stichtag,
		konten: konten.map(({ account, kind, items }) => ({
			kontonummer: account,
			bezeichnung: books.names.get(account) ?? '',
			isDebitor: kind === 'debtor',
			totalSaldo: toAmount(sumOf(items)),
			posten: items.map(({ document, date, text, cents }) => ({
				beleg: document,
				belegdatum: date,
				buchungstext: text,
				saldo: toAmount(cents),
			})),
		})),
		sumDebitoren: sumOfAll('debtor'),
		sumKreditoren: sumOfAll('creditor'),
	};
}

/** The bookings on each customer's and supplier's account. */
function ofPersons(bookings: readonly Booking[], digits: number): Map<string, Booking[]> {
	const found = new Map<string, Booking[]>();
	for (const booking of bookings) {
		for (const account of new Set(booking.lines.map((line) => line.account))) {
			if (!isPerson(account, digits)) continue;
			const others = found.get(account);
			if (others) others.push(booking);
			else found.set(account, [booking]);
		}
	}
	return found;
}

/**
 * The open items of one account. The year's opening balance is the sum of the items that were open before, so only one of
 * the two may be listed: `raw` lists the opening balance, `reconcile` the earlier items and any remaining difference.
 */
function itemsOf(
	account: string,
	bookings: readonly Booking[],
	year: FiscalYear,
	eb: OpenItemsQuery['eb'],
): Item[] {
	const before = bookings.filter(({ date, opening }) => date < year.start && !opening);
	const [opening, current] = partition(bookings.filter(isIn(year)), 'opening');
	const openingItem = (document: string, cents: number): Item => ({
		document,
		date: year.start,
		text: 'Saldovortrag',
		cents,
	});
	const carried = on(account, opening);
	const items =
		eb === 'raw'
			? [openingItem('0', carried), ...byDocument(account, current)]
			: [
					openingItem('EB-RESIDUAL', carried - on(account, before)),
					...byDocument(account, [...before, ...current]),
				];
	return items.filter(({ cents }) => cents !== 0);
}

/** The sum of the bookings' amounts on an account, in cents. */
const on = (account: string, bookings: readonly Booking[]) =>
	sumOf(bookings.flatMap(({ lines }) => lines).filter((line) => line.account === account));

/** Invoices, payments and credit notes of the same document number are one item; its first booking dates it. */
function byDocument(account: string, bookings: readonly Booking[]): Item[] {
	const items = new Map<string, Item>();
	for (const { document, date, text, lines } of bookings) {
		for (const { cents } of lines.filter((line) => line.account === account)) {
			const item = items.get(document) ?? { document, date, text, cents: 0 };
			items.set(document, item);
			item.cents += cents;
		}
	}
	return [...items.values()];
}

/** All accounts by number: those of the chart, and any others with bookings. */
export function chartOfAccounts({ names, bookings }: Books): Schemas['Account'][] {
	const used = bookings.flatMap(({ lines }) => lines.map(({ account }) => account));
	return [...new Set([...names.keys(), ...used])].sort(byNumber).map((account) => ({
		kontobeschriftung: names.get(account) ?? '',
		kontonummer: account,
	}));
}
