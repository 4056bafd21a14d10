import type { IHookFunctions } from 'n8n-workflow';

import type { Gateway, GatewayIdentity, GatewayRequest } from '../../shared/gateway/request';

/** The state of a URL that this process has given to a gateway. */
export type State =
	/** The URL of a published trigger. */
	| 'published'
	/** The URL of a trigger that n8n has taken down. Unless the trigger is published again at once, it will be cleared. */
	| 'clearing'
	/** The test URL of a trigger. If the answer to registering it was lost, the gateway may have it. */
	| 'testing'
	/** Set by the operation "Webhook: Set URL". */
	| 'setByHand'
	/** No URL; or, if the gateway refused to clear it, one that nobody listens at. */
	| 'cleared'
	/** The request to set it got no answer: the gateway may have it. */
	| 'uncertain';

/** A trigger of a workflow. */
export interface Trigger {
	workflowId: string;
	nodeId: string;
	/** Its name in n8n's log. */
	name: string;
	logger: IHookFunctions['logger'];
}

/** A URL that this process has given to a gateway. */
export interface Entry {
	state: State;
	account: GatewayIdentity;
	request: GatewayRequest;
	/** Can send the request again. Missing if it was set by hand: it would keep the data of that execution in memory. */
	gateway?: Gateway;
	/** Missing if it was set by hand. */
	trigger?: Trigger;
}

/** An entry at whose URL nobody listens anymore, but which its account may still have. */
export type Stale = Required<Entry> & {
	/** Milliseconds since 1970. */
	since: number;
};
