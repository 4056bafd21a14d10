/**
 * Defines an operation: one object in one file. Its parameters are declared once; each declaration yields the form's
 * property, the check, the name in errors and the type of the value that `request` gets.
 */
import type { IDataObject } from 'n8n-workflow';

import type {
	Endpoint,
	Exact,
	GatewayRequest,
	Meaning,
	ReadEndpoint,
	Refusal,
	RequestParts,
	TypedRequest,
	WriteEndpoint,
} from './gateway';
import type { InputFile, ParameterMap, Values } from './parameters';
import type { ExpectedAnswer } from './answer';
import type { Bilingual, Rule, SentenceEnd } from './values';

/** What n8n's lists show of a resource. */
export interface Resource {
	/** Value of the parameter `resource`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** What "Get Many" reads, if it isn't the name with an s: the node's subtitle. */
	many?: string;
	/** In the order of the list. The first one is the default, which n8n leaves out of saved workflows, so it stays. */
	operations: Operation[];
}

/** Adds an issue about a rule that concerns several values. */
export type AddIssue = (
	/** The field's name as in `Issue`, e.g. `additionalFields.from_date`. */
	field: string,
	/** The value that the error shows. */
	given: unknown,
	rule: Rule,
) => void;

/** Adds a warning about several values. @param title of the field in the form */
export type AddNote = (field: string, title: string, text: Rule) => void;

/**
 * The part that all operations have. Make one with `defineRead`, `defineWrite` or `defineLocal`.
 * `P`: its parameters, `O`: the options that only this operation has. The functions get checked, typed values. They are
 * called only for items without issues, except `check`, which also sees the valid values of the others, so that all
 * mistakes are found at once.
 */
interface Described<P extends ParameterMap, O extends ParameterMap> {
	/** Value of the parameter `operation`; saved workflows hold it. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, without articles, with the resource. */
	action: string;
	/** Set if an AI agent's tool doesn't offer the operation, and refuses it. */
	notForAgents?: true;
	/** For people and for AI agents: what the operation does, and the German term. */
	description: string;
	/** The form, without the parameters that all operations have. */
	parameters: P;
	/** The parameters by which a person recognizes an item in errors; the first one that has a value is used. */
	itemName?: ReadonlyArray<keyof P & string>;
	/** The options that only this operation has. */
	options?: O;
	/** Rules that concern several values. A value that is invalid by itself is missing here. */
	check?(values: Partial<Values<P>>, addIssue: AddIssue, options: Partial<Values<O>>, addNote: AddNote): void;
	/** Makes several records from one item, a part for each. Without it, an item is one record. */
	split?(values: Values<P>): Array<Part<Values<P>>>;
}

/** The parts of a request, and what is special about sending it. */
export type Asked<E extends Endpoint> = RequestParts<E> & {
	/** The endpoint, if it depends on the item. */
	endpoint?: E;
} & Pick<GatewayRequest, 'textAnswer'>;

/** An operation that asks the gateway. `E`: its endpoint, `V`: the values that it has for an item, or for a part of it. */
interface Asking<P extends ParameterMap, O extends ParameterMap, E extends Endpoint, V>
	extends Described<P, O> {
	/** The endpoint determines whether the operation reads or writes, carries `quelle` and gets the credit balance. */
	endpoint: E;
	/** Explains a refusal of this request more specifically than its status does. */
	explain?(refusal: Refusal, values: Values<P>): Meaning | undefined;
	/** Defines what a successful answer must contain, e.g. `listOf(ACCOUNTS)`. */
	expects: ExpectedAnswer;
	/** The values of the request that the answer must agree with, by the names of the answer's fields. */
	mustAgree?(request: TypedRequest<E>): object;
	/** What the user should know about a successful answer. */
	warnings?(body: unknown, values: V): Array<Bilingual | false | undefined>;
	/**
	 * Warnings that name the parts of the answer that `records` can't turn into rows, and why, so that nothing is dropped
	 * silently.
	 */
	omissions?(body: unknown, values: V): Array<Bilingual | undefined>;
	/**
	 * The fields of a simplified record, ten at most, the most useful first. Default, where the contract leaves the fields
	 * open: the first ten.
	 */
	columns?: readonly string[] | ((values: Partial<Values<P>>) => readonly string[]);
	/** Makes the gateway's answer one flat record an output item, with all fields, when "Simplify" is on. Default: `recordsOf`. */
	records?(body: unknown, values: V, options: Values<O>): Iterable<IDataObject>;
}

