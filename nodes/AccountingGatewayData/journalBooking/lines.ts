/** The lines of journal bookings, each with its own side. */
import type { IDataObject } from 'n8n-workflow';

import { flat, isEmptyList, recordsOf, rowsOf, warningAbout } from '../../shared/answer';
import { sameAccountNumber } from '../account/number';
import { plainLine } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { habitIn, linesOf, signedUmsatz } from './sides';
import type { Habit } from './sides';
import { JOURNAL_LIMITS } from './booking';

/** The amount of a line as accountants write it, with its own side, and signed to be added up. */
function amountAndSide({ umsatz, sollHabenKennzeichen }: IDataObject, habit: Habit | undefined): IDataObject {
	const amount = signedUmsatz(umsatz, sollHabenKennzeichen, habit);
	if (amount === undefined) return { umsatz, sollHabenKennzeichen: null, umsatzSigned: null };
	const side = amount === 0 ? null : amount > 0 ? 'SOLL' : 'HABEN';
	return { umsatz: Math.abs(amount), sollHabenKennzeichen: side, umsatzSigned: amount };
}

/** What the bookings must have. */
interface Wanted {
	/** An account that one of their lines is of. */
	kontonummer?: string;
	/** What their text contains. */
	text?: string;
}

const plain = (text: string) => plainLine(text, JOURNAL_LIMITS.text);

/** The bookings that are wanted, with their numbers in the journal, from 1. */
export function* wantedBookings(
	answer: unknown,
	{ kontonummer, text }: Wanted,
): Generator<[number, IDataObject]> {
	const words = text === undefined ? '' : plain(text);
	for (const [i, booking] of recordsOf(answer).entries()) {
		const hasAccount = (line: IDataObject) => sameAccountNumber(kontonummer, line.kontonummer, line);
		if (kontonummer !== undefined && !linesOf(booking).some(hasAccount)) continue;
		const { buchungstext } = booking;
		if (words && !(typeof buchungstext === 'string' && plain(buchungstext).includes(words))) continue;
		yield [i + 1, booking];
	}
}

/** The lines of bookings, one after another: a year has so many that lists of them would fill the memory. */
export function* linesIn(answer: unknown, wanted: Wanted): Generator<IDataObject> {
	const habit = habitIn(answer);
	for (const [bookingNumber, booking] of wantedBookings(answer, wanted)) {
		// A booking's `id` can be null; the number shows which lines belong together.
		for (const line of rowsOf([{ bookingNumber, ...booking }], 'buchungszeilen'))
			yield Object.assign(flat(line, ['kostenstellen']), amountAndSide(line, habit));
	}
}

/** What the rows of lines can't show. */
export function lineProblems(answer: unknown, wanted: Wanted): Array<Bilingual | undefined> {
	const habit = habitIn(answer);
	const withoutLines: string[] = [];
	const withoutSide: string[] = [];
	for (const [number, booking] of wantedBookings(answer, wanted)) {
		const name = `${number} (${String(booking.buchungstext)})`;
		if (isEmptyList(booking.buchungszeilen)) withoutLines.push(name);
		const isUnclear = ({ umsatz }: IDataObject) =>
			signedUmsatz(umsatz, booking.sollHabenKennzeichen, habit ?? 'debit') === undefined;
		if (habit && linesOf(booking).some(isUnclear)) withoutSide.push(name);
	}
	return [
		warningAbout(withoutLines, {
			en: 'bookings without lines have no row (Output "Bookings" has them): no.',
			de: 'Buchungen ohne Zeilen haben keine Zeile (die Ausgabe „Bookings“ hat sie): Nr.',
		}),
		warningAbout(withoutSide, {
			en: 'bookings with amounts whose side can’t be told; umsatz is as the gateway gave it: no.',
			de: 'Buchungen mit Beträgen, deren Seite nicht zu erkennen ist; umsatz steht da, wie das Gateway ihn nannte: Nr.',
		}),
		habit
			? undefined
			: {
					en: 'whether amounts are debit or credit can’t be told, because the sides of the bookings (sollHabenKennzeichen) and the signs of their amounts contradict each other; umsatz is as the gateway gave it, and no row has a side',
					de: 'Ob Beträge im Soll oder im Haben stehen, ist nicht zu erkennen, weil die Seiten der Buchungen (sollHabenKennzeichen) den Vorzeichen ihrer Beträge widersprechen; umsatz steht da, wie das Gateway ihn nannte, und keine Zeile hat eine Seite.',
				},
	];
}
