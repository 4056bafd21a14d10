/** The bookings of a journal as they are compared: their lines, without those that were reversed. */
import type { IDataObject } from 'n8n-workflow';
import { difference, memoize, pullAt, uniq } from 'lodash';

import { centsOf, plainText } from '../../shared/values';
import type { Turn } from '../../shared/values';
import { habitIn, linesOf, signedUmsatz } from './sides';

/** The rest of a longer text isn't read. */
export const LONGEST_TEXT = 2000;
const MOST_WORDS = 40;
/** Characters of an account or tax key, by which bookings are grouped. */
const LONGEST_ACCOUNT = 100;

/** The words of a text, each once, without case and accents. */
export const wordsIn = (text: string): string[] =>
	uniq(plainText(text, LONGEST_TEXT).match(WORD)).slice(0, MOST_WORDS);
const WORD = /\p{L}{2,}/gu;

/** Short words, like a legal form, tell a seller at the beginning of the name, or if they are written as words: Süd, not GmbH or Co. */
const SHORT_WORD = 4;

/** The words of a text that tell whose it is. */
export function tellingIn(text: string): string[] {
	const cut = text.slice(0, LONGEST_TEXT).normalize('NFC').slice(0, LONGEST_TEXT);
	const isAllCapitals = cut === cut.toUpperCase();
	const isTelling = ({ 0: word, index }: RegExpMatchArray, i: number) =>
		i === 0 ||
		word.length > SHORT_WORD ||
		isAllCapitals ||
		(/^\p{Lu}\p{Ll}+$/u.test(word) && cut[index! + word.length] !== '.');
	return uniq(
		[...cut.matchAll(WORD)]
			.slice(0, MOST_WORDS)
			.filter(isTelling)
			.flatMap(([word]) => wordsIn(word)),
	);
}

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
export function personalDigits(bookings: readonly Booking[]): number {
	const all = new Set<number>();
	for (const { lines } of bookings) for (const { kontonummer } of lines) all.add(kontonummer.length);
	const longest = Math.max(0, ...all);
	return all.size > 1 && longest >= FEWEST_PERSONAL_DIGITS ? longest : 0;
}