/**
 * Asks the gateway for what the records need besides their own answer. Equal requests are sent once in a run. If there is
 * no answer, or none that can be used, the item fails.
 */
export type Ask = <T>(
	request: GatewayRequest,
	find: (body: unknown) => { value: T } | { problem: SentenceEnd },
) => Promise<T>;

/**
 * Reads data. Several reads are in flight at once, and each is retried if that can help. `M`: the values that it looks up.
 */
interface ReadSpec<P extends ParameterMap, O extends ParameterMap, E extends ReadEndpoint, M extends object>
	extends Asking<P, O, E, Values<P> & M> {
	/** Values besides those of the parameters, which only the gateway knows. */
	lookUp?(ask: Ask, values: Values<P>): Promise<M>;
	/** Prepares what `records` needs of a long answer, in turns with n8n's other work; called for each item. */
	prepare?(answer: unknown, values: Values<P> & M): Promise<void>;
	/** What to send for an item, or for a part of it; the lists of several requests are joined, in this order. */
	request(values: Values<P> & M, options: Values<O>): Asked<E> | Array<Asked<E>>;
	/**
	 * For operations that read a company's data, for the hint below the output: which company was given, if not the
	 * connection's default one, and which time was read, e.g. `at the end of period 10`.
	 */
	readFrom?(values: Values<P>): { companyId?: string; time?: Bilingual };
	/**
	 * Whether items use the same answer: equal requests are sent once in a run, and `records` is called for each item.
	 * These records aren't the gateway's own, so they are also the output without "Simplify".
	 */
	makesOwnRecords?: true;
	/** The outputs (`output`) that are a single record, which no limit shortens. */
	singleOutputs?: readonly string[];
	/** What a record looks like, for the preview of its output, where the contract's example answer doesn't show it. */
	example?: IDataObject;
}

/** Changes something. Each write is sent once, and the journal remembers its outcome. */
interface WriteSpec<P extends ParameterMap, O extends ParameterMap, E extends WriteEndpoint>
	extends Asking<P, O, E, Values<P>> {
	/** What to send for an item, or for a part of it. */
	request(values: Values<P>, options: Values<O>): Asked<E>;
	/**
	 * Identifies the record, to recognize the same one again; `undefined` if nothing identifies it.
	 * @param nth tells which of the run's records with this content it is, from 1
	 */
	identity?(
		request: TypedRequest<E>,
		options: Values<O>,
		values: Values<P>,
		nth: (content: string) => number,
	): RecordIdentity | undefined;
	/** The parameter with the number that is unique for a connection, if a person may give one. */
	number?: keyof P & string;
	/**
	 * What the operation has done, in words, for the hint below the output (`2 entries booked in Hauptkasse`) and for an
	 * error (`unknown whether the entry was booked`).
	 */
	achieves: {
		/** `entry` and `entries`. */
		one: Bilingual;
		many: Bilingual;
		/** `booked`. */
		done: Bilingual;
		/**
		 * `in Hauptkasse`.
		 * @param chosenName the name of a parameter's value, if it was chosen from the list
		 */
		where?(
			request: TypedRequest<E>,
			answer: unknown,
			chosenName: (parameter: string, value: string) => string | undefined,
		): Bilingual;
	};
	/** Identifies a sequence: writes with the same key are sent one after another, in input order. */
	orderingKey?(request: TypedRequest<E>): string;
	/**
	 * Names the record in errors, e.g. `belegnummer R-17`, so that it can be looked up.
	 * @param isMade whether its number was made from its content, so that nobody knows it
	 */
	label?(request: TypedRequest<E>, isMade: boolean): Bilingual;
	/** What the write would do, for a person who reviews a dry run; in English, it starts with "Would". */
	summary(request: TypedRequest<E>, options: Values<O>): Bilingual;
	/** How the record changes a balance that must not fall below 0, if an option gives the balance before the run. */
	balanceChange?(request: TypedRequest<E>, options: Values<O>): BalanceChange | undefined;
	/**
	 * Makes one record from several items. Without it, each item is its own record.
	 */
	combine?: Combination<Values<P>>;
}

