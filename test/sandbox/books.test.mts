/** The books behind the sandbox, whatever the seed, the day, and what was written into the cash books. */
import fc from 'fast-check';
import groupBy from 'lodash/groupBy.js';
import memoize from 'lodash/memoize.js';
import sumBy from 'lodash/sumBy.js';
import { describe, expect, it } from 'vitest';
import { companiesOf } from '../../sandbox/seed.mjs';
import { type Booking, sumOf, toCents } from '../../sandbox/accounting/books/booking.mjs';
import { balancesOf, type Books, type FiscalYear, isIn } from '../../sandbox/accounting/books/books.mjs';
import { businessOf } from '../../sandbox/accounting/books/business.mjs';
import { isPerson, numberIn, ownNumber, successorOf } from '../../sandbox/accounting/books/chart.mjs';
import { journal, openItems, trialBalance } from '../../sandbox/accounting/books/reports.mjs';
import { withTax } from '../../sandbox/accounting/books/taxes.mjs';
import { type CashEntry, Ledger } from '../../sandbox/accounting/ledger.mjs';
import { Store } from '../../sandbox/store.mjs';
import { shareOf } from '../../scripts/base/extent.mjs';

/** Both charts, in each length of account numbers. */
const companies = companiesOf(8);

const day = (from: string, to: string) =>
	fc.date({ noInvalidDate: true, min: new Date(from), max: new Date(to) });

const cashLine = fc.record({
	belegnummer: fc.stringMatching(/^[A-Z]{1,3}-\d{1,3}$/),
	gegenkonto: fc.constantFrom(undefined, '4930', '8300', '8400', '1360', '10001', '70002', '69999', '4999'),
	betrag: fc.double({ min: -5000, max: 5000, noNaN: true }),
	steuersatz: fc.record({ prozent: fc.constantFrom(undefined, 0, 7, 19, 10.7) }),
	kostenstelle1: fc.constantFrom(undefined, '200'),
});

/** A company on some day of 2026 or 2027, and what was written into its cash book in 2026. */
const anyCompany = fc.record({
	seed: fc.integer(),
	companyId: fc.constantFrom(...companies.map(({ id }) => id)),
	now: day('2026-01-01', '2027-12-31'),
	entries: fc.array(
		fc.record({
			transaktionsdatum: day('2026-01-02', '2026-12-30').map((date) => date.toISOString()),
			lines: fc.array(cashLine, { minLength: 1, maxLength: 3 }),
		}),
		{ maxLength: 8 },
	),
});

interface Company {
	seed: number;
	companyId: string;
	now: Date;
	entries: Pick<CashEntry, 'transaktionsdatum' | 'lines'>[];
}

/** Keeping books takes a while, so all properties are checked on the same ones: those of one seed. */
const SEED = fc.readConfigureGlobal().seed ?? Date.now() % 2 ** 31;
const booksOf = memoize(keepBooks, JSON.stringify);

function keepBooks({ seed, companyId, now, entries }: Company): Books {
	const store = new Store({ seed, now, clients: companies.length });
	const ledger = new Ledger(store);
	const { chart } = store.company(companyId);
	const cashBook = { companyId, kassenname: 'Kasse', konto: '1000', waehrung: 'EUR', fieldPrefix: () => '' };
	for (const entry of entries) {
		const lines = entry.lines.map(({ gegenkonto, ...line }) => {
			// No account of SKR04 is known to be the same as 4999.
			if (!gegenkonto || (gegenkonto === '4999' && chart.kontenrahmen === 'SKR04')) return line;
			return { ...line, gegenkonto: numberIn(chart, gegenkonto) };
		});
		ledger.bookCashEntry({ ...cashBook, ...entry, lines });
	}
	return ledger.books(companyId);
}

/** Checks something for any books. */
const check = (property: (books: Books, capital: string) => void) =>
	fc.assert(
		fc.property(anyCompany, (company) => {
			const { id, clientNumber } = companies.find((one) => one.id === company.companyId)!;
			property(booksOf(company), businessOf({ id, clientNumber }).capital);
		}),
		{ numRuns: shareOf(25), seed: SEED },
	);

