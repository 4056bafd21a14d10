/** Finds the account and the tax key that most bookings of a seller's invoices had. */
import type { IDataObject } from 'n8n-workflow';
import { difference, groupBy, maxBy, minBy, partition, reject, sumBy, uniq } from 'lodash';

import { SHOWN, listOf, recordsOf } from '../../shared/answer';
import { isObject, plainText } from '../../shared/values';
import type { Turn } from '../../shared/values';

/** The answer with the bookings of a year. */
export const BOOKINGS = listOf({
	name: 'bookings',
	fields: {
		id: SHOWN,
		buchungstext: SHOWN,
		waehrung: SHOWN,
		buchungszeilen: SHOWN,
		sollHabenKennzeichen: SHOWN,
	},
});

/** Bookings of a supplier with the same words, account and tax key. */
interface Pattern {
	supplier: string;
	words: Set<string>;
	/** The first of the words, which is usually the beginning of the supplier's name. */
	first: string;
	kontonummer: string;
	buSchluessel: string;
	count: number;
}

/** The rest of a longer text isn't read. */
const LONGEST_TEXT = 2000;
const MOST_WORDS = 40;
/** Characters of an account or tax key, by which bookings are grouped. */
const LONGEST_NUMBER = 100;

/** The words of a text, each once, without case and accents. */
const wordsIn = (text: string): string[] =>
	uniq(plainText(text, LONGEST_TEXT).match(/\p{L}{2,}/gu)).slice(0, MOST_WORDS);

/** Short words, like a legal form, tell a seller only at the beginning of the name. */
const SHORT = 4;
const nameWords = (words: string[]) => words.filter((word, i) => i === 0 || word.length > SHORT);

/** Bookings are alike if they have at least this much in common, compared with the best one. */
const ALIKE = 0.8;
/** The most bookings of a supplier that are kept for a word; if there are more, only the last ones. */
const MOST_PATTERNS = 1000;
/** The most bookings that are checked, spread evenly over all. */
const MOST_CHECKED = 1000;

/** The journal of one or several years, ready to be looked up for very many invoices. */
export class BookedBefore {
	/** What `check` has found: a row for each account. */
	accuracy: IDataObject[] = [];
	private readonly patterns = new Map<string, Pattern>();
	/** The bookings with a word, by supplier. */
	private readonly having = new Map<string, Map<string, Pattern[]>>();

	/** @param answer of `listJournalBookings` */
	constructor(answer: unknown) {
		const bookings = recordsOf(answer).map(readBooking);
		const personal = personalDigits(bookings.flatMap(({ lines }) => lines));
		for (const booking of bookings) this.add(booking, personal);
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
		// Class 1 has cash, bank and tax in the common charts, and debtors begin with 1 to 6: neither tells what was bought.
		const isClass1 = ({ kontonummer }: Line) => kontonummer.startsWith('1');
		if (lines.some((line) => isPersonal(line) && /^[1-6]/.test(line.kontonummer))) return;
		const [personals, others] = partition(lines, isPersonal);
		const subject = largest(reject(others, isClass1));
		const words = wordsIn(text);
		if (!subject || words.length === 0) return;
		// What a payment to a supplier has besides is a discount or a fee.
		if (personals.length > 0 && isClass1(largest(others)!)) return;
		const { kontonummer, buSchluessel } = subject;
		const supplier = personals[0]?.kontonummer ?? kontonummer;
		const key = JSON.stringify([supplier, words, kontonummer, buSchluessel]);
		const [first] = words;
		const known = this.patterns.get(key);
		if (known) known.count++;
		else
			this.patterns.set(key, { supplier, words: new Set(words), first, kontonummer, buSchluessel, count: 1 });
	}

	suggest(seller: string, text: string): IDataObject | undefined {
		const name = wordsIn(seller);
		return this.find(nameWords(name), difference(wordsIn(text), name));
	}

