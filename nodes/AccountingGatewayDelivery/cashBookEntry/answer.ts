/** Checks whether an answer is about the entry that was sent. */
import type { IDataObject } from 'n8n-workflow';

import {
	ANY_VALUE,
	PRESENT,
	oneOf,
	otherDay,
	recordOf,
	sameNumber,
	sameText,
	sameTime,
} from '../../shared/answer';
import type { ExpectedAnswer, Fields, Same } from '../../shared/answer';
import type { Body } from '../../shared/gateway';
import { both, dayIn, isMissing, isObject } from '../../shared/values';
import type { Bilingual, Moment, SentenceEnd } from '../../shared/values';

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

/** The fields of both entries. */
const FIELDS: Fields = {
	belegnummer: sameText,
	kassenname: sameText,
	transaktionsdatum: sameTime,
	bewegung: sameText,
	betrag: sameAmount,
	waehrung: sameText,
	steuersatz: sameRate,
	belegtext: PRESENT,
	gegenkonto: PRESENT,
	belegNummer: PRESENT,
	erstellungsdatum: PRESENT,
	belegzeilen: {
		gegenkonto: PRESENT,
		erstellungsdatum: PRESENT,
		waehrung: PRESENT,
		belegtext: PRESENT,
		belegnummer: PRESENT,
		betrag: ANY_VALUE,
		steuersatz: { prozent: PRESENT, buSchluessel: PRESENT },
		kostenstellen: { name: PRESENT },
	},
};

type Line = Body<'POST /v2/acct-duo/kassenbuch-advanced'>['belegzeilen'][number];

type Entry = ExpectedAnswer<{ belegzeilen?: Line[] }>;

const entryShownBy = (field: string, belegbilder: Fields[string]): Entry => {
	const one = oneOf({
		name: both('an entry', 'eines Eintrags'),
		lacks: both(`has no ${field}`, `hat das Feld ${field} nicht`),
		fields: { ...FIELDS, belegbilder },
		shownBy: [field],
	});
	return {
		...one,
		problem: (answer, { belegzeilen, ...sent }) =>
			one.problem(answer, sent) ?? (belegzeilen && problemOfLines(recordOf(answer), belegzeilen)),
	};
};

/** The entry that was sent, which its number identifies. */
export const ENTRY = entryShownBy('belegnummer', { dateiname: ANY_VALUE });
/** The advanced entry that was sent: it has no number of its own. The contract leaves open what its receipts look like. */
export const ADVANCED_ENTRY = entryShownBy('betrag', ANY_VALUE);

function problemOfLines(
	{ belegzeilen: received, bewegung }: IDataObject,
	lines: Line[],
): SentenceEnd | undefined {
	if (!Array.isArray(received)) return undefined;
	if (received.length !== lines.length) {
		return both(
			`has ${received.length} ${received.length === 1 ? 'line' : 'lines'} instead of ${lines.length}`,
			`hat ${received.length} ${received.length === 1 ? 'Zeile' : 'Zeilen'} statt ${lines.length}`,
		);
	}
	return verifyLines(
		received.map((line) => ({ bewegung, ...(Object(line) as IDataObject) })),
		lines,
	);
}

const OTHER_LINES = both(
	'has lines with other amounts or tax rates than were sent',
	'hat Zeilen mit anderen Beträgen oder Steuersätzen als gesendet',
);

/** What a line doesn't say agrees with anything. */
const sameLine = ({ betrag, steuersatz }: Line, line: IDataObject) =>
	(isMissing(line.betrag) || sameAmount(betrag, line.betrag, line)) &&
	(isMissing(steuersatz?.prozent) || sameRate(steuersatz?.prozent, line.steuersatz, line));

/** Compares lines as a set of amounts and rates, in any order: each that came back must be one that was sent. */
function verifyLines(received: IDataObject[], sent: Line[]): SentenceEnd | undefined {
	const rest = [...sent];
	const takenBy = new Map<Line, IDataObject>();
	/** Finds a line's own one. Where a line could be several, an earlier one moves to make room. */
	const place = (line: IDataObject, tried: Set<Line>): boolean => {
		const at = rest.findIndex((one) => sameLine(one, line));
		const found =
			at === -1
				? sent.find(
						(one) => !tried.has(one) && sameLine(one, line) && place(takenBy.get(one)!, tried.add(one)),
					)
				: rest.splice(at, 1)[0];
		if (found) takenBy.set(found, line);
		return found !== undefined;
	};
	return received.every((line) => place(line, new Set())) ? undefined : OTHER_LINES;
}

/** What was sent of an entry that the warnings are about. */
export interface WrittenEntry {
	belegbilder?: unknown[];
	transaktionsdatum: Moment;
}

/** Warns that the answer shows another day than was sent: where less than 24 hours are between, the entry is the same. */
export function dayWarning(answer: unknown, { transaktionsdatum }: WrittenEntry): Bilingual | undefined {
	const { value: sent } = transaktionsdatum;
	const day = otherDay(sent, recordOf(answer).transaktionsdatum);
	return day === undefined
		? undefined
		: both(
				`the answer shows ${day} instead of ${dayIn('en', sent)}: look up which day the entry has`,
				`Die Antwort nennt den ${dayIn('de', day)} statt des ${dayIn('de', sent)}: Sehen Sie nach, welchen Tag der Eintrag hat.`,
			);
}

/** Warns that the answer lists fewer receipts than were sent. */
export function receiptWarning(
	answer: unknown,
	{ belegbilder: files = [] }: WrittenEntry,
): Bilingual | undefined {
	const { length: sent } = files;
	const { belegbilder = sent } = recordOf(answer);
	const received = Array.isArray(belegbilder) ? belegbilder.length : belegbilder === null ? 0 : sent;
	return received < sent
		? both(
				`the answer lists ${received} of the ${sent} receipts that were sent: look up which ones the entry has`,
				`Die Antwort nennt ${received} von ${sent} gesendeten Belegen: Sehen Sie nach, welche am Eintrag hängen.`,
			)
		: undefined;
}
