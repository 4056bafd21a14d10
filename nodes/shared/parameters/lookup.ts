import type { GatewayRequest } from '../transport/request';
import type { Place } from './inputItem';

/**
 * What an answer says: the value, the rule that the given value breaks (the end of a sentence that starts with the field),
 * or what is wrong with the answer (the end of a sentence that starts with "it").
 */
export type Found<T> = { value: T } | { rule: string } | { problem: string };

/** What there is to look up. */
export interface LookupSpec<T> {
	/**
	 * Asks for it. Items with the same request share one answer; `quelle` makes no difference.
	 * @param values of the item's other parameters, checked
	 */
	request(values: Record<string, unknown>, quelle?: string): GatewayRequest;
	/** Finds the value in the answer. */
	find(body: unknown): Found<T>;
}

/**
 * Stands for a value that the gateway has to be asked for, e.g. the fiscal year that a day lies in. A parameter of the
 * form itself, not of a collection, may read as one; the value takes its place before a request is made.
 */
export class Lookup<T = unknown> {
	constructor(
		/** Where the given value stands. */
		readonly place: Place,
		readonly given: unknown,
		readonly spec: LookupSpec<T>,
	) {}
}
