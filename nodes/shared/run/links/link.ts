import type { GatewayRequest } from '../../gateway/request';
import type { Completion } from '../../operation';
import type { Outcome, WriteTask } from '../task';

/** One request of a task. */
export interface Write {
	readonly task: WriteTask;
	readonly request: GatewayRequest;
	/** What the first request created, if this is the second request of a record. */
	readonly completes?: Completion;
	/** Why nothing more may be sent; `undefined` if sending may go on. */
	readonly stop?: string;
}

/** Sends a request, or says why it isn't sent. Each link of the chain wraps the next one and adds one concern. */
export type Link = (write: Write) => Promise<Outcome>;
