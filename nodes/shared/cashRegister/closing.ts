/** One closing of a cash register (Kassenabschluss), with the sums of its rows. */
import { cut } from '../errors/presentable';
import { officialName } from './accounts';
import type { Row, TableName } from './tables';
import type { Source } from '../readers/formats';
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
/** The first problems are enough to refuse a closing. */
const MAX_PROBLEMS = 100;
/** The characters of a text from an export that a sentence repeats. */
const MAX_SHOWN = 40;
/** Decimals of an amount whose currency isn't known. */
const DEFAULT_DECIMALS = 2;

/** A closing, as one export has it. */
export class Closing {
	readonly register: string;
	readonly number: string;
	/** The closing's time, as written. */
	readonly time: string;
	/** The day that the closing belongs to, if it isn't the day on which it was made. */
	readonly bookingDay: string;
	readonly version: string;
	readonly currencies = new Set<string>();
	/** Tax rates in percent, by tax key; `NaN` for a rate that can't be read, or of which there are two. */
	readonly rates = new Map<string, number>();
	readonly cases = new Map<string, Position>();
	readonly payments = new Map<string, Position>();
	readonly cash = new Map<string, Position>();
	/** What can't be read or understood, as sentences. */
	readonly problems = new Set<string>();
	/** The file that has the closing's rows of a table. */
	private readonly files = new Map<TableName, Pick<Source, 'name'>>();

	/** @param sha256 of the file that it was read from */
	constructor(
		row: Row,
		readonly sha256?: string,
	) {
		this.register = row('Z_KASSE_ID');
		this.number = withoutZeros(row('Z_NR'));
		this.time = row('Z_ERSTELLUNG');
		this.bookingDay = row('Z_BUCHUNGSTAG');
		this.version = row('TAXONOMIE_VERSION');
		if (!this.number) this.addProblem('Its number (Z_NR) is missing.');
	}

	/** The day on which the closing is booked, as written. */
	get day(): string {
		return this.bookingDay || this.time;
	}

	/** Adds a row of another table. @param file that has it: a copy of a file would count all of its amounts twice */
	add(table: Exclude<TableName, 'closings'>, row: Row, file: Pick<Source, 'name'>): void {
		const first = this.files.get(table) ?? file;
		this.files.set(table, first);
		if (first !== file)
			this.addProblem(
				`Its amounts are in two files: ${cut(first.name, MAX_SHOWN)} and ${cut(file.name, MAX_SHOWN)}.`,
			);
		switch (table) {
			case 'registers':
				if (row('KASSE_BASISWAEH_CODE')) this.currencies.add(row('KASSE_BASISWAEH_CODE').toUpperCase());
				break;
			case 'rates':
				if (row('UST_SATZ')) this.addRate(withoutZeros(row('UST_SCHLUESSEL')), rateIn(row('UST_SATZ')));
				break;
			case 'cases':
				if (/[^0]/.test(row('AGENTUR_ID')))
					this.addProblem(`It has amounts for the account of others (AGENTUR_ID ${row('AGENTUR_ID')}).`);
				this.put(
					this.cases,
					row,
					'GV_TYP',
					'Z_UMS_BRUTTO',
					row('GV_NAME'),
					withoutZeros(row('UST_SCHLUESSEL')),
				);
				break;
			case 'payments':
				this.put(this.payments, row, 'ZAHLART_TYP', 'Z_ZAHLART_BETRAG', row('ZAHLART_NAME'));
				break;
			case 'cash':
				this.put(this.cash, row, 'ZAHLART_WAEH', 'ZAHLART_BETRAG_WAEH');
		}
	}

	/** Adds what can't be read or understood, as a sentence. */
	addProblem(text: string): void {
		if (this.problems.size < MAX_PROBLEMS) this.problems.add(text);
	}

	private addRate(key: string, rate: number): void {
		const known = this.rates.get(key) ?? rate;
		this.rates.set(key, known === rate ? rate : NaN);
	}

	private put(
		to: Map<string, Position>,
		row: Row,
		typeColumn: string,
		amountColumn: string,
		name = '',
		vat = '',
	): void {
		const type = to === this.cash ? row(typeColumn).toUpperCase() : officialName(row(typeColumn));
		const parsed = parseNumber(row(amountColumn));
		const key = JSON.stringify([type, name, vat]);
		const known = to.get(key);
		if (!('value' in parsed)) {
			this.addProblem(
				`An amount can't be read: ${amountColumn} "${cut(row(amountColumn), MAX_SHOWN)}" ${parsed.rule}.`,
			);
		} else if (known) {
			known.amount = sum([known.amount, parsed.value]);
		} else if (to.size < MAX_POSITIONS) {
			to.set(key, { type, name, vat, amount: parsed.value });
		} else {
			this.addProblem('It has too many different business cases or payments.');
		}
	}
}

/** A number or key without zeros before it: some registers write 07 for 7. */
export const withoutZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

/** A rate has no thousands, so 19,000 is 19. */
const rateIn = (text: string): number =>
	/^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : NaN;

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
