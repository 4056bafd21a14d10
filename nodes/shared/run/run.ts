import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';

import type { ReadOperation, Resource, WriteOperation } from '../operation';
import { checkBalance } from './balance';
import { checkAll, chosenOperation } from './check';
import type { Checked } from './check';
import { dryRun } from './dryRun';
import { invalidError } from './invalidError';
import { Journal } from './journal/journal';
import { makeAll } from './local';
import { readAll } from './read';
import { report } from './report';
import { Session } from './session';
import { requireSupportedN8n } from './n8n';
import { Tally } from './tally';
import type { WriteTask } from './task';
import { writeAll } from './write';

/** Runs the chosen operation on all items: check all, read or write, report in input order. */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	requireSupportedN8n(context);
	const operation = chosenOperation(context, resources);
	const checked = await checkAll(context, operation);
	if (operation.kind === 'write') checkBalance(context, operation, checked as Checked<WriteTask>);
	if (checked.invalid.length > 0 && !context.continueOnFail()) throw invalidError(context, checked.invalid);
	if (checked.tasks.length === 0) return report(context, operation, checked.invalid);
	if (operation.kind === 'read') return await runReads(context, operation, checked);
	if (operation.kind === 'write') return await runWrites(context, operation, checked as Checked<WriteTask>);
	const made = await makeAll(context, operation, checked.tasks);
	return report(context, operation, [...checked.invalid, ...made]);
}

async function runReads(context: IExecuteFunctions, operation: ReadOperation, { tasks, invalid }: Checked) {
	const session = await Session.open(context, tasks[0].options);
	const tally = new Tally(context, operation);
	const read = await readAll(operation, tasks, session, tally);
	return report(context, operation, [...invalid, ...read], session.credits, tally);
}

async function runWrites(
	context: IExecuteFunctions,
	operation: WriteOperation,
	{ tasks, invalid }: Checked<WriteTask>,
) {
	const session = await Session.open(context, tasks.find(({ options }) => !options.dryRun)?.options);
	const { isDry } = session.client;
	const [toReview, toSend] = partition(tasks, ({ options }) => isDry || options.dryRun);
	const tally = new Tally(context, operation);
	const reviewed = toReview.map((task) => dryRun(task, operation, session.client));
	// A dry run isn't recorded in the journal, so the same records can be sent afterwards.
	const journal = toSend.length > 0 ? await Journal.open(context, session.client) : undefined;
	const written = journal ? await writeAll(operation, toSend, session, journal, tally) : [];
	const results = [...invalid, ...reviewed, ...written];
	const output = report(context, operation, results, session.credits, tally);
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	const isTriedAgain = output[0][0]?.json.error !== undefined;
	const isDone = results.every(({ outcome: { kind } }) => kind === 'done' || kind === 'existed');
	if (isDone && !isTriedAgain) journal?.clear();
	return output;
}
