/** What the writing of the simple and of the advanced entry has in common. */
import { omit } from 'lodash';

import { quote } from '../../shared/errors';
import type { Body, Meaning, Refusal } from '../../shared/gateway';
import type { AddIssue, BalanceChange } from '../../shared/operation';
import { recordOf, recordsOf, replyMessages } from '../../shared/answer';
import { both, sameInBoth, sentences } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { brokenName } from '../fileName';
import { dayWarning, receiptWarning } from './answer';
import type { WrittenEntry } from './answer';

interface EntryRequest {
	query: { connectionId: string };
	/** Only the simple entry has `bewegung`, and an amount without a sign. */
	body: Omit<Body<'POST /v2/acct-duo/kassenbuch-advanced'>, 'belegzeilen'> & { bewegung?: string };
}

/** An amount as the gateway has it. Where `bewegung` says which way the money went, it was given without a sign. */
export const withSign = (amount: number, { bewegung }: { bewegung?: string }): number =>
	// 0 - 0 is 0, where -0 would be another one.
	bewegung === 'AUSGABE' ? 0 - amount : amount;

/** The entry as the gateway returns it. */
const withSignedAmount = (body: EntryRequest['body']) => ({ ...body, betrag: withSign(body.betrag, body) });

/** The statuses of a gateway that hasn't looked at what it refuses, or asks to send it elsewhere. */
const BEFORE_ANYTHING = [307, 308, 401, 402, 403, 413, 429];

/**
 * By the contract, one entry is created for each line; and a receipt may be refused that belongs to an entry which is booked.
 * @param things how many lines and receipts were sent
 */
export const explainParts = ({ status, exists }: Refusal, things: number): Meaning => ({
	partial:
		things < 2 || exists || BEFORE_ANYTHING.includes(status)
			? undefined
			: both(
					'A part of it, such as a line or an entry without its receipt, may be booked all the same: look it up before you send this again.',
					'Ein Teil davon, etwa eine Zeile oder ein Eintrag ohne seinen Beleg, kann trotzdem gebucht sein: Sehen Sie nach, bevor Sie es noch einmal senden.',
				),
});

/** Checks the name of an entry's only receipt. Receipts that break a rule are missing in `values`. */
export function checkFileName(
	values: { belegbilder?: unknown[]; additionalFields?: { dateiname?: string } },
	addIssue: AddIssue,
): void {
	const { belegbilder: files = [], additionalFields: { dateiname: name } = {} } = values;
	const broken = 'belegbilder' in values && brokenName(name, files);
	if (broken) addIssue('dateiname', name, broken);
}

/** Identifies a cash book; a name in a different case may mean the same one. */
const cashBookOf = ({ query, body }: EntryRequest): string =>
	`${query.connectionId} ${body.kassenname}`.toLowerCase();

export const ofEntry = {
	achieves: {
		one: both('entry', 'Eintrag'),
		many: both('entries', 'Einträge'),
		done: both('booked', 'gebucht'),
		where: ({ body }: EntryRequest, answer: unknown) =>
			sameInBoth(`in ${String(recordOf(answer).kassenname || body.kassenname)}`),
	},
	/** Entries of a cash book are booked in their order. */
	orderingKey: cashBookOf,
	balanceChange(request: EntryRequest, options: { kassenbestand?: number }): BalanceChange | undefined {
		const { kassenname: name, waehrung: currency, betrag: amount } = withSignedAmount(request.body);
		const { transaktionsdatum: at } = request.body;
		const { kassenbestand: before } = options;
		if (before === undefined) return undefined;
		const day = at.slice(0, 'YYYY-MM-DD'.length);
		return { field: 'kassenbestand', of: cashBookOf(request), name, currency, before, amount, at, day };
	},
	mustAgree: ({ body }: EntryRequest) => withSignedAmount(body),
	warnings: (answer: unknown, values: WrittenEntry) => [
		dayWarning(answer, values),
		receiptWarning(answer, values),
	],
	/** The entry with what the accounting system says of it, for a cell. */
	records(answer: unknown) {
		const meldungen = replyMessages(answer);
		return recordsOf(answer).map((entry) => ({ ...entry, ...(meldungen !== undefined && { meldungen }) }));
	},
};

/**
 * What comes out for an entry that counts as booked, although nothing was booked now.
 * @param reason why it counts, as a sentence
 * @param needs what a different purchase needs, as an instruction
 * @param said the gateway's own text
 */
export const existingEntry = (
	body: EntryRequest['body'],
	reason: Bilingual,
	needs: Bilingual,
	said?: string,
) => ({
	record: omit(withSignedAmount(body), ['belegbilder']),
	warning: sentences(
		reason,
		quote(said),
		both(`If this is a different purchase, ${needs.en}`, `Ist es ein anderer Kauf, ${needs.de}.`),
	),
});
