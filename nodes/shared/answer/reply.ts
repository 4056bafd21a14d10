/**
 * The accounting system's reply to an entry (`acctAntwort`, where `acct` stands for the provider's name). It has booked the
 * entry if its status is exactly `ERFOLGREICH`, and the messages are as the contract shows them.
 */
import { compact, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { gatewayMessage, messageAmong } from '../errors';
import { both, isMissing, isObject, objectsIn } from '../values';
import type { Bilingual } from '../values';
import { isReply } from '../thisGateway';
import { recordOf } from './records';
import { PRESENT } from './verify';
import { hasError } from './saysFailure';

const BOOKED = 'ERFOLGREICH';
/** The only type of a message that the contract shows. A person reads messages of other types. */
const INFORMATION = 'INFO';

/** The fields of a reply, by the contract. */
export const REPLY = {
	status: PRESENT,
	meldungen: { dateiname: PRESENT, nachricht: PRESENT, zeitstempel: PRESENT, typ: PRESENT },
} as const;

const repliesIn = (answer: unknown): IDataObject[] =>
	uniq(
		[recordOf(answer), Object(answer) as object].flatMap((fields) =>
			Object.entries(fields).flatMap(([name, value]) => (isReply(name) && isObject(value) ? [value] : [])),
		),
	);

const isMessage = (message: unknown) =>
	isObject(message) &&
	Object.keys(REPLY.meldungen).every((name) => isMissing(message[name]) || typeof message[name] === 'string');

const isBooked = (reply: IDataObject) => {
	const { status, meldungen: messages = [] } = reply;
	return (
		status === BOOKED &&
		Array.isArray(messages) &&
		messages.every((one) => isMessage(one)) &&
		!hasError(reply)
	);
};

/** What the accounting system said, in its own words. */
function quoted({ status }: IDataObject, messages: unknown): Bilingual {
	const text = compact([gatewayMessage(status), gatewayMessage(messages)]).join(': ');
	return both(
		`the accounting system answered ${text || 'without a text'}`,
		`Das Buchhaltungssystem antwortete ${text ? `„${text}“` : 'ohne Text'}.`,
	);
}

/** Detects that the accounting system hasn't said that it has booked what the gateway accepted. */
export function rejectionIn(answer: unknown): Bilingual | undefined {
	const reply = repliesIn(answer).find((one) => !isBooked(one));
	return reply && quoted(reply, gatewayMessage(reply.meldungen) ?? messageAmong(reply));
}

/** All that the accounting system says of something that it has booked, mere information included, as one text. */
export const replyMessages = (answer: unknown): string | undefined =>
	gatewayMessage(repliesIn(answer).flatMap(({ meldungen }) => objectsIn(meldungen)));

/** What the accounting system says of something that it has booked, besides mere information. */
export function replyWarning(answer: unknown): Bilingual | undefined {
	for (const reply of repliesIn(answer)) {
		const others = objectsIn(reply.meldungen).filter(({ typ }) => !isMissing(typ) && typ !== INFORMATION);
		if (others.length > 0) return quoted(reply, others);
	}
	return undefined;
}
