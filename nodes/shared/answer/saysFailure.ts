/** Detects a failure in an answer with a success status, by five signs. No text is searched for words. */
import { isObjectLike } from 'lodash';

import { gatewayMessage, messageAmong } from '../errors';
import { both, firstEntries } from '../values';
import type { SentenceEnd } from '../values';
import { isReply } from '../thisGateway';

/** A field of an answer, and the group of fields or the list that it stands in. */
interface Field {
	name: string;
	value: unknown;
	group: object;
	/** Whether it stands in a part of the record that the contract names, such as the `metadata` of a ticket. */
	isInside: boolean;
}

/** The number of values of an answer that are searched, and the level below which an error's own values aren't. */
const MAX_SEARCHED_VALUES = 1_000_000;
const SEARCH_DEPTH = 8;

/** What an answer is about. */
export interface Subject {
	writes: boolean;
	/** What was sent: its fields come back, and say nothing about success. */
	sent?: unknown;
	names: object;
}

/** The fields of an answer outside what was sent, those of the outer levels first; of a read, none of a list's. */
function* fieldsIn(body: unknown, { writes, sent, names }: Subject): Generator<Field> {
	const isSearched = (value: unknown) => isObjectLike(value) && (writes || !Array.isArray(value));
	const groups = isSearched(body) ? [{ group: body as object, echo: sent, isInside: false }] : [];
	let left = MAX_SEARCHED_VALUES;
	// The list grows while it is read.
	for (const { group, echo, isInside } of groups) {
		for (const [name, value] of firstEntries(group, left)) {
			left--;
			const isEntry = Array.isArray(group);
			const isData = group === body && name === 'data';
			const same =
				isEntry || isData ? (Array.isArray(echo) ? (echo as unknown[])[0] : echo) : valueOf(echo, name);
			if (isEntry || isData || same === undefined) yield { name, value, group, isInside };
			if (!isSearched(value) || isReply(name)) continue;
			const isPart = !isEntry && !isData && Object.hasOwn(names, name);
			groups.push({ group: value as object, echo: same, isInside: isInside || isPart });
		}
	}
}

const valueOf = (group: unknown, name: string): unknown =>
	isObjectLike(group) && Object.hasOwn(group as object, name)
		? (group as Record<string, unknown>)[name]
		: undefined;

/** What stands in the field of an error where there is none, besides empty, 0, false and null. */
const NO_ERROR = /^(?:0*|false|null|none|keine|ok)$/i;

/** Whether a value says more than that there is no error. */
function holdsError(value: unknown, depth = 0): boolean {
	if (isObjectLike(value))
		return (
			depth >= SEARCH_DEPTH || Object.values(value as object).some((inner) => holdsError(inner, depth + 1))
		);
	return typeof value === 'string' ? !NO_ERROR.test(value.trim()) : Boolean(value);
}

const ERROR = /error|fehler/i;
/** The names of a status as HTTP has them, and the numbers that mean no success. */
const STATUS_NAMES = ['status', 'statusCode', 'code'];
const NO_SUCCESS = /^[345]\d\d$/;

const isErrorName = (name: unknown) => typeof name === 'string' && ERROR.test(name);
const trimmed = (value: unknown) => String(value).trim();

/** A field that reports an error: its name says so, and it holds something. */
const reportsError = ({ name, value, group }: Pick<Field, 'name' | 'value' | 'group'>) =>
	!Array.isArray(group) && isErrorName(name) && holdsError(value);

/** The five signs; the fifth, what the accounting system replied to a write, only as far as it is no reply at all. */
const isFailure = (field: Field, writes: boolean) => {
	const { name, value, isInside } = field;
	return (
		(name === 'success' && !isObjectLike(value) && /^false$/i.test(trimmed(value))) ||
		reportsError(field) ||
		(STATUS_NAMES.includes(name) && !isInside && !isObjectLike(value) && NO_SUCCESS.test(trimmed(value))) ||
		(writes && isReply(name) && value !== null && (typeof value !== 'object' || Array.isArray(value)))
	);
};

/** What says in an answer that the request failed. No successful answer of the contract has such fields. */
export function saysFailure(body: unknown, subject: Subject): SentenceEnd | undefined {
	for (const field of fieldsIn(body, subject)) if (isFailure(field, subject.writes)) return quotation(field);
	return undefined;
}

function quotation({ name, value, group }: Field): SentenceEnd {
	const text = messageAmong(group) ?? gatewayMessage(isReply(name) ? value : undefined);
	const said = text ?? [name, isObjectLike(value) ? [] : trimmed(value)].flat().join(': ');
	return both(`says “${said}”`, `sagt „${said}“`);
}

/** Whether a part of an answer reports an error in one of its fields, or has a message of that type. */
export function hasError(part: object): boolean {
	for (const field of fieldsIn(part, { writes: true, names: {} }))
		if (reportsError(field) || (field.name === 'typ' && isErrorName(field.value))) return true;
	return false;
}
