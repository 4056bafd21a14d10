import type { paths } from '../../../api/gateway';
import type { Failure } from '../errors/failure';
import type { Explain } from '../errors/httpError';
import type { FileContent } from './body';

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
	? { [K in Name]?: undefined }
	: Record<never, never> extends T
		? { [K in Name]?: T }
		: { [K in Name]: T };

/** What a request to this endpoint consists of, as the contract has it. */
export type RequestParts<E extends Endpoint> = Part<'path', Parameters<E, 'path'>> &
	Part<'query', Parameters<E, 'query'>> &
	Part<'body', Body<E>>;

type Scalar = string | number | boolean;

/** The JSON as received (`null` for an answer without content), or why there is none. */
export type SendResult = { ok: true; body: unknown } | { ok: false; failure: Failure };

/** Which gateway a request goes to, and with which API key: the key tells the account. */
export interface GatewayIdentity {
	/** The base URL in its normal form; `''` where the credential has none that can be used. */
	baseUrl: string;
	/** Fingerprint of the API key. */
	apiKey: string;
}

/** A request to one endpoint, with the types of the contract. */
export type TypedRequest<E extends Endpoint> = GatewayRequest & {
	endpoint: E;
	path: Parameters<E, 'path'>;
	query: Parameters<E, 'query'>;
	body: Body<E>;
};

/** A request that has passed the checks and can be sent as it is. */
export interface GatewayRequest {
	endpoint: Endpoint;
	/** Values of the path's `{placeholders}`, not yet encoded. */
	path: Record<string, Scalar>;
	/** Query parameters; `undefined` is left out. */
	query: Record<string, Scalar | undefined>;
	/** The JSON body; `undefined` members are left out. A `FileContent` in it is streamed as base64. */
	body?: object;
	/** Any answer with a success status will do, whatever its content: text, a page, nothing. */
	anyAnswer?: true;
	/** Called with what became of each attempt to send it. Must not throw. */
	afterSend?: (result: SendResult, gateway: GatewayIdentity) => void;
	/** What a refusal means for this request, beyond what its status always means. */
	explain?: Explain;
}

/** Whether a request changes something. */
export const isWrite = ({ endpoint }: Pick<GatewayRequest, 'endpoint'>) => !endpoint.startsWith('GET ');

/**
 * Builds a request; the compiler checks endpoint, parameters and body against the contract.
 * @param endpoint method and path as in the specification's table
 * @param explain see `GatewayRequest`
 */
export function gatewayRequest<E extends Endpoint>(
	endpoint: E,
	parts: RequestParts<E>,
	explain?: Explain,
): GatewayRequest {
	const { path, query, body } = parts as Partial<GatewayRequest>;
	return { endpoint, path: path ?? {}, query: query ?? {}, body, explain };
}