const signed = ({ betrag, sollHabenKennzeichen }: { betrag: number; sollHabenKennzeichen: string }) =>
	toCents(sollHabenKennzeichen === 'SOLL' ? betrag : -betrag);
const linesOf = (bookings: readonly Booking[]) => bookings.flatMap(({ lines }) => lines);
const bookingsOf = (books: Books, year: FiscalYear) => books.bookings.filter(isIn(year));

describe('in the sandbox’s books, the ledger', () => {
	it('has equal debits and credits in every booking, in whole cents', () => {
		check(({ bookings }) => {
			for (const { lines } of bookings) {
				expect(lines.filter(({ cents }) => !Number.isSafeInteger(cents) || Object.is(cents, -0))).toEqual([]);
				expect(sumOf(lines)).toBe(0);
			}
		});
	});

	it('opens each year with the closing balances of the one before', () => {
		check((books, capital) => {
			books.years.slice(1).forEach((year, index) => {
				const closing = balancesOf(bookingsOf(books, books.years[index]), (account) => {
					const successor = successorOf(ownNumber(books.chart, account)!, capital);
					return successor && numberIn(books.chart, successor);
				});
				const opening = trialBalance(books, year)
					.filter(({ kontonummer }) => !kontonummer.startsWith('9'))
					.map(({ kontonummer, ebWert }) => [kontonummer, signed(ebWert)] as const);
				const nonZero = (balances: Iterable<readonly [string, number]>) =>
					Object.fromEntries([...balances].filter(([, cents]) => cents !== 0));
				expect(nonZero(opening)).toEqual(nonZero(closing));
			});
		});
	});

	it('opens a new year when the clock reaches it', () => {
		const store = new Store({ now: new Date('2026-12-31T22:00:00Z') });
		const ledger = new Ledger(store);
		const years = () => ledger.books(companies[0].id).years.map(({ id }) => id);
		expect(years()).toEqual(['20250101', '20260101']);
		store.setNow(new Date('2026-12-31T23:00:00Z'));
		expect(years()).toEqual(['20250101', '20260101', '20270101']);
	});
});

describe('in the sandbox’s books, the journal', () => {
	it('has every line of the year, whose amounts add up to the balances of the trial balance', () => {
		check((books) => {
			for (const year of books.years) {
				const lines = journal(books, year).flatMap(({ buchungszeilen }) => buchungszeilen);
				const totals = Object.entries(groupBy(lines, 'kontonummer')).map(([account, ofAccount]) => [
					account,
					sumBy(ofAccount, ({ umsatz }) => toCents(umsatz)),
				]);
				const balances = trialBalance(books, year).map(({ kontonummer, saldo }) => [
					kontonummer,
					signed(saldo),
				]);
				expect(Object.fromEntries(balances)).toEqual(Object.fromEntries(totals));
			}
		});
	});
});

describe('in the sandbox’s books, the trial balance', () => {
	it('is the sum of the bookings by account and period', () => {
		check((books) => {
			for (const year of books.years) {
				const bookings = bookingsOf(books, year).filter(({ opening }) => !opening);
				for (const { kontonummer, periodenwerte } of trialBalance(books, year)) {
					const expected = Object.entries(groupBy(bookings, ({ date }) => Number(date.split('-')[1])))
						.map(([period, ofPeriod]) => ({
							periode: Number(period),
							lines: linesOf(ofPeriod).filter(({ account }) => account === kontonummer),
						}))
						.filter(({ lines }) => lines.length > 0)
						.map(({ periode, lines }) => [periode, sumOf(lines)]);
					expect(periodenwerte.map(({ periode, saldo }) => [periode, signed(saldo)])).toEqual(expected);
				}
			}
		});
	});

	it('adds up: opening balance, periods, debits and credits', () => {
		check((books) => {
			for (const year of books.years) {
				for (const account of trialBalance(books, year)) {
					const { saldo, ebWert, umsatzSoll, umsatzHaben, periodenwerte } = account;
					const movement = sumBy(periodenwerte, (one) => signed(one.saldo));
					expect(signed(saldo)).toBe(signed(ebWert) + movement);
					expect(movement).toBe(toCents(umsatzSoll) - toCents(umsatzHaben));
				}
			}
		});
	});
});

