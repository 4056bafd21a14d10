import type { Explain, SaysItExists } from './failures/httpError';
import type { Failure } from '../errors';
import { SOURCE, takesSource } from '../thisGateway';
import type { Body, ContractParameters, Endpoint, RequestParts, Scalar } from './contract';

/** The JSON as received (`null` for an answer without content), or the failure. `isAccepted`: a write that isn't done yet (202). */
export type SendResult = { ok: true; body: unknown; isAccepted?: true } | { ok: false; failure: Failure };

/** A request to one endpoint, with the types of the contract. */
export type TypedRequest<E extends Endpoint> = GatewayRequest & {
	endpoint: E;
	path: ContractParameters<E, 'path'>;
	query: ContractParameters<E, 'query'>;
	body: Body<E>;
};

export interface GatewayRequest {
	endpoint: Endpoint;
	/** Values of the path's `{placeholders}`, not yet encoded. */
	path: Record<string, Scalar>;
	/** Query parameters; `undefined` is left out. */
	query: Record<string, Scalar | undefined>;
	/** The JSON body; `undefined` members are left out. A `FileContent` in it is streamed as base64. */
	body?: object;
	/** Any success status is enough, even if its content isn't JSON, because the contract leaves this answer open. */
	textAnswer?: true;
	/** What a refusal means for this request, if that is more specific than its status. */
	explain?: Explain;
	/** Of a write of a record with a number or ID. */
	saysItExists?: SaysItExists;
}

/** Whether a request changes something. */
export const isWrite = ({ endpoint }: Pick<GatewayRequest, 'endpoint'>) => !endpoint.startsWith('GET ');

/** Adds the name of the calling source, where the endpoint takes it. */
export const withSource = <R extends GatewayRequest>(request: R, source: string | undefined): R =>
	takesSource(request.endpoint) ? { ...request, query: { ...request.query, [SOURCE]: source } } : request;

/** Builds a request; the compiler checks endpoint, parameters and body against the contract. */
export function gatewayRequest<E extends Endpoint>(
	endpoint: E,
	parts: RequestParts<E>,
	explain?: Explain,
): GatewayRequest {
	const { path = {}, query = {}, body } = parts as Partial<GatewayRequest>;
	return { endpoint, path, query, body, explain };
}
