/** Finds the account and the tax key that most bookings of a seller's invoices had. */
import type { IDataObject } from 'n8n-workflow';
import {
	compact,
	difference,
	groupBy,
	maxBy,
	memoize,
	minBy,
	partition,
	pullAt,
	reject,
	sumBy,
	uniq,
} from 'lodash';

import { PRESENT, listOf, recordsOf } from '../../shared/answer';
import { centsOf, plainText } from '../../shared/values';
import { habitIn, linesOf, signedUmsatz } from './sides';

/** The answer with the bookings of a year. */
export const BOOKINGS = listOf({
	name: 'bookings',
	fields: {
		id: PRESENT,
		buchungstext: PRESENT,
		waehrung: PRESENT,
		buchungszeilen: PRESENT,
		sollHabenKennzeichen: PRESENT,
	},
});

/** Bookings of a supplier with the same words, account, tax key and tax rates. */
interface Pattern {
	supplier: string;
	/** Of the text, and of the name of the supplier's account. */
	words: Set<string>;
	/** The first word of either, which is usually the beginning of the supplier's name. */
	firsts: string[];
	kontonummer: string;
	buSchluessel: string;
	/** The tax rates that the booking may have had, in percent. */
	rates: number[];
	count: number;
}

/** The rest of a longer text isn't read. */
export const LONGEST_TEXT = 2000;
const MOST_WORDS = 40;
/** Characters of an account or tax key, by which bookings are grouped. */
const LONGEST_ACCOUNT = 100;

/** The words of a text, each once, without case and accents. */
const wordsIn = (text: string): string[] =>
	uniq(plainText(text, LONGEST_TEXT).match(/\p{L}{2,}/gu)).slice(0, MOST_WORDS);

/** Short words, like a legal form, tell a seller only at the beginning of the name. */
const SHORT_WORD = 4;
const nameWords = (words: string[]) => words.filter((word, i) => i === 0 || word.length > SHORT_WORD);

/** Bookings are alike if they have at least this much in common, compared with the best one. */
const ALIKE = 0.8;
/** The most bookings of a supplier that are kept for a word; if there are more, only the last ones. */
const MOST_PATTERNS = 1000;
/** The journal of one or several years, ready to be looked up for very many invoices. */
export class BookedBefore {
	private readonly patterns = new Map<string, Pattern>();
	/** The bookings with a word, by supplier. */
	private readonly having = new Map<string, Map<string, Pattern[]>>();

	/**
	 * @param answer of `listJournalBookings`
	 * @param names of the accounts, by number
	 */
	constructor(
		answer: unknown,
		private readonly names: ReadonlyMap<string, string> = new Map(),
	) {
		const habit = habitIn(answer);
		const bookings = recordsOf(answer).map((booking) => readBooking(booking, habit));
		const personal = personalDigits(bookings.flatMap(({ lines }) => lines));
		const reversed = reversedIn(bookings);
		for (const booking of bookings) if (!reversed.has(booking)) this.add(booking, personal);
		for (const pattern of this.patterns.values()) {
			for (const word of pattern.words) {
				const bySupplier = this.having.get(word) ?? new Map<string, Pattern[]>();
				const others = bySupplier.get(pattern.supplier);
				if (others) others.push(pattern);
				else bySupplier.set(pattern.supplier, [pattern]);
				this.having.set(word, bySupplier);
			}
		}
	}

	private add({ text, lines }: Booking, personal: number): void {
		const isPersonal = ({ kontonummer }: Line) => kontonummer.length === personal;
		const largest = (some: Line[]) => maxBy(some, ({ umsatz }) => Math.abs(umsatz));
		const isPrivate = ({ kontonummer }: Line) => PRIVATE.test(this.names.get(kontonummer) ?? '');
		// Class 1 has cash, bank and tax in the common charts, and debtors begin with 1 to 6: neither tells what was bought. The
		// chart's private accounts do.
		const isClass1 = (line: Line) => line.kontonummer.startsWith('1') && !isPrivate(line);
		if (lines.some((line) => isPersonal(line) && /^[1-6]/.test(line.kontonummer))) return;
		const [personals, others] = partition(lines, isPersonal);
		const subject = largest(reject(others, isClass1));
		if (!subject) return;
		// What a payment to a supplier has besides is a discount or a fee; private money pays as well.
		const paid = largest(others)!;
		if (personals.length > 0 && (isClass1(paid) || isPrivate(paid))) return;
		const { kontonummer, buSchluessel } = subject;
		const supplier = personals[0]?.kontonummer ?? kontonummer;
		const name = personals.length > 0 ? (this.names.get(supplier) ?? '') : '';
		const [ofText, ofName] = [text, name].map(wordsIn);
		const words = uniq([...ofText, ...ofName]);
		if (words.length === 0) return;
		const rates = this.ratesOf(subject, personals, others.filter(isClass1), reject(others, isClass1));
		const key = JSON.stringify([supplier, words, kontonummer, buSchluessel, rates]);
		const known = this.patterns.get(key);
		if (known) {
			known.count++;
			return;
		}
		const firsts = compact([ofText[0], ofName[0]]);
		const pattern = { supplier, words: new Set(words), firsts, kontonummer, buSchluessel, rates, count: 1 };
		this.patterns.set(key, pattern);
	}

