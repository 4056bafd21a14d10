import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { sortBy } from 'lodash';

import type { Resource } from '../operation';
import { GatewayClient } from '../transport/client';
import { checkAll, chosenOperation } from './check';
import { Credits } from './credits';
import { WriteJournal } from './journal';
import { addHints, endError, invalidError, outputItems } from './report';
import type { ItemResult } from './result';
import { sendAll } from './send';
import { Sender } from './sender';

/** Runs the chosen operation on all items: check all, send, report in input order. */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context, resources);
	const continues = context.continueOnFail();

	const { tasks, invalid } = await checkAll(context, operation);
	if (invalid.size > 0 && !continues) throw invalidError(context, invalid);

	const journal = operation.kind === 'write' ? await WriteJournal.open(context) : undefined;
	const credits = Credits.open(context, tasks[0]?.options.minimumCredits);
	let canceled = false;
	const results: ItemResult[] = [...invalid].map(([item, issues]) => ({
		item,
		result: { kind: 'invalid', issues },
	}));
	if (tasks.length > 0) {
		const sender = new Sender(context, operation, await GatewayClient.open(context), credits, journal);
		// After an interrupted attempt, every item is reported as unknown.
		const stops = !continues && !journal?.stopped;
		results.push(...(await sendAll(tasks, sender, { operation, credits, stops })));
		({ canceled } = sender);
	}
	const sorted = sortBy(results, 'item');
	credits.save();
	const ended = !continues || canceled ? endError(context, operation, sorted, canceled) : undefined;
	if (ended) throw ended;

	const items = outputItems(context, sorted);
	addHintsSafely(context, sorted, credits);
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	const isTriedAgain = items[0]?.json.error !== undefined;
	if (!isTriedAgain && sorted.every(({ result }) => result.kind === 'done')) journal?.clear();
	return [items];
}

/** A failing hint must not make successful bookings look failed. */
function addHintsSafely(context: IExecuteFunctions, results: ItemResult[], credits: Credits): void {
	try {
		addHints(context, results, credits);
	} catch (error) {
		context.logger.error(`The hints of the run could not be made: ${(error as Error).message}`);
	}
}
