import { Big } from 'big.js';
import { DateTime } from 'luxon';
import { type Booking, sumOf, toCents } from './books/booking.mjs';
import { type Books, fiscalYears, isIn, keepBooks } from './books/books.mjs';
import { BUSINESSES } from './books/business.mjs';
import { kindOf } from './books/chart.mjs';
import { rateOf, withTax } from './books/taxes.mjs';
import { Refusal } from './handlers.mjs';
import type { World } from './world.mjs';

/** A line of a cash-book entry. */
export interface CashLine {
	/** Unique ID of the booking within the cash book. */
	belegnummer: string;
	/** The document number, when given. */
	belegNummer?: string;
	belegtext?: string;
	/** The counter account; without it the ledger chooses one. */
	gegenkonto?: string;
	/** Signed gross amount: positive is income, negative is expense. */
	betrag: number;
	/** Tax rate in percent and tax key, as far as given. */
	steuersatz: { prozent?: number; buSchluessel?: string };
	kostenstelle1?: string;
	kostenstelle2?: string;
}

/** A cash-book entry on its way into a company's books: one line (simple) or several (advanced). */
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
	/** Where a line's fields stand in the request. */
	place: (line: number) => string;
}

/** The companies' books: what was written through the gateway stands beside the companies' own business. */
export class Ledger {
	readonly #booked;
	/** The books as computed last; they hold for a day and for what was booked until then. */
	readonly #kept = new Map<
		string,
		{ today: string; booked: readonly Booking[]; count: number; books: Books }
	>();

	constructor(private readonly world: World) {
		this.#booked = world.slice<Record<string, Booking[]>>('booked', () =>
			Object.fromEntries(world.companies.map(({ id }) => [id, []])),
		);
	}

	/** The day in the companies' time zone, YYYY-MM-DD. */
	get today(): string {
		return DateTime.fromJSDate(this.world.now(), { zone: 'Europe/Berlin' }).toFormat('yyyy-MM-dd');
	}

	/** A company's books as of now. */
	books(companyId: string): Books {
		const { today } = this;
		const booked = this.#booked.value[companyId];
		const kept = this.#kept.get(companyId);
		if (kept?.today === today && kept.booked === booked && kept.count === booked.length) return kept.books;
		const books = keepBooks({
			business: BUSINESSES[companyId],
			seed: this.world.seed,
			today,
			added: booked,
		});
		this.#kept.set(companyId, { today, booked, count: booked.length, books });
		return books;
	}

	/** Books an entry: all lines or, by throwing a Refusal before anything has changed, none. */
	bookCashEntry(entry: CashEntry): void {
		let total = new Big(0);
		const bookings = entry.lines.map((line, index) => {
			// As the sum is rounded, not each line: fractions of a cent must not make it another amount.
			const before = toCents(total);
			total = total.plus(line.betrag);
			return cashBooking(entry, line, { cents: toCents(total) - before, place: entry.place(index) });
		});
		const years = fiscalYears(this.today);
		if (!years.some((year) => isIn(year)(bookings[0]))) {
			throw new Refusal(
				422,
				`There is no fiscal year for ${bookings[0].date}; the books are open from ${years[0].start} to ${years.at(-1)!.end}.`,
				'transaktionsdatum',
				'year',
			);
		}
		this.#booked.value[entry.companyId].push(...bookings);
	}
}

/** Without a counter account, revenue is told by its rate. */
const REVENUE: Record<number, string> = { 7: '8300', 19: '8400' };
const OTHER_REVENUE = '8200';
const OTHER_EXPENSES = '4900';

/**
 * One line of an entry as a booking. Its day is the one at the till, in the zone that the sender gave. The interface
 * carries no exchange rate: amounts in other currencies count at face value.
 */
function cashBooking(
	{ konto, waehrung, transaktionsdatum }: CashEntry,
	line: CashLine,
	{ cents, place }: { cents: number; place: string },
): Booking {
	const rate = line.steuersatz.prozent ?? rateOf(line.steuersatz.buSchluessel) ?? 0;
	if (rate < 0 || rate > 100) {
		throw new Refusal(422, `A tax rate of ${rate} % is not possible.`, `${place}steuersatz`, 'range');
	}
	if (!Number.isSafeInteger(cents)) {
		throw new Refusal(422, 'The amount is too large.', `${place}betrag`, 'range');
	}
	const account = line.gegenkonto || (line.betrag < 0 ? OTHER_EXPENSES : (REVENUE[rate] ?? OTHER_REVENUE));
	if (!kindOf(account)) {
		const message = `"${account}" is not the number of an account.`;
		throw new Refusal(422, message, `${place}gegenkonto`, 'account');
	}
	if (account === konto) {
		const message = `"${account}" is the cash book's own account.`;
		throw new Refusal(422, message, `${place}gegenkonto`, 'account');
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
