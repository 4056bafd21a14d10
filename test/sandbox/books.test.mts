/** The books behind the sandbox, whatever the seed, the day, and what was written into the cash books. */
import fc from 'fast-check';
import groupBy from 'lodash/groupBy.js';
import memoize from 'lodash/memoize.js';
import sumBy from 'lodash/sumBy.js';
import { describe, expect, it } from 'vitest';
import { companies } from '../../sandbox/seed.mjs';
import { type Booking, sumOf, toCents } from '../../sandbox/accounting/books/booking.mjs';
import { balancesOf, type Books, type FiscalYear, isIn } from '../../sandbox/accounting/books/books.mjs';
import { BUSINESSES } from '../../sandbox/accounting/books/business.mjs';
import { isPerson, SKR03, successorOf } from '../../sandbox/accounting/books/chart.mjs';
import {
	chartOfAccounts,
	journal,
	openItems,
	trialBalance,
} from '../../sandbox/accounting/books/reports.mjs';
import { trade } from '../../sandbox/accounting/books/trade.mjs';
import { withTax } from '../../sandbox/accounting/books/taxes.mjs';
import { type CashEntry, Ledger } from '../../sandbox/accounting/ledger.mjs';
import { Store } from '../../sandbox/store.mjs';
import { shareOf } from '../support/seed.mjs';

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
	const ledger = new Ledger(new Store({ seed, now }));
	const cashBook = { companyId, kassenname: 'Kasse', konto: '1000', waehrung: 'EUR', fieldPrefix: () => '' };
	for (const entry of entries) ledger.bookCashEntry({ ...cashBook, ...entry });
	return ledger.books(companyId);
}

/** Checks something for any books. */
const check = (property: (books: Books, capital: string) => void) =>
	fc.assert(
		fc.property(anyCompany, (company) => property(booksOf(company), BUSINESSES[company.companyId].capital)),
		{ numRuns: shareOf(25), seed: SEED },
	);

const signed = ({ betrag, sollHabenKennzeichen }: { betrag: number; sollHabenKennzeichen: string }) =>
	toCents(sollHabenKennzeichen === 'SOLL' ? betrag : -betrag);
const linesOf = (bookings: readonly Booking[]) => bookings.flatMap(({ lines }) => lines);
const bookingsOf = (books: Books, year: FiscalYear) => books.bookings.filter(isIn(year));

