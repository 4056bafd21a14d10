import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';

import { CHECK_FIRST, unsent } from '../errors';
import type { Failure } from '../errors';
import { GatewayClient } from '../gateway';
import type { Operation, Resource, WriteOperation } from '../operation';
import { checkAll, chosenOperation, withSameOptions, withoutOverdrawn } from './check';
import type { Checked } from './check';
import { dryRun, invalidError, outputItems, report } from './report';
import { Journal, SentBefore } from './write/memory';
import { makeAll } from './local';
import { requireOneAccount } from './oneAccount';
import { readAll } from './read';
import { RunState } from './runState';
import { requireSupportedN8n } from './n8n';
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
	const before = new SentBefore(context, operation);
	const results = context.getInputData().map((_, item) => {
		const failure: Failure =
			before.isUncertain || before.judge([item])
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
	const { tasks, invalid } = checked;
	const before = new SentBefore(context, operation);
	const state = new RunState(context, operation, tasks.find(({ options }) => !options.dryRun)?.options);
	const reportAll = (results: Result[], journal?: Journal) =>
		report(state, operation, [...invalid.map((one) => judged(one, before, journal)), ...results]);
	// A retry asks the journal even without tasks: an earlier attempt may have sent what breaks a rule now.
	if (tasks.length === 0 && !before.isRetry) return reportAll([]);
	if (operation.kind === 'local') return reportAll(await makeAll(state, operation, tasks));
	const client = await GatewayClient.open(context);
	await requireOneAccount(context, client);
	if (operation.kind === 'read') return reportAll(await readAll(state, client, operation, tasks));
	const { results, journal } = await runWrites(state, client, operation, tasks as WriteTask[], before);
	const output = reportAll(results, journal);
	const isComplete = invalid.length === 0 && !mayBeTriedAgain(results, output);
	if (isComplete) journal?.clear();
	return output;
}

/** The result of items that break a rule now, and may have been sent before they were changed. */
function judged(invalid: Result, before: SentBefore, journal?: Journal): Result {
	const outcome = before.judge(invalid.items, journal);
	if (!outcome) return invalid;
	return {
		...invalid,
		outcome,
		...(invalid.outcome.kind === 'invalid' && { issues: invalid.outcome.issues }),
	};
}

async function runWrites(
	state: RunState,
	client: GatewayClient,
	operation: WriteOperation,
	tasks: readonly WriteTask[],
	before: SentBefore,
): Promise<{ results: Result[]; journal?: Journal }> {
	const [toReview, toSend] = partition(tasks, ({ options }) => client.isDry || options.dryRun);
	// A dry run isn't recorded in the journal, so the same records can be sent afterwards.
	const needsJournal = toSend.length > 0 || (toReview.length === 0 && before.isRetry);
	const journal = needsJournal ? await Journal.open(state.context, client, toSend) : undefined;
	const reviewed = toReview.map((task) => {
		// If the option was turned on for a retry, a dry run of what was sent would look as if it hadn't been.
		const outcome = client.isDry ? undefined : before.judge(task.items, journal);
		return outcome ? resultOf(task, outcome) : dryRun(task, operation, client);
	});
	const written = journal ? await writeAll(state, client, journal, operation, toSend) : [];
	return { results: [...reviewed, ...written], journal };
}

function mayBeTriedAgain(results: Result[], [[first]]: Output): boolean {
	if (results.some(({ outcome: { kind } }) => kind !== 'done' && kind !== 'existed')) return true;
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	return first?.json.error !== undefined;
}
