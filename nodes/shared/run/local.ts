import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readWhole } from '../gateway';
import type { LocalOperation } from '../operation';
import { forReading } from '../parameters';
import { chosenFields } from './report/fields';
import { failed } from './task';
import type { Outcome, Result, Rows, Task } from './task';
import type { RunState } from './runState';
import { textOf } from '../errors';
import { bilingual, both } from '../values';
import type { Language } from '../values';

/** Makes the records of all tasks, one after another, without sending anything. */
export async function makeAll(
	state: RunState,
	operation: LocalOperation,
	tasks: readonly Task[],
): Promise<Result[]> {
	const earlier: IDataObject[] = [];
	const make = async (task: Task): Promise<Outcome<Rows>> => {
		if (state.stopReason !== undefined) return { kind: 'notSent', reason: state.stopReason };
		const outcome = await makeOne(state.context, operation, task, earlier);
		if (outcome.kind === 'done') earlier.push(...outcome.value.records);
		return outcome;
	};
	return await state.workOn(tasks, make, { atOnce: 1 });
}

async function makeOne(
	{ helpers }: IExecuteFunctions,
	operation: LocalOperation,
	{ values, options, simple, fields, notes, label }: Task,
	earlier: readonly IDataObject[],
): Promise<Outcome<Rows>> {
	const labeled = (text: string, language: Language) => (label ? `${label[language]}: ${text}` : text);
	const files: IBinaryKeyData = {};
	try {
		const records = await operation.make(values, {
			bytesOf: async ({ content }) => await readWhole(content, helpers),
			earlier,
			// The fields that an agent chooses may be any of the record.
			simple: simple && !fields,
			options,
			async attach(field, fileName, content, mimeType) {
				files[field] = forReading(await helpers.prepareBinaryData(content, fileName, mimeType));
			},
		});
		const warnings = [
			...notes,
			...(operation.warnings?.(records) ?? []).map((warning) =>
				bilingual((language) => labeled(warning[language], language)),
			),
		];
		const chosen = fields ? records.map((record) => chosenFields(record, fields)) : records;
		return { kind: 'done', value: { records: chosen, warnings, files, passesFiles: operation.passesFiles } };
	} catch (error) {
		const message = textOf(error as Error).message;
		return failed({
			outcome: 'failed',
			message: bilingual((language) => labeled(message[language], language)),
			description: both('Nothing was sent.', 'Es wurde nichts gesendet.'),
		});
	}
}
