/** Selects the fields of a record to emit: the most useful ones, or those that were chosen for an AI agent. */
import type { IDataObject } from 'n8n-workflow';
import { pick, uniq } from 'lodash';

import type { ReadOperation, WriteOperation } from '../../operation';
import { recordsOf } from '../../answer';
import { newRecord, setField } from '../../values';
import { withGermanHeadings } from './headings';

/** The maximum number of fields in a simplified record; n8n's rule for verified nodes. */
const MOST_FIELDS = 10;

interface Chosen {
	values: Record<string, unknown>;
	options: Record<string, unknown>;
	/** Names of the wanted fields, instead of the most useful ones. */
	fields?: readonly string[];
	/** Whether the record already existed; missing if that isn't known. */
	alreadyExisted?: boolean;
}

/** The simplified records of an answer, one after another: there may be very many. */
export function* simplified(
	operation: ReadOperation | WriteOperation,
	body: unknown,
	{ values, options, fields, alreadyExisted }: Chosen,
): Generator<IDataObject> {
	const { kind, records: recordsFrom = recordsOf, columns } = operation;
	const records = recordsFrom(body, values, options);
	const useful = typeof columns === 'function' ? columns(values) : columns;
	// The rows of a table all have the same columns.
	const rowOf =
		kind === 'read' ? tableRow : (record: IDataObject, columns: readonly string[]) => pick(record, columns);
	const simplify = (record: IDataObject) => {
		if (fields) return rowOf(record, uniq([...idNames(useful ?? Object.keys(record)), ...fields]));
		return useful ? rowOf(record, useful) : firstFields(record);
	};
	// Fields that an agent chose keep the names that it knows.
	const isGerman = options.germanHeadings === true && !fields;
	for (const record of records) {
		const row = simplify(alreadyExisted === undefined ? record : { ...record, alreadyExisted });
		yield isGerman ? withGermanHeadings(row) : row;
	}
}

/** A row with these columns, `null` where the record has no such field. */
function tableRow(record: IDataObject, columns: readonly string[]): IDataObject {
	const row = newRecord();
	for (const name of columns) row[name] = record[name] ?? null;
	return row;
}

/**
 * For records whose shape the contract leaves open: their first fields. Lists and groups are left out, unless the
 * record has nothing else.
 */
function firstFields(record: IDataObject): IDataObject {
	const all = Object.entries(record);
	const flat = all.filter(([, value]) => typeof value !== 'object' || value === null);
	const fields = newRecord();
	for (const [name, value] of (flat.length > 0 ? flat : all).slice(0, MOST_FIELDS))
		setField(fields, name, value);
	return fields;
}

/** A booking's `id` can be null; its number tells which lines belong together. */
const RECORD_IDS = ['id', 'bookingNumber', 'belegnummer'];

/** The fields of a record that an AI agent has chosen, and what identifies it. */
export const chosenFields = (record: IDataObject, fields: readonly string[]): IDataObject =>
	pick(record, uniq([...idNames(Object.keys(record)), ...fields]));

/** What identifies a record. */
function idNames(names: readonly string[]): readonly string[] {
	const ids = names.filter((name) => RECORD_IDS.includes(name));
	return ids.length > 0 ? ids : names.slice(0, 1);
}
