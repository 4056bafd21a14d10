import type { WriteOperation } from '../../operation';
import { unexpectedResponse } from '../../errors/unexpectedResponse';
import { idsIn } from '../../gateway/records';
import { unconfirmed } from '../../gateway/verify';
import { failed } from '../task';
import type { Link } from '../task';

/**
 * Checks whether the answer is about the record, and whether the accounting system behind the gateway has accepted the
 * record.
 */
export const confirmed =
	(operation: WriteOperation, next: Link): Link =>
	async (write) => {
		const outcome = await next(write);
		if (outcome.kind !== 'done') return outcome;
		const { request, task, completes } = write;
		const { answer } = completes ?? operation;
		const sent = completes ? completes.sent : operation.sent?.(task.request);
		const failure = unconfirmed(outcome.value, request, answer, sent);
		if (failure) return failed(failure);
		let rejection: string | undefined;
		try {
			rejection = completes ? undefined : operation.rejection?.(outcome.value);
		} catch (error) {
			return failed(unexpectedResponse(true, { error: error as Error, received: idsIn(outcome.value) }));
		}
		if (rejection === undefined) return outcome;
		const again = task.identity?.value === undefined ? ', but a new run sends it again: keep it out' : '';
		return failed({
			outcome: 'incomplete',
			message: `The gateway accepted it, but ${rejection}`,
			description: `Look it up in the accounting system and correct it there: if you sent it again, it would exist twice. A retry sends nothing${again}.`,
		});
	};
