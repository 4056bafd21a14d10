/**
 * What an answer says besides what the contract names. Nothing is concluded from it: a person sees it, whether it is
 * `gebucht: false` beside an entry or `next` beside a list.
 */
import type { IDataObject } from 'n8n-workflow';
import { isEqual, isObjectLike } from 'lodash';

import { cut, maskSensitive } from '../errors';
import { hasNextLink } from '../gateway';
import { CREDITS_FIELD, isReply } from '../thisGateway';
import { isMissing, isObject, objectsIn } from '../values';
import { isWrapped } from './records';
import { REPLY } from './reply';
import { PRESENT } from './verify';
import type { ExpectedAnswer, Fields } from './verify';

/** A field that the contract doesn't name. */
export interface Beside {
	/** With the fields that it stands in: `belegzeilen.gebucht`. */
	name: string;
	text: string;
}

/** Limits for a warning; the output without "Simplify" has everything. */
const MOST_SHOWN = 20;
const MAX_BESIDE = 200;
const MAX_FIELD_NAME = 100;
const SHOWN_DEPTH = 8;

/** Whether a value says anything: an empty text, list or group doesn't. */
const hasValue = (value: unknown, depth = 0): boolean =>
	isObjectLike(value)
		? depth >= SHOWN_DEPTH || Object.values(value as object).some((inner) => hasValue(inner, depth + 1))
		: !isMissing(value);

function asText(value: unknown): string {
	const short = (_name: string, inner: unknown) =>
		Array.isArray(inner) ? inner.slice(0, MOST_SHOWN) : inner;
	const text = typeof value === 'string' ? value : JSON.stringify(value, short);
	return cut(maskSensitive(cut(text, 2 * MAX_BESIDE)), MAX_BESIDE);
}

function namesIn(name: string, value: unknown, names: Fields, isTop: boolean): Fields[string] | undefined {
	if (Object.hasOwn(names, name)) return names[name];
	if (isReply(name)) return REPLY;
	return isTop && isObject(value) && CREDITS_FIELD in value ? { [CREDITS_FIELD]: PRESENT } : undefined;
}

/**
 * The fields of a group that are neither named nor what was sent, also those in its named groups and lists.
 * @param sent the group that was sent, or those of a list
 */
function* unnamed(group: IDataObject, names: Fields, sent: IDataObject[], within = ''): Generator<Beside> {
	for (const [name, value] of Object.entries(group)) {
		const known = namesIn(name, value, names, within === '');
		const path = within + name.slice(0, MAX_FIELD_NAME);
		const echo = sent.flatMap((one): unknown => one[name] ?? []);
		if (typeof known === 'object') {
			const groups = objectsIn(echo);
			for (const inner of objectsIn([value].flat())) yield* unnamed(inner, known, groups, `${path}.`);
		} else if (known === undefined && hasValue(value) && !echo.some((one) => isEqual(one, value)))
			yield { name: path, text: asText(value) };
	}
}

/**
 * The fields of an answer that the contract doesn't name: of a write in and beside its record, of a read beside what
 * was asked for.
 * @param sent the body of the request
 */
export function besidesIn(
	body: unknown,
	expected: ExpectedAnswer,
	writes: boolean,
	sent?: unknown,
): Beside[] {
	const found: Beside[] = [];
	for (const one of all(body, expected, writes, objectsIn([sent]))) {
		if (found.length === MOST_SHOWN) break;
		if (!found.some(({ name }) => name === one.name)) found.push(one);
	}
	return found;
}

function* all(
	body: unknown,
	expected: ExpectedAnswer,
	writes: boolean,
	sent: IDataObject[],
): Generator<Beside> {
	if (hasNextLink(body)) yield { name: 'Link', text: 'rel="next"' };
	const { data } = Object(body) as { data?: unknown };
	const isBeside = isObject(body) && (expected.isOne ? isWrapped(body) : isObjectLike(data));
	if (isBeside) yield* unnamed(body, { data: PRESENT }, sent);
	const looksInside = expected.names !== undefined && (writes || !expected.isOne);
	if (!looksInside) return;
	const record = isBeside ? data : body;
	// The rows of a list that was read are what was asked for.
	for (const one of Array.isArray(record) && !writes ? [] : objectsIn([record].flat()))
		yield* unnamed(one, expected.names!(one), sent);
}
