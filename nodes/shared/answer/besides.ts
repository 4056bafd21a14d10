/**
 * What an answer says besides what the contract names, and what describes the record otherwise than was sent. Nothing is
 * concluded from it: a person sees it, whether it is `gebucht: false` beside an entry or `next` beside a list.
 */
import type { IDataObject } from 'n8n-workflow';
import { isEqual, isObjectLike, uniq } from 'lodash';

import { cut, maskSensitive } from '../errors';
import { hasNextLink } from '../gateway';
import { CREDITS_FIELD, isReply } from '../thisGateway';
import { bilingual, both, isMissing, isObject, listed, objectsIn, sameInBoth } from '../values';
import type { Bilingual } from '../values';
import { isWrapped } from './records';
import { REPLY } from './reply';
import { sameNumber, wordOf } from './same';
import { PRESENT } from './verify';
import type { ExpectedAnswer, Fields } from './verify';

/** A field that the contract doesn't name, or that was changed. */
export interface Beside {
	/** With the fields that it stands in: `belegzeilen.gebucht`. */
	name: string;
	text: Bilingual;
}

/** Limits for a warning; the output without "Simplify" has everything. */
const MOST_SHOWN = 20;
const MAX_BESIDE = 200;
const MAX_FIELD_NAME = 100;
const SHOWN_DEPTH = 8;
const MOST_SENT = 3;

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
 * The fields of groups that are neither named nor what was sent, also those in their named groups and lists, and what
 * describes them and was changed. One value of each field.
 * @param names `PRESENT` inside a field whose own fields the contract leaves open
 * @param sent the groups that were sent
 */
function* unnamed(
	groups: IDataObject[],
	names: Fields | typeof PRESENT,
	sent: IDataObject[],
	within = '',
): Generator<Beside> {
	for (const name of uniq(groups.flatMap((one) => Object.keys(one)))) {
		const values = valuesOf(groups, name);
		const echo = uniq(sent.flatMap((one) => [Object.hasOwn(one, name) ? one[name] : undefined].flat()));
		const known = names === PRESENT ? PRESENT : namesIn(name, values[0], names, within === '');
		const path = within + name.slice(0, MAX_FIELD_NAME);
		if (typeof known === 'object' || (known === PRESENT && echo.some((one) => isObject(one)))) {
			const sentGroups = echo.map((one) => (isObject(one) ? one : {}));
			yield* unnamed(objectsIn(values.flat()), known, sentGroups, `${path}.`);
		}
		const text = known === PRESENT ? changed(values, echo) : known === undefined && added(values, echo);
		if (text) yield { name: path, text };
	}
}

const valuesOf = (groups: IDataObject[], name: string): unknown[] =>
	uniq(groups.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : [])));

function added(values: unknown[], sent: unknown[]): Bilingual | undefined {
	const other = values.find((value) => hasValue(value) && !sent.some((one) => isEqual(one, value)));
	return other === undefined ? undefined : sameInBoth(asText(other));
}

const LEFT_EMPTY = both('empty', 'leer');
const INSTEAD_OF = both('instead of', 'statt');

/**
 * Shows a value that came back instead of what was sent, or that nothing did.
 * @param sent in each group that may be meant; where one lacks it, any value may be
 */
function changed(values: unknown[], sent: unknown[]): Bilingual | undefined {
	if (sent.length === 0 || !sent.every((one) => hasValue(one))) return undefined;
	const keys = new Set(sent.map((one) => wordOf(one) ?? one));
	const other = values.find(
		(value) =>
			!(isObjectLike(value) && hasValue(value)) &&
			!keys.has(wordOf(value) ?? value) &&
			// A gateway may make a number of "0420".
			!sent.some((one) => sameNumber(one, value, {})),
	);
	if (other === undefined) return undefined;
	const is = hasValue(other) ? sameInBoth(asText(other)) : LEFT_EMPTY;
	const was = sent.map(asText);
	return bilingual(
		(language) => `${is[language]} ${INSTEAD_OF[language]} ${listed(was, language, MOST_SENT)}`,
	);
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
	if (hasNextLink(body)) yield { name: 'Link', text: sameInBoth('rel="next"') };
	const { data } = Object(body) as { data?: unknown };
	const isBeside = isObject(body) && (expected.isOne ? isWrapped(body) : isObjectLike(data));
	if (isBeside) yield* unnamed([body], { data: PRESENT }, sent);
	const looksInside = expected.names !== undefined && (writes || !expected.isOne);
	if (!looksInside) return;
	const record = isBeside ? data : body;
	// The rows of a list that was read are what was asked for.
	for (const one of Array.isArray(record) && !writes ? [] : objectsIn([record].flat()))
		yield* unnamed([one], expected.names!(one), sent);
}