describe('the ledger', () => {
	it('has equal debits and credits in every booking, in whole cents', () => {
		check(({ bookings }) => {
			for (const { lines } of bookings) {
				expect(lines.every(({ cents }) => Number.isSafeInteger(cents) && !Object.is(cents, -0))).toBe(true);
				expect(sumOf(lines)).toBe(0);
			}
		});
	});

	it('is in order of dates and has a few hundred bookings a year', () => {
		check((books) => {
			const dates = books.bookings.map(({ date }) => date);
			expect(dates).toEqual([...dates].sort());
			expect(bookingsOf(books, books.years[0]).length).toBeGreaterThan(200);
		});
	});

	it('opens each year with the closing balances of the one before', () => {
		check((books, capital) => {
			books.years.slice(1).forEach((year, index) => {
				const closing = balancesOf(bookingsOf(books, books.years[index]), (account) =>
					successorOf(account, capital),
				);
				const opening = trialBalance(books, year)
					.filter(({ kontonummer }) => !kontonummer.startsWith('9'))
					.map(({ kontonummer, ebWert }) => [kontonummer, signed(ebWert)] as const);
				const nonZero = (balances: Iterable<readonly [string, number]>) =>
					Object.fromEntries([...balances].filter(([, cents]) => cents !== 0));
				expect(nonZero(opening)).toEqual(nonZero(closing));
				expect(sumBy(opening, ([, cents]) => cents)).toBe(0);
			});
		});
	});

	it('closes profit and loss into the capital, and carries assets, debts and persons forward unchanged', () => {
		const successors = Object.keys(SKR03).map((account) => [account, successorOf(account, '0860')] as const);
		expect(Object.fromEntries(successors)).toMatchObject({
			'0210': '0210',
			'0860': '0860',
			'1000': '1000',
			'1576': '1790',
			'1776': '1790',
			'1780': '1790',
			'1800': '0860',
			'2120': '0860',
			'3300': '0860',
			'3980': '3980',
			'4930': '0860',
			'8300': '0860',
			'9008': undefined,
		});
		expect(successorOf('10001', '0860')).toBe('10001');
	});

	it('is the same for the same seed, and different for another', () => {
		const books = (seed: number, now: string) =>
			new Ledger(new Store({ seed, now: new Date(now) })).books(companies[0].id).bookings;
		const business = BUSINESSES[companies[0].id];
		expect(trade(business, [2026, 2026], 7)).toEqual(trade(business, [2026, 2026], 7));
		expect(books(7, '2026-11-20')).not.toEqual(books(8, '2026-11-20'));
		const earlier = books(7, '2026-11-20');
		expect(books(7, '2026-12-01').slice(0, earlier.length)).toEqual(earlier);
	});

	it('opens a new year when the clock reaches it', () => {
		const store = new Store({ now: new Date('2026-12-31T22:00:00Z') });
		const ledger = new Ledger(store);
		const years = () => ledger.books(companies[0].id).years.map(({ id }) => id);
		expect(years()).toEqual(['20250101', '20260101']);
		store.setNow(new Date('2026-12-31T23:00:00Z'));
		expect(years()).toEqual(['20250101', '20260101', '20270101']);
	});

	it('never runs out of money, as long as only the business itself books', () => {
		fc.assert(
			fc.property(anyCompany, (company) => {
				const books = booksOf({ ...company, entries: [] });
				for (const year of books.years) {
					for (const account of ['1000', '1010', '1200']) {
						const entries = linesOf(bookingsOf(books, year)).filter((line) => line.account === account);
						let balance = 0;
						const balances = entries.map(({ cents }) => (balance += cents));
						expect(Math.min(0, ...balances)).toBe(0);
					}
				}
			}),
			{ numRuns: shareOf(25), seed: SEED },
		);
	});
});

describe('the journal', () => {
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

	it('shows the side of the first line', () => {
		check((books) => {
			for (const { buchungszeilen, sollHabenKennzeichen } of journal(books, books.years[1])) {
				expect(sollHabenKennzeichen).toBe(buchungszeilen[0].umsatz < 0 ? 'HABEN' : 'SOLL');
			}
		});
	});
});

describe('the trial balance', () => {
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

	it('adds up: opening balance, periods, debits and credits; and to zero over all accounts', () => {
		check((books) => {
			for (const year of books.years) {
				const accounts = trialBalance(books, year);
				for (const { saldo, ebWert, umsatzSoll, umsatzHaben, periodenwerte } of accounts) {
					const movement = sumBy(periodenwerte, (one) => signed(one.saldo));
					expect(signed(saldo)).toBe(signed(ebWert) + movement);
					expect(movement).toBe(toCents(umsatzSoll) - toCents(umsatzHaben));
				}
				expect(sumBy(accounts, ({ saldo }) => signed(saldo))).toBe(0);
				expect(sumBy(accounts, ({ umsatzSoll }) => toCents(umsatzSoll))).toBe(
					sumBy(accounts, ({ umsatzHaben }) => toCents(umsatzHaben)),
				);
			}
		});
	});

	it('of one account is its part of the whole', () => {
		check((books) => {
			const [year] = books.years;
			const whole = trialBalance(books, year);
			for (const { kontonummer } of whole.slice(0, 3)) {
				expect(trialBalance(books, year, kontonummer)).toEqual(
					whole.filter((one) => one.kontonummer === kontonummer),
				);
			}
			expect(trialBalance(books, year, '100')).toEqual([]);
		});
	});
});

