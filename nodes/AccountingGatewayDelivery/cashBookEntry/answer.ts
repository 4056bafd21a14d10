/** Checks whether an answer is about the entry that was sent, and whether the accounting system has booked it. */
import type { IDataObject } from 'n8n-workflow';
import { compact, sortBy, uniq } from 'lodash';

import { cut } from '../../shared/errors';
import {
	PRESENT,
	UNDER_WAY,
	hasErrorField,
	messagesIn,
	oneOf,
	recordOf,
	sameNumber,
	sameText,
	sameTime,
} from '../../shared/answer';
import type { ExpectedAnswer, Same } from '../../shared/answer';
import type { Body } from '../../shared/gateway';
import { both, isMissing, isObject, joined } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { isReply } from '../../shared/thisGateway';

/**
 * Compares signed amounts, as the contract has them. The amount of an expense may also come back without its sign, if
 * the answer's own `bewegung` says that money went out.
 */
const sameAmount: Same = (sent, received, record) =>
	sameNumber(sent, received, record) ||
	(Number(sent) < 0 &&
		sameText('AUSGABE', record.bewegung, record) &&
		sameNumber(0 - Number(sent), received, record));

/** A rate in percent, which may stand in an object. */
const rateIn = (rate: unknown): unknown => (isObject(rate) ? rate.prozent : rate);

const sameRate: Same = (sent, received, record) =>
	isMissing(rateIn(received)) || sameNumber(sent, rateIn(received), record);

const FIELDS = oneOf({
	name: 'an entry',
	fields: {
		belegnummer: sameText,
		kassenname: sameText,
		transaktionsdatum: sameTime,
		bewegung: sameText,
		betrag: sameAmount,
		waehrung: sameText,
		steuersatz: sameRate,
		erstellungsdatum: PRESENT,
		belegtext: PRESENT,
		belegzeilen: PRESENT,
	},
});

type Line = Body<'POST /v2/acct-duo/kassenbuch-advanced'>['belegzeilen'][number];

/** The entry as it was sent. */
export const ENTRY: ExpectedAnswer<{ belegzeilen?: Line[] }> = {
	judges: { hasReply: true },
	problem(answer, { belegzeilen: lines, ...sent }) {
		const problem = FIELDS.problem(answer, sent);
		const { belegzeilen: received, bewegung } = recordOf(answer);
		if (problem || !lines || !Array.isArray(received)) return problem;
		if (received.length !== lines.length) {
			return `has ${received.length} ${received.length === 1 ? 'line' : 'lines'} instead of ${lines.length}`;
		}
		return verifyLines(
			received.map((line) => ({ bewegung, ...(Object(line) as IDataObject) })),
			lines,
		);
	},
};

/** Compares lines as a set of amounts and rates, in any order. What a line doesn't say agrees with anything. */
function verifyLines(received: IDataObject[], sent: Line[]): string | undefined {
	// The lines that say more come first, so that the others are left for lines that say less.
	const rest = sortBy(sent, ({ steuersatz }) => isMissing(steuersatz?.prozent));
	for (const line of sortBy(
		received,
		({ betrag, steuersatz }) => [betrag, rateIn(steuersatz)].filter(isMissing).length,
	)) {
		const at = rest.findIndex(
			({ betrag, steuersatz }) =>
				(isMissing(line.betrag) || sameAmount(betrag, line.betrag, line)) &&
				(isMissing(steuersatz?.prozent) || sameRate(steuersatz?.prozent, line.steuersatz, line)),
		);
		if (at === -1) return 'has lines with other amounts or tax rates than were sent';
		rest.splice(at, 1);
	}
	return undefined;
}

/** The status of a success, or none. The contract shows no other. */
const BOOKED = /^(?:erfolgreich)?$/i;

/** Limits for a hint; the output has everything. */
const MAX_MESSAGES = 10;
const MAX_MESSAGES_TEXT = 1_000;

/** The accounting system's reply (`acctAntwort`, where `acct` stands for the provider's name), with the messages in it or beside it. */
function replyIn(answer: unknown) {
	const fields = [recordOf(answer), Object(answer) as object].flatMap((one) => Object.entries(one));
	const replies = uniq(fields.flatMap(([name, value]) => (isReply(name) && isObject(value) ? [value] : [])));
	const notes = replies.flatMap(({ meldungen }) =>
		typeof meldungen === 'string' && meldungen ? [meldungen] : [],
	);
	const messages = sortBy(
		[...messagesIn(answer), ...notes.map((text) => ({ text: () => text, isError: false, isOther: true }))],
		({ isError }) => !isError,
	);
	if (replies.length === 0 && messages.length === 0) return undefined;
	const statuses = replies.map(({ status }) => (isMissing(status) ? '' : String(status as string).trim()));
	const said = messages.slice(0, MAX_MESSAGES).map(({ text }) => text());
	const status = cut(compact(statuses).join(', '), MAX_MESSAGES_TEXT);
	const text = cut(compact(said).join('; '), MAX_MESSAGES_TEXT);
	const isFine = (one: string) => BOOKED.test(one) || UNDER_WAY.test(one);
	return {
		isRejected:
			!statuses.every(isFine) || messages.some(({ isError }) => isError) || replies.some(hasErrorField),
		isUnderWay: statuses.some((one) => UNDER_WAY.test(one)),
		hasOther: messages.some(({ isOther }) => isOther),
		text: compact([status, text]).join(': '),
	};
}

/** Detects that the accounting system hasn't booked an entry that the gateway accepted. */
export function rejectionIn(answer: unknown): Bilingual | undefined {
	const reply = replyIn(answer);
	return reply?.isRejected ? quoted(reply) : undefined;
}

/** What the accounting system said, in its own words. */
const quoted = ({ text }: { text: string }): Bilingual =>
	both(
		`the accounting system answered ${text || 'without a text'}`,
		`Das Buchhaltungssystem antwortete ${text ? `„${text}“` : 'ohne Text'}.`,
	);

/** Warns that the accounting system hasn't booked an entry yet, or has more to say about it. */
function replyWarning(answer: unknown): Bilingual | undefined {
	const reply = replyIn(answer);
	return reply && (reply.isUnderWay || reply.hasOther) ? quoted(reply) : undefined;
}

/** Warns that the answer lists fewer receipts than were sent. @param sent how many */
function receiptWarning(answer: unknown, sent: number): Bilingual | undefined {
	const { belegbilder = sent } = recordOf(answer);
	const received = Array.isArray(belegbilder) ? belegbilder.length : belegbilder === null ? 0 : sent;
	return received < sent
		? both(
				`the answer lists ${received} of the ${sent} receipts that were sent: look up which ones the entry has`,
				`Die Antwort nennt ${received} von ${sent} gesendeten Belegen: Sehen Sie nach, welche am Eintrag hängen.`,
			)
		: undefined;
}

/** What a person should know about an entry that is booked. */
export const entryWarning = (answer: unknown, { belegbilder = [] }: { belegbilder?: unknown[] }) =>
	joined([replyWarning(answer), receiptWarning(answer, belegbilder.length)]);
