import type { IExecuteFunctions } from 'n8n-workflow';

import { readWhole } from '../gateway/body';
import type { LocalOperation } from '../operation';
import type { LocalTask } from './task';
import { itemNumber } from './result';
import type { ItemResult, TaskResult } from './result';
import { CANCELED, isCanceled } from './session';

/** Makes the records of all tasks, one after another, with nothing sent. The files of an item are passed on with them. */
export async function makeAll(
	context: IExecuteFunctions,
	operation: LocalOperation,
	tasks: LocalTask[],
): Promise<ItemResult[]> {
	const results: ItemResult[] = [];
	let stop: string | undefined;
	for (const task of tasks) {
		const { item, part, label } = task;
		if (isCanceled(context)) stop = CANCELED;
		const result: TaskResult =
			stop === undefined ? await make(context, operation, task) : { kind: 'skipped', reason: stop };
		if (result.kind === 'failed' && !context.continueOnFail()) stop ??= `Item ${itemNumber(item)} failed`;
		results.push({ item, part: part?.name, label, result });
	}
	return results;
}

async function make(
	context: IExecuteFunctions,
	operation: LocalOperation,
	{ values, options, simple, notes, label }: LocalTask,
): Promise<TaskResult> {
	try {
		const records = await operation.make(values, {
			bytesOf: async ({ content }) => await readWhole(content, context.helpers),
			simple,
			options,
		});
		const told = operation.warnings?.(records) ?? [];
		const warnings = [...notes, ...told.map((text) => (label ? `${label}: ${text}` : text))];
		return { kind: 'done', records, warnings, passesFiles: true };
	} catch (error) {
		const { message } = error as Error;
		const description = 'Nothing was sent.';
		return {
			kind: 'failed',
			failure: {
				outcome: 'failed',
				message: label ? `${label}: ${message}` : message,
				description,
				transient: false,
			},
		};
	}
}
