/** Notes in the execution's custom data what was written, so that n8n's list of executions finds it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { cut, presentable } from '../../errors';
import { objectsIn } from '../../values';
import { became, rowsIn } from '../task';
import type { Result } from '../task';

/** n8n keeps ten keys of an execution. Other nodes need some, too. */
const MAX_KEYS = 10;
const KEYS_OF_A_FIELD = 4;
/** n8n keeps 512 characters, but logs an error from here on. */
const MAX_LENGTH = 255;
/** The fields that hold the number or an ID of a record. n8n's filter takes a key in any case of letters. */
const NUMBER_FIELD = /^(id|\w+_id|belegnummer)$/i;

type CustomData = Pick<IExecuteFunctions['customData'], 'getAll' | 'set'>;

/** @param results of a write; what already existed was written by another execution */
export function noteNumbers(context: IExecuteFunctions, results: Result[]): void {
	const customData = customDataOf(context);
	if (!customData) return;
	const before = customData.getAll();
	const texts = new Map(Object.entries(before));
	for (const [field, number] of results.filter(mayBeWritten).flatMap(numbersOf)) note(texts, field, number);
	for (const [key, text] of texts) if (text !== before[key]) customData.set(key, text);
}

/** Adds a number under its field, or a further key of the field: what doesn't fit is left out. */
function note(texts: Map<string, string>, field: string, number: string): void {
	for (let nth = 1; nth <= KEYS_OF_A_FIELD; nth++) {
		const key = nth === 1 ? field : `${field}_${nth}`;
		const text = texts.get(key);
		if (text === undefined && texts.size >= MAX_KEYS) return;
		if (text?.split(', ').includes(number)) return;
		const longer = text ? `${text}, ${number}` : number;
		if (longer.length > MAX_LENGTH) continue;
		texts.set(key, longer);
		return;
	}
}

/** In older versions of n8n, only expressions have it. */
function customDataOf(context: IExecuteFunctions): CustomData | undefined {
	const { customData } = context as { customData?: CustomData };
	if (customData) return customData;
	const { $execution } = context.getWorkflowDataProxy(0) as { $execution?: { customData?: CustomData } };
	return $execution?.customData;
}

const mayBeWritten = (result: Result): boolean =>
	result.outcome.kind !== 'existed' && ['carriedOut', 'unknown', 'incomplete'].includes(became(result));

/** The numbers and IDs of a record, with their fields: what was sent, and what came back. */
function numbersOf({ sent, outcome }: Result): Array<[field: string, number: string]> {
	const records = rowsIn(outcome)?.records ?? [];
	const lines = records.flatMap(({ belegzeilen }) => objectsIn(belegzeilen));
	return [sent, ...records, ...lines]
		.flatMap((fields) => Object.entries(fields ?? {}))
		.filter(
			([field, value]) =>
				NUMBER_FIELD.test(field) && ['string', 'number'].includes(typeof value) && value !== '',
		)
		.map(([field, value]) => [field.toLowerCase(), presentable(cut(String(value), MAX_LENGTH))]);
}