describe('the open items', () => {
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
				([account, cents]) => isPerson(account) && cents !== 0,
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

	it('add up to the trial balance at the end of a year', () => {
		check((books) => {
			for (const year of books.years) {
				const { konten } = openItems(books, { stichtag: year.end, filter: 'all', eb: 'reconcile' });
				for (const { kontonummer, totalSaldo } of konten) {
					const [account] = trialBalance(books, year, kontonummer);
					expect(signed(account.saldo)).toBe(toCents(totalSaldo));
				}
			}
		});
	});

	it('have a total for debtors and one for creditors', () => {
		checkAt((books, stichtag) => {
			const { konten, sumDebitoren, sumKreditoren } = openItems(books, {
				stichtag,
				filter: 'all',
				eb: 'raw',
			});
			const total = (debtors: boolean) =>
				sumBy(
					konten.filter(({ isDebitor }) => isDebitor === debtors),
					({ totalSaldo }) => toCents(totalSaldo),
				);
			expect([toCents(sumDebitoren), toCents(sumKreditoren)]).toEqual([total(true), total(false)]);
		});
	});

	it('include what has a date up to that day, and nothing later', () => {
		checkAt((books, stichtag) => {
			for (const eb of modes) {
				const posten = openItems(books, { stichtag, filter: 'all', eb }).konten.flatMap((one) => one.posten);
				expect(posten.every(({ belegdatum, saldo }) => belegdatum <= stichtag && saldo !== 0)).toBe(true);
			}
		});
	});

	it('of debtors have accounts from 1 to 6, of creditors from 7 to 9; together they are all', () => {
		checkAt((books, stichtag) => {
			const konten = (filter: 'all' | 'debitors' | 'creditors') =>
				openItems(books, { stichtag, filter, eb: 'reconcile' }).konten;
			const [debtors, creditors] = [konten('debitors'), konten('creditors')];
			expect(debtors.every(({ kontonummer, isDebitor }) => isDebitor && /^[1-6]/.test(kontonummer))).toBe(
				true,
			);
			expect(creditors.every(({ kontonummer, isDebitor }) => !isDebitor && /^[7-9]/.test(kontonummer))).toBe(
				true,
			);
			expect([...debtors, ...creditors]).toEqual(konten('all'));
		});
	});

	it('differ between reconcile and raw only by what was open before the year', () => {
		checkAt((books, stichtag) => {
			const year = yearAt(books, stichtag);
			const [reconciled, raw] = modes.map((eb) => openItems(books, { stichtag, filter: 'all', eb }));
			expect([raw.sumDebitoren, raw.sumKreditoren]).toEqual([
				reconciled.sumDebitoren,
				reconciled.sumKreditoren,
			]);
			const begun = books.bookings.filter(({ date, opening }) => year && date < year.start && !opening);
			const older = new Set(['0', 'EB-RESIDUAL', ...begun.map(({ document }) => document)]);
			const ofYear = ({ konten }: typeof raw) =>
				konten.flatMap(({ kontonummer, posten }) =>
					posten.filter(({ beleg }) => !older.has(beleg)).map((one) => ({ kontonummer, ...one })),
				);
			expect(ofYear(raw)).toEqual(ofYear(reconciled));
			const named = ({ konten }: typeof raw, beleg: string) =>
				konten.flatMap(({ posten }) => posten).filter((one) => one.beleg === beleg).length;
			expect([named(raw, 'EB-RESIDUAL'), named(reconciled, '0')]).toEqual([0, 0]);
		});
	});

	it('show an opening balance as item 0, or its documents and what they leave', () => {
		const ledger = new Ledger(new Store({ now: new Date('2026-11-20') }));
		const konto = (kontonummer: string, eb: 'reconcile' | 'raw') =>
			openItems(ledger.books(companies[0].id), {
				stichtag: '2026-01-01',
				filter: 'all',
				eb,
			}).konten.find((one) => one.kontonummer === kontonummer)!;
		const lump = { belegdatum: '2026-01-01', buchungstext: 'Saldovortrag', saldo: 1428 };
		expect(konto('10008', 'raw').posten).toEqual([{ beleg: '0', ...lump }]);
		expect(konto('10008', 'reconcile').posten).toEqual([{ beleg: 'EB-RESIDUAL', ...lump }]);
		const documents = konto('10004', 'reconcile');
		expect(documents.posten.length).toBeGreaterThan(1);
		expect(documents.posten.every(({ beleg }) => beleg.startsWith('RE-2'))).toBe(true);
		expect(konto('10004', 'raw').posten).toEqual([{ ...lump, beleg: '0', saldo: documents.totalSaldo }]);
	});

	it('include open, partly paid and overpaid ones', () => {
		const ledger = new Ledger(new Store({ now: new Date('2026-11-20') }));
		const books = ledger.books(companies[0].id);
		const { konten } = openItems(books, { stichtag: '2026-11-20', filter: 'all', eb: 'reconcile' });
		const states = konten.flatMap(({ kontonummer, posten }) =>
			posten.map(({ beleg, saldo }) => {
				const invoice = books.bookings.find(({ document }) => document === beleg);
				const owed = sumOf(invoice?.lines.filter(({ account }) => account === kontonummer) ?? []);
				const share = toCents(saldo) / owed;
				return share === 1 ? 'open' : share < 0 ? 'overpaid' : 'partly paid';
			}),
		);
		expect(new Set(states)).toEqual(new Set(['open', 'partly paid', 'overpaid']));
	});
});

