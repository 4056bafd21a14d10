import type { IExecuteFunctions } from 'n8n-workflow';

import { markProcessed } from './processedData';

/** What the journal keeps in the execution's data about the executions that have started to write from it. */
export interface Attempts {
	/** How many executions have started to write: the first one and its retries. */
	tries: number;
	/** ID of the latest one, and its last run of the node. */
	execution?: string;
	run?: number | 'tool';
}

/** For the journal's data of an execution: whether it was out of date when this process started to write. */
const opened = new WeakMap<Attempts, Promise<boolean>>();

/**
 * Call this before a run of the node starts to write. "Retry" starts from a copy of an execution's data, which may be
 * out of date: the execution was retried before, or n8n was killed after the copy was stored. So each execution marks
 * in n8n's database, once for the node, from which state it starts to write.
 * @param run index of the node's run; calls of a tool, which n8n counts as runs, have none
 * @returns whether more was written than `attempts` and the journal know: then nothing may be sent
 */
export async function isOutOfDate(
	context: IExecuteFunctions,
	attempts: Attempts,
	run: number | 'tool',
): Promise<boolean> {
	const started = context.getExecutionContext?.()?.establishedAt;
	if (started === undefined) return false;
	const execution = context.getExecutionId();
	const before = { ...attempts };
	Object.assign(attempts, { execution, run });
	if (before.tries > 0 && before.execution === execution) return (await opened.get(attempts)) ?? false;
	attempts.tries++;
	const opening = begin(context, before, run, String(started));
	opened.set(attempts, opening);
	return await opening;
}

/**
 * @param before the journal's data when this execution started to use it
 * @param started when the first execution started; its retries keep that time
 */
async function begin(
	context: IExecuteFunctions,
	before: Attempts,
	run: number | 'tool',
	started: string,
): Promise<boolean> {
	// Executions that start in the same millisecond look alike; only a retry has started before.
	const isRetry = context.getMode() === 'retry';
	const former = isRetry ? `writes ${started}/${run}/${before.tries}` : undefined;
	const isMarked = await markProcessed(context, `writes ${started}/${before.tries}`, former);
	if (!isRetry) return false;
	if (isMarked) return true;
	// A retry repeats the run in which the execution ended. A later run may have started before n8n was killed: with
	// "Save execution progress", n8n stores the execution's data after each node.
	if (before.execution === undefined || before.run === run) return false;
	return !(await hasFailed(context, before.execution));
}

/** Whether an execution ended with an error, so that n8n has stored all of its data. */
async function hasFailed(context: IExecuteFunctions, executionId: string): Promise<boolean> {
	try {
		const error = (await context.getExecutionDataById(executionId))?.resultData.error;
		return error !== undefined && !CRASHED.test(`${error.name} ${error.message}`);
	} catch (error) {
		context.logger.warn(`Whether execution ${executionId} has ended is unknown: ${(error as Error).message}`);
		return false;
	}
}

/** The error that n8n records for an execution that was running when n8n was killed. */
const CRASHED = /Crashed|did not finish|stopped at this node/i;
