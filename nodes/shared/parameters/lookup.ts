import type { GatewayRequest } from '../gateway/request';
import type { Place } from './inputItem';

/**
 * The result of a look-up: the value, the rule that the given value breaks (the end of a sentence that starts with the
 * field), or what is wrong with the answer (the end of a sentence that starts with "it").
 */
export type Found<T> = { value: T } | { rule: string } | { problem: string };

/** What to look up. */
export interface LookupSpec<T> {
	/**
	 * Makes the request. Items with the same request share one answer.
	 * @param values of the item's other parameters, checked
	 */
	request(values: Record<string, unknown>): GatewayRequest;
	/** Finds the value in the answer. */
	find(body: unknown): Found<T>;
}

/**
 * Stands for a value that must be looked up in the gateway, e.g. the fiscal year of a day. Only a parameter of the
 * form itself may return one, not one of a collection; the value replaces it before a request is made.
 */
export class Lookup<T = unknown> {
	constructor(
		/** Where the given value is. */
		readonly place: Place,
		readonly given: unknown,
		readonly spec: LookupSpec<T>,
	) {}
}
