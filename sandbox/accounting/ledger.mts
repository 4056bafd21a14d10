import { Big } from 'big.js';
import { DateTime } from 'luxon';
import { type Booking, sumOf, toCents } from './books/booking.mjs';
import { type Books, fiscalYears, isIn, keepBooks } from './books/books.mjs';
import { businessOf } from './books/business.mjs';
import { ownNumber } from './books/chart.mjs';
import { rateOf, withTax } from './books/taxes.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Slice, Store } from '../store.mjs';

/** A line of a cash-book entry. */
export interface CashLine {
	/** ID of the booking, unique within the cash book. */
	belegnummer: string;
	belegNummer?: string;
	belegtext?: string;
	/** The contra account. Default: the ledger chooses one. */
	gegenkonto?: string;
	/** Signed gross amount: positive is income, negative is expense. */
	betrag: number;
	steuersatz: { prozent?: number; buSchluessel?: string };
	kostenstelle1?: string;
	kostenstelle2?: string;
}

/** A cash-book entry to be booked: one line (simple) or several (advanced). */
export interface CashEntry {
	companyId: string;
	/** Name of the cash book. */
	kassenname: string;
	/** The cash book's own ledger account (SKR03), e.g. `1000`. */
	konto: string;
	waehrung: string;
	/** ISO date-time with zone, as received. */
	transaktionsdatum: string;
	lines: CashLine[];
	/** Prefix of the line's field names in errors, e.g. `belegzeilen/0/`. */
	fieldPrefix: (line: number) => string;
}

/** The companies' books: their regular business plus bookings through the gateway. */
export class Ledger {
	/** Bookings through the gateway, by company. */
	readonly #booked: Slice<Record<string, Booking[]>>;
	/** The latest computed books, by company. They are valid until the day or the list of bookings through the gateway changes. */
	readonly #cache = new Map<
		string,
		{ today: string; booked: readonly Booking[]; count: number; books: Books }
	>();

	constructor(private readonly store: Store) {
		this.#booked = store.addSlice('booked', () =>
			Object.fromEntries(store.companies.map(({ id }) => [id, []])),
		);
	}

	/** The day in the companies' time zone, YYYY-MM-DD. */
	get today(): string {
		return DateTime.fromJSDate(this.store.now(), { zone: 'Europe/Berlin' }).toFormat('yyyy-MM-dd');
	}

	/** A company's books as of now. */
	books(companyId: string): Books {
		const { today } = this;
		const booked = (this.#booked.value[companyId] ??= []);
		const cached = this.#cache.get(companyId);
		const isSame = cached && (cached.booked === booked || booked.length === 0);
		if (isSame && cached.today === today && cached.count === booked.length) return cached.books;
		const company = this.store.company(companyId);
		const books = keepBooks({
			business: businessOf(company),
			chart: company.chart,
			seed: this.store.seed,
			today,
			added: booked,
		});
		this.#cache.set(companyId, { today, booked, count: booked.length, books });
		return books;
	}

	/** Books all lines of an entry, or throws an ApiError and books none. */
	bookCashEntry(entry: CashEntry): void {
		const { chart } = this.store.company(entry.companyId);
		let total = new Big(0);
		const bookings = entry.lines.map((line, index) => {
			// Rounds the running sum, not each line, because fractions of a cent must not change the entry's amount.
			const before = toCents(total);
			total = total.plus(line.betrag);
			const fieldPrefix = entry.fieldPrefix(index);
			const gegenkonto = line.gegenkonto && ownNumber(chart, line.gegenkonto);
			if (line.gegenkonto && !gegenkonto) {
				const message = `"${line.gegenkonto}" is not the number of an account.`;
				throw new ApiError(422, message, `${fieldPrefix}gegenkonto`, 'account');
			}
			return cashBooking(entry, { ...line, gegenkonto }, { cents: toCents(total) - before, fieldPrefix });
		});
		const years = fiscalYears(this.today);
		if (!years.some((year) => isIn(year)(bookings[0]))) {
			throw new ApiError(
				422,
				`There is no fiscal year for ${bookings[0].date}; the books are open from ${years[0].start} to ${years.at(-1)!.end}.`,
				'transaktionsdatum',
				'year',
			);
		}
		(this.#booked.value[entry.companyId] ??= []).push(...bookings);
	}
}

/** Default contra accounts of income, by tax rate. */
const REVENUE: Record<number, string> = { 7: '8300', 19: '8400' };
const OTHER_REVENUE = '8200';
const OTHER_EXPENSES = '4900';

/** The tax rate of a line in percent: its own, or that of its tax key, which must agree. */
function rateOfLine({ steuersatz: { prozent, buSchluessel } }: CashLine, fieldPrefix: string): number {
	if (buSchluessel === undefined) return prozent ?? 0;
	const rate = rateOf(buSchluessel);
	if (rate !== undefined && rate === (prozent ?? rate)) return rate;
	const message = `The tax key "${buSchluessel}" ${rate === undefined ? 'is unknown' : `is for ${rate} %, not ${prozent} %`}.`;
	throw new ApiError(422, message, `${fieldPrefix}steuersatz/buSchluessel`, 'taxKey');
}

/**
 * Makes a booking from one line of an entry. Its date is the day in the sender's time zone. Amounts in other currencies are
 * booked at face value, because the API has no exchange rate.
 */
function cashBooking(
	{ konto, waehrung, transaktionsdatum }: CashEntry,
	line: CashLine,
	{ cents, fieldPrefix }: { cents: number; fieldPrefix: string },
): Booking {
	const rate = rateOfLine(line, fieldPrefix);
	if (rate < 0 || rate > 100) {
		throw new ApiError(422, `A tax rate of ${rate} % is not possible.`, `${fieldPrefix}steuersatz`, 'range');
	}
	if (!Number.isSafeInteger(cents)) {
		throw new ApiError(422, 'The amount is too large.', `${fieldPrefix}betrag`, 'range');
	}
	const account = line.gegenkonto || (line.betrag < 0 ? OTHER_EXPENSES : (REVENUE[rate] ?? OTHER_REVENUE));
	if (account === konto) {
		const message = `"${account}" is the cash book's own account.`;
		throw new ApiError(422, message, `${fieldPrefix}gegenkonto`, 'account');
	}
	const sides = withTax(account, 0 - cents, rate, {
		kost1: line.kostenstelle1,
		kost2: line.kostenstelle2,
		taxKey: line.steuersatz.buSchluessel,
	});
	return {
		date: transaktionsdatum.slice(0, 'yyyy-MM-dd'.length),
		text: line.belegtext ?? '',
		currency: waehrung,
		document: line.belegNummer || line.belegnummer,
		lines: [...sides, { account: konto, cents: 0 - sumOf(sides) }],
	};
}