describe('the chart of accounts', () => {
	it('has every account that is booked on, once, by number', () => {
		check((books) => {
			const numbers = chartOfAccounts(books).map(({ kontonummer }) => kontonummer);
			expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => Number(a) - Number(b)));
			expect(numbers).toEqual(expect.arrayContaining(linesOf(books.bookings).map(({ account }) => account)));
		});
	});

	it("names SKR03's accounts and the persons", () => {
		const ledger = new Ledger(new Store());
		const accounts = chartOfAccounts(ledger.books(companies[0].id));
		expect(accounts).toEqual(
			expect.arrayContaining([
				{ kontonummer: '1000', kontobeschriftung: 'Kasse' },
				{ kontonummer: '8300', kontobeschriftung: 'Erlöse 7 % USt' },
				{ kontonummer: '10001', kontobeschriftung: 'Hotel am Markt GmbH' },
				{ kontonummer: '70001', kontobeschriftung: 'Mühle Hagedorn GmbH' },
			]),
		);
		expect(accounts.every(({ kontobeschriftung }) => kontobeschriftung.length > 0)).toBe(true);
	});
});

describe('tax', () => {
	it.each([
		['4930', 11_900, 19, ['4930', 10_000, '9'], ['1576', 1_900]],
		['4930', -11_900, 19, ['4930', -10_000, '9'], ['1576', -1_900]],
		['3300', 10_700, 7, ['3300', 10_000, undefined], ['1571', 700]],
		['8400', -11_900, 19, ['8400', -10_000, undefined], ['1776', -1_900]],
		['8200', -10_700, 7, ['8200', -10_000, '2'], ['1771', -700]],
		['8200', -11_000, 10, ['8200', -10_000, undefined], ['1770', -1_000]],
		['4930', 100, 19, ['4930', 84, '9'], ['1576', 16]],
		['4930', 1, 19, ['4930', 1, '9'], ['1576', 0]],
	])('of %s over %d cents with %d %%', (account, gross, rate, net, tax) => {
		expect(withTax(account, gross, rate)).toEqual([
			{ account: net[0], cents: net[1], taxKey: net[2] },
			{ account: tax[0], cents: tax[1] },
		]);
	});

	it.each(['1360', '10001', '70001', '9000'])('is not charged on %s', (account) => {
		expect(withTax(account, 11_900, 19)).toEqual([{ account, cents: 11_900 }]);
	});
});
