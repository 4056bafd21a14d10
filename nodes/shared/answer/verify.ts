/**
 * Checks whether an answer is about the record that was sent, or contains what was requested. An operation declares the
 * fields that the contract names in its record, which of them must come back, and how those that identify it are compared.
 * Another field that doesn't come back contradicts nothing.
 */
import type { IDataObject } from 'n8n-workflow';
import { findKey, isEmpty, omit } from 'lodash';

import { gatewayMessage, messageAmong } from '../errors';
import { isWrite, unexpectedResponse } from '../gateway';
import type { Failure } from '../errors';
import { saysFailure } from './saysFailure';
import { bilingual, both, isMissing, isObject, listed } from '../values';
import type { Bilingual, SentenceEnd } from '../values';
import { idsIn, isWrapped, listIn, oncePerAnswer, recordOf } from './records';
import type { GatewayRequest } from '../gateway';
import { sameText } from './same';
import type { Same } from './same';

/** Marks a field that describes the record: another value than was sent is shown, and contradicts nothing. */
export const PRESENT = 'present';

/** Marks a field that may have any value, or is compared elsewhere. */
export const ANY_VALUE = 'any';

/** The fields that the contract names in a record, with those of its groups and lists, where it names these. */
export interface Fields {
	readonly [name: string]: Same | typeof PRESENT | typeof ANY_VALUE | Fields;
}

/** What kind of record an answer holds. */
export interface RecordKind {
	/** The record's name with its article, e.g. `an entry`, in German in the genitive (`eines Eintrags`); for a list in the plural. */
	name: Bilingual;
	/** What is wrong with an answer that doesn't show it. */
	lacks?: SentenceEnd;
	fields: Fields;
	/** The fields of which at least one must be there; by default, all of them. */
	shownBy?: readonly string[];
	/** Fields that hold lists of other records. */
	lists?: Record<string, RecordKind>;
}

/** What a successful answer must contain. An operation declares it once, with `oneOf`, `listOf` or `openListOf`. */
export interface ExpectedAnswer<Sent extends object = object> {
	/**
	 * @param sent what was sent or asked for, by the names of the answer's fields; `undefined` isn't compared
	 * @returns what is wrong with the answer
	 */
	problem(body: unknown, sent: Sent): SentenceEnd | undefined;
	/** Set if the answer is one record: what is read in it, an error included, is a part of the record. */
	isOne?: true;
	/** The fields that the contract names in what holds the record, or the list. */
	names?(holder: IDataObject): Fields;
	/** A warning about rows of the list that aren't records of the declared kind, so that they can't become rows. */
	strange?(body: unknown): Bilingual | undefined;
}

function isOf(value: unknown, { fields, shownBy = Object.keys(fields) }: RecordKind): boolean {
	return isObject(value) && shownBy.some((field) => !isMissing(value[field]));
}

/** How a record differs from what was sent. */
export function contradiction(
	record: IDataObject,
	{ fields, lists = {} }: RecordKind,
	sent: object,
): SentenceEnd | undefined {
	const given = sent as Record<string, unknown>;
	for (const [field, same] of Object.entries(fields)) {
		const { [field]: received } = record;
		if (typeof same !== 'function' || isMissing(received) || isMissing(given[field])) continue;
		if (!same(given[field], received, record)) {
			const [is, asked] = [quoted(received), quoted(given[field])];
			return both(`has the ${field} ${is} instead of ${asked}`, `hat im Feld ${field} ${is} statt ${asked}`);
		}
	}
	for (const [field, kind] of Object.entries(lists)) {
		const { [field]: list } = record;
		const problem = Array.isArray(list) ? inList(list, kind, sent) : undefined;
		if (problem) return problem;
	}
	return undefined;
}

function inList(list: unknown[], kind: RecordKind, sent: object): SentenceEnd | undefined {
	let found = list.length === 0;
	for (const row of list) {
		if (!isOf(row, kind)) continue;
		found = true;
		const problem = contradiction(row as IDataObject, kind, sent);
		if (problem) return problem;
	}
	return found ? undefined : withoutAny(kind.name);
}

const withoutAny = ({ en, de }: Bilingual): SentenceEnd =>
	both(`has a list without any ${en}`, `hat eine Liste, die nicht die ${de} ist`);

const withoutList = ({ en, de }: Bilingual, body: unknown): SentenceEnd =>
	withSaid(both(`holds no list of ${en}`, `enthält keine Liste ${de}`), body);

const MAX_QUOTED_VALUE = 100;

