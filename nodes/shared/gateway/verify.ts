/**
 * Whether an answer is about the record that was sent, or is what was asked for. An operation says which fields its
 * record has, and how those that identify it are compared. A field that doesn't come back contradicts nothing, but an
 * answer with none of them is no record.
 */
import type { IDataObject } from 'n8n-workflow';
import { pick } from 'lodash';

import { gatewayMessage, MESSAGE_FIELDS } from '../errors/gatewayMessage';
import { isMissing, isObject } from '../values/json';
import { listIn, recordOf } from './records';
import type { Same } from './same';

/** A field that shows that there is a record; its value isn't compared. */
export const SHOWN = 'shown';

/** What kind of record an answer holds. */
export interface RecordKind {
	/** With its article, e.g. `an entry`; of a list in the plural, e.g. `fiscal years`. */
	name: string;
	/** What is wrong with an answer that doesn't show it, as the end of a sentence that starts with "it". */
	lacks?: string;
	/** Its fields. */
	fields: Record<string, Same | typeof SHOWN>;
	/** The fields of which at least one must be there; by default, all of them. */
	shownBy?: readonly string[];
	/** Fields that hold lists of other records. */
	lists?: Record<string, RecordKind>;
}

/** What was sent or asked for, by the names of the answer's fields. `undefined` isn't compared. */
type Sent = object;

/** Whether a value is any record of this kind. */
function isOf(value: unknown, { fields, shownBy = Object.keys(fields) }: RecordKind): boolean {
	return isObject(value) && shownBy.some((field) => !isMissing(value[field]));
}

/** @returns how a record differs from what was sent, as the end of a sentence that starts with "it" */
export function contradiction(
	record: IDataObject,
	{ fields, lists = {} }: RecordKind,
	sent: Sent,
): string | undefined {
	const given = sent as Record<string, unknown>;
	for (const [field, same] of Object.entries(fields)) {
		const { [field]: received } = record;
		if (same === SHOWN || isMissing(received) || isMissing(given[field])) continue;
		if (!same(given[field], received, record)) {
			return `has the ${field} ${shown(received)} instead of ${shown(given[field])}`;
		}
	}
	for (const [field, kind] of Object.entries(lists)) {
		const { [field]: list } = record;
		const problem = Array.isArray(list) ? inList(list, kind, sent) : undefined;
		if (problem) return problem;
	}
	return undefined;
}

function inList(list: unknown[], kind: RecordKind, sent: Sent): string | undefined {
	let found = list.length === 0;
	for (const entry of list) {
		if (!isOf(entry, kind)) continue;
		found = true;
		const problem = contradiction(entry as IDataObject, kind, sent);
		if (problem) return problem;
	}
	return found ? undefined : `has a list without any ${kind.name}`;
}

const MAX_SHOWN = 100;

/** A value in a sentence. */
const shown = (value: unknown): string =>
	(gatewayMessage(typeof value === 'number' ? String(value) : JSON.stringify(value)) ?? '').slice(
		0,
		MAX_SHOWN,
	);

/** What an answer says instead of what was asked for: `: “Report wird erstellt”`. */
function saidInstead(body: unknown): string {
	const { data } = Object(body) as { data?: unknown };
	const said =
		typeof body === 'string'
			? body
			: typeof data === 'string'
				? data
				: pick({ ...Object(data), ...Object(body) } as IDataObject, MESSAGE_FIELDS);
	const text = gatewayMessage(said);
	return text ? `, but says “${text}”` : '';
}

/**
 * Verifies an answer that is one record.
 * @returns what is wrong with it, see `verifyResponse` of an operation
 */
export function verifyRecord(body: unknown, kind: RecordKind, sent: Sent): string | undefined {
	const record = recordOf(body);
	if (isOf(record, kind)) return contradiction(record, kind, sent);
	const { name, lacks = `has none of the fields of ${name}` } = kind;
	return lacks + saidInstead(body);
}

/** Verifies an answer that is a list: bare or under `data`. @returns as above */
export function verifyList(body: unknown, kind: RecordKind, sent: Sent = {}): string | undefined {
	const list = listOf(body);
	return list ? inList(list, kind, sent) : `holds no list of ${kind.name}${saidInstead(body)}`;
}

/** The list in an answer whose shape the contract knows. */
function listOf(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	const { data } = Object(body) as { data?: unknown };
	return Array.isArray(data) ? data : undefined;
}

/** Verifies a list whose shape the contract leaves open. @param name of its entries, in the plural @returns as above */
export function verifyOpenList(body: unknown, name: string): string | undefined {
	const list = listIn(body);
	if (!list) return `holds no list of ${name}${saidInstead(body)}`;
	const isUsable = (entry: unknown) =>
		typeof entry === 'string' || typeof entry === 'number' || Object.keys(Object(entry) as object).length > 0;
	return list.length === 0 || list.some(isUsable) ? undefined : `has a list without any ${name}`;
}

/**
 * The entries of a list that aren't records of its kind, so that they can't become rows.
 * @returns a warning; `undefined` if there are none
 */
export function strangeEntries(body: unknown, kind: RecordKind): string | undefined {
	const strange = (listOf(body) ?? []).flatMap((entry, i) => (isOf(entry, kind) ? [] : [`no. ${i + 1}`]));
	return strange.length > 0
		? `the gateway's list of ${kind.name} has invalid entries: ${listed(strange)}`
		: undefined;
}

const MAX_LISTED = 10;

/** `1000, 1200 and 3 more` */
export function listed(names: string[]): string {
	const more = names.length - MAX_LISTED;
	return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
