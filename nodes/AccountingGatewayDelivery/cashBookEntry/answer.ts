/** Checks whether an answer is about the entry that was sent, and whether the accounting system has booked it. */
import type { IDataObject } from 'n8n-workflow';
import { compact, sortBy } from 'lodash';

import { cut } from '../../shared/errors';
import { SHOWN, oneOf, recordOf, sameNumber, sameText, sameTime } from '../../shared/answer';
import type { Answer, Same } from '../../shared/answer';
import type { Body } from '../../shared/gateway';
import { isMissing, isObject } from '../../shared/values';

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
		erstellungsdatum: SHOWN,
		belegtext: SHOWN,
		belegzeilen: SHOWN,
	},
});

type Line = Body<'POST /v2/acct-duo/kassenbuch-advanced'>['belegzeilen'][number];

/** The entry as it was sent. */
export const ENTRY: Answer<{ belegzeilen?: Line[] }> = {
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

/** The task has succeeded, or says nothing about it. The contract shows no other status. */
const BOOKED = /^(?:erfolgreich)?$/i;
/** The task is still being worked on. Any other status means that the entry isn't in the books, as far as anyone knows. */
const UNDER_WAY =
	/^(?:in[ _-].*(?:ung|arbeit|progress|process|queue|review)|offen|wartend|ausstehend|pending|processing|queued|running)$/i;
const ERROR = /error|fehler/i;
/** The only type of a message that the contract shows. A person reads messages of other types, such as warnings. */
const INFO = /^(?:info)?$/i;

/** Limits for a hint; the output has everything. */
const MAX_MESSAGES = 10;
const MAX_CHARACTERS = 1_000;

/** The result of the accounting system's task: `acctAntwort`, where `acct` stands for the provider's name. */
function taskIn(answer: unknown) {
	const fields = [recordOf(answer), Object(answer) as object].flatMap((one) => Object.entries(one));
	const task = fields.find(([name, value]) => name.endsWith('Antwort') && isObject(value))?.[1] as
		| IDataObject
		| undefined;
	if (!task) return undefined;
	const status = isMissing(task.status) ? '' : String(task.status as string).trim();
	const messages = (Array.isArray(task.meldungen) ? (task.meldungen as unknown[]) : []).filter(isObject);
	const texts = messages.map(({ nachricht }) => nachricht).filter((text) => typeof text === 'string');
	const said = cut(texts.slice(0, MAX_MESSAGES).join('; '), MAX_CHARACTERS);
	const types = messages.map(({ typ }) => typ).filter((typ) => typeof typ === 'string');
	return {
		status,
		hasError: types.some((typ) => ERROR.test(typ)),
		hasOther: types.some((typ) => !INFO.test(typ.trim())),
		text: `the accounting system answered ${compact([cut(status, MAX_CHARACTERS), said]).join(': ') || 'without a text'}`,
	};
}

/** Detects that the accounting system hasn't booked an entry that the gateway accepted. */
export function taskRejection(answer: unknown): string | undefined {
	const task = taskIn(answer);
	if (!task) return undefined;
	const isFine = !task.hasError && (BOOKED.test(task.status) || UNDER_WAY.test(task.status));
	return isFine ? undefined : task.text;
}

/** Warns that the accounting system hasn't booked an entry yet, or has more to say about it. */
export function taskWarning(answer: unknown): string | undefined {
	const task = taskIn(answer);
	return task && (UNDER_WAY.test(task.status) || task.hasOther) ? task.text : undefined;
}
