/**
 * Checks whether an answer is about the record that was sent, or contains what was requested. An operation declares the
 * fields of its record, and how those that identify it are compared. A field that doesn't come back contradicts
 * nothing, but an answer with none of the fields is no record.
 */
import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from 'lodash';

import { gatewayMessage, messageAmong, unexpectedResponse } from '../errors';
import type { Failure } from '../errors';
import { saysFailure } from './saysFailure';
import type { Written } from './saysFailure';
import { bilingual, isMissing, isObject, listed } from '../values';
import type { Bilingual, SentenceEnd } from '../values';
import { idsIn, listIn, oncePerAnswer, recordOf } from './records';
import { isWrite } from '../gateway';
import type { GatewayRequest } from '../gateway';
import type { Same } from './same';

/** Marks a field whose presence shows that there is a record; its value isn't compared. */
export const PRESENT = 'present';

/** What kind of record an answer holds. */
export interface RecordKind {
	/** The record's name with its article, e.g. `an entry`; for a list in the plural, e.g. `fiscal years`. */
	name: string;
	/** What is wrong with an answer that doesn't show it. */
	lacks?: SentenceEnd;
	/** The fields of the record. */
	fields: Record<string, Same | typeof PRESENT>;
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
	/** Set if the answer is one record: then it has no further pages, and an error in it is a part of the record. */
	isOne?: true;
	/** What an operation that writes judges by itself. */
	judges?: Pick<Written, 'hasOwnStatus' | 'hasReply'>;
	/** A warning about entries of the list that aren't records of the declared kind, so that they can't become rows. */
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
		if (same === PRESENT || isMissing(received) || isMissing(given[field])) continue;
		if (!same(given[field], received, record)) {
			return `has the ${field} ${quoted(received)} instead of ${quoted(given[field])}`;
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
	for (const entry of list) {
		if (!isOf(entry, kind)) continue;
		found = true;
		const problem = contradiction(entry as IDataObject, kind, sent);
		if (problem) return problem;
	}
	return found ? undefined : `has a list without any ${kind.name}`;
}

const MAX_QUOTED_VALUE = 100;

const quoted = (value: unknown): string =>
	(gatewayMessage(typeof value === 'number' ? String(value) : JSON.stringify(value)) ?? '').slice(
		0,
		MAX_QUOTED_VALUE,
	);

/** The text of an answer that doesn't contain what was requested: `: “Report wird erstellt”`. */
function saidInstead(body: unknown): string {
	const { data } = Object(body) as { data?: unknown };
	const said = typeof body === 'string' ? body : data;
	const text =
		typeof said === 'string' ? gatewayMessage(said) : messageAmong({ ...Object(data), ...Object(body) });
	return text ? `, but says “${text}”` : '';
}

/** An answer that is one record. */
export const oneOf = (kind: RecordKind): ExpectedAnswer => ({
	isOne: true,
	problem(body, sent) {
		const record = recordOf(body);
		if (isOf(record, kind)) return contradiction(record, kind, sent);
		const { name, lacks = `has none of the fields of ${name}` } = kind;
		return lacks + saidInstead(body);
	},
});

/** An answer that is a list, bare or under `data`. */
export const listOf = (kind: RecordKind): ExpectedAnswer => ({
	problem(body, sent) {
		const list = knownList(body);
		return list ? inList(list, kind, sent) : `holds no list of ${kind.name}${saidInstead(body)}`;
	},
	strange: oncePerAnswer((body) => {
		const strange = (knownList(body) ?? []).flatMap((entry, i) => (isOf(entry, kind) ? [] : [String(i + 1)]));
		return warningAbout(strange, {
			en: `the gateway's list of ${kind.name} has invalid entries: no.`,
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

/** A list whose shape the contract leaves open. @param name of its entries, in the plural */
export const openListOf = (name: string): ExpectedAnswer => ({
	problem(body) {
		const list = listIn(body);
		if (!list) return `holds no list of ${name}${saidInstead(body)}`;
		const isUsable = (entry: unknown) => typeof entry === 'number' || !isEmpty(entry);
		return list.length === 0 || list.some(isUsable) ? undefined : `has a list without any ${name}`;
	},
});

/** Accepts any success, because the contract says nothing about the answer. */
export const ANYTHING: ExpectedAnswer = { problem: () => undefined };

/** A sentence that ends with names; `undefined` if there are none. */
export const warningAbout = (names: string[], sentence: Bilingual): Bilingual | undefined =>
	names.length > 0 ? bilingual((language) => `${sentence[language]} ${listed(names, language)}`) : undefined;

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
		const written = writes ? { ...expected.judges, sent: request.body } : undefined;
		// A payment that is read may have failed, and say why.
		const said = expected.isOne && !writes ? undefined : saysFailure(body, written);
		const problem = said ?? wrong;
		return problem === undefined ? undefined : unexpectedResponse(writes, { problem, received: idsIn(body) });
	} catch {
		return unexpectedResponse(writes, { received: idsIn(body) });
	}
}
