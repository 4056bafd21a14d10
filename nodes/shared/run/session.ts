import type { IExecuteFunctions } from 'n8n-workflow';
import { upperFirst } from 'lodash';

import { MAX_CONCURRENCY } from '../form/options';
import type { CommonOptions } from '../form/options';
import { GatewayClient } from '../gateway/client';
import type { GatewayRequest, SendResult } from '../gateway/request';
import type { Throttle } from '../gateway/throttle';
import type { Task } from './task';
import { forEachLimited } from './concurrency';
import type { Limits } from './concurrency';
import { Credits, creditsIn } from './credits';
import { formatItemRanges, itemsOf } from './result';
import type { ItemResult, TaskResult } from './result';

/** n8n recognizes a canceled execution by this word in the error. */
export const CANCELED = 'The execution was canceled';

/** How many writes are in flight at once. */
const WRITES_AT_ONCE = 4;

/**
 * The options that apply to a run as a whole, taken from its first item: one that differs between items can't say how
 * many are sent at once, or when to stop.
 */
export type RunOptions = Partial<Pick<CommonOptions, 'concurrency' | 'minimumCredits' | 'timeout'>>;

/** Whether n8n has canceled the execution. */
export const isCanceled = (context: Partial<Pick<IExecuteFunctions, 'getExecutionCancelSignal'>>): boolean =>
	context.getExecutionCancelSignal?.()?.aborted ?? false;

/** What all requests of a run share: the gateway, the credits, and what ends the run early. */
export class Session {
	/** Why nothing more is sent, once an item has failed. */
	private ended?: string;

	constructor(
		readonly context: IExecuteFunctions,
		readonly client: GatewayClient,
		readonly credits: Credits,
		readonly options: RunOptions,
		/** Whether a failed item ends the run. */
		readonly stopsAtFailure: boolean,
	) {}

	/**
	 * @param options of the first item that is sent, if any is
	 * @param mayStop whether a failed item ends the run, unless the node continues
	 */
	static async open(context: IExecuteFunctions, options: RunOptions = {}, mayStop = true): Promise<Session> {
		const client = await GatewayClient.open(context);
		const credits = Credits.open(context, options.minimumCredits);
		return new Session(context, client, credits, options, mayStop && !context.continueOnFail());
	}

	/** The most requests that may be in flight at once. */
	atMost(kind: 'read' | 'write'): number {
		// Parallel requests couldn't stop in time when the balance falls below the minimum.
		if (this.credits.hasMinimum) return 1;
		return kind === 'write' ? WRITES_AT_ONCE : (this.options.concurrency ?? MAX_CONCURRENCY);
	}

	get canceled(): boolean {
		return isCanceled(this.context);
	}

	/** Why nothing more may be sent, if so. */
	get stop(): string | undefined {
		if (this.canceled) return CANCELED;
		return this.ended ?? (this.credits.exhausted ? this.credits.exhaustion : undefined);
	}

	/** Sends a request and notes the balance that its answer names. @param pace of reads */
	async send(request: GatewayRequest, pace?: Throttle): Promise<SendResult> {
		const result = await this.client.send(request, this.options.timeout, pace);
		if (result.ok) this.credits.note(creditsIn(result.body));
		return result;
	}

	/**
	 * Works on all tasks and returns their results in the same order. Throws only after the last request in flight has
	 * ended, because n8n may retry the run at once.
	 * @param tasks is emptied, see `forEachLimited`
	 */
	async forEach<T extends Task>(
		tasks: T[],
		work: (task: T) => Promise<TaskResult>,
		limits: Limits<T>,
	): Promise<ItemResult[]> {
		const results: ItemResult[] = [];
		const workOn = async (task: T, place: number) => {
			const { item, combined, part, rerunWith } = task;
			const result = await this.watch(task, work(task));
			// A record that was carried out is counted, not named, unless the item has several.
			const label = result.kind === 'done' && !part ? undefined : task.label;
			results[place] = { item, combined, part: part?.name, label, rerunWith, result };
		};
		await forEachLimited(tasks, workOn, limits);
		return results;
	}

	private async watch(task: Task, working: Promise<TaskResult>): Promise<TaskResult> {
		let result: TaskResult | undefined;
		try {
			result = await working;
			return result;
		} finally {
			// No result means a defect in the node.
			const ends = !result || (result.kind === 'failed' && this.stopsAtFailure);
			if (ends) this.ended ??= this.stop ?? `${upperFirst(formatItemRanges(itemsOf(task)))} failed`;
		}
	}
}
