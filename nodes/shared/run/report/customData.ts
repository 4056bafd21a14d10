/** Notes in the execution's custom data what was written, so that n8n's list of executions finds it. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { cut, presentable } from '../../errors';
import { became, rowsIn } from '../task';
import type { Result } from '../task';

/** n8n keeps ten keys of an execution. Other nodes need some, too. */
const MAX_KEYS = 10;
const KEYS_OF_A_FIELD = 4;
/** n8n keeps 512 characters, but logs an error from here on. */
const MAX_LENGTH = 255;
/** The fields that hold the number or an ID of a record. n8n's filter takes a key in any case of letters. */
const NUMBERS = /^(id|\w+_id|belegnummer)$/i;

type CustomData = Pick<IExecuteFunctions['customData'], 'getAll' | 'set'>;

/** @param results of a write; what already existed was written by another execution */
export function noteNumbers(context: IExecuteFunctions, results: Result[]): void {
	const customData = customDataOf(context);
	if (!customData) return;
	const keys = new Set(Object.keys(customData.getAll()));
	const values = new Map<string, string>();
	for (const [field, number] of results.filter(mayBeWritten).flatMap(numbersOf)) {
		for (let nth = 1; nth <= KEYS_OF_A_FIELD; nth++) {
			const key = nth === 1 ? field : `${field}_${nth}`;
			const before = values.get(key) ?? customData.getAll()[key] ?? '';
			if (before.split(', ').includes(number)) break;
			const text = before ? `${before}, ${number}` : number;
			if (text.length > MAX_LENGTH) continue;
			if (keys.size < MAX_KEYS) keys.add(key);
			if (keys.has(key)) values.set(key, text);
			break;
		}
	}
	for (const [key, text] of values) customData.set(key, text);
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
	const lines = records.flatMap(({ belegzeilen }) => (Array.isArray(belegzeilen) ? belegzeilen : []));
	return [sent ?? {}, ...records, ...(lines as IDataObject[])].flatMap((fields) =>
		Object.entries(fields ?? {}).flatMap(([field, value]): Array<[string, string]> => {
			const isNumber = NUMBERS.test(field) && (typeof value === 'string' || typeof value === 'number');
			return isNumber && value !== ''
				? [[field.toLowerCase(), presentable(cut(String(value), MAX_LENGTH))]]
				: [];
		}),
	);
}
