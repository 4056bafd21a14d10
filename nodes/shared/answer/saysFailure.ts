import { isObject } from '../values';
import type { SentenceEnd } from '../values';
import { messageAmong } from '../errors';

/** Fields that say whether the request succeeded. */
const VERDICT = /^(?:success|ok|erfolg(?:reich)?)$/;
/** Fields that have a text or a code only on failure. */
const ERROR = /^(?:errors?|fehler(?:meldung)?)$/;
/** A `status` that a record which was just written can't have; that of a record that is read may be any. */
const FAILED = /^(?:error|fail|fehl|reject|abgelehnt)/i;

/** How deep an error is searched for a text or code. */
const MAX_DEPTH = 8;

/**
 * Detects a failure in an answer with a success status: `{"success": false}`, or an error with a text or a code. No
 * successful answer of the contract has such fields; the task in the accounting system (`acctAntwort`) is something else.
 * @param writes whether the answer is to a write
 */
export function saysFailure(body: unknown, writes = false): SentenceEnd | undefined {
	for (const fields of [body, isObject(body) && body.data]) {
		if (!isObject(fields)) continue;
		const sign = Object.entries(fields).find(
			([name, value]) =>
				(VERDICT.test(name) && (value === false || value === 'false')) ||
				(ERROR.test(name) && holdsSomething(value)) ||
				(writes && name === 'status' && typeof value === 'string' && FAILED.test(value)),
		);
		if (!sign) continue;
		return `says “${messageAmong(fields) ?? sign.filter((part) => typeof part !== 'object').join(': ')}”`;
	}
	return undefined;
}

/** Whether an error has a text or a code; an empty text and 0 don't count. */
function holdsSomething(value: unknown, depth = 0): boolean {
	if (typeof value === 'object' && value !== null)
		return depth >= MAX_DEPTH || Object.values(value).some((inner) => holdsSomething(inner, depth + 1));
	return typeof value === 'string' ? !/^0?$/.test(value.trim()) : Boolean(value);
}
