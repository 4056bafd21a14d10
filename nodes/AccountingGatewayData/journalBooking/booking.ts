/** The bookings of a journal as they are compared: their lines, without those that were reversed. */
import type { IDataObject } from 'n8n-workflow';
import { difference, memoize, pullAt, uniq } from 'lodash';

import { centsOf, plainText } from '../../shared/values';
import type { Turn } from '../../shared/values';
import { habitIn, linesOf, signedUmsatz } from './sides';

/** The limits on what is compared of a journal, in which a text or a year may be of any length. */
export const JOURNAL_LIMITS = {
	/** Characters of a text that are read, and words of it. */
	text: 2000,
	words: 40,
	/** Bookings that a reversal is compared with: those just before it. */
	reversible: 50,
	/** Bookings with a word that are compared for an invoice; if there are more, only the last ones. */
	patterns: 1000,
	/** A word that more sellers have tells none of them. */
	sellers: 500,
	/** Sellers that are named, and the characters of a name. */
	named: 5,
	label: 60,
	/** Characters of an account or key: a Map hashes long keys alike, so that a sender could make it slow. */
	account: 100,
};

/**
 * Letters; also a short name such as 3M, O2, B&B or 1&1, but not the number of a document: of RE4711, RE is a word. A name's other
 * digits are words, too: Taxi 2000.
 */
const WORD =
	/(?<![\p{L}\p{N}&])(?:[\p{L}\p{N}]{1,2}&[\p{L}\p{N}]{1,2}|\p{L}\p{N}|\p{N}\p{L})(?![\p{L}\p{N}&])|(?<!\p{L})\p{L}{2,}/gu;
const WORD_OF_NAME = new RegExp(`${WORD.source}|(?<!\\p{N})\\p{N}{2,}`, 'gu');

const found = (text: string, word: RegExp): string[] =>
	uniq(plainText(text, JOURNAL_LIMITS.text).match(word)).slice(0, JOURNAL_LIMITS.words);

/** The words of a text, each once, without case and accents. */
export const wordsIn = (text: string): string[] => found(text, WORD);
/** The same of the name of a person or firm. */
export const wordsOfName = (name: string): string[] => found(name, WORD_OF_NAME);

/**
 * Legal forms tell nobody (§ 19 HGB, §§ 4, 5a GmbHG, §§ 4, 279 AktG, § 3 GenG, §§ 65, 707a BGB, §§ 2, 8 PartGG, Art. 11 Regulation (EC)
 * 2157/2001). Any other is a word of the name, so that fewer bookings fit.
 */
const LEGAL_FORMS = new Set(
	'gmbh ggmbh mbh ug haftungsbeschraenkt ag kgaa se kg ohg co eg ek ev gbr egbr partg partgmbb'.split(' '),
);
/** Words up to this length that are written small (am, und) or are cut (Str.) tell nobody, unless they are the first. */
const SHORT_WORD = 4;

const tellingOf = (text: string, word: RegExp): string[] => {
	const cut = text.slice(0, JOURNAL_LIMITS.text).normalize('NFC').slice(0, JOURNAL_LIMITS.text);
	const isAllCapitals = cut === cut.toUpperCase();
	const isTelling = ({ 0: one, index }: RegExpMatchArray, i: number) =>
		i === 0 ||
		one.length > SHORT_WORD ||
		isAllCapitals ||
		(/[\p{Lu}\p{N}]/u.test(one) && cut[index! + one.length] !== '.');
	return uniq(
		[...cut.matchAll(word)]
			.slice(0, JOURNAL_LIMITS.words)
			.filter(isTelling)
			.flatMap(([one]) => found(one, word)),
	).filter((one) => !LEGAL_FORMS.has(one));
};

/** The words of a text that tell whose it is. */
export const tellingIn = (text: string): string[] => tellingOf(text, WORD);
/** The same of the name of a person or firm. */
export const tellingOfName = (name: string): string[] => tellingOf(name, WORD_OF_NAME);

export interface Line {
	kontonummer: string;
	buSchluessel: string;
	umsatz: number;
	/** The amount with the side of the line, debit positive, in cents. */
	cents: number;
}

export interface Booking {
	text: string;
	lines: Line[];
}

export function readBooking(booking: IDataObject, habit: ReturnType<typeof habitIn>): Booking {
	const { buchungstext, sollHabenKennzeichen } = booking;
	return {
		text: typeof buchungstext === 'string' ? buchungstext : '',
		lines: linesOf(booking).map(({ kontonummer, buSchluessel, umsatz }) => ({
			kontonummer: String(kontonummer ?? '').slice(0, JOURNAL_LIMITS.account),
			buSchluessel: String(buSchluessel ?? '').slice(0, JOURNAL_LIMITS.account),
			umsatz: Number(umsatz) || 0,
			cents: centsOf(signedUmsatz(umsatz, sollHabenKennzeichen, habit) ?? (Number(umsatz) || 0)),
		})),
	};
}

/**
 * The bookings that were reversed, with their reversals: neither says what the right account is. The contract marks no
 * reversal, and its text may be any ("Storno K-17"), so it is a booking with all lines of another one, the other way round;
 * their tax keys may differ. Of several, the one with the most words in common is meant, or the last one before it.
 */
export async function reversedIn(bookings: readonly Booking[], turn: Turn): Promise<ReadonlySet<Booking>> {
	const open = new Map<string, Booking[]>();
	const reversed = new Set<Booking>();
	const wordsOf = memoize(({ text }: Booking) => wordsIn(text));
	for (const booking of bookings) {
		await turn.yield();
		const lines = booking.lines.filter(({ cents }) => cents !== 0);
		const contraries = open.get(keyOfLines(lines, -1)) ?? [];
		const key = keyOfLines(lines, 1);
		if (lines.length === 0 || contraries.length === 0) {
			open.set(key, [...(open.get(key) ?? []), booking].slice(-JOURNAL_LIMITS.reversible));
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
export function personalDigits(bookings: readonly Booking[]): number {
	const all = new Set<number>();
	for (const { lines } of bookings) for (const { kontonummer } of lines) all.add(kontonummer.length);
	const longest = Math.max(0, ...all);
	return all.size > 1 && longest >= FEWEST_PERSONAL_DIGITS ? longest : 0;
}
