import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';

import { CHECK_FIRST, unsent } from '../errors';
import type { Failure } from '../errors';
import { GatewayClient } from '../gateway';
import type { Operation, Resource, WriteOperation } from '../operation';
import { checkAll, chosenOperation, withSameOptions, withoutOverdrawn } from './check';
import type { Checked } from './check';
import { dryRun, invalidError, outputItems, report } from './report';
import { CHANGED, Journal, hasSent, isRetryOfWrites, itemsSent } from './write/memory';
import { makeAll } from './local';
import { requireOneAccount } from './oneAccount';
import { readAll } from './read';
import { RunState } from './runState';
import { isTool, requireSupportedN8n } from './n8n';
import { failed, resultOf } from './task';
import type { Result, WriteTask } from './task';
import { writeAll } from './write';

type Output = INodeExecutionData[][];

/** Runs the chosen operation on all items: check all, read or write, report in input order. */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<Output> {
	let operation: Operation | undefined;
	const running = async () => {
		requireSupportedN8n(context);
		operation = chosenOperation(context, resources);
		return await runAll(context, operation);
	};
	if (!context.continueOnFail()) return await running();
	return await running().catch((error: Error) => {
		// This error has the results of all items.
		if (context.getExecutionCancelSignal?.()?.aborted) throw error;
		// n8n would pass the input on to the first output, as if all of it had succeeded.
		return [failedItems(context, error, operation)];
	});
}

/** An error item for each item of a run that failed as a whole, e.g. because its credential was deleted. */
function failedItems(
	context: IExecuteFunctions,
	{ message, description }: Error & { description?: string | null },
	operation?: Operation,
): INodeExecutionData[] {
	const sentBefore = itemsSent(context);
	const mayBeAny = isRetryOfWrites(context, operation) || (isTool(context) && hasSent(context));
	const results = context.getInputData().map((_, item) => {
		const failure: Failure =
			mayBeAny || sentBefore.has(item)
				? { outcome: 'unknown', message, description: CHECK_FIRST }
				: unsent(message, description ?? '');
		return { items: [item], outcome: failed(failure) };
	});
	return outputItems(context, results);
}

async function runAll(context: IExecuteFunctions, operation: Operation): Promise<Output> {
	let checked = withSameOptions(operation, await checkAll(context, operation));
	if (operation.kind === 'write') checked = withoutOverdrawn(operation, checked as Checked<WriteTask>);
	if (checked.invalid.length > 0 && !context.continueOnFail())
		throw invalidError(context, operation, checked.invalid);
	const { tasks } = checked;
	const sentBefore = itemsSent(context);
	// What breaks a rule now may have been sent before it was changed.
	const invalid = checked.invalid.map((one) =>
		one.items.some((item) => sentBefore.has(item)) ? withOutcome(one, CHANGED) : one,
	);
	const state = new RunState(context, operation, tasks.find(({ options }) => !options.dryRun)?.options);
	// A retry asks the journal even without tasks: an earlier attempt may have sent what breaks a rule now.
	if (tasks.length === 0 && !isRetryOfWrites(context, operation)) return report(state, operation, invalid);
	if (operation.kind === 'local')
		return report(state, operation, [...invalid, ...(await makeAll(state, operation, tasks))]);
	const client = await GatewayClient.open(context);
	await requireOneAccount(context, client);
	if (operation.kind === 'write')
		return await runWrites(state, client, operation, { tasks, invalid } as Checked<WriteTask>);
	return report(state, operation, [...invalid, ...(await readAll(state, client, operation, tasks))]);
}

/** The result of items that break a rule, for which something may have been sent before. */
const withOutcome = (invalid: Result, outcome: Result['outcome']): Result => ({
	...invalid,
	outcome,
	...(invalid.outcome.kind === 'invalid' && { issues: invalid.outcome.issues }),
});

async function runWrites(
	state: RunState,
	client: GatewayClient,
	operation: WriteOperation,
	{ tasks, invalid }: Checked<WriteTask>,
): Promise<Output> {
	const { context } = state;
	const [toReview, toSend] = partition(tasks, ({ options }) => client.isDry || options.dryRun);
	// If the option was turned on for a retry, a dry run of what was sent would look as if it hadn't been.
	const sentBefore = client.isDry ? new Set<number>() : itemsSent(context);
	const reviewed = toReview.map((task) =>
		task.items.some((item) => sentBefore.has(item))
			? resultOf(task, CHANGED)
			: dryRun(task, operation, client),
	);
	// A dry run isn't recorded in the journal, so the same records can be sent afterwards.
	const needsJournal = toSend.length > 0 || (toReview.length === 0 && isRetryOfWrites(context, operation));
	const journal = needsJournal ? await Journal.open(context, client, toSend) : undefined;
	const written = journal ? await writeAll(state, client, journal, operation, toSend) : [];
	const outcomeOfAll = journal?.outcomeOfAll;
	// Before the execution was killed, also an item that breaks a rule now may have been sent.
	const broken = outcomeOfAll ? invalid.map((one) => withOutcome(one, outcomeOfAll)) : invalid;
	const results = [...broken, ...reviewed, ...written];
	const output = report(state, operation, results);
	if (!mayBeTriedAgain(results, output)) journal?.clear();
	return output;
}

function mayBeTriedAgain(results: Result[], [[first]]: Output): boolean {
	if (results.some(({ outcome: { kind } }) => kind !== 'done' && kind !== 'existed')) return true;
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	return first?.json.error !== undefined;
}
