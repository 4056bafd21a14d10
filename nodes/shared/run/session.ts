import type { IExecuteFunctions } from 'n8n-workflow';
import { upperFirst } from 'lodash';

import { MAX_CONCURRENCY } from '../form/options';
import type { CommonOptions } from '../form/options';
import { GatewayClient } from '../gateway/client';
import { Credits } from './credits';
import { inOrder } from './inOrder';
import type { Limits } from './inOrder';
import { itemRanges } from './itemNames';
import { resultOf } from './task';
import type { Outcome, Result, Rows, Task } from './task';

/** n8n recognizes a canceled execution by this word in the error. */
export const CANCELED = 'The execution was canceled';

/** How many writes are in flight at once. */
const WRITES_AT_ONCE = 4;

/**
 * The options that apply to a run as a whole, taken from the first item that is sent, because a run can have only one
 * limit for parallel requests, one minimum and one timeout.
 */
type RunOptions = Partial<Pick<CommonOptions, 'concurrency' | 'minimumCredits' | 'timeout'>>;

/** Decides when a run ends early. */
export class Run {
	/** Why nothing more is done, once a task has failed. */
	private ended?: string;

	constructor(readonly context: IExecuteFunctions) {}

	get isCanceled(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted ?? false;
	}

	/** Why nothing more may be done; `undefined` if the run goes on. */
	get stop(): string | undefined {
		return this.isCanceled ? CANCELED : this.ended;
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
					this.ended ??= this.stop ?? `${upperFirst(itemRanges(task.items))} failed`;
			}
			return resultOf(task, outcome);
		};
		return await inOrder(tasks, workOnOne, limits);
	}
}

/** What all requests of a run share: the gateway, the credits, and what ends the run early. */
export class Session extends Run {
	private constructor(
		context: IExecuteFunctions,
		readonly client: GatewayClient,
		readonly credits: Credits,
		readonly options: RunOptions,
	) {
		super(context);
	}

	/** @param options of the first item that is sent, if there is one */
	static async open(context: IExecuteFunctions, options: RunOptions = {}): Promise<Session> {
		const client = await GatewayClient.open(context);
		return new Session(context, client, Credits.open(context, options.minimumCredits), options);
	}

	override get stop(): string | undefined {
		return super.stop ?? (this.credits.exhausted ? this.credits.exhaustion : undefined);
	}

	/** The most requests that may be in flight at once. */
	atMost(kind: 'read' | 'write'): number {
		// Parallel requests couldn't stop in time when the balance falls below the minimum.
		if (this.credits.hasMinimum) return 1;
		return kind === 'write' ? WRITES_AT_ONCE : (this.options.concurrency ?? MAX_CONCURRENCY);
	}
}
