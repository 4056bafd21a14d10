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
		return failure.exists && task.identity?.existing
			? { kind: 'existed', said: failure.said }
			: failed(failure);
	};
