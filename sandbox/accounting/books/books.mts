import memoize from 'lodash/memoize.js';
import { type Booking, toCents } from './booking.mjs';
import type { Business } from './business.mjs';
import { type Chart, kindOf, numberIn, OPENING_ACCOUNTS, OWN_CHART, SKR03, successorOf } from './chart.mjs';
import { byDate, trade } from './trade.mjs';

/** A fiscal year; here it is always the calendar year. */
export interface FiscalYear {
	/** The gateway's `geschaeftsjahrId`. */
	id: string;
	/** First and last day, YYYY-MM-DD. */
	start: string;
	end: string;
}

/** A company's books: the one ledger from which every report is computed. */
export interface Books {
	years: FiscalYear[];
	/** Bookings by date. They begin a year before the first fiscal year, so that its opening items have documents and dates. */
	bookings: readonly Booking[];
	/** Names of accounts. Accounts that exist only because of a booking have none. */
	names: ReadonlyMap<string, string>;
	/** The chart that the accounts' numbers are of. */
	chart: Chart;
}

export interface BooksOptions {
	business: Business;
	seed: number;
	/** YYYY-MM-DD: the last day of the business's own bookings. */
	today: string;
	/** Bookings from outside, dated within the fiscal years. */
	added?: readonly Booking[];
	/** The chart in which the books are shown. Default: the sandbox's own. */
	chart?: Chart;
}

/** The first fiscal year. */
const FIRST_YEAR = 2025;

/** A business's own bookings are cached, because they are slow to generate and never change. */
const tradeOf = memoize(
	(...of: Parameters<typeof trade>): readonly Booking[] => trade(...of),
	(...of) => JSON.stringify(of),
);

/** Builds a company's books up to a day. */
export function keepBooks({ business, seed, today, added = [], chart = OWN_CHART }: BooksOptions): Books {
	const years = fiscalYears(today);
	const traded = tradeOf(business, [FIRST_YEAR - 1, Number(years.at(-1)!.id.slice(0, 4))], seed);
	const booked = [...traded.filter(({ date }) => date <= today), ...added].sort(byDate);
	const bookings: Booking[] = [];
	let opening = firstOpening(business);
	for (const year of [fiscalYear(FIRST_YEAR - 1), ...years]) {
		const ofYear = [...openingBookings(year, opening), ...booked.filter(isIn(year))];
		bookings.push(...ofYear);
		opening = balancesOf(ofYear, (account) => successorOf(account, business.capital));
	}
	const inChart = (account: string) => numberIn(chart, account);
	return {
		years,
		bookings: bookings.map((booking) => ({
			...booking,
			lines: booking.lines.map((line) => ({ ...line, account: inChart(line.account) })),
		})),
		names: new Map([...namesOf(business)].map(([account, name]) => [inChart(account), name])),
		chart,
	};
}

/** The fiscal years up to a day, at least two. */
export function fiscalYears(today: string): FiscalYear[] {
	const last = Math.max(FIRST_YEAR + 1, Number(today.slice(0, 4)));
	return Array.from({ length: last - FIRST_YEAR + 1 }, (_, index) => fiscalYear(FIRST_YEAR + index));
}

const fiscalYear = (year: number): FiscalYear => ({
	id: `${year}0101`,
	start: `${year}-01-01`,
	end: `${year}-12-31`,
});

/** Whether a booking belongs to a fiscal year. */
export const isIn =
	({ start, end }: FiscalYear) =>
	({ date }: Pick<Booking, 'date'>): boolean =>
		start <= date && date <= end;

function firstOpening({ opening, capital }: Business): Map<string, number> {
	const balances = new Map(Object.entries(opening).map(([account, euros]) => [account, toCents(euros)]));
	return balances.set(capital, -[...balances.values()].reduce((sum, cents) => sum + cents, 0));
}

function openingBookings({ start }: FiscalYear, balances: Map<string, number>): Booking[] {
	return [...balances]
		.filter(([, cents]) => cents !== 0)
		.sort(([a], [b]) => Number(a) - Number(b))
		.map(([account, cents]) => ({
			date: start,
			text: 'Saldovortrag',
			currency: 'EUR',
			document: '0',
			lines: [
				{ account, cents },
				{ account: OPENING_ACCOUNTS[kindOf(account) ?? 'ledger'], cents: -cents },
			],
			opening: true,
		}));
}

function namesOf({ customers, suppliers, dormant }: Business): Map<string, string> {
	return new Map([
		...Object.entries(SKR03),
		...[...customers, ...suppliers].map(({ account, name }) => [account, name] as const),
		...Object.entries(dormant),
	]);
}

/**
 * The balance of each account, in cents.
 * @param as maps an account to the one that its balance is added to; undefined leaves the account out
 */
export function balancesOf(
	bookings: readonly Booking[],
	as: (account: string) => string | undefined = (account) => account,
): Map<string, number> {
	const balances = new Map<string, number>();
	for (const { account, cents } of bookings.flatMap(({ lines }) => lines)) {
		const counted = as(account);
		if (counted) balances.set(counted, (balances.get(counted) ?? 0) + cents);
	}
	return balances;
}
