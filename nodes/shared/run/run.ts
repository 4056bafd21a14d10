import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { partition } from 'lodash';

import { GatewayClient } from '../gateway/client';
import type { Resource, WriteOperation } from '../operation';
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
	const { tasks, invalid } = checked;
	const session = new Session(context, operation, tasks.find(({ options }) => !options.dryRun)?.options);
	if (tasks.length === 0) return report(session, operation, invalid);
	if (operation.kind === 'write') return await runWrites(session, operation, checked as Checked<WriteTask>);
	const done =
		operation.kind === 'read'
			? await readAll(session, await GatewayClient.open(context), operation, tasks)
			: await makeAll(session, operation, tasks);
	return report(session, operation, [...invalid, ...done]);
}

async function runWrites(
	session: Session,
	operation: WriteOperation,
	{ tasks, invalid }: Checked<WriteTask>,
) {
	const { context } = session;
	const client = await GatewayClient.open(context);
	const [toReview, toSend] = partition(tasks, ({ options }) => client.isDry || options.dryRun);
	const reviewed = toReview.map((task) => dryRun(task, operation, client));
	// A dry run isn't recorded in the journal, so the same records can be sent afterwards.
	const journal = toSend.length > 0 ? await Journal.open(context, client) : undefined;
	const written = journal ? await writeAll(session, client, journal, operation, toSend) : [];
	const results = [...invalid, ...reviewed, ...written];
	const output = report(session, operation, results);
	// n8n treats a field of this name as a failure, even if the gateway sent it, and retries.
	const isTriedAgain = output[0][0]?.json.error !== undefined;
	const isDone = results.every(({ outcome: { kind } }) => kind === 'done' || kind === 'existed');
	if (isDone && !isTriedAgain) journal?.clear();
	return output;
}
