/**
 * What an operation is: one object in one file. Its parameters are declared once; from each declaration come the form's
 * property, the check, the name in errors and the type of the value that `request` gets.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Explain } from './errors/httpError';
import type { Parameters, Values } from './parameters/parameter';
import type { Endpoint, GatewayRequest, RequestParts, TypedRequest } from './transport/request';

/** What n8n's lists show of a resource. */
export interface Resource {
	/** Value of the parameter `resource`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** In the order of the list; a new node has the first one. */
	operations: Operation[];
}

/** Adds an issue about a rule that concerns several values. */
export type AddIssue = (
	/** As in `Issue`, e.g. `additionalFields.from_date`. */
	field: string,
	/** What to show of it. */
	given: unknown,
	/** The end of a sentence that starts with the field. */
	rule: string,
) => void;

/**
 * One operation of a node: everything that there is to know about it.
 *
 * `P`: its parameters, `O`: the options that only it has, `E`: its endpoint. The functions get checked, typed values,
 * and are called only for items without issues.
 */
export interface OperationSpec<P extends Parameters, O extends Parameters, E extends Endpoint> {
	/** Value of the parameter `operation`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, without articles, with the resource. */
	action: string;
	/** For people and for AI agents: what it does, and the German term. */
	description: string;
	/** `write`: never repeated. `read`: repeated when that can help. Both go several at once. */
	kind: 'read' | 'write';
	/** Whether the request carries `quelle`; all of the accounting areas do. */
	sendsSource?: boolean;
	/** Whether the answer names the credit balance; by default if the request carries `quelle`. */
	namesBalance?: boolean;
	endpoint: E;
	/** The endpoint for an item, where it depends on the item. */
	endpointFor?(values: Values<P>): E;
	/** The form, without the parameters that all operations have. */
	parameters: P;
	/** The options that only this operation has. */
	options?: O;
	/** Rules that concern several values. A value that breaks a rule of its own is missing here. */
	check?(values: Partial<Values<P>>, addIssue: AddIssue, options: Partial<Values<O>>): void;
	/** Makes several requests of one item: a part for each. Without it, an item is one request. */
	split?(values: Values<P>): Array<Part<Values<P>>>;
	/** What to send for an item, or for a part of it. */
	request(values: Values<P>, options: Values<O> & { quelle?: string }): RequestParts<E>;
	/** A value that may occur only once in a run: the field, its value, and within what it must be unique. */
	unique?(request: TypedRequest<E>, options: Values<O>): Unique | undefined;
	/**
	 * Takes the place of the answer if the gateway already has the record, and it may come again; see `Unique.mayRecur`.
	 * @param first what was put out for it before in this run: the system behind the gateway may have changed its ID
	 */
	existing?(request: TypedRequest<E>, first?: IDataObject): IDataObject;
	/** Names what must keep its order: writes of the same sequence are sent one after another, in input order. */
	sequence?(request: TypedRequest<E>): string;
	/** Names the record of a write in errors, e.g. `belegnummer R-17`, so that it can be looked up. */
	label?(request: TypedRequest<E>): string;
	/** Of a write: what it would do, for whoever looks at a dry run; starts with "Would". */
	summary?(request: TypedRequest<E>, options: Values<O>): string;
	/** What a refusal means here, in place of what its status always means. */
	explain?(values: Values<P>): Explain;
	/** What else is special about sending it. */
	handling?(values: Values<P>): Pick<GatewayRequest, 'anyAnswer' | 'around'>;
	/**
	 * Whether a successful answer is about the record that was sent, or is what was asked for; see `transport/verify.ts`.
	 * @returns what is wrong with it, as the end of a sentence that starts with "it", e.g. `names no ID`
	 */
	verifyResponse?(body: unknown, request: TypedRequest<E>): string | undefined;
	/** What the system behind the gateway has refused of a record that the gateway has taken, and why. */
	rejection?(body: unknown): string | undefined;
	/** A second request for the item, when the first answer leaves something to do. */
	complete?(body: unknown, values: Values<P>, options: Values<O>): Completion | undefined;
	/** What the user should know about a successful answer. */
	warning?(body: unknown): string | undefined;
	/** Of what in the answer `records` can't make rows, and why: nothing vanishes in silence. */
	omissions?(body: unknown, values: Values<P>): Array<string | undefined>;
	/**
	 * The fields of a simplified record, ten at most, the most useful first. Default, where the contract leaves the fields
	 * open: the first ten.
	 */
	columns?: readonly string[] | ((values: Partial<Values<P>>) => readonly string[]);
	/** Makes the gateway's answer one flat record an output item, with all fields, when "Simplify" is on. Default: `recordsOf`. */
	records?(body: unknown, values: Values<P>, options: Values<O>): IDataObject[];
}

/** A value that identifies a record. */
export interface Unique {
	field: string;
	value: string;
	/** Names what it is unique in. */
	within: string;
	/** When it comes again, it is the same record: no mistake, but nothing to be sent. */
	mayRecur?: boolean;
}

/** What one of several requests of an item is made of. */
export interface Part<V> {
	/** Distinguishes it from the item's other parts, also on a retry: the name of the file's field. */
	name: string;
	values: V;
}

/** Any operation, as the loop has it. */
export type Operation = OperationSpec<Parameters, Parameters, Endpoint>;

/** Lets the compiler infer the types of an operation from its declaration, and then forget them. */
export const defineOperation = <
	const P extends Parameters,
	const E extends Endpoint,
	const O extends Parameters = Record<never, never>,
>(
	operation: OperationSpec<P, O, E>,
): Operation => operation as unknown as Operation;

/** The second of two requests; its answer takes the place of the first one's. */
export interface Completion {
	/** `problem`: why there can be none. */
	request: GatewayRequest | { problem: string };
	/** The fields that identify what exists by now; a failure reports them. */
	created: IDataObject;
	/** As in `OperationSpec`. */
	verifyResponse(body: unknown): string | undefined;
	/** What to say when this request fails: the beginning of the error's message. */
	message: string;
	/** How to go on from there by hand. */
	advice: string;
}
