/** Reads that were not sent because their turn never came. */
import type { Failure } from './failure';

/** @param status of the refusals */
export const refusedThroughout = (status: number | undefined): Failure => ({
	outcome: 'notSent',
	message: `The gateway kept refusing all requests (HTTP ${status}), so this one was not sent`,
	description:
		status === 429
			? 'The limit of requests for this API key may be used up, or other workflows use it at the same time. Wait, then run the node again for what is missing; ask the provider of the gateway how many requests it allows.'
			: 'It is overloaded or under maintenance. Run the node again later for what is missing.',
	transient: false,
});

export const TURN_TOO_LATE: Failure = {
	outcome: 'notSent',
	message: 'The request was not sent: it waited too long for its turn',
	description:
		'The gateway accepts only a few requests at a time. Raise "Timeout" in the options of the node, or give the node fewer items at once.',
	transient: false,
};
