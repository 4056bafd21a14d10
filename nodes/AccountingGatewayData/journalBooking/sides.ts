/** On which side of the books the amounts of a journal are. */
import type { IDataObject } from 'n8n-workflow';

import { oncePerAnswer, recordsOf } from '../../shared/answer';
import { objectsIn } from '../../shared/values';
import { onSide, readAmount } from '../signed';

/** What a positive amount of a line means: debit, or the side of its booking (`sollHabenKennzeichen`). */
export type Habit = 'debit' | 'sideOfBooking';

export const linesOf = ({ buchungszeilen }: IDataObject) => objectsIn(buchungszeilen);

/**
 * The contract shows signed amounts (`umsatz`) and one side for each booking, and not how they combine. The bookings on the
 * credit side tell, whose first line the side is of: its amount is negative if signs mean debit and credit, and positive if
 * they mean the booking's side and the other one. @returns `undefined` if these bookings contradict each other
 */
export const habitIn = oncePerAnswer((answer): Habit | undefined => {
	let isEither = { debit: true, sideOfBooking: true };
	for (const booking of recordsOf(answer)) {
		if (booking.sollHabenKennzeichen !== 'HABEN') continue;
		const first = readAmount(linesOf(booking)[0]?.umsatz) ?? 0;
		if (first > 0) isEither = { ...isEither, debit: false };
		if (first < 0) isEither = { ...isEither, sideOfBooking: false };
	}
	if (isEither.debit) return 'debit';
	return isEither.sideOfBooking ? 'sideOfBooking' : undefined;
});

/** An amount, debit positive. @returns `undefined` if that can't be told */
export function signedUmsatz(umsatz: unknown, side: unknown, habit: Habit | undefined): number | undefined {
	const amount = readAmount(umsatz);
	if (amount === undefined || habit === undefined) return undefined;
	return habit === 'debit' ? amount : onSide(amount, side);
}
