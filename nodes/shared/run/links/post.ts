import { failed } from '../task';
import type { GatewayClient } from '../../gateway/client';
import type { Session } from '../session';
import type { Link } from '../task';

/** Sends the request. */
export const post =
	(session: Session, client: GatewayClient): Link =>
	async ({ task, request }) => {
		const answer = await client.send(request, session.options.timeout);
		if (answer.ok) {
			session.credits.update(answer.body);
			return { kind: 'done', value: answer.body };
		}
		const { failure } = answer;
		const { existing, value } = task.identity ?? {};
		// A record without a number can't be the one that the gateway says it has.
		const isThere = failure.exists && existing && value !== undefined;
		return isThere ? { kind: 'existed', said: failure.said } : failed(failure);
	};
