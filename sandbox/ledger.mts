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
}

export interface Ledger {
	/**
	 * Books an entry: all lines or, by throwing a Refusal before anything has changed, none.
	 */
	bookCashEntry(entry: CashEntry): void;
}

/** The plainest ledger: the list of what was booked. */
export function listLedger(world: World): Ledger {
	const booked = world.slice<CashEntry[]>('booked', () => []);
	return { bookCashEntry: (entry) => void booked.value.push(entry) };
}