	/** Checks how often the suggestion for a booking would have been right, had it not been booked yet. */
	async check(turn: Turn): Promise<void> {
		if (this.accuracy.length > 0) return;
		const all = [...this.patterns.values()];
		const step = Math.max(1, Math.ceil(all.length / MOST_CHECKED));
		const rows = new Map<string, { bookings: number; right: number; wrong: number; none: number }>();
		for (let i = 0; i < all.length; i += step) {
			await turn.yield();
			const { [i]: pattern } = all;
			const { words, kontonummer, count } = pattern;
			const found = this.find(nameWords([...words]), [...words], pattern);
			const row = rows.get(kontonummer) ?? { bookings: 0, right: 0, wrong: 0, none: 0 };
			row.bookings += count;
			row[!found ? 'none' : found.kontonummer === kontonummer ? 'right' : 'wrong'] += count;
			rows.set(kontonummer, row);
		}
		const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other));
		this.accuracy = sorted.map(([kontonummer, row]) => ({ kontonummer, ...row }));
	}

	/**
	 * Of the seller's bookings, those with the most of the other words in common.
	 * @param except a booking that isn't counted
	 */
	private find(name: string[], others: string[], except?: Pattern) {
		const sellers = this.sellers(name, except);
		const candidates = uniq(
			sellers.flatMap((seller) => name.flatMap((word) => this.bookings(word, seller).slice(-MOST_PATTERNS))),
		);
		const scored = candidates.flatMap((pattern) => {
			const count = pattern === except ? pattern.count - 1 : pattern.count;
			const score = sumBy(others, (word) => (pattern.words.has(word) ? this.weight(word) : 0));
			return count > 0 ? [{ pattern, count, score }] : [];
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
	 * has, if it begins a booking: the rest of the name may be missing in the journal, but "Schmidt" isn't "Papier Schmidt".
	 */
	private sellers(name: string[], except?: Pattern): string[] {
		const isCounted = (pattern: Pattern) => pattern !== except || pattern.count > 1;
		const having = (word: string, supplier: string) => this.bookings(word, supplier).some(isCounted);
		const suppliers = (word: string) => [...(this.having.get(word)?.keys() ?? [])];
		const rarest = minBy(name, (word) => this.having.get(word)?.size ?? 0);
		const complete = suppliers(rarest ?? '').filter((one) => name.every((word) => having(word, one)));
		if (complete.length > 0) return complete;
		const alone = name.flatMap((word) => {
			const [one, ...more] = suppliers(word).filter((supplier) => having(word, supplier));
			const begins = (pattern: Pattern) => pattern.first === word && isCounted(pattern);
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

interface Line {
	kontonummer: string;
	buSchluessel: string;
	umsatz: number;
}

interface Booking {
	text: string;
	lines: Line[];
}

function readBooking({ buchungstext, buchungszeilen }: IDataObject): Booking {
	const lines = (Array.isArray(buchungszeilen) ? buchungszeilen : []).filter(isObject);
	return {
		text: typeof buchungstext === 'string' ? buchungstext : '',
		lines: lines.map(({ kontonummer, buSchluessel, umsatz }) => ({
			kontonummer: String(kontonummer ?? '').slice(0, LONGEST_NUMBER),
			buSchluessel: String(buSchluessel ?? '').slice(0, LONGEST_NUMBER),
			umsatz: Number(umsatz) || 0,
		})),
	};
}

/** Ledger accounts have four digits at least. */
const FEWEST_PERSONAL_DIGITS = 5;

/** Customers' and suppliers' accounts have one digit more than the ledger's. @returns 0 if there are none */
function personalDigits(lines: Line[]): number {
	const lengths = uniq(lines.map(({ kontonummer }) => kontonummer.length)).sort((a, b) => b - a);
	return lengths.length > 1 && lengths[0] >= FEWEST_PERSONAL_DIGITS ? lengths[0] : 0;
}
