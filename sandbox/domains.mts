import type { FastifyInstance } from 'fastify';
import { accountingHandlers } from './accounting.mjs';
import { bankingHandlers } from './banking.mjs';
import { deliveryControls, deliveryHandlers } from './delivery.mjs';
import type { Handlers } from './handlers.mjs';
import { mobilityControls, mobilityHandlers } from './mobility.mjs';
import { paymentControls } from './payments.mjs';
import type { World } from './world.mjs';

/** A part of the gateway: the operations that it answers, and what it adds to the control API. */
export interface Domain {
	/** Called once for a world; registers the domain's slices and lists with it. */
	handlers: (world: World) => Handlers;
	/**
	 * Adds routes below `/sandbox`, after `handlers`. A Refusal thrown in one becomes its JSON error.
	 */
	controls?: (app: FastifyInstance, world: World) => void;
}

export const domains: readonly Domain[] = [
	{ handlers: deliveryHandlers, controls: deliveryControls },
	{ handlers: accountingHandlers },
	{ handlers: mobilityHandlers, controls: mobilityControls },
	{ handlers: bankingHandlers, controls: paymentControls },
];
