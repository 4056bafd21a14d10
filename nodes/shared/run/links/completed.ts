import { unexpectedResponse } from '../../errors/unexpectedResponse';
import { unsent } from '../../errors/failure';
import type { Failure } from '../../errors/failure';
import type { Completion, WriteOperation } from '../../operation';
import { failed, named } from '../task';
import { CANCELED } from '../session';
import type { Session } from '../session';
import type { Link } from '../task';
import type { Journal } from '../journal/journal';

/**
 * Sends the second request of a record that needs one. A record that was begun is completed, unless the run is
 * canceled.
 */
export const completed =
	(operation: WriteOperation, session: Session, journal: Pick<Journal, 'hasSecond'>, next: Link): Link =>
	async (write) => {
		const first = await next(write);
		if (first.kind !== 'done') return first;
		const { task } = write;
		let completion: Completion | undefined;
		try {
			completion = operation.completion?.(first.value, task.values, task.options, journal.hasSecond(task));
		} catch (error) {
			return named(failed(unexpectedResponse(true, { error: error as Error })), task.label);
		}
		if (!completion) return first;
		const { request } = completion;
		if ('problem' in request) return incomplete(completion, unsent(request.problem));
		const stop = session.isCanceled ? CANCELED : write.stop;
		const second = await next({ ...write, request, stop, completes: completion });
		if (second.kind === 'notSent') return incomplete(completion, unsent(second.reason));
		return second.kind === 'failed' ? incomplete(completion, second.failure) : second;
	};

/** The failure of the second request must report what the first one created. */
const incomplete = ({ created, message, advice }: Completion, failure: Failure) =>
	failed({
		...failure,
		outcome: 'incomplete',
		message: `${message}: ${failure.message}`,
		description: [advice, failure.description].filter(Boolean).join(' '),
		created,
	});
