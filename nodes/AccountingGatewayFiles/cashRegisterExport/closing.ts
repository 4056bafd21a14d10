/** One closing of a cash register (Kassenabschluss), with the sums of its rows. */
import { DateTime } from 'luxon';
import { cut } from '../../shared/errors';
import { meaningOf, officialName, rateByMeaning, UNKNOWN_TAX, wholeNumber } from './accounts';
import type { Row, TableName } from './tables';
import type { Source } from '../formats/zip';
import { amountIn, bilingual, decimalsOf, parseDateTime, parseNumber, sum } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { EXPORT_LIMITS } from './limits';

/** A sum of a closing's rows with the same names. */
export interface Position {
	/** The official name of the business case or means of payment; of cash, its currency. */
	type: string;
	/** What the register calls it. */
	name: string;
	/** The tax key of a business case. */
	vat: string;
	amount: number;
	/** The net amount and the tax of a business case; `undefined` where a row has none. */
	net?: number;
	tax?: number;
	/** How many rows were added, each of which may have been rounded. */
	rows: number;
}

/** Decimals of an amount whose currency isn't known. */
const DEFAULT_DECIMALS = 2;
/** The registers of this export stand in Germany. */
export const ZONE = 'Europe/Berlin';

export class Closing {
	readonly register: string;
	readonly number: string;
	readonly time: string;
	/** The day that the closing belongs to, if it isn't the day on which it was made. */
	readonly bookingDay: string;
	readonly version: string;
	/** The company (Unternehmen) that the export says the closing is of, by its columns; empty where it doesn't say. */
	readonly company: Readonly<Record<'NAME' | 'STNR' | 'USTID', string>>;
	readonly currencies = new Set<string>();
	readonly cases = new Map<string, Position>();
	readonly payments = new Map<string, Position>();
	readonly cash = new Map<string, Position>();
	/** The closing's own totals of all payments, and of those in cash. */
	readonly totals: { payments?: number; inCash?: number };
	/** Tax rates in percent, by tax key; `NaN` for a rate that can't be read, or of which there are two. */
	private readonly rates = new Map<string, number>();
	/** What the register says about a tax key. */
	private readonly descriptions = new Map<string, string>();
	/** What can't be read or understood, by the English sentence. */
	private readonly said = new Map<string, Bilingual>();
	/** The file that has the closing's rows of a table. */
	private readonly files = new Map<TableName, Pick<Source, 'name'>>();

	/** @param sha256 of the file that it was read from */
	constructor(
		row: Row,
		readonly sha256?: string,
	) {
		this.register = this.identifier(row('Z_KASSE_ID'), 'Z_KASSE_ID');
		this.number = this.identifier(wholeNumber(row('Z_NR')), 'Z_NR');
		this.time = row('Z_ERSTELLUNG');
		this.bookingDay = row('Z_BUCHUNGSTAG');
		this.version = row('TAXONOMIE_VERSION');
		const said = (column: string) => cut(row(column), EXPORT_LIMITS.company);
		this.company = { NAME: said('NAME'), STNR: said('STNR'), USTID: said('USTID') };
		if (!this.number)
			this.addProblem({ en: 'Its number (Z_NR) is missing.', de: 'Die Nummer (Z_NR) fehlt.' });
		this.totals = {
			payments: this.amountIn(row, 'Z_SE_ZAHLUNGEN'),
			inCash: this.amountIn(row, 'Z_SE_BARZAHLUNGEN'),
		};
	}

