/**
 * The contract's types. What a `request` returns must be in the contract, to the last field; with
 * `GET /v2/acct-rewe-read/opos`, for example:
 *
 * | returned                                              | the compiler says                                              |
 * | ----------------------------------------------------- | -------------------------------------------------------------- |
 * | `{ query: { connectionId, stichtag: '2026-01-31' } }` | nothing                                                        |
 * | `{ query: { connectionId, stichtak: '2026-01-31' } }` | by the contract, there is no field "stichtak" here             |
 * | `{ query: { stichtag: '2026-01-31' } }`               | `connectionId` is missing                                      |
 * | `{ query: { connectionId }, body: {} }`               | by the contract, this endpoint takes no body                   |
 *
 * `test/nodes/shared/operation.test.mts` has an operation for each.
 */
import type { paths } from '../../../api/gateway';
import type { FileContent } from './body';

export type Scalar = string | number | boolean;

type Method = 'get' | 'post' | 'put';

/** Method and path of an operation of the contract: `GET /v2/…`. */
export type Endpoint = {
	[Path in keyof paths & string]: {
		[M in Method]: paths[Path][M] extends { responses: unknown } ? `${Uppercase<M>} ${Path}` : never;
	}[Method];
}[keyof paths & string];

type ContractOf<E extends Endpoint> = E extends `${infer M} ${infer Path}`
	? Path extends keyof paths
		? paths[Path][Lowercase<M> & Method]
		: never
	: never;

/** Reads change nothing and may be repeated; all others write. */
export type ReadEndpoint = Extract<Endpoint, `GET ${string}`>;
export type WriteEndpoint = Exclude<Endpoint, ReadEndpoint>;

export type ContractParameters<E extends Endpoint, In extends 'path' | 'query'> =
	ContractOf<E> extends { parameters: { [K in In]?: infer P } } ? NonNullable<P> : never;

/** In a node, the `content` of an attachment is a file, which is read while it is sent. */
type WithFiles<T> = T extends { content: string }
	? Omit<T, 'content'> & { content: FileContent }
	: T extends Array<infer Element>
		? Array<WithFiles<Element>>
		: T extends object
			? { [K in keyof T]: WithFiles<T[K]> }
			: T;

export type Body<E extends Endpoint> =
	ContractOf<E> extends { requestBody?: { content: { 'application/json': infer B } } } ? WithFiles<B> : never;

type RequestPart<Name extends string, T> = [T] extends [never]
	? { [K in Name]?: `by the contract, this endpoint takes no ${Name}` }
	: Record<never, never> extends T
		? { [K in Name]?: T }
		: { [K in Name]: T };

type WithoutSource<T> = [T] extends [never] ? never : Omit<T, 'quelle'>;

/** The parts of a request to this endpoint, by the contract. `quelle` isn't among them: `withSource` adds it to all requests that take it. */
export type RequestParts<E extends Endpoint> = RequestPart<'path', ContractParameters<E, 'path'>> &
	RequestPart<'query', WithoutSource<ContractParameters<E, 'query'>>> &
	RequestPart<'body', Body<E>>;

/**
 * Requires every field that a function returns (`Given`) to be in the contract. `Given` is any object: constrained to
 * the contract's own type, it would make the compiler compare each operation with all endpoints, which took nine tenths
 * of its time.
 */
export type Exact<Given, Contract> = Given & InContract<Given, Contract>;

/**
 * The given type, if the contract has each of its fields. The type of a misspelled field becomes a message that says
 * so, which the given value doesn't fit: on its own, the compiler accepts unknown fields in what a function returns.
 */
type InContract<Given, Contract> = Given extends Scalar | null | undefined | FileContent
	? Given
	: Given extends ReadonlyArray<infer One>
		? Contract extends ReadonlyArray<infer Element>
			? Array<InContract<One, Element>>
			: Given
		: string extends keyof Contract
			? Given
			: {
					[K in keyof Given]: K extends keyof Contract
						? InContract<Given[K], Exclude<Contract[K], undefined | null>>
						: `by the contract, there is no field "${K & string}" here`;
				};