	/**
	 * The tax rates that a booking may have had: the tax's part of its amount or of its line. Where the tax has no line of its own, that of DATEV's
	 * keys for input tax, or the one in the account's name ("Wareneingang 7 % Vorsteuer"); otherwise none.
	 */
	private ratesOf(subject: Line, personals: Line[], class1: Line[], costs: Line[]): number[] {
		const total = (lines: Line[]) => Math.abs(sumBy(lines, 'umsatz'));
		const isTax = ({ umsatz }: Line) => umsatz * subject.umsatz > 0;
		const taxes = class1.filter(isTax);
		const net = total(costs);
		// A reverse charge has two taxes, which cancel each other out.
		const all = rateOf(personals.length > 0 ? total(personals) - net : total(taxes), net);
		if (all === 0 && taxes.length > 0) return [0];
		const rates = compact([all, ...taxes.map(({ umsatz }) => rateOf(umsatz, subject.umsatz))]);
		if (rates.length > 0) return uniq(rates);
		const [, named] = RATE_IN_NAME.exec(this.names.get(subject.kontonummer) ?? '') ?? [];
		return [INPUT_TAX_KEYS[Number(subject.buSchluessel)] ?? Number(named?.replace(',', '.') ?? 0)];
	}

	/** @param rates of the invoice's taxes: only bookings with one of them count. All if there are none. */
	suggest(seller: string, text: string, rates: readonly number[] = []): IDataObject | undefined {
		const name = wordsIn(seller);
		return this.find(nameWords(name), difference(wordsIn(text), name), rates);
	}

	/** Of the seller's bookings with such a rate, those with the most of the other words in common. */
	private find(name: string[], others: string[], rates: readonly number[]) {
		const hasRate = (pattern: Pattern) =>
			rates.length === 0 || pattern.rates.some((rate) => rates.includes(rate));
		const bookingsOf = (seller: string) =>
			name.flatMap((word) => this.bookings(word, seller).filter(hasRate).slice(-MOST_PATTERNS));
		const scored = uniq(this.sellers(name).flatMap(bookingsOf)).map((pattern) => {
			const score = sumBy(others, (word) => (pattern.words.has(word) ? this.weight(word) : 0));
			return { pattern, count: pattern.count, score };
		});
		const first = maxBy(scored, 'score');
		if (!first) return undefined;
		const alike = scored.filter(({ score }) => score >= ALIKE * first.score);
		const byAccount = groupBy(alike, ({ pattern }) => `${pattern.kontonummer} ${pattern.buSchluessel}`);
		const most = maxBy(Object.values(byAccount), (group) => sumBy(group, 'count'))!;
		const [{ pattern: booked }] = most;
		const bookings = sumBy(alike, 'count');
		const words = uniq([...name, ...others]).filter((word) => first.pattern.words.has(word));
		return {
			kontonummer: booked.kontonummer,
			buSchluessel: booked.buSchluessel,
			share: Math.round((sumBy(most, 'count') / bookings) * 100),
			bookings,
			words: words.join(', '),
		};
	}

	/**
	 * The suppliers whose bookings have all words of a name. If there is none, the one with a word that no other supplier
	 * has, if it begins a booking's text or the account's name: the rest of the name may be missing in the journal, but "Schmidt" isn't "Papier Schmidt".
	 */
	private sellers(name: string[]): string[] {
		const having = (word: string, supplier: string) => this.bookings(word, supplier).length > 0;
		const suppliers = (word: string) => [...(this.having.get(word)?.keys() ?? [])];
		const rarest = minBy(name, (word) => this.having.get(word)?.size ?? 0);
		const complete = suppliers(rarest ?? '').filter((one) => name.every((word) => having(word, one)));
		if (complete.length > 0) return complete;
		const alone = name.flatMap((word) => {
			const [one, ...more] = suppliers(word);
			const begins = ({ firsts }: Pattern) => firsts.includes(word);
			return one && more.length === 0 && this.bookings(word, one).some(begins) ? [one] : [];
		});
		return uniq(alone).length === 1 ? uniq(alone) : [];
	}

