import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { difference, sortBy } from 'lodash';

import { workflowTitle } from '../errors/logText';
import type { LocalOperation, Operation, ReadOperation, Resource, WriteOperation } from '../operation';
import { checkBalance } from './balance';
import { checkAll, chosenOperation } from './check';
import type { Checked } from './check';
import type { ReadTask, TaskOf } from './task';
import { Credits } from './credits';
import { dryRun } from './dryRun';
import { WriteJournal } from './journal/journal';
import { makeAll } from './local';
import { lookUpAll } from './lookUp';
import { Reader, sendReads } from './read';
import { addHints, endError, invalidError, outputItems } from './report';
import type { ItemResult } from './result';
import { isCanceled, Session } from './session';
import { requireSupportedN8n } from './supportedN8n';
import { Tally } from './tally';
import { Writer } from './write';

/** Runs the chosen operation on all items: check all, read or write, report in input order. */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	requireSupportedN8n(context);
	const operation = chosenOperation(context, resources);
	if (operation.kind === 'read') return await runReads(context, operation);
	if (operation.kind === 'write') return await runWrites(context, operation);
	return await runLocally(context, operation);
}

async function runReads(context: IExecuteFunctions, operation: ReadOperation) {
	const checked = await check(context, operation);
	if (checked.tasks.length + checked.pending.length === 0) return report(context, operation, checked, []);
	const reader = new Reader(await Session.open(context, firstOptions(checked)));
	const { tasks, failed } = await lookUp(context, checked, reader);
	const tally = new Tally(context, operation);
	const results = tasks ? await sendReads(tasks, operation, reader, tally) : [];
	return report(context, operation, checked, [...failed, ...results], reader.session.credits, tally);
}

async function runWrites(context: IExecuteFunctions, operation: WriteOperation) {
	const checked = await check(context, operation);
	checkBalance(context, operation, checked);
	throwIfInvalid(context, checked);
	if (checked.tasks.length === 0) return report(context, operation, checked, []);
	const dryRuns = checked.tasks.filter(({ options }) => options.dryRun);
	// A second list of the tasks would keep those in memory that have ended.
	const toSend = dryRuns.length > 0 ? difference(checked.tasks, dryRuns) : checked.tasks;
	// A dry run leaves no trace: what is sent later is sent for the first time.
	const journal = toSend.length > 0 ? await WriteJournal.open(context) : undefined;
	// After an interrupted attempt, every item is reported as unknown.
	const session = await Session.open(context, toSend[0]?.options, !journal?.stopped);
	const tally = new Tally(context, operation);
	const reviewed = dryRuns.map((task) => dryRun(task, operation, session.client));
	const written = journal ? await new Writer(operation, session, journal, tally).writeAll(toSend) : [];
	const results = [...reviewed, ...written];
	const output = report(context, operation, checked, results, session.credits, tally);
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	const isTriedAgain = output[0][0]?.json.error !== undefined;
	const isDone = checked.invalid.size === 0 && results.every(({ result }) => result.kind === 'done');
	if (isDone && !isTriedAgain) journal?.clear();
	return output;
}

async function runLocally(context: IExecuteFunctions, operation: LocalOperation) {
	const checked = await check(context, operation);
	return report(context, operation, checked, await makeAll(context, operation, checked.tasks));
}

/** The options of the first item that is read count for the whole run. */
const firstOptions = ({ tasks, pending }: Checked) =>
	sortBy(
		[
			...tasks.slice(0, 1),
			...pending.slice(0, 1).map(({ item, options }) => ({ item: item.index, options })),
		],
		'item',
	)[0]?.options;

/** Checks all items. Throws if one breaks a rule and the node doesn't continue. */
async function check<O extends Operation>(
	context: IExecuteFunctions,
	operation: O,
): Promise<Checked<TaskOf<O>>> {
	const checked = await checkAll(context, operation);
	throwIfInvalid(context, checked);
	return checked;
}

function throwIfInvalid(context: IExecuteFunctions, { invalid }: Pick<Checked, 'invalid'>): void {
	if (invalid.size > 0 && !context.continueOnFail()) throw invalidError(context, invalid);
}

/**
 * Ends the check of the items that need a look-up.
 * @returns all tasks, or none if a look-up failed and ends the run; and the results of the items whose look-up failed
 */
async function lookUp(
	context: IExecuteFunctions,
	checked: Checked<ReadTask>,
	reader: Reader,
): Promise<{ tasks?: ReadTask[]; failed: ItemResult[] }> {
	const { tasks, invalid, failed } = await lookUpAll(checked.pending, reader);
	for (const [item, issues] of invalid) checked.invalid.set(item, issues);
	// Only the look-up shows that a day is in no fiscal year.
	throwIfInvalid(context, checked);
	const isEnded = reader.session.stopsAtFailure && failed.some(({ result }) => result.kind === 'failed');
	if (isEnded) return { failed };
	return { tasks: tasks.length > 0 ? sortBy([...checked.tasks, ...tasks], 'item') : checked.tasks, failed };
}

/** Makes the output of the results, in input order; throws if the run ended early. */
function report(
	context: IExecuteFunctions,
	operation: Operation,
	checked: Pick<Checked, 'invalid' | 'refused'>,
	results: ItemResult[],
	credits = Credits.open(context),
	tally?: Tally,
): INodeExecutionData[][] {
	const sorted = sortBy([...results, ...invalidResults(checked)], 'item');
	const canceled = isCanceled(context);
	credits.save();
	const isEnded = !context.continueOnFail() || canceled;
	const ended = isEnded ? endError(context, operation, sorted, canceled) : undefined;
	if (ended) throw ended;
	addHintsSafely(context, sorted, credits, tally);
	return [outputItems(context, sorted)];
}

/** The results of the items that break a rule; one for those that would be one record. */
function invalidResults({ invalid, refused }: Pick<Checked, 'invalid' | 'refused'>): ItemResult[] {
	const combined = refused.map((items): ItemResult => {
		const issues = items.flatMap((item) => (invalid.get(item) ?? []).map((issue) => ({ ...issue, item })));
		return {
			item: items[0],
			...(items.length > 1 && { combined: items }),
			result: { kind: 'invalid', issues },
		};
	});
	const known = new Set(refused.flat());
	const alone = [...invalid].filter(([item]) => !known.has(item));
	return [
		...combined,
		...alone.map(([item, issues]): ItemResult => ({ item, result: { kind: 'invalid', issues } })),
	];
}

/** A failing hint must not make successful bookings look failed. */
function addHintsSafely(
	context: IExecuteFunctions,
	results: ItemResult[],
	credits: Credits,
	tally?: Tally,
): void {
	try {
		addHints(context, results, credits, tally?.text);
	} catch (error) {
		context.logger.error(
			`The hints of a run of ${workflowTitle(context)} could not be made: ${(error as Error).message}`,
		);
	}
}
