import type { IDataObject } from 'n8n-workflow';

import { sameDay, sameId, sameName, sameNumber } from '../../shared/gateway/same';
import type { Same } from '../../shared/gateway/same';
import { recordOf, recordsOf } from '../../shared/gateway/records';
import { contradiction, SHOWN, verifyRecord } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

/**
 * The amount, signed as the contract has it. That of an expense means the same without its sign if the answer's own
 * `bewegung` says that money went out.
 */
const sameAmount: Same = (sent, received, record) =>
	sameNumber(sent, received, record) ||
	(Number(sent) < 0 &&
		sameName('AUSGABE', record.bewegung, record) &&
		sameNumber(0 - Number(sent), received, record));

/** A rate in percent; an advanced entry's lines have it in an object. */
const sameRate: Same = (sent, received, record) => {
	const [given, returned] = [sent, received].map((rate) =>
		typeof rate === 'object' ? (rate as { prozent?: unknown }).prozent : rate,
	);
	return (
		given === undefined || returned === undefined || returned === null || sameNumber(given, returned, record)
	);
};

const SHARED: RecordKind['fields'] = { waehrung: sameName, steuersatz: sameRate, belegtext: SHOWN };

const ENTRY: RecordKind = {
	name: 'an entry',
	fields: {
		belegnummer: sameId,
		kassenname: sameName,
		transaktionsdatum: sameDay,
		erstellungsdatum: SHOWN,
		bewegung: sameName,
		betrag: sameAmount,
		belegzeilen: SHOWN,
		...SHARED,
	},
};

/** A line has no movement of its own: its sign is that of its amount. */
const LINE: RecordKind = { name: 'a line', fields: { betrag: sameNumber, ...SHARED } };

/** The records of an answer. @param mayExist whether they tell that the entry was there already, or that it was not */
export const entryRecords = (answer: unknown, mayExist: boolean): IDataObject[] =>
	recordsOf(answer).map((record) =>
		mayExist ? { ...record, alreadyExisted: record.alreadyExisted === true } : record,
	);

/** What identifies an entry. */
interface Sent {
	belegnummer?: string;
	kassenname: string;
	waehrung: string;
	/** Signed. */
	betrag: number;
	transaktionsdatum: string;
	bewegung?: string;
	steuersatz?: number;
	belegzeilen?: Array<{ betrag?: number; steuersatz?: { prozent?: number } }>;
}

/** @returns what shows that the entry wasn't booked as it was sent, see `verifyResponse` of an operation */
export function verifyEntry(answer: unknown, { belegzeilen: lines, ...sent }: Sent): string | undefined {
	const problem = verifyRecord(answer, ENTRY, sent);
	const { belegzeilen: received } = recordOf(answer);
	if (problem || !lines || !Array.isArray(received)) return problem;
	if (received.length !== lines.length) {
		return `has ${received.length} ${received.length === 1 ? 'line' : 'lines'} instead of ${lines.length}`;
	}
	return verifyLines(
		received,
		lines.map((line) => ({ waehrung: sent.waehrung, ...line })),
	);
}

/** Lines may come back in another order. */
function verifyLines(received: unknown[], sent: object[]): string | undefined {
	const problemOf = (line: number, at: number) =>
		contradiction(Object(received[at]) as IDataObject, LINE, sent[line]);
	/** By the place in the answer: the line that has it. */
	const taken = new Map<number, number>();
	/** Finds a place for a line, also by moving others (an augmenting path). */
	const place = (line: number, tried: Set<number>): boolean =>
		[line, ...sent.keys()].some((at) => {
			if (tried.has(at) || problemOf(line, at)) return false;
			tried.add(at);
			const holder = taken.get(at);
			if (holder !== undefined && !place(holder, tried)) return false;
			taken.set(at, line);
			return true;
		});
	const lost = [...sent.keys()].find((line) => !place(line, new Set()));
	return lost === undefined ? undefined : `${problemOf(lost, lost) ?? 'lacks one'} (line ${lost + 1})`;
}