const quoted = (value: unknown): string =>
	(gatewayMessage(typeof value === 'number' ? String(value) : JSON.stringify(value)) ?? '').slice(
		0,
		MAX_QUOTED_VALUE,
	);

/** With the text of an answer that doesn't contain what was requested: `, but says “Report wird erstellt”`. */
function withSaid(lacks: SentenceEnd, body: unknown): SentenceEnd {
	const { data } = Object(body) as { data?: unknown };
	const said = typeof body === 'string' ? body : data;
	const text =
		typeof said === 'string' ? gatewayMessage(said) : messageAmong({ ...Object(data), ...Object(body) });
	return text ? both(`${lacks.en}, but says “${text}”`, `${lacks.de}, sagt aber „${text}“`) : lacks;
}

/** An answer that is one record. */
export const oneOf = (kind: RecordKind): ExpectedAnswer => ({
	isOne: true,
	names: () => kind.fields,
	problem(body, sent) {
		const record = recordOf(body);
		if (isOf(record, kind)) return contradiction(record, kind, sent);
		const { en, de } = kind.name;
		const { lacks = both(`has none of the fields of ${en}`, `hat keins der Felder ${de}`) } = kind;
		return withSaid(lacks, body);
	},
});

/** An answer that is a list, bare or under `data`. */
export const listOf = (kind: RecordKind): ExpectedAnswer => ({
	problem(body, sent) {
		const list = knownList(body);
		return list ? inList(list, kind, sent) : withoutList(kind.name, body);
	},
	strange: oncePerAnswer((body) => {
		const strange = (knownList(body) ?? []).flatMap((row, i) => (isOf(row, kind) ? [] : [String(i + 1)]));
		return warningAbout(strange, {
			en: `the gateway's list of ${kind.name.en} has invalid entries: no.`,
			de: 'Die Liste des Gateways hat ungültige Einträge: Nr.',
		});
	}),
});

/** The list in an answer whose shape the contract knows. */
function knownList(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const { data } = Object(body) as { data?: unknown };
	return Array.isArray(data) ? data : undefined;
}

/** A list whose shape the contract leaves open. @param name of its rows, in the plural */
export const openListOf = (name: Bilingual): ExpectedAnswer => ({
	names(holder) {
		const list = listIn(holder);
		return { [findKey(holder, (value) => value === list) ?? '']: PRESENT };
	},
	problem(body) {
		const list = listIn(body);
		if (!list) return withoutList(name, body);
		const isUsable = (row: unknown) => typeof row === 'number' || !isEmpty(row);
		return list.length === 0 || list.some(isUsable) ? undefined : withoutAny(name);
	},
});

/** Whether a field that came back has the value that was sent. @param sent by the names of the answer's fields */
export const agreesWith =
	(expected: ExpectedAnswer, sent: object) =>
	(name: string, value: unknown, fields: Record<string, unknown>): boolean => {
		const { [name]: given } = sent as Record<string, unknown>;
		const same = expected.names?.(fields as IDataObject)[name];
		return !isMissing(given) && (typeof same === 'function' ? same : sameText)(given, value, fields);
	};

/** Accepts any success, because the contract says nothing about the answer. */
export const ANYTHING: ExpectedAnswer = { names: () => ({}), problem: () => undefined };

/** A sentence that ends with names; `undefined` if there are none. */
export const warningAbout = (names: string[], sentence: Bilingual): Bilingual | undefined =>
	names.length > 0 ? bilingual((language) => `${sentence[language]} ${listed(names, language)}`) : undefined;

const withoutRecord = (body: unknown) => (isWrapped(body) ? omit(body, 'data') : {});

/**
 * A write counts as carried out, and a read as answered, only if the answer is about its record.
 * @returns what is wrong with the answer, if anything is
 */
export function unconfirmed(
	body: unknown,
	request: Pick<GatewayRequest, 'endpoint' | 'body'>,
	expected: ExpectedAnswer,
	sent: object = {},
): Failure | undefined {
	const writes = isWrite(request);
	try {
		const wrong = expected.problem(body, sent);
		// A payment that is read may have failed, and say why.
		const outside = expected.isOne && !writes ? withoutRecord(body) : body;
		const names = expected.names?.(recordOf(body)) ?? {};
		const said = saysFailure(outside, { writes, sent: request.body, names });
		const problem = said ?? wrong;
		return problem === undefined ? undefined : unexpectedResponse(writes, { problem, received: idsIn(body) });
	} catch {
		return unexpectedResponse(writes, { received: idsIn(body) });
	}
}
