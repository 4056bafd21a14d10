import type { operations } from '../nodes/shared/contract.js';
import type { Account, Connection } from './world.mjs';

/** An operation that the gateway offers. (The webhook of the contract is one that it sends, not one it answers.) */
export type OperationId = Exclude<keyof operations, 'paymentUpdate'>;

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
/** `never` is how the generated types say "there is none"; a handler then gets an empty object. */
type OrEmpty<T> = [NonNullable<T>] extends [never] ? Record<string, never> : NonNullable<T>;
type JsonBody<Id extends OperationId> = operations[Id] extends {
	requestBody: { content: { 'application/json': infer Body } };
}
	? Body
	: undefined;

/** What a handler gets. Parameters and body conform to the contract; who calls, and for which connection, is known. */
export interface Call<Id extends OperationId = OperationId> {
	id: Id;
	params: OrEmpty<Parameters<Id>['path']>;
	query: OrEmpty<Parameters<Id>['query']>;
	body: JsonBody<Id>;
	/** The account whose API key was sent. What belongs to another account must stay invisible. */
	account: Account;
	/** The accounting connection, for operations with a `connectionId`; it belongs to the account and fits the module. */
	connection: Id extends OperationWithConnection ? Connection : undefined;
}

type OperationWithConnection = {
	[Id in OperationId]: Parameters<Id>['query'] extends { connectionId: string } ? Id : never;
}[OperationId];

/**
 * What a handler answers. The frame adds `svc` where the contract has it, charges the credits and checks the result
 * against the contract.
 */
export interface Answer {
	/** 200 when left out. */
	status?: number;
	body: unknown;
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer | Promise<Answer>;
export type Handlers = { [Id in OperationId]?: Handler<Id> };

/**
 * A refusal for a business reason: the frame answers `{ error: { message, field?, code? } }` with its status.
 * A handler throws it before it has changed anything.
 */
export class Refusal extends Error {
	constructor(
		/** The HTTP status, 4xx. */
		readonly status: number,
		message: string,
		/** The field or parameter at fault, as the request writes it: `kassenname`, `belegbilder/0/content`. */
		readonly field?: string,
		/** The violated rule in one word, for programs: `duplicate`, `unknown`. */
		readonly code?: string,
	) {
		super(message);
	}
}
