import type { GatewayRequest } from '../gateway';
import type { Rule, SentenceEnd } from '../values';
import type { Place } from './inputItem';

/** The result of a search: the value, the rule that the given value breaks, or what is wrong with the answer. */
export type Found<T> = { value: T } | { rule: Rule } | { problem: SentenceEnd };

/** How a value is found in an answer of the gateway. */
export interface Search<T> {
	/** @param values of the item's other parameters, checked, including those that were found before */
	request(values: Record<string, unknown>): GatewayRequest;
	/** @param values the item's other values, including those that were found before */
	find(body: unknown, values: Record<string, unknown>): Found<T>;
}

/**
 * A value that is looked up in the gateway when it is needed, like the fiscal year of a day. Only a parameter of a read
 * may be a finder, and none of a collection.
 */
export class Finder<T> {
	constructor(
		/** Where the given value is. */
		readonly place: Place,
		readonly given: unknown,
		readonly search: Search<T>,
	) {}
}
