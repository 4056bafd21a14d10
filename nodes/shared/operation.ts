/**
 * What an operation is: one object in one file. Its parameters are declared once; from each declaration come the form's
 * property, the check, the name in errors and the type of the value that `request` gets.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Explain } from './errors/httpError';
import type { ParameterMap, Values } from './parameters/parameter';
import type { InputFile } from './parameters/file';
import type {
	Endpoint,
	GatewayRequest,
	InContract,
	ReadEndpoint,
	RequestParts,
	TypedRequest,
	WriteEndpoint,
} from './gateway/request';

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
 * What every operation is, whatever it does. Make one with `defineRead`, `defineWrite` or `defineLocal`.
 *
 * `P`: its parameters, `O`: the options that only it has. The functions get checked, typed values, and are called only for
 * items without issues.
 */
interface Described<P extends ParameterMap, O extends ParameterMap> {
	/** Value of the parameter `operation`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, without articles, with the resource. */
	action: string;
	/** For people and for AI agents: what it does, and the German term. */
	description: string;
	/** The form, without the parameters that all operations have. */
	parameters: P;
	/** The options that only this operation has. */
	options?: O;
	/** Rules that concern several values. A value that is invalid by itself is missing here. */
	check?(values: Partial<Values<P>>, addIssue: AddIssue, options: Partial<Values<O>>): void;
	/** Makes several records from one item, a part for each. Without it, an item is one record. */
	split?(values: Values<P>): Array<Part<Values<P>>>;
}

/** The parts of a request, and what is special about sending it. */
export type Asked<E extends Endpoint> = RequestParts<E> & {
	/** Where it depends on the item. */
	endpoint?: E;
} & Pick<GatewayRequest, 'anyAnswer' | 'around'>;

/** An operation that asks the gateway. `E`: its endpoint. */
interface Sent<P extends ParameterMap, O extends ParameterMap, E extends Endpoint> extends Described<P, O> {
	/** Whether it reads or writes, carries `quelle` and gets the credit balance follows from it. */
	endpoint: E;
	/** What to send for an item, or for a part of it. */
	request(values: Values<P>, options: Values<O>): Asked<E>;
	/** What a refusal means here, instead of what its status always means. */
	explain?(values: Values<P>): Explain;
	/**
	 * Whether a successful answer is about the record that was sent, or is what was asked for; see `gateway/verify.ts`.
	 * @returns what is wrong with it, as the end of a sentence that starts with "it", e.g. `has no ID`
	 */
	verifyResponse?(body: unknown, request: TypedRequest<E>): string | undefined;
	/** What the user should know about a successful answer. */
	warning?(body: unknown, values: Values<P>): string | undefined;
	/** The parts of the answer that `records` can't turn into rows, and why: nothing is dropped silently. */
	omissions?(body: unknown, values: Values<P>): Array<string | undefined>;
	/**
	 * The fields of a simplified record, ten at most, the most useful first. Default, where the contract leaves the fields
	 * open: the first ten.
	 */
	columns?: readonly string[] | ((values: Partial<Values<P>>) => readonly string[]);
	/** Makes the gateway's answer one flat record an output item, with all fields, when "Simplify" is on. Default: `recordsOf`. */
	records?(body: unknown, values: Values<P>, options: Values<O>): Iterable<IDataObject>;
}

/** Asks for something. Several reads are in flight at once, and each is retried when that can help. */
export interface ReadSpec<P extends ParameterMap, O extends ParameterMap, E extends ReadEndpoint>
	extends Sent<P, O, E> {
	/**
	 * For operations that read a company's data: the company that was given; `undefined` for the connection's default
	 * one.
	 */
	companyOf?(values: Values<P>): string | undefined;
}

/** Changes something. It is sent once; the journal remembers what became of it. */
export interface WriteSpec<P extends ParameterMap, O extends ParameterMap, E extends WriteEndpoint>
	extends Sent<P, O, E> {
	/** A value that may occur only once in a run: the field, its value, and within what it must be unique. */
	unique?(request: TypedRequest<E>, options: Values<O>): Unique | undefined;
	/**
	 * Identifies a record that has no ID: equal records have the same text. `undefined` if it has an ID, or needs none.
	 * Without `withId`, the node remembers what it has written, and doesn't write it again.
	 */
	contentOf?(request: TypedRequest<E>, options: Values<O>): string | undefined;
	/** Gives such a record an ID that follows from its content. @param nth which of the equal ones of the run it is, from 1 */
	withId?(request: TypedRequest<E>, content: string, nth: number): TypedRequest<E>;
	/**
	 * What keeps a new run of the same items from writing this record twice, as the end of a sentence: `the option "…"`, with
	 * its condition if it has one. `undefined` if it wouldn't recognize what was written with these options.
	 */
	rerunWith?(options: Values<O>, values: Values<P>): string | undefined;
	/** Whether a record that the gateway already has counts as done. */
	mayExist?(values: Values<P>, options: Values<O>): boolean;
	/**
	 * Takes the place of the answer if the gateway already has the record; see `mayExist`.
	 * @param first what was emitted for it before in this run: the system behind the gateway may have changed its ID
	 */
	existing?(request: TypedRequest<E>, first?: IDataObject): IDataObject;
	/** What it has done, in words, for the hint below the output: `2 entries booked` `in Hauptkasse`. */
	achieves?: { one: string; many: string; where?(request: TypedRequest<E>, answer: unknown): string };
	/** Names what must keep its order: writes with the same key are sent one after another, in input order. */
	orderingKey?(request: TypedRequest<E>): string;
	/** Names the record in errors, e.g. `belegnummer R-17`, so that it can be looked up. */
	label?(request: TypedRequest<E>): string;
	/** What it would do, for whoever looks at a dry run; starts with "Would". */
	summary(request: TypedRequest<E>, options: Values<O>): string;
	/** What it does to a balance that must not fall below 0, where the option gives the balance before the run. */
	movement?(request: TypedRequest<E>, options: Values<O>): Movement | undefined;
	/**
	 * Makes one record from several items. Without it, each item is its own record. None of its parameters needs a
	 * look-up.
	 */
	combine?: Combination<Values<P>>;
	/** What is still to be done, or wrong, after an answer that confirms the record. */
	followUp?(body: unknown, values: Values<P>, options: Values<O>): Completion | Rejection | undefined;
}