describe('in the sandbox’s books, the open items', () => {
	const anyDay = day('2024-12-30', '2027-12-31').map((date) => date.toISOString().slice(0, 10));
	/** Checks something for any books and any day. */
	const checkAt = (property: (books: Books, stichtag: string) => void) =>
		fc.assert(
			fc.property(anyCompany, anyDay, (company, stichtag) => property(booksOf(company), stichtag)),
			{ numRuns: shareOf(40), seed: SEED },
		);
	const modes = ['reconcile', 'raw'] as const;
	const yearAt = ({ years }: Books, stichtag: string) => years.findLast(({ start }) => start <= stichtag);

	it("add up to the accounts' balances on that day", () => {
		checkAt((books, stichtag) => {
			const year = yearAt(books, stichtag);
			const bookings = year ? bookingsOf(books, year).filter(({ date }) => date <= stichtag) : [];
			const balances = [...balancesOf(bookings)].filter(
				([account, cents]) => isPerson(account, books.chart.digits) && cents !== 0,
			);
			for (const eb of modes) {
				const { konten } = openItems(books, { stichtag, filter: 'all', eb });
				for (const { totalSaldo, posten } of konten) {
					expect(sumBy(posten, ({ saldo }) => toCents(saldo))).toBe(toCents(totalSaldo));
				}
				const totals = konten
					.map(({ kontonummer, totalSaldo }) => [kontonummer, toCents(totalSaldo)] as const)
					.filter(([, cents]) => cents !== 0);
				expect(Object.fromEntries(totals)).toEqual(Object.fromEntries(balances));
			}
		});
	});

	it('show an opening balance as item 0, or its documents and what they leave', () => {
		const ledger = new Ledger(new Store({ now: new Date('2026-11-20') }));
		const konto = (kontonummer: string, eb: 'reconcile' | 'raw') =>
			openItems(ledger.books(companies[0].id), { stichtag: '2026-01-01', filter: 'all', eb }).konten.find(
				(one) => one.kontonummer === kontonummer,
			)!;
		const lump = { belegdatum: '2026-01-01', buchungstext: 'Saldovortrag', saldo: 1428 };
		expect(konto('10008', 'raw').posten).toEqual([{ beleg: '0', ...lump }]);
		expect(konto('10008', 'reconcile').posten).toEqual([{ beleg: 'EB-RESIDUAL', ...lump }]);
		const documents = konto('10004', 'reconcile');
		expect(documents.posten.length).toBeGreaterThan(1);
		expect(documents.posten.filter(({ beleg }) => !beleg.startsWith('RE-2'))).toEqual([]);
		expect(konto('10004', 'raw').posten).toEqual([{ ...lump, beleg: '0', saldo: documents.totalSaldo }]);
	});
});

describe('in the sandbox’s books, the tax', () => {
	it.each([
		['4930', 11_900, 19, ['4930', 10_000, '9'], ['1576', 1_900]],
		['4930', -11_900, 19, ['4930', -10_000, '9'], ['1576', -1_900]],
		['3300', 10_700, 7, ['3300', 10_000, undefined], ['1571', 700]],
		['8400', -11_900, 19, ['8400', -10_000, undefined], ['1776', -1_900]],
		['8200', -10_700, 7, ['8200', -10_000, '2'], ['1771', -700]],
		['8200', -11_000, 10, ['8200', -10_000, undefined], ['1770', -1_000]],
		['4930', 100, 19, ['4930', 84, '9'], ['1576', 16]],
	])('of %s over %d cents with %d %%', (account, gross, rate, net, tax) => {
		expect(withTax(account, gross, rate)).toEqual([
			{ account: net[0], cents: net[1], taxKey: net[2] },
			{ account: tax[0], cents: tax[1] },
		]);
	});
});
