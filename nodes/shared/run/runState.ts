import type { IExecuteFunctions } from 'n8n-workflow';
import { upperFirst } from 'lodash';

import type { CommonOptions } from '../form';
import type { Operation } from '../operation';
import { Credits } from './credits';
import { inOrder } from './inOrder';
import type { Limits } from './inOrder';
import { itemRanges } from './itemNames';
import { Tally } from './tally';
import { resultOf } from './task';
import type { Outcome, Result, Rows, Task } from './task';
import { both } from '../values';
import type { Bilingual, Language } from '../values';

/** n8n recognizes a canceled execution by this word in the error. */
export const CANCELED = both('The execution was canceled', 'Die Ausführung wurde abgebrochen (canceled)');

/** How many requests are in flight at once, at most. Reads adapt to what the gateway takes. */
const READS_AT_ONCE = 32;
const WRITES_AT_ONCE = 4;

/** The options of which a run has one value, the same for all items that are sent. */
export const OF_RUN = ['minimumCredits', 'timeout'] as const;
type RunOptions = Partial<Pick<CommonOptions, (typeof OF_RUN)[number]>>;

/** What the tasks of a run share: the options, the credits, the count of what was done, and what ends the run early. */
export class RunState {
	readonly credits: Credits;
	readonly tally: Tally;
	/** Why nothing more is done, once a task has failed. */
	private endReason?: Bilingual;

	/** @param options of the items that are sent, if there are any */
	constructor(
		readonly context: IExecuteFunctions,
		operation: Operation,
		readonly options: RunOptions = {},
		/** Of errors and hints. */
		readonly language: Language = 'en',
	) {
		this.credits = new Credits(context, options.minimumCredits);
		this.tally = new Tally(context, operation);
	}

	get isCanceled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted === true;
	}

	/** Why nothing more may be done; `undefined` if the run goes on. */
	get stopReason(): Bilingual | undefined {
		if (this.isCanceled) return CANCELED;
		return this.endReason ?? (this.credits.exhausted ? this.credits.exhaustion : undefined);
	}

	/** The most requests that may be in flight at once. */
	atMost(kind: 'read' | 'write'): number {
		// Parallel requests couldn't stop in time when the credits fall below the minimum.
		if (this.credits.hasMinimum) return 1;
		return kind === 'write' ? WRITES_AT_ONCE : READS_AT_ONCE;
	}

	/** Works on all tasks, several at once, and gives their results in the same order. */
	async workOn<T extends Task>(
		tasks: readonly T[],
		work: (task: T) => Promise<Outcome<Rows>>,
		limits: Limits<T>,
	): Promise<Result[]> {
		const workOnOne = async (task: T): Promise<Result> => {
			let outcome: Outcome<Rows> | undefined;
			try {
				outcome = await work(task);
			} finally {
				// A missing outcome means a defect in the node.
				const isFailed = outcome?.kind === 'failed' || outcome?.kind === 'invalid';
				if (!outcome || (isFailed && !this.context.continueOnFail()))
					this.endReason ??= this.stopReason ?? endedBy(task);
			}
			return resultOf(task, outcome);
		};
		return await inOrder(tasks, workOnOne, limits);
	}
}

const endedBy = ({ items }: Task): Bilingual =>
	both(`${upperFirst(itemRanges(items, 'en'))} failed`, `${itemRanges(items, 'de')} ist misslungen`);
