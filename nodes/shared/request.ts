import type { FileContent } from './attachments';
import type { paths } from './contract';

type Method = 'get' | 'post' | 'put';

/** `GET /v2/…`: the operations of the contract, written as in the specification's endpoint table. */
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

type Parameters<E extends Endpoint, In extends 'path' | 'query'> =
	ContractOf<E> extends { parameters: { [K in In]?: infer P } } ? NonNullable<P> : never;

/** In a node, the `content` of an attachment is a file that is read while it is sent; see `attachments.ts`. */
type WithFiles<T> = T extends { content: string }
	? Omit<T, 'content'> & { content: FileContent }
	: T extends Array<infer Element>
		? Array<WithFiles<Element>>
		: T extends object
			? { [K in keyof T]: WithFiles<T[K]> }
			: T;

type Body<E extends Endpoint> =
	ContractOf<E> extends { requestBody?: { content: { 'application/json': infer B } } } ? WithFiles<B> : never;

type Part<Name extends string, T> = [T] extends [never]
	? { [K in Name]?: undefined }
	: Record<never, never> extends T
		? { [K in Name]?: T }
		: { [K in Name]: T };

/** What a request to this endpoint consists of, as the contract has it. */
export type RequestParts<E extends Endpoint> = Part<'path', Parameters<E, 'path'>> &
	Part<'query', Parameters<E, 'query'>> &
	Part<'body', Body<E>>;

type Scalar = string | number | boolean;

/** A request that has passed the checks and can be sent as it is. */
export interface GatewayRequest {
	endpoint: Endpoint;
	/** Values of the path's `{placeholders}`, not yet encoded. */
	path: Record<string, Scalar>;
	/** Query parameters; `undefined` is left out. */
	query: Record<string, Scalar | undefined>;
	/** The JSON body; `undefined` members are left out. A `FileContent` in it is streamed as base64. */
	body?: object;
}

/**
 * Builds a request; the compiler checks endpoint, parameters and body against the contract.
 * @param endpoint method and path as in the specification's table
 */
export function gatewayRequest<E extends Endpoint>(endpoint: E, parts: RequestParts<E>): GatewayRequest {
	const { path, query, body } = parts as Partial<GatewayRequest>;
	return { endpoint, path: path ?? {}, query: query ?? {}, body };
}
