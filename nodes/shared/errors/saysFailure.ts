import { pick } from 'lodash';

import { isObject } from '../values/json';
import { gatewayMessage, MESSAGE_FIELDS } from './gatewayMessage';

/** Fields that say whether the request succeeded. */
const VERDICTS = ['success', 'ok', 'erfolg', 'erfolgreich'];
/** Fields that have a text or a code only on failure. */
const ERRORS = ['error', 'errors', 'fehler', 'fehlermeldung'];
/** A `status` that a record which was just written can't have; that of a record that is read may be any. */
const FAILED = /^(?:error|fail|fehl|reject|abgelehnt)/i;

/** How deep an error is searched for a text or code. */
const MAX_DEPTH = 8;

/**
 * Detects a failure in an answer with a success status: `{"success": false}`, or an error with a text or a code. No
 * successful answer of the contract has such fields; the task in the accounting system (`acctAntwort`) is something else.
 * @param writes whether the answer is to a write
 * @returns the end of a sentence that starts with "it": `says “Kasse gesperrt”`
 */
export function saysFailure(body: unknown, writes = false): string | undefined {
	if (!isObject(body)) return undefined;
	const { data } = body;
	return failureIn(body, writes) ?? (isObject(data) ? failureIn(data, writes) : undefined);
}

function failureIn(fields: Record<string, unknown>, writes: boolean): string | undefined {
	const { status } = fields;
	const verdict = VERDICTS.find((name) => fields[name] === false || fields[name] === 'false');
	const found =
		(verdict && `${verdict}: false`) ??
		ERRORS.find((name) => holdsSomething(fields[name])) ??
		(writes && typeof status === 'string' && FAILED.test(status) ? `status: ${status}` : undefined);
	// The field is shown if there is no message.
	return found && `says “${gatewayMessage(pick(fields, MESSAGE_FIELDS)) ?? found}”`;
}

/** Whether an error has a text or a code; an empty text and 0 don't count. */
function holdsSomething(value: unknown, depth = 0): boolean {
	if (typeof value === 'object' && value !== null)
		return depth >= MAX_DEPTH || Object.values(value).some((inner) => holdsSomething(inner, depth + 1));
	return typeof value === 'string' ? !/^0?$/.test(value.trim()) : Boolean(value);
}
