import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { remove, sortBy } from 'lodash';

import type { Resource } from '../operation';
import { GatewayClient } from '../transport/client';
import { checkAll, chosenOperation } from './check';
import { Credits } from './credits';
import { dryRun } from './dryRun';
import { WriteJournal } from './journal/journal';
import { lookUpAll } from './lookUp';
import { addHints, endError, invalidError, outputItems } from './report';
import type { ItemResult } from './result';
import { concurrencyOf, sendAll } from './send';
import { Sender } from './sender';
import { requireSupportedN8n } from './supportedN8n';

/** Runs the chosen operation on all items: check all, send, report in input order. */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	requireSupportedN8n(context);
	const operation = chosenOperation(context, resources);
	const continues = context.continueOnFail();

	const checked = await checkAll(context, operation);
	const throwIfInvalid = () => {
		if (checked.invalid.size > 0 && !continues) throw invalidError(context, checked.invalid);
	};
	throwIfInvalid();

	const dryRuns = remove(checked.tasks, ({ options }) => options.dryRun);
	const first = checked.tasks[0] ?? checked.pending[0];
	// A dry run leaves no trace: what is sent later is sent for the first time.
	const writes = operation.kind === 'write' && first !== undefined;
	const journal = writes ? await WriteJournal.open(context) : undefined;
	const credits = Credits.open(context, first?.options.minimumCredits);
	let canceled = false;
	const results: ItemResult[] = [];
	if (dryRuns.length > 0) {
		const client = await GatewayClient.open(context);
		results.push(...dryRuns.map((task) => dryRun(task, operation, client)));
	}
	if (first) {
		const client = await GatewayClient.open(context);
		const atMost = concurrencyOf(first.options, operation, credits);
		const sender = new Sender(context, operation, client, credits, atMost, journal);
		// After an interrupted attempt, every item is reported as unknown.
		const stops = !continues && !journal?.stopped;
		results.push(...(await lookUpAll(checked, client, sender, credits)));
		// A day in no fiscal year is known to be wrong only then.
		throwIfInvalid();
		const isEnded = stops && results.some(({ result }) => result.kind === 'failed');
		if (!isEnded) results.push(...(await sendAll(checked.tasks, sender, { credits, stops })));
		({ canceled } = sender);
	}
	for (const [item, issues] of checked.invalid) results.push({ item, result: { kind: 'invalid', issues } });
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
