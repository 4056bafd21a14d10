import type { IDataObject } from 'n8n-workflow';
import { isEmpty, isObjectLike, omitBy, pick } from 'lodash';

import { isMessageField } from '../errors';
import { CREDITS_FIELD } from '../thisGateway';
import { isObject, newRecord, setField } from '../values';

const asRecord = (value: unknown): IDataObject =>
	isObject(value) ? value : { value: value as IDataObject['value'] };

/**
 * The list in an answer: bare, under `data`, or the only one there is, also below `data` (the contract leaves the
 * shapes of some lists open; lists of messages aren't meant).
 * @returns `undefined` if there is no list
 */
export function listIn(body: unknown): unknown[] | undefined {
	if (Array.isArray(body)) return body;
	if (!isObject(body)) return undefined;
	if (Array.isArray(body.data)) return body.data;
	if (body.data === null) return undefined;
	const below = isObject(body.data) ? listIn(body.data) : undefined;
	const lists = Object.keys(body).flatMap((name) => {
		const { [name]: list } = body;
		return Array.isArray(list) && !isMessageField(name) ? [list] : [];
	});
	return below ?? (lists.length === 1 ? lists[0] : undefined);
}

/** The answer as received. n8n's items are objects, so a list becomes one item per row. */
export const untouched = (body: unknown): IDataObject[] => (body === null ? [] : [body].flat().map(asRecord));

/** Whether the record stands under `data`: an empty `data` may stand beside it. */
export const isWrapped = (body: unknown): body is { data: object } =>
	isObject(body) && isObjectLike(body.data) && !isEmpty(body.data);

const withoutCredits = (body: IDataObject): IDataObject =>
	omitBy(body, (value) => isObject(value) && CREDITS_FIELD in value);

/**
 * One record for each row of the list under `data`, or the object under `data`; otherwise the answer itself without
 * the credit balance.
 */
export function recordsOf(body: unknown): IDataObject[] {
	if (!isObject(body)) return untouched(body);
	return isWrapped(body) || Array.isArray(body.data) ? untouched(body.data) : [withoutCredits(body)];
}

export const recordOf = (body: unknown): IDataObject =>
	recordsOf(body)[0] ?? (isObject(body) ? withoutCredits(body) : {});

const ID_FIELD = /(?:^|_)id$|Id$|nummer$/i;
const MAX_IDS = 10;
const MAX_ID_LENGTH = 100;

/** The IDs and numbers of the record in an answer, by which a person can find it. */
export const idsIn = (body: unknown): IDataObject =>
	Object.fromEntries(
		Object.entries(recordOf(body))
			.filter(([name, value]) => ID_FIELD.test(name) && ['string', 'number'].includes(typeof value))
			.slice(0, MAX_IDS)
			.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_ID_LENGTH) : value]),
	);

/** One record for each row of a list whose shape the contract leaves open. @param first the fields that come first */
export const recordsOfList =
	(...first: string[]) =>
	(body: unknown): IDataObject[] =>
		(listIn(body)?.map(asRecord) ?? recordsOf(body)).map((record) => ({ ...pick(record, first), ...record }));

/** Rows for a spreadsheet: one for each of the parents' lists, with its parent's other fields, so that it is complete. */
export function rowsOf(parents: IDataObject[], list: string): IDataObject[] {
	const rows: IDataObject[] = [];
	for (const parent of parents) {
		const ownRows = parent[list];
		if (!Array.isArray(ownRows)) continue;
		const keys = Object.keys(parent).filter((name) => name !== list);
		for (const ownRow of ownRows) {
			const row = newRecord();
			for (const name of keys) setField(row, name, parent[name]);
			const own = asRecord(ownRow);
			for (const name of Object.keys(own)) setField(row, name, own[name]);
			rows.push(row);
		}
	}
	return rows;
}

/** Whether a parent's list yields no rows. */
export const isEmptyList = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;

/**
 * Flattens groups of fields, like `kostenstellen: { kost1, kost2 }`, into columns. A column has its field's name,
 * prefixed with the group's name if the record already has that field.
 * @param groups names of the groups; a `null` group adds no column
 */
export function flat(record: IDataObject, groups: readonly string[]): IDataObject {
	const columns = newRecord();
	for (const name of Object.keys(record)) {
		const value = record[name];
		if (!groups.includes(name) || (value !== null && !isObject(value))) {
			setField(columns, name, value);
			continue;
		}
		for (const field of Object.keys(value ?? {})) {
			const column = Object.hasOwn(record, field) ? `${name}_${field}` : field;
			setField(columns, column, (value as IDataObject)[field]);
		}
	}
	return columns;
}

/** Computes a value from an answer only once, although many items share the answer. */
export function oncePerAnswer<T>(make: (answer: unknown) => T): (answer: unknown) => T {
	const made = new WeakMap<object, { result: T }>();
	return (answer) => {
		if (!isObject(answer) && !Array.isArray(answer)) return make(answer);
		const known = made.get(answer) ?? { result: make(answer) };
		made.set(answer, known);
		return known.result;
	};
}