/**
 * Makes records from an item's data and files, without sending anything. Such an operation has no credential, journal
 * or dry run.
 */
interface LocalSpec<P extends ParameterMap, O extends ParameterMap> extends Described<P, O> {
	/**
	 * The records of an item, or of a part of it.
	 * @param bytesOf reads a file of the item
	 * @param earlier what was made of earlier items of the run
	 * @param simple whether "Simplify" is on
	 */
	make(
		values: Values<P>,
		given: {
			bytesOf: (file: InputFile) => Promise<Buffer>;
			earlier: readonly IDataObject[];
			simple: boolean;
			options: Values<O>;
			/** Adds a file for a person to read to the item that comes out, under a name of its own. */
			attach: (field: string, fileName: string, content: Buffer, mimeType: string) => Promise<void>;
		},
	): IDataObject[] | Promise<IDataObject[]>;
	/** Names the record in errors, e.g. the file. */
	label?(values: Values<P>): Bilingual;
	/** Set if the item's files are passed on with its records; each of several parts has its own. */
	passesFiles?: true;
	/** What the user should know about the records. */
	warnings?(records: IDataObject[]): Bilingual[];
	/** What a record looks like, for the preview of its output. */
	example: IDataObject;
}

/**
 * What makes a record the same as another one:
 *
 * | kind       | e.g.                                    | equal records of a run   | another run recognizes it by  |
 * | ---------- | --------------------------------------- | ------------------------ | ----------------------------- |
 * | `given`    | the `belegnummer` of an entry           | a mistake                | the gateway, if an option says so |
 * | `made`     | a number or ID made from the content    | get different numbers, or are one (`isOneRecord`) | the gateway |
 * | `content`  | an advanced entry, which has no number  | are several, counted     | the node's memory             |
 * | `onlyOnce` | for whom a ticket is; a file without ID | are one                  | the node's memory             |
 *
 * A record without an identity is always written.
 */
export type RecordIdentity = GivenNumber | MadeNumber | RememberedContent | OwnKey;

interface Numbered {
	/** The field of the number or ID. */
	field: string;
	value: string;
	/** The connection in which the value is unique. */
	within?: string;
}

interface Recognized {
	/**
	 * Makes the output for a record that counts as done, as the gateway has it already or the node remembers it.
	 * @param said the gateway's own text about it, if there is one
	 * @param first the answer that an earlier item of the run got for the same record
	 */
	outputIfExisted(said?: string, first?: IDataObject): { record: IDataObject; warning?: Bilingual };
	/** Whether another run of the same items writes the record again. */
	again: Exclude<Again, 'always'>;
	/** The option with which another run recognizes the record. */
	recognizedBy: string;
}

/** A number or ID that a person has given. Without `outputIfExisted`, a record that exists is refused. */
interface GivenNumber extends Numbered, Partial<Pick<Recognized, 'outputIfExisted'>> {
	kind: 'given';
	/** The option with which another run recognizes the record; without one, it writes the record again. */
	recognizedBy?: string;
}

/** A number or ID that the node has made from the content, and that the request gets. */
interface MadeNumber extends Numbered, Omit<Recognized, 'recognizedBy'> {
	kind: 'made';
	/** The option with which another run recognizes the record; without one, it always does. */
	recognizedBy?: string;
	/** Whether equal records of a run are one, which is sent once. */
	isOneRecord?: true;
	/** What the node's memory knows it by, too; sending it again makes no second record all the same. */
	content?: string;
}

