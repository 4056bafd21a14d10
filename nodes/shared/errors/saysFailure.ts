import { pick } from 'lodash';

import { isObject } from '../values/json';
import { gatewayMessage, MESSAGE_FIELDS } from './gatewayMessage';

type Fields = Record<string, unknown>;

/** Fields that say whether the request succeeded. */
const VERDICTS = ['success', 'ok', 'erfolg', 'erfolgreich'];
/** Fields that have a text or a code only on failure. */
const ERRORS = ['error', 'errors', 'fehler', 'fehlermeldung'];
/** Texts in an error field that mean "no error". */
const NOTHING = /^(?:0|false|no|nein|none|null|keine?r?)?$/i;
/** A `status` that names a failure; that of a record that is read, such as a payment, is something else. */
const FAILED = /^(?:error|fail|fehler|fehlgeschlagen|reject|abgelehnt)/i;

/** How deep an error is searched for a text or code. */
const MAX_DEPTH = 8;

/**
 * Detects a failure in an answer with a success status, as some gateways send it: `{"success": false}`, `{"error":
 * {…}}`, `{"status": "error"}`. No successful answer of the contract has such fields: the status of a ticket or
 * payment, and the task in the accounting system (`acctAntwort`), are something else.
 * @param writes whether the answer is to a write: a record that was just written can't have the status "failed"
 * @returns the end of a sentence that starts with "it": `says “Kasse gesperrt”`
 */
export function saysFailure(body: unknown, writes = false): string | undefined {
	if (!isObject(body)) return undefined;
	const { data } = body;
	const isRecord = !writes && 'id' in body;
	const inside = isObject(data) ? failureIn(data, writes) : undefined;
	return failureIn(body, !isRecord) ?? inside;
}

/** @param withStatus whether the object's `status` may be that of the request */
function failureIn(fields: Fields, withStatus: boolean): string | undefined {
	const verdict = VERDICTS.find((name) => fields[name] === false || fields[name] === 'false');
	const { status } = fields;
	// A number as in problem+json (RFC 9457), which repeats the HTTP status.
	const isFailed = typeof status === 'number' ? status >= 400 && status <= 599 : FAILED.test(String(status));
	const found =
		(verdict && `${verdict}: false`) ??
		ERRORS.find((name) => holdsSomething(fields[name])) ??
		(withStatus && isFailed ? `status: ${String(status)}` : undefined);
	// The field is shown if there is no message.
	return found && `says “${gatewayMessage(pick(fields, MESSAGE_FIELDS)) ?? found}”`;
}

/** Whether an error has a text or a code; an empty text and 0 don't count. */
function holdsSomething(value: unknown, depth = 0): boolean {
	if (typeof value === 'object' && value !== null)
		return depth >= MAX_DEPTH || Object.values(value).some((inner) => holdsSomething(inner, depth + 1));
	return typeof value === 'string' ? !NOTHING.test(value.trim()) : Boolean(value);
}
