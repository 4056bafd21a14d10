import type { ICredentialDataDecryptedObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';

import { CHECK_FIRST, Explained, textOf, toNodeError, unsent } from '../errors';
import type { Failure } from '../errors';
import { CREDENTIAL, GatewayClient, languageOf } from '../gateway';
import type { Operation, Resource, WriteOperation } from '../operation';
import { checkAll, chosenOperation, withSameOptions } from './check/check';
import { withoutOverdrawn } from './check/balance';
import type { Checked } from './check/check';
import { dryRun } from './report/dryRun';
import { invalidError } from './report/invalidError';
import { outputItems } from './report/outputItems';
import { report } from './report/report';
import { Journal } from './write/memory/journal';
import { SentBefore } from './write/memory/sentBefore';
import { makeAll } from './local';
import { requireOneAccount } from './oneAccount';
import { readAll } from './read/read';
import { RunState } from './runState';
import { isTool, requireSupportedN8n } from './n8n';
import { failed, resultOf } from './task';
import type { Result, WriteTask } from './task';
import { sentences } from '../values';
import type { Language } from '../values';
import { writeAll } from './write/write';

type Output = INodeExecutionData[][];

/** Runs the chosen operation on all items: check all, read or write, report in input order. */
export async function run(context: IExecuteFunctions, resources: Resource[]): Promise<Output> {
	let operation: Operation | undefined;
	const credential = context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const option = () => context.getNodeParameter('options.language', 0, null);
	const language = await languageOf(context, option, credential);
	try {
		requireSupportedN8n(context);
		operation = chosenOperation(context, resources);
		return await runAll(context, operation, language, credential);
	} catch (error) {
		// A canceled run's error has the results of all items.
		const isCanceled = context.getExecutionCancelSignal?.()?.aborted;
		// n8n would pass the input on to the first output, as if all of it had succeeded.
		if (context.continueOnFail() && !isCanceled)
			return [failedItems(context, error as Error, language, operation)];
		throw error instanceof Explained
			? toNodeError(context.getNode(), error.text, language, isTool(context))
			: error;
	}
}

/** An error item for each item of a run that failed as a whole, e.g. because its credential was deleted. */
function failedItems(
	context: IExecuteFunctions,
	error: Error,
	language: Language,
	operation?: Operation,
): INodeExecutionData[] {
	const before = new SentBefore(context, operation);
	const { message, description = [] } = textOf(error);
	const results = context.getInputData().map((_, item) => {
		const failure: Failure =
			before.isUncertain || before.judge([item])
				? { outcome: 'unknown', message, description: CHECK_FIRST }
				: unsent(message, sentences(...[description].flat()));
		return { items: [item], outcome: failed(failure) };
	});
	return outputItems(context, results, operation?.kind ?? 'write', language);
}

/** @param credential is read once; a node without one has a rejected promise, and opens no client */
async function runAll(
	context: IExecuteFunctions,
	operation: Operation,
	language: Language,
	credential: Promise<ICredentialDataDecryptedObject>,
): Promise<Output> {
	let checked = withSameOptions(operation, await checkAll(context, operation));
	if (operation.kind === 'write') checked = withoutOverdrawn(operation, checked as Checked<WriteTask>);
	const before = new SentBefore(context, operation);
	if (checked.invalid.length > 0 && !context.continueOnFail())
		throw invalidError(context, operation, checked.invalid, before);
	const { tasks, invalid } = checked;
	const options = tasks.find((task) => !task.options.dryRun)?.options;
	const state = new RunState(context, operation, options, language);
	const reportAll = (results: Result[], journal?: Journal) =>
		report(state, operation, [...invalid.map((one) => judged(one, before, journal)), ...results]);
	// A retry asks the journal even without tasks: an earlier attempt may have sent what breaks a rule now.
	if (tasks.length === 0 && !before.isRetry) return reportAll([]);
	if (operation.kind === 'local') return reportAll(await makeAll(state, operation, tasks));
	const client = await GatewayClient.open(context, '', credential);
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
