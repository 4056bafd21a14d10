/** Finds the account and the tax key that most bookings of a seller's invoices had. */
import type { IDataObject } from 'n8n-workflow';
import { difference, maxBy, sumBy, uniq } from 'lodash';

import { recordsOf } from '../../shared/gateway/records';
import { isObject } from '../../shared/values/json';
import { plainText } from '../../shared/values/plainText';
import { listOf, SHOWN } from '../../shared/gateway/verify';

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

/** Bookings with the same words, account and tax key. */
interface Pattern {
	words: Set<string>;
	kontonummer: string;
	buSchluessel: string;
	count: number;
}

export interface Suggestion {
	kontonummer: string;
	buSchluessel: string;
	/** Percent of the bookings that are alike. */
	share: number;
	/** How many bookings are alike. */
	bookings: number;
	/** The words that these bookings have in common with the invoice. */
	words: string;
}

/** The rest of a longer text isn't read. */
const LONGEST_TEXT = 2000;
const MOST_WORDS = 40;

/** The words of a text, each once, without case and accents. */
const wordsIn = (text: string): string[] =>
	uniq(plainText(text.slice(0, LONGEST_TEXT)).match(/\p{L}{2,}/gu)).slice(0, MOST_WORDS);

/** Short words, like a legal form, tell a seller only at the beginning of the name. */
const SHORT = 4;
const nameWords = (words: string[]) => words.filter((word, i) => i === 0 || word.length > SHORT);

/** A word tells a seller if it is at least this telling, compared with the most telling word of the name. */
const TELLING = 0.7;
/** Bookings are alike if they have at least this much in common, compared with the best one. */
const ALIKE = 0.8;
/** The most bookings that are kept for a word; if there are more, only the last ones. */
const MOST_PATTERNS = 1000;
/** The most bookings that are checked, spread evenly over all. */
const MOST_CHECKED = 1000;

/** The journal of one or several years, ready to be looked up for very many invoices. */
export class BookedBefore {
	private readonly patterns = new Map<string, Pattern>();
	private readonly byWord = new Map<string, Pattern[]>();
	/** The suppliers whose bookings have a word. */
	private readonly suppliers = new Map<string, Set<string>>();
	private readonly allSuppliers = new Set<string>();

	/** @param answer of `listJournalBookings` */
	constructor(answer: unknown) {
		const bookings = recordsOf(answer).map(readBooking);
		const personal = personalDigits(bookings.flatMap(({ lines }) => lines));
		for (const booking of bookings) this.add(booking, personal);
		for (const pattern of this.patterns.values()) {
			for (const word of pattern.words) {
				const others = this.byWord.get(word);
				if (others) others.push(pattern);
				else this.byWord.set(word, [pattern]);
			}
		}
	}

	private add({ text, lines }: Booking, personal: number): void {
		const isPersonal = ({ kontonummer }: Line) => kontonummer.length === personal;
		// Class 1 has cash, bank and tax in the common charts, and debtors begin with 1 to 6: neither tells what was bought.
		if (lines.some((line) => isPersonal(line) && /^[1-6]/.test(line.kontonummer))) return;
		const subject = maxBy(
			lines.filter((line) => !isPersonal(line) && !line.kontonummer.startsWith('1')),
			({ umsatz }) => Math.abs(umsatz),
		);
		const words = wordsIn(text);
		if (!subject || words.length === 0) return;
		const { kontonummer, buSchluessel } = subject;
		const supplier = lines.find(isPersonal)?.kontonummer ?? kontonummer;
		this.allSuppliers.add(supplier);
		for (const word of words) {
			const suppliers = this.suppliers.get(word);
			if (suppliers) suppliers.add(supplier);
			else this.suppliers.set(word, new Set([supplier]));
		}
		const key = JSON.stringify([words, kontonummer, buSchluessel]);
		const pattern = this.patterns.get(key);
		if (pattern) pattern.count++;
		else this.patterns.set(key, { words: new Set(words), kontonummer, buSchluessel, count: 1 });
	}

	suggest(seller: string, text: string): Suggestion | undefined {
		const name = wordsIn(seller);
		return this.find(nameWords(name), difference(wordsIn(text), name));
	}

	/** How often the suggestion for a booking would have been right, had it not been booked yet: a row for each account. */
	check(): IDataObject[] {
		const all = [...this.patterns.values()];
		const step = Math.max(1, Math.ceil(all.length / MOST_CHECKED));
		const rows = new Map<string, { bookings: number; right: number; wrong: number; none: number }>();
		for (let i = 0; i < all.length; i += step) {
			const { [i]: pattern } = all;
			const { words, kontonummer, count } = pattern;
			const found = this.find(nameWords([...words]), [...words], pattern);
			const row = rows.get(kontonummer) ?? { bookings: 0, right: 0, wrong: 0, none: 0 };
			row.bookings += count;
			row[!found ? 'none' : found.kontonummer === kontonummer ? 'right' : 'wrong'] += count;
			rows.set(kontonummer, row);
		}
		const sorted = [...rows].sort(([one], [other]) => one.localeCompare(other));
		return sorted.map(([kontonummer, row]) => ({ kontonummer, ...row }));
	}

	/**
	 * Of the bookings with the most telling word of the name, those with the most of the other words in common.
	 * @param except a booking that isn't counted
	 */
	private find(name: string[], others: string[], except?: Pattern): Suggestion | undefined {
		const isKnown = (word: string) =>
			(this.byWord.get(word) ?? []).some((one) => one !== except || one.count > 1);
		const weighed = name.map((word) => ({ word, weight: this.weight(isKnown(word) ? word : undefined) }));
		const most = Math.max(...weighed.map(({ weight }) => weight));
		const telling = weighed.filter(({ word, weight }) => isKnown(word) && weight >= TELLING * most);
		const best = maxBy(telling, 'weight')?.weight;
		const chosen = telling.filter(({ weight }) => weight === best).map(({ word }) => word);
		const candidates = uniq(chosen.flatMap((word) => this.byWord.get(word)!.slice(-MOST_PATTERNS)));
		const weights = others.filter(isKnown).map((word) => [word, this.weight(word)] as const);
		const scored = candidates.flatMap((pattern) => {
			const count = pattern === except ? pattern.count - 1 : pattern.count;
			const score = sumBy(weights, ([word, weight]) => (pattern.words.has(word) ? weight : 0));
			return count > 0 ? [{ pattern, count, score }] : [];
		});
		const first = maxBy(scored, 'score');
		if (!first) return undefined;
		const alike = scored.filter(({ score }) => score >= ALIKE * first.score);
		const counts = new Map<string, number>();
		for (const { pattern, count } of alike) {
			const key = JSON.stringify([pattern.kontonummer, pattern.buSchluessel]);
			counts.set(key, (counts.get(key) ?? 0) + count);
		}
		const [key, count] = maxBy([...counts], 1)!;
		const [kontonummer, buSchluessel] = JSON.parse(key) as [string, string];
		const bookings = sumBy(alike, 'count');
		const words = uniq([...name, ...others]).filter((word) => first.pattern.words.has(word));
		return {
			kontonummer,
			buSchluessel,
			share: Math.round((count / bookings) * 100),
			bookings,
			words: words.join(', '),
		};
	}

	/** How telling a word is: the more, the fewer suppliers have it. */
	private weight(word?: string): number {
		const having = word === undefined ? 0 : this.suppliers.get(word)!.size;
		return Math.log((this.allSuppliers.size + 1) / (having + 1));
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
			kontonummer: String(kontonummer ?? ''),
			buSchluessel: String(buSchluessel ?? ''),
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
