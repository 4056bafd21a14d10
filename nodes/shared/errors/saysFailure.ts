import { pick } from 'lodash';

import { isObject } from '../values/json';
import { gatewayMessage, MESSAGE_FIELDS } from './gatewayMessage';

type Fields = Record<string, unknown>;

/** Fields that say whether it succeeded. */
const VERDICTS = ['success', 'ok', 'erfolg', 'erfolgreich'];
/** Fields that have a value only on failure. */
const ERRORS = ['error', 'errors', 'fehler', 'fehlermeldung'];
/** Fields that may name a failure, among other things. */
const STATES = ['status', 'result', 'ergebnis'];
/** Values of an error field that mean "no error". */
const NOTHING = /^(0|false|no|nein|none|null|keine?r?)?$/i;
const FAILED = /^(error|fail|failure|fehler|fehlgeschlagen)$/i;
/** These can also be the status of a record such as a payment, unrelated to the request. */
const ALSO_OF_RECORDS = /^(failed|rejected|abgelehnt)$/i;

/**
 * Detects a failure in an answer with a success status, as some gateways send it:
 * `{"success": false}`, `{"error": {…}}`, `{"status": "error"}`. No successful answer of the contract has such fields:
 * the status of a ticket or payment, and the task in the accounting system (`acctAntwort`), are something else.
 * @param writes whether it answers a write: no record that was just written has failed
 * @returns as the end of a sentence that starts with "it": `says “Kasse gesperrt”`
 */
export function saysFailure(body: unknown, writes = false): string | undefined {
	if (!isObject(body)) return undefined;
	const field = failureIn(body) ?? stateOf(body, writes);
	if (field) return says(body, field);
	const { data } = body;
	const inside = isObject(data)
		? (failureIn(data) ?? (writes ? stateOf(data, writes) : undefined))
		: undefined;
	return inside && says(data as Fields, inside);
}

/** @param field the field that says so, shown if there is no message */
const says = (fields: Fields, field: string) =>
	`says “${gatewayMessage(pick(fields, MESSAGE_FIELDS)) ?? field}”`;

function failureIn(fields: Fields): string | undefined {
	const verdict = VERDICTS.find((name) => fields[name] === false || fields[name] === 'false');
	return verdict ? `${verdict}: false` : ERRORS.find((name) => holdsSomething(fields[name]));
}

function stateOf(fields: Fields, writes: boolean): string | undefined {
	const isRecord = !writes && 'id' in fields;
	const isFailure = (value: unknown) =>
		typeof value === 'string'
			? FAILED.test(value) || (!isRecord && ALSO_OF_RECORDS.test(value))
			: // As in problem+json (RFC 9457), which repeats the HTTP status.
				typeof value === 'number' && value >= 400 && value <= 599;
	const name = STATES.find((state) => isFailure(fields[state]));
	return name && `${name}: ${String(fields[name])}`;
}

function holdsSomething(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return typeof value === 'string' ? !NOTHING.test(value.trim()) : Boolean(value);
}
