import type { IExecuteFunctions } from 'n8n-workflow';

import { markProcessed } from './processedData';

/** What the journal keeps, in n8n's data of the execution, of those who have begun to write from it. */
export interface Attempts {
	/** How many executions have begun to write: the first one, and those that retry it. */
	tries: number;
	/** The ID of the one that has begun last, and its last run of the node. */
	execution?: string;
	run?: number | 'tool';
}

/** By the journal's data of an execution: whether it was out of date when this process began to write from it. */
const opened = new WeakMap<Attempts, Promise<boolean>>();

/**
 * To be called before a run of the node begins to write. "Retry" starts from a copy of an execution's data, which may be out
 * of date: somebody has retried it already, or n8n was killed after it was stored. So each execution marks in n8n's
 * database, once for the node, from which state it begins to write.
 * @param run index of the node's run; calls of a tool, which n8n counts as runs, have none
 * @returns whether more has been written than `attempts` and what is kept beside it know: then nothing may be sent
 */
export async function isOutOfDate(
	context: IExecuteFunctions,
	attempts: Attempts,
	run: number | 'tool',
): Promise<boolean> {
	// Older versions of n8n don't tell.
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
 * @param before what the journal had when this execution came to it
 * @param started when the first execution began, which those that retry it keep
 */
async function begin(
	context: IExecuteFunctions,
	before: Attempts,
	run: number | 'tool',
	started: string,
): Promise<boolean> {
	// Executions that begin in the same millisecond can't be told apart; only one that is retried has begun before.
	const isRetry = context.getMode() === 'retry';
	const former = isRetry ? `writes ${started}/${run}/${before.tries}` : undefined;
	const isMarked = await markProcessed(context, `writes ${started}/${before.tries}`, former);
	if (!isRetry) return false;
	if (isMarked) return true;
	// What is tried again is the run in which the execution ended. A run that comes after it may have begun before n8n was
	// killed: with "Save execution progress", n8n stores the execution's data after each node.
	if (before.execution === undefined || before.run === run) return false;
	return !(await hasFailed(context, before.execution));
}

/** Whether an execution has come to its end with an error, so that n8n has stored all of its data. */
async function hasFailed(context: IExecuteFunctions, executionId: string): Promise<boolean> {
	try {
		const error = (await context.getExecutionDataById(executionId))?.resultData.error;
		return error !== undefined && !CRASHED.test(`${error.name} ${error.message}`);
	} catch (error) {
		context.logger.warn(
			`Whether execution ${executionId} has come to its end can't be told: ${(error as Error).message}`,
		);
		return false;
	}
}

/** What n8n enters as the error of an execution that was under way when n8n was killed. */
const CRASHED = /Crashed|did not finish|stopped at this node/i;
