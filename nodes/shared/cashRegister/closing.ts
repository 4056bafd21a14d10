/** One closing of a cash register (Kassenabschluss), with the sums of its rows. */
import { officialName } from './accounts';
import type { Row } from './tables';
import { decimalsOf } from '../values/currencies';
import { parseNumber, sum } from '../values/money';

/** A sum of a closing's rows with the same names. */
export interface Position {
	/** The official name of the business case or means of payment; of cash, its currency. */
	type: string;
	/** What the register calls it. */
	name: string;
	/** The tax key of a business case. */
	vat: string;
	amount: number;
}

/** The most positions of a closing; no real closing has so many, and each takes time. */
const MAX_POSITIONS = 2_000;
/** Fractions of a cent, where a register calculates from net prices. */
const DEFAULT_DECIMALS = 2;

/** A closing, or a part of one that was split, as one export has it. */
export class Closing {
	readonly register: string;
	readonly number: string;
	/** The closing's time, as written. */
	readonly time: string;
	/** The day that the closing belongs to, if it isn't the day on which it was made. */
	readonly bookingDay: string;
	readonly version: string;
	readonly currencies = new Set<string>();
	/** Tax rates in percent, by tax key; `NaN` for a rate that can't be read. */
	readonly rates = new Map<string, number>();
	readonly cases = new Map<string, Position>();
	readonly payments = new Map<string, Position>();
	readonly cash = new Map<string, Position>();
	/** The types of the closing's receipts, if the export has them. */
	readonly receiptTypes = new Set<string>();
	/** What can't be read or understood, as sentences. */
	readonly problems = new Set<string>();
	/** What a person should know about how it was read. */
	readonly warnings = new Set<string>();
	/** Whether the export contains the closing twice. */
	isRepeated = false;

	/** @param source which of the exports it is from @param sha256 of the file that it was read from */
	constructor(
		private readonly row: Row,
		readonly source: number,
		readonly sha256?: string,
	) {
		this.register = row('Z_KASSE_ID');
		this.number = row('Z_NR').replace(/^0+(?=\d)/, '');
		this.time = row('Z_ERSTELLUNG');
		this.bookingDay = row('Z_BUCHUNGSTAG');
		this.version = row('TAXONOMIE_VERSION');
	}

	/** What its register says was paid in cash, if it does. */
	get cashPayments(): number | undefined {
		const given = this.row('Z_SE_BARZAHLUNGEN');
		return given === '' ? undefined : this.numberIn(given, 'Z_SE_BARZAHLUNGEN');
	}

	/** The day on which the closing is booked, as written. */
	get day(): string {
		return this.bookingDay || this.time;
	}

	addCase(row: Row): void {
		const agency = row('AGENTUR_ID');
		if (/[^0]/.test(agency))
			this.problems.add(`It has amounts for the account of others (AGENTUR_ID ${agency}).`);
		this.add(
			this.cases,
			row('GV_TYP'),
			row('GV_NAME'),
			row('UST_SCHLUESSEL'),
			row('Z_UMS_BRUTTO'),
			'Z_UMS_BRUTTO',
		);
	}

	addPayment(row: Row): void {
		this.add(
			this.payments,
			row('ZAHLART_TYP'),
			row('ZAHLART_NAME'),
			'',
			row('Z_ZAHLART_BETRAG'),
			'Z_ZAHLART_BETRAG',
		);
	}

	addCash(row: Row): void {
		this.add(
			this.cash,
			row('ZAHLART_WAEH').toUpperCase(),
			'',
			'',
			row('ZAHLART_BETRAG_WAEH'),
			'ZAHLART_BETRAG_WAEH',
		);
	}

	addRate(row: Row): void {
		// A rate has no thousands, so 19,000 is 19.
		const parsed = parseNumber(
			row('UST_SATZ')
				.replace(/(?<=[.,]\d{0,8}?)0+$/, '')
				.replace(/[.,]$/, ''),
		);
		if (row('UST_SATZ') !== '') this.rates.set(row('UST_SCHLUESSEL'), 'value' in parsed ? parsed.value : NaN);
	}

	/** Adds another part of the same closing. */
	merge(part: Closing): void {
		for (const name of ['cases', 'payments', 'cash'] as const) {
			for (const { type, name: given, vat, amount } of part[name].values())
				this.put(this[name], type, given, vat, amount);
		}
		for (const [key, rate] of part.rates) this.rates.set(key, rate);
		for (const name of ['currencies', 'receiptTypes', 'problems', 'warnings'] as const)
			part[name].forEach((one) => this[name].add(one));
	}

	/** The closing's content as text, to compare whether two exports say the same about it. */
	get content(): string {
		const { day, cases, payments, cash } = this;
		return JSON.stringify([day, ...[cases, payments, cash].map((positions) => [...positions].sort())]);
	}

	private add(
		to: Map<string, Position>,
		type: string,
		name: string,
		vat: string,
		given: string,
		column: string,
	): void {
		const amount = this.numberIn(given, column);
		if (amount !== undefined) this.put(to, officialName(type), name, vat, amount);
	}

	private put(to: Map<string, Position>, type: string, name: string, vat: string, amount: number): void {
		const key = JSON.stringify([type, name, vat]);
		const known = to.get(key);
		if (known) known.amount = sum([known.amount, amount]);
		else if (to.size < MAX_POSITIONS) to.set(key, { type, name, vat, amount });
		else this.problems.add('It has too many different business cases or payments.');
	}

	private numberIn(given: string, column: string): number | undefined {
		const parsed = parseNumber(given);
		if ('value' in parsed) return parsed.value;
		const shown = [...given].slice(0, 20).join('');
		this.problems.add(`An amount can't be read: ${column} "${shown}" ${parsed.rule}.`);
		return undefined;
	}
}

/** An amount without fractions of the currency's smallest unit, rounded half away from zero. */
export function rounded(amount: number, currency: string): number {
	const decimals = decimalsOf(currency) ?? DEFAULT_DECIMALS;
	// Moving the decimal point in the text is exact, where multiplication isn't: 1.005 · 100 is 100.49999999999999.
	const units = Math.round(Number(`${Math.abs(amount).toFixed(8)}e${decimals}`));
	return Math.sign(amount) * Number(`${units}e-${decimals}`) + 0;
}

/** E.g. `1234.50 EUR`. */
export const amountText = (amount: number, currency: string): string =>
	`${amount.toFixed(decimalsOf(currency) ?? DEFAULT_DECIMALS)} ${currency}`;
