import type { IExecuteFunctions } from 'n8n-workflow';

import { workflowTitle } from '../../../errors';
import { ProcessedRow } from '../../../processedData';

/** What an execution's data says about the executions that have started to write from it. */
export interface Attempts {
	/**
	 * Number of executions that have started to write: the first one, its retries, and each of them again after a wait.
	 */
	tries: number;
	/** ID of the latest execution. */
	execution?: string;
	/** The node that wrote last in it, and in which of its runs; calls of a tool, which n8n counts as runs, have no number. */
	node?: string;
	run?: number | 'tool';
}

type NodeRun = Required<Pick<Attempts, 'node' | 'run'>>;

const rowOf = (context: IExecuteFunctions) => new ProcessedRow(context, 'attempts');

/** Whether an execution's data was out of date when this process started to write. */
const opened = new WeakMap<Attempts, Promise<boolean>>();

/**
 * Call this before a run of a node starts to write. "Retry" starts from a copy of an execution's data, which may be out
 * of date: the execution was retried before, or n8n was killed after the copy was stored. So each execution records in
 * n8n's database, once for all of its nodes, from which state it starts to write. The record names no node, so it also
 * covers a node that was renamed, or cut and pasted, in the meantime.
 * @returns whether more may have been written than `attempts` and the journal show: if so, nothing may be sent
 */
export async function isOutOfDate(
	context: IExecuteFunctions,
	attempts: Attempts,
	{ node, run }: NodeRun,
): Promise<boolean> {
	const started = context.getExecutionContext()?.establishedAt;
	// Each n8n that the nodes support gives an execution a time before it runs a node.
	if (started === undefined) return false;
	const execution = context.getExecutionId();
	const before = { ...attempts };
	Object.assign(attempts, { execution, node, run });
	const opening = opened.get(attempts);
	if (opening) return await opening;
	attempts.tries++;
	const begun = begin(context, before, { node, run }, String(started));
	opened.set(attempts, begun);
	return await begun;
}

/**
 * Marks that an execution starts to write, and from which state: what its data says of the one before it. If another one has
 * started from the same state, the data is out of date:
 *
 * | execution                     | its data says    | it adds                                       | it finds            | so it   |
 * | ----------------------------- | ---------------- | --------------------------------------------- | ------------------- | ------- |
 * | 7, then n8n is killed         | nothing yet      | `writes <time>`, `writes by 7/0`              | nothing             | sends   |
 * | 8, a retry of 7               | nothing yet      | `writes <time>`, `writes by 8/0`, `retried …` | `writes <time>`     | doesn't |
 * | 9, then a node of it fails    | nothing yet      | `writes <time>`, `writes by 9/0`              | nothing             | sends   |
 * | 10, a retry of 9; it fails    | by 9, tries: 1   | `writes 9/1`, `writes by 10/1`                | nothing             | sends   |
 * | 11, another retry of 9        | by 9, tries: 1   | `writes 9/1`, `writes by 11/1`                | `writes 9/1`        | doesn't |
 *
 * @param before the execution's data when this process started to use it
 * @param started when the first execution started; its retries keep that time
 */
async function begin(
	context: IExecuteFunctions,
	before: Attempts,
	now: NodeRun,
	started: string,
): Promise<boolean> {
	const { tries, execution: predecessor } = before;
	const execution = context.getExecutionId();
	// Data stored before the first write names no execution, so a retry knows only the time.
	const stateMark = predecessor === undefined ? `writes ${started}` : `writes ${predecessor}/${tries}`;
	const ownMark = `writes by ${execution}/${tries}`;
	const retriedMark = `retried ${started}`;
	const isRetry = context.getMode() === 'retry';
	const marks =
		isRetry && predecessor === undefined ? [stateMark, ownMark, retriedMark] : [stateMark, ownMark];
	const found = await rowOf(context).add(marks, { isKept: !isRetry });
	if (!isRetry) {
		// An older n8n may run the same execution again when its worker was lost.
		if (found?.includes(ownMark)) return true;
		// n8n's API may retry an execution that still runs. Others that start in the same millisecond look alike.
		return found?.includes(stateMark) === true && (await isMarked(context, retriedMark));
	}
	if (found && (found.length > 0 || (await isOverwritten(context, stateMark, ownMark)))) return true;
	if (predecessor === undefined || predecessor === execution) return false;
	// A retry repeats the run in which the execution ended. Another one may have started before n8n was killed: with
	// "Save execution progress", n8n stores the execution's data after each node.
	if (now.run !== 'tool' && before.node === now.node && before.run === now.run) return false;
	return !(await endedAlive(context, predecessor));
}

/**
 * Whether another process has overwritten this retry's marks: n8n reads and writes its row in two steps. That may be
 * another retry from the same state, so this one sends nothing. Asking adds both marks again.
 */
async function isOverwritten(
	context: IExecuteFunctions,
	stateMark: string,
	ownMark: string,
): Promise<boolean> {
	await rowOf(context).settled();
	const found = await rowOf(context).add([stateMark, ownMark]);
	return found?.includes(ownMark) === false;
}

/** Whether there is a mark, without leaving it. `false` if n8n can't say. */
async function isMarked(context: IExecuteFunctions, mark: string): Promise<boolean> {
	const found = await rowOf(context).add([mark], { isKept: false });
	// n8n can tell only by adding it.
	if (found?.length === 0) await rowOf(context).remove([mark]);
	return found?.includes(mark) ?? false;
}

/**
 * Whether an execution ended with a node's error while n8n was alive, so that n8n has stored all of its data. When n8n
 * finds an execution that was killed, it adds an error of its own, which belongs to no node.
 */
async function endedAlive(context: IExecuteFunctions, executionId: string): Promise<boolean> {
	try {
		const {
			error,
			lastNodeExecuted = '',
			runData,
		} = (await context.getExecutionDataById(executionId))?.resultData ?? {};
		const last = runData?.[lastNodeExecuted]?.at(-1);
		return last?.executionStatus === 'error' && last.error?.message === error?.message;
	} catch (error) {
		context.logger.warn(
			`Whether execution ${executionId} of ${workflowTitle(context)} has ended is unknown: ${(error as Error).message}`,
		);
		return false;
	}
}