/** The content of a record without a number, for the node's memory. */
interface RememberedContent extends Recognized {
	kind: 'content';
	/** With the count of equal ones. */
	content: string;
	/** Set if the content depends on the workflow's time zone. */
	onDay?: OnDay;
}

/** A record of a moment, whose content has the day of it: what the node's memory knows of that, too. */
export interface OnDay {
	/** The moment, and the day on which it is sent. */
	sent: string;
	/** The same with each other day, on which it was sent if the workflow had another time zone then. */
	others: string[];
}

/** A key that only the node knows, and that nothing in an answer is about. */
interface OwnKey extends Numbered, Recognized {
	kind: 'onlyOnce';
	/** What the node's memory knows it by. */
	content: string;
}

/**
 * Whether another run of the same items writes a record again, from the least to the most likely: `ifDateMoves`, where the
 * record is known by its content, with a day that may depend on the moment (`$now`, `$today`).
 */
export const AGAIN = ['never', 'ifDateMoves', 'always'] as const;
export type Again = (typeof AGAIN)[number];

/** A change of a balance that must not fall below 0. */
export interface BalanceChange {
	/** The option that holds the balance before the run; output records have the balance after them under this name. */
	field: string;
	/** Identifies the cash book or account that has the balance; a run has only one. */
	of: string;
	name: string;
	currency: string;
	/** The balance before the first record of the run. */
	before: number;
	/** When it changes, and the day of that; both sort as text. */
	at: string;
	day: string;
	/** Signed. */
	amount: number;
}

/** How several items become one record. */
export interface Combination<V> {
	/**
	 * The parameter by which items are combined: those with the same text become one record. An item without a value is
	 * its own record.
	 */
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
	name: Bilingual;
	values: V;
	addIssue: AddIssue;
}

/** The values for one of several requests of an item. */
interface Part<V> {
	/** Distinguishes the part from the item's other parts, also on a retry. */
	fileField: string;
	values: V;
}

export type ReadOperation = { kind: 'read' } & ReadSpec<ParameterMap, ParameterMap, ReadEndpoint, object>;
export type WriteOperation = { kind: 'write' } & WriteSpec<ParameterMap, ParameterMap, WriteEndpoint>;
export type LocalOperation = { kind: 'local' } & LocalSpec<ParameterMap, ParameterMap>;
export type Operation = ReadOperation | WriteOperation | LocalOperation;

/** `V`: the values, `R`: what `request` returns. */
interface ExactRequest<V, O extends ParameterMap, E extends Endpoint, R> {
	request(values: V, options: Values<O>): Exact<R, R extends readonly unknown[] ? Array<Asked<E>> : Asked<E>>;
}

/**
 * Forgets the types that the compiler has inferred from an operation's declaration. Each of its functions is only called
 * with what its own parameters have read, which the type of a list of operations can't express.
 */
const untyped = <T>(operation: object) => operation as T;

export const defineRead = <
	const P extends ParameterMap,
	const E extends ReadEndpoint,
	R extends object,
	M extends object = Record<never, never>,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: ReadSpec<P, O, E, M> & ExactRequest<Values<P> & M, O, E, R>,
) => untyped<ReadOperation>({ ...operation, kind: 'read' });

/** An operation that writes: its endpoint is a POST or PUT. */
export const defineWrite = <
	const P extends ParameterMap,
	const E extends WriteEndpoint,
	R extends object,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: WriteSpec<P, O, E> & ExactRequest<Values<P>, O, E, R>,
) => untyped<WriteOperation>({ ...operation, kind: 'write' });

/** An operation that sends nothing. */
export const defineLocal = <
	const P extends ParameterMap,
	const O extends ParameterMap = Record<never, never>,
>(
	operation: LocalSpec<P, O>,
) => untyped<LocalOperation>({ ...operation, kind: 'local' });