/** Sends nothing: it makes records from the data and files of an item. It has no credential, journal or dry run. */
export interface LocalSpec<P extends ParameterMap, O extends ParameterMap> extends Described<P, O> {
	/**
	 * The records of an item, or of a part of it. Its files are passed on; each of several parts has its own.
	 * @param bytesOf reads a file of the item
	 * @param simple whether "Simplify" is on
	 */
	make(
		values: Values<P>,
		given: { bytesOf: (file: InputFile) => Promise<Buffer>; simple: boolean; options: Values<O> },
	): IDataObject[] | Promise<IDataObject[]>;
	/** Names the record in errors, e.g. the file. */
	label?(values: Values<P>): string;
	/** What the user should know about the records. */
	warnings?(records: IDataObject[]): string[];
	/** What a record looks like, for the preview of its output. */
	example: IDataObject;
}

/** A value that identifies a record. */
export interface Unique {
	field: string;
	value: string;
	/** Names what it is unique in. */
	within: string;
	/** A repetition is the same record: no mistake, but not sent again. */
	mayRecur?: boolean;
}

/** A change of a balance that must not fall below 0. */
export interface Movement {
	/** The option that holds the balance before the run; records carry the balance after under its name. */
	field: string;
	/** Identifies what has the balance; a run has only one. */
	of: string;
	/** Its name for people. */
	name: string;
	currency: string;
	/** The balance before the first record of the run. */
	before: number;
	/** Signed. */
	change: number;
}

/** How several items become one record. */
export interface Combination<V> {
	/** The parameter that tells which ones do: those with the same text. An item without one is its own record. */
	by: keyof V & string;
	/**
	 * The values of the record. Called for each one whose items break no rule, in the order of their first items; a
	 * record with an issue isn't sent.
	 * @param members all of its items, in input order; there may be only one
	 */
	values(members: ReadonlyArray<Member<V>>): V;
}

/** One of the items that become one record. */
export interface Member<V> {
	/** E.g. `item 3`. */
	name: string;
	values: V;
	addIssue: AddIssue;
}

/** What one of several requests of an item is made of. */
export interface Part<V> {
	/** Distinguishes it from the item's other parts, also on a retry: the name of the file's field. */
	name: string;
	values: V;
}

/** Operations as the run has them. */
export type ReadOperation = { kind: 'read' } & ReadSpec<ParameterMap, ParameterMap, ReadEndpoint>;
export type WriteOperation = { kind: 'write' } & WriteSpec<ParameterMap, ParameterMap, WriteEndpoint>;
export type LocalOperation = { kind: 'local' } & LocalSpec<ParameterMap, ParameterMap>;
export type Operation = ReadOperation | WriteOperation | LocalOperation;

/**
 * What `request` returns (`R`) must be in the contract, to the last field. `R` is any object: constrained to `Asked<E>`, the
 * compiler would work out `Asked` of all endpoints for each operation, which took nine tenths of its time.
 */
interface Exact<P extends ParameterMap, O extends ParameterMap, E extends Endpoint, R> {
	request(values: Values<P>, options: Values<O>): R & InContract<R, Asked<E>>;
}

/**
 * Forgets the types that the compiler has inferred from an operation's declaration. Each of its functions is only called
 * with what its own parameters have read, which the type of a list of operations can't express.
 */
const untyped = <T>(operation: object) => operation as T;

/** An operation that reads: its endpoint is a GET. */
export const defineRead = <
	const P extends ParameterMap,
	const E extends ReadEndpoint,
	R extends object,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: ReadSpec<P, O, E> & Exact<P, O, E, R>,
) => untyped<ReadOperation>({ ...operation, kind: 'read' });

/** An operation that writes: its endpoint is a POST or PUT. */
export const defineWrite = <
	const P extends ParameterMap,
	const E extends WriteEndpoint,
	R extends object,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: WriteSpec<P, O, E> & Exact<P, O, E, R>,
) => untyped<WriteOperation>({ ...operation, kind: 'write' });

/** An operation that sends nothing. */
export const defineLocal = <
	const P extends ParameterMap,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: LocalSpec<P, O>,
) => untyped<LocalOperation>({ ...operation, kind: 'local' });

/** The system behind the gateway has refused a record that the gateway accepted. */
export interface Rejection {
	/** Why, as the end of a sentence. */
	rejection: string;
}

/** The second of two requests; its answer takes the place of the first one's. */
export interface Completion {
	/** `problem`: why there can be none. */
	request: GatewayRequest | { problem: string };
	/** The fields that identify what exists by now; a failure reports them. */
	created: IDataObject;
	/** As in an operation. */
	verifyResponse(body: unknown): string | undefined;
	/** What to say when this request fails: the beginning of the error's message. */
	message: string;
	/** How to go on from there by hand. */
	advice: string;
}
