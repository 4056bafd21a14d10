import { unexpectedResponse } from '../errors/unexpectedResponse';
import type { ReadOperation } from '../operation';
import type { GatewayRequest, SendResult } from '../gateway/request';
import { Throttle } from '../gateway/throttle';
import { done, unconfirmed } from './answer';
import type { ReadTask } from './task';
import type { ItemResult, TaskResult } from './result';
import type { Session } from './session';
import type { Tally } from './tally';

/** Sends reads, as fast as the gateway can take them. */
export class Reader {
	private readonly pace: Throttle;

	constructor(readonly session: Session) {
		this.pace = new Throttle(session.atMost('read'));
	}

	/** How many requests may be in flight at once now. */
	get atOnce(): number {
		return this.pace.atOnce;
	}

	/** @returns the answer, or `reason`: why the request wasn't sent */
	async ask(request: GatewayRequest): Promise<SendResult | { reason: string }> {
		const { stop } = this.session;
		return stop === undefined ? await this.session.send(request, this.pace) : { reason: stop };
	}
}

/** Reads what the tasks ask for. @param tasks is emptied */
export const sendReads = async (
	tasks: ReadTask[],
	operation: ReadOperation,
	reader: Reader,
	tally: Tally,
): Promise<ItemResult[]> =>
	await reader.session.forEach(tasks, async (task) => await read(task, operation, reader, tally), {
		atOnce: () => reader.atOnce,
	});

async function read(
	task: ReadTask,
	operation: ReadOperation,
	reader: Reader,
	tally: Tally,
): Promise<TaskResult> {
	const { request } = task;
	const answer = await reader.ask(request);
	if ('reason' in answer) return { kind: 'skipped', reason: answer.reason };
	if (!answer.ok) return { kind: 'failed', failure: answer.failure };
	const failure = unconfirmed(answer.body, request, (body) => operation.verifyResponse?.(body, request));
	if (failure) return { kind: 'failed', failure };
	try {
		const result = done(operation, answer.body, task);
		tally.read(task);
		return result;
	} catch (error) {
		return { kind: 'failed', failure: unexpectedResponse(false, { error: error as Error }) };
	}
}
