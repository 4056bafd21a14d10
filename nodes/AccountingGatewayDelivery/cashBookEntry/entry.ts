/** What the writing of the simple and of the advanced entry has in common. */
import { omit } from 'lodash';

import { cutLine, quote, sentences } from '../../shared/errors';
import type { Body } from '../../shared/gateway';
import type { BalanceChange } from '../../shared/operation';
import { recordOf } from '../../shared/answer';
import { withDecimals } from '../../shared/values';
import { ENTRY, entryWarning, taskRejection } from './answer';

interface EntryRequest {
	query: { connectionId: string };
	/** Only the simple entry has `bewegung`, and an amount without a sign. */
	body: Omit<Body<'POST /v2/acct-duo/kassenbuch-advanced'>, 'belegzeilen'> & { bewegung?: string };
}

/** An amount that was given without a sign where `bewegung` says it, as the gateway has it: an expense is negative. */
export const withSign = (amount: number, { bewegung }: { bewegung?: string }): number =>
	// 0 - 0 is 0, where -0 would be another one.
	bewegung === 'AUSGABE' ? 0 - amount : amount;

/** The entry as the gateway returns it. */
const signed = (body: EntryRequest['body']) => ({ ...body, betrag: withSign(body.betrag, body) });

/** Identifies a cash book; a name in a different case may mean the same one. */
const cashBookOf = ({ query, body }: EntryRequest): string =>
	`${query.connectionId} ${body.kassenname}`.toLowerCase();

export const ofEntry = {
	achieves: {
		one: 'entry booked',
		many: 'entries booked',
		where: ({ body }: EntryRequest, answer: unknown) =>
			`in ${String(recordOf(answer).kassenname || body.kassenname)}`,
	},
	/** Entries of a cash book are booked in their order. */
	orderingKey: cashBookOf,
	balanceChange(request: EntryRequest, options: { kassenbestand?: number }): BalanceChange | undefined {
		const { kassenname: name, waehrung: currency, betrag: amount } = signed(request.body);
		const { kassenbestand: before } = options;
		if (before === undefined) return undefined;
		return { field: 'kassenbestand', of: cashBookOf(request), name, currency, before, amount };
	},
	answer: ENTRY,
	sent: ({ body }: EntryRequest) => signed(body),
	rejection: taskRejection,
	warning: entryWarning,
};

/**
 * What a dry run shows: `Would book an expense of 12.50 EUR in the cash book Hauptkasse on 2026-03-31: Brot, with 1 receipt`.
 * @param what is booked, if it isn't just the amount
 * @param details what follows the day, with the sign before it
 */
export function summaryOf(
	{ betrag, waehrung, kassenname, transaktionsdatum, belegbilder = [] }: EntryRequest['body'],
	what: string,
	details: string,
): string {
	const day = transaktionsdatum.slice(0, 'YYYY-MM-DD'.length);
	const { length } = belegbilder;
	const receipts =
		length === 0 ? 'without receipts' : `with ${length} ${length === 1 ? 'receipt' : 'receipts'}`;
	return `Would book ${what}${withDecimals(betrag, waehrung)} ${waehrung} in the cash book ${kassenname} on ${day}${details}, ${receipts}`;
}

const MAX_QUOTED = 100;

/** A text from outside in German quotation marks, which it can't end itself. */
const quoted = (text: string) => `„${cutLine(text, MAX_QUOTED).replace(/[„“”&<>]+/g, ' ')}“`;

/**
 * The summary in German: `AUSGABE 12,50 EUR, 19 % Steuer, 31.03.2026, Kasse „Hauptkasse“: „Brot“, Belege: 1`.
 * @param what is booked: its text and tax rate, or lines
 */
export function germanSummaryOf(
	{ bewegung, betrag, waehrung, kassenname, transaktionsdatum, belegbilder = [] }: EntryRequest['body'],
	what: { text: string; rate: number } | { lines: number },
): string {
	const amount = withDecimals(betrag, waehrung).replace('.', ',');
	const [year, month, day] = transaktionsdatum.slice(0, 'YYYY-MM-DD'.length).split('-');
	const entry = [bewegung, amount, waehrung].filter(Boolean).join(' ');
	const tax = 'rate' in what ? `, ${String(what.rate).replace('.', ',')} % Steuer` : '';
	const booked = 'text' in what ? quoted(what.text) : `Zeilen: ${what.lines}`;
	return `${entry}${tax}, ${day}.${month}.${year}, Kasse ${quoted(kassenname)}: ${booked}, Belege: ${belegbilder.length}`;
}

/**
 * What comes out for an entry that the cash book has already.
 * @param name names it
 * @param needs what a different purchase needs, as an instruction
 * @param said the gateway's own text
 */
export const existingEntry = (body: EntryRequest['body'], name: string, needs: string, said?: string) => ({
	record: omit(signed(body), ['belegbilder']),
	warning: sentences(
		`${name} was already booked, so nothing was booked now.`,
		quote(said),
		`If this is a different purchase, ${needs}`,
	),
});