	/**
	 * When the closing is booked: as written where that can't be read or has no time, otherwise the local time in Germany
	 * without its zone, so that its day is the register's in every zone that n8n may have.
	 */
	get day(): string {
		const given = this.bookingDay || this.time;
		const at = parseDateTime(given, ZONE);
		if (!given.includes(':') || !('value' in at)) return given;
		return DateTime.fromISO(at.value, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
	}

	/** What can't be read or understood. */
	get problems(): Bilingual[] {
		return [...this.said.values()];
	}

	/** Adds a row of another table. @param file that has it: a copy of a file would count all of its amounts twice */
	add(table: Exclude<TableName, 'closings'>, row: Row, file: Pick<Source, 'name'>): void {
		const first = this.files.get(table) ?? file;
		this.files.set(table, first);
		if (first !== file) {
			const [one, other] = [
				cut(first.name, EXPORT_LIMITS.shownText),
				cut(file.name, EXPORT_LIMITS.shownText),
			];
			this.addProblem({
				en: `Its amounts are in two files: ${one} and ${other}.`,
				de: `Die Beträge stehen in zwei Dateien: ${one} und ${other}.`,
			});
		}
		switch (table) {
			case 'registers':
				if (row('KASSE_BASISWAEH_CODE') && this.currencies.size < EXPORT_LIMITS.currencies)
					this.currencies.add(cut(row('KASSE_BASISWAEH_CODE'), EXPORT_LIMITS.shownText).toUpperCase());
				break;
			case 'rates':
				this.addRate(wholeNumber(row('UST_SCHLUESSEL')), row('UST_SATZ'), row('UST_BESCHR'));
				break;
			case 'cases':
				if (/[^0]/.test(row('AGENTUR_ID'))) {
					const agency = cut(row('AGENTUR_ID'), EXPORT_LIMITS.shownText);
					this.addProblem({
						en: `It has amounts for the account of others (AGENTUR_ID ${agency}).`,
						de: `Beträge sind für fremde Rechnung (AGENTUR_ID ${agency}).`,
					});
				}
				this.put(this.cases, officialName(row('GV_TYP')), row, 'Z_UMS_BRUTTO', {
					name: row('GV_NAME'),
					vat: wholeNumber(row('UST_SCHLUESSEL')),
					net: this.amountIn(row, 'Z_UMS_NETTO'),
					tax: this.amountIn(row, 'Z_UST'),
				});
				break;
			case 'payments':
				this.put(this.payments, officialName(row('ZAHLART_TYP')), row, 'Z_ZAHLART_BETRAG', {
					name: row('ZAHLART_NAME'),
				});
				break;
			case 'cash':
				this.put(this.cash, row('ZAHLART_WAEH').toUpperCase(), row, 'ZAHLART_BETRAG_WAEH', {});
		}
	}

	/** Adds what can't be read or understood. */
	addProblem(problem: Bilingual): void {
		if (this.said.size < EXPORT_LIMITS.problems) this.said.set(problem.en, problem);
	}

	/** The tax rate of a key in percent; `undefined` if it isn't known. */
	rateOf(vat: string): number | undefined {
		const rate = this.rates.get(vat) ?? rateByMeaning(vat);
		return vat === UNKNOWN_TAX || Number.isNaN(rate) ? undefined : rate;
	}

	/** A tax key, with what it means: `1001 (§ 25a UStG)`. */
	keyText(vat: string): Bilingual {
		const said = cut(this.descriptions.get(vat) ?? '', EXPORT_LIMITS.shownText);
		const { en = said, de = said } = meaningOf(vat) ?? {};
		const key = cut(vat, EXPORT_LIMITS.shownText);
		return { en: key + (en && ` (${en})`), de: key + (de && ` (${de})`) };
	}

	/** Closings are sorted and compared by these, so their length is bounded; what is longer is no ID. */
	private identifier(text: string, column: string): string {
		if (text.length > EXPORT_LIMITS.registerId) {
			this.addProblem({
				en: `Its ${column} is longer than ${EXPORT_LIMITS.registerId} characters.`,
				de: `${column} ist länger als ${EXPORT_LIMITS.registerId} Zeichen.`,
			});
		}
		return cut(text, EXPORT_LIMITS.registerId);
	}

	private addRate(key: string, given: string, description: string): void {
		if (description) this.descriptions.set(key, description);
		if (!given) return;
		const rate = rateIn(given);
		const known = this.rates.get(key) ?? rate;
		this.rates.set(key, known === rate ? rate : NaN);
	}

	private amountIn(row: Row, column: string): number | undefined {
		return row(column) === '' ? undefined : this.numberIn(row, column);
	}

	private numberIn(row: Row, column: string): number | undefined {
		const parsed = parseNumber(row(column));
		if ('value' in parsed) return parsed.value;
		const given = cut(row(column), EXPORT_LIMITS.shownText);
		if (given === '')
			this.addProblem({ en: `An amount is missing: ${column}.`, de: `Ein Betrag fehlt: ${column}.` });
		else
			this.addProblem({
				en: `An amount can't be read for certain: ${column} "${given}".`,
				de: `Ein Betrag ist nicht eindeutig lesbar: ${column} „${given}“.`,
			});
		return undefined;
	}

	private put(
		to: Map<string, Position>,
		type: string,
		row: Row,
		column: string,
		{ name = '', vat = '', net, tax }: Partial<Position>,
	): void {
		const amount = this.numberIn(row, column);
		if (amount === undefined) return;
		const key = JSON.stringify([type, name, vat]);
		const known = to.get(key);
		if (known) {
			known.amount = sum([known.amount, amount]);
			known.net = sumIfKnown(known.net, net);
			known.tax = sumIfKnown(known.tax, tax);
			known.rows++;
		} else if (to.size < EXPORT_LIMITS.positions) {
			to.set(key, { type, name, vat, amount, net, tax, rows: 1 });
		} else {
			this.addProblem({
				en: 'It has too many different business cases or payments.',
				de: 'Er hat zu viele verschiedene Geschäftsvorfälle oder Zahlungen.',
			});
		}
	}
}

const sumIfKnown = (a?: number, b?: number): number | undefined =>
	a === undefined || b === undefined ? undefined : sum([a, b]);

/** A rate has no thousands, so 19,000 is 19. */
const rateIn = (text: string): number =>
	/^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : NaN;

/** An amount without fractions of the currency's smallest unit, rounded half up, so that whole units added to it stay whole. */
export function rounded(amount: number, currency: string): number {
	const decimals = decimalsOf(currency) ?? DEFAULT_DECIMALS;
	// Moving the decimal point in the text is exact, where multiplication isn't: 1.005 · 100 is 100.49999999999999.
	const units = Math.round(Number(`${amount.toFixed(8)}e${decimals}`));
	return Number(`${units}e-${decimals}`) + 0;
}

/** E.g. `1,234.50 EUR` and `1.234,50 EUR`. */
export const amountText = (amount: number, currency: string): Bilingual =>
	bilingual((language) => amountIn(language, amount, currency));