	private bookings(word: string, supplier: string): Pattern[] {
		return this.having.get(word)?.get(supplier) ?? [];
	}

	/** How telling a word of the text is: the more, the fewer suppliers have it. */
	private weight(word: string): number {
		return 1 / (this.having.get(word)?.size ?? Infinity);
	}
}

/** In both charts, private accounts are named so: "Privatentnahmen allgemein", "Privateinlagen". */
const PRIVATE = /^privat/i;
/** DATEV's keys for input tax, in percent. Other keys say nothing about it. */
const INPUT_TAX_KEYS: Partial<Record<number, number>> = { 8: 7, 9: 19 };
/** A tax rate in the name of an account. */
const RATE_IN_NAME = /(\d{1,2}(?:,\d)?) ?%/;
/** Two lines of a tax may be a cent off each. */
const ROUNDING = 0.021;

/** What a tax is of an amount, in percent: a whole rate where that is right to the cent. */
function rateOf(tax: number, net: number): number {
	if (net === 0) return 0;
	const rate = (100 * tax) / net;
	const isWhole = Math.abs(tax - (net * Math.round(rate)) / 100) < ROUNDING;
	return isWhole ? Math.round(rate) : Math.round(rate * 10) / 10;
}

interface Line {
	kontonummer: string;
	buSchluessel: string;
	umsatz: number;
	/** The amount with the side of the line, debit positive, in cents. */
	cents: number;
}

interface Booking {
	text: string;
	lines: Line[];
}

function readBooking(booking: IDataObject, habit: ReturnType<typeof habitIn>): Booking {
	const { buchungstext, sollHabenKennzeichen } = booking;
	return {
		text: typeof buchungstext === 'string' ? buchungstext : '',
		lines: linesOf(booking).map(({ kontonummer, buSchluessel, umsatz }) => ({
			kontonummer: String(kontonummer ?? '').slice(0, LONGEST_ACCOUNT),
			buSchluessel: String(buSchluessel ?? '').slice(0, LONGEST_ACCOUNT),
			umsatz: Number(umsatz) || 0,
			cents: centsOf(signedUmsatz(umsatz, sollHabenKennzeichen, habit) ?? (Number(umsatz) || 0)),
		})),
	};
}

/** Bookings that a reversal is compared with: those just before it. */
const MOST_REVERSIBLE = 50;

/**
 * The bookings that were reversed, with their reversals: neither says what the right account is. The contract marks no
 * reversal, and its text may be any ("Storno K-17"), so it is a booking with all lines of another one, the other way round;
 * their tax keys may differ. Of several, the one with the most words in common is meant, or the last one before it.
 */
function reversedIn(bookings: readonly Booking[]): ReadonlySet<Booking> {
	const open = new Map<string, Booking[]>();
	const reversed = new Set<Booking>();
	const wordsOf = memoize(({ text }: Booking) => wordsIn(text));
	for (const booking of bookings) {
		const lines = booking.lines.filter(({ cents }) => cents !== 0);
		const contraries = open.get(keyOfLines(lines, -1)) ?? [];
		const key = keyOfLines(lines, 1);
		if (lines.length === 0 || contraries.length === 0) {
			open.set(key, [...(open.get(key) ?? []), booking].slice(-MOST_REVERSIBLE));
			continue;
		}
		const words = wordsOf(booking);
		const common = contraries.map((one) => words.length - difference(words, wordsOf(one)).length);
		const [contrary] = pullAt(contraries, common.lastIndexOf(Math.max(...common)));
		reversed.add(booking).add(contrary);
	}
	return reversed;
}

const keyOfLines = (lines: readonly Line[], sign: 1 | -1): string =>
	JSON.stringify(lines.map(({ kontonummer, cents }) => `${kontonummer} ${sign * cents}`).sort());

/** Ledger accounts have four digits at least. */
const FEWEST_PERSONAL_DIGITS = 5;

/** Customers' and suppliers' accounts have one digit more than the ledger's. @returns 0 if there are none */
function personalDigits(lines: Line[]): number {
	const lengths = uniq(lines.map(({ kontonummer }) => kontonummer.length)).sort((a, b) => b - a);
	return lengths.length > 1 && lengths[0] >= FEWEST_PERSONAL_DIGITS ? lengths[0] : 0;
}
