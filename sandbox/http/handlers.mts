import type { operations } from '../../api/gateway.js';
import type { Account, Connection } from '../seed.mjs';

/** An operation that the gateway offers. (It calls the contract's webhook itself.) */
export type OperationId = Exclude<keyof operations, 'paymentUpdate'>;

type Parameters<Id extends OperationId> = operations[Id]['parameters'];
/** Where the generated types say `never` for "none", a handler gets an empty object. */
type OrEmpty<T> = [NonNullable<T>] extends [never] ? Record<string, never> : NonNullable<T>;
type JsonBody<Id extends OperationId> = operations[Id] extends {
	requestBody: { content: { 'application/json': infer Body } };
}
	? Body
	: undefined;

/** A handler's input: a request that conforms to the contract, and its sender. */
export interface Call<Id extends OperationId = OperationId> {
	id: Id;
	params: OrEmpty<Parameters<Id>['path']>;
	query: OrEmpty<Parameters<Id>['query']>;
	body: JsonBody<Id>;
	/** The account whose API key was sent. Other accounts' data must stay invisible to it. */
	account: Account;
	/** The accounting connection, for operations with a `connectionId`: it belongs to the account and the right module. */
	connection: Id extends OperationWithConnection ? Connection : undefined;
}

type OperationWithConnection = {
	[Id in OperationId]: Parameters<Id>['query'] extends { connectionId: string } ? Id : never;
}[OperationId];

/**
 * A handler's answer. The gateway adds `svc` where the contract has it, charges the credits, and checks the result
 * against the contract.
 */
export interface Answer {
	/** HTTP status. Default 200. */
	status?: number;
	body: unknown;
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer | Promise<Answer>;
/** A handler for every operation of the contract. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
