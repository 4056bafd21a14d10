import { assign } from 'lodash';

import type { paths } from '../../../api/gateway';
import type { Failure } from '../errors/failure';
import type { Identity } from '../errors/alreadyExists';
import type { Explain } from '../errors/httpError';
import type { FileContent } from './body';

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

type ContractParameters<E extends Endpoint, In extends 'path' | 'query'> =
	ContractOf<E> extends { parameters: { [K in In]?: infer P } } ? NonNullable<P> : never;

/** In a node, the `content` of an attachment is a file that is read while it is sent; see `body.ts`. */
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
	? { [K in Name]?: `by the contract, this endpoint takes no ${Name}` }
	: Record<never, never> extends T
		? { [K in Name]?: T }
		: { [K in Name]: T };

type WithoutSource<T> = [T] extends [never] ? never : Omit<T, 'quelle'>;

/** The parts of a request to this endpoint, by the contract. `quelle` isn't among them: see `withSource`. */
export type RequestParts<E extends Endpoint> = Part<'path', ContractParameters<E, 'path'>> &
	Part<'query', WithoutSource<ContractParameters<E, 'query'>>> &
	Part<'body', Body<E>>;

/**
 * The given type, if the contract has each of its fields. The type of a misspelled field becomes a message that says
 * so, which the given value doesn't fit: on its own, the compiler accepts unknown fields in what a function returns.
 */
export type InContract<Given, Contract> = Given extends Scalar | null | undefined | FileContent
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

type Scalar = string | number | boolean;

/** The JSON as received (`null` for an answer without content), or the failure. */
export type SendResult = { ok: true; body: unknown } | { ok: false; failure: Failure };

/** The gateway that a request goes to, and the API key, which identifies the account. */
export interface GatewayIdentity {
	/** The normalized base URL; `''` if the credential has no valid one. */
	baseUrl: string;
	/** Fingerprint of the API key. */
	apiKey: string;
	/** n8n's ID of the credential, whose API key may be replaced; `undefined` if unknown. */
	credentialId?: string;
}

/** Sends requests to a gateway with one API key; see `GatewayClient`. */
export interface Gateway {
	readonly identity: GatewayIdentity;
	/** @param timeout seconds */
	send(request: GatewayRequest, timeout?: number): Promise<SendResult>;
}

/** A request to one endpoint, with the types of the contract. */
export type TypedRequest<E extends Endpoint> = GatewayRequest & {
	endpoint: E;
	path: ContractParameters<E, 'path'>;
	query: ContractParameters<E, 'query'>;
	body: Body<E>;
};

/** A checked request, ready to be sent. */
export interface GatewayRequest {
	endpoint: Endpoint;
	/** Values of the path's `{placeholders}`, not yet encoded. */
	path: Record<string, Scalar>;
	/** Query parameters; `undefined` is left out. */
	query: Record<string, Scalar | undefined>;
	/** The JSON body; `undefined` members are left out. A `FileContent` in it is streamed as base64. */
	body?: object;
	/** Accept any answer with a success status, whatever its content: text, a page, nothing. */
	anyAnswer?: true;
	/** Called instead of sending it; sends it with `send`, for example once its turn has come. Must not throw. */
	around?: (
		send: () => Promise<SendResult>,
		request: GatewayRequest,
		gateway: Gateway,
	) => Promise<SendResult>;
	/** What a refusal means for this request, if that is more specific than its status. */
	explain?: Explain;
	/** What identifies the record of a write: a refusal that names it may mean that it is there already. */
	identity?: Identity;
}

/** Whether a request changes something. */
export const isWrite = ({ endpoint }: Pick<GatewayRequest, 'endpoint'>) => !endpoint.startsWith('GET ');

/**
 * Whether a request carries `quelle`, the name of the calling source: those to the accounting areas do. Their paths begin
 * with the provider's name.
 */
export const takesSource = (endpoint: Endpoint) => / \/v2\/acct[-/]/.test(endpoint);

/** Whether the answer contains the credit balance: those of the accounting areas' modules (`acct-duo`, …) do. */
export const namesBalance = (endpoint: Endpoint) => / \/v2\/acct-/.test(endpoint);

/** Adds the name of the calling source, where the endpoint takes it. */
export const withSource = <R extends GatewayRequest>(request: R, quelle: string | undefined): R =>
	takesSource(request.endpoint)
		? withMembers(request, { query: withMembers(request.query, { quelle }) })
		: request;

/**
 * A copy with more members. If they stood in a literal behind a spread, Node.js 20 would keep 200 bytes about the shape of
 * each such object, and a run may have very many requests.
 */
export const withMembers = <T extends object, M extends object>(of: T, members: M): T & M =>
	assign({}, of, members);

/** Shared by all requests that have none. */
const NO_VALUES = Object.freeze({});

/**
 * Builds a request; the compiler checks endpoint, parameters and body against the contract.
 * @param endpoint method and path as in the contract
 * @param explain see `GatewayRequest`
 */
export function gatewayRequest<E extends Endpoint>(
	endpoint: E,
	parts: RequestParts<E>,
	explain?: Explain,
): GatewayRequest {
	const { path, query, body } = parts as Partial<GatewayRequest>;
	return { endpoint, path: path ?? NO_VALUES, query: query ?? NO_VALUES, body, explain };
}
