/** One request to one answer, or the reason why there is none: client and exchange, limits of time and size, pace, failures. */
export { FileContent, readWhole, sha256OfFile, sizeInMemory } from './body';
export { CREDENTIAL, GatewayClient, apiKeyOf, languageOf } from './client';
export type { Body, Endpoint, Exact, ReadEndpoint, RequestParts, WriteEndpoint } from './contract';
export { Deadline } from './deadline';
export { explainExisting } from './failures/httpError';
export type { Explain, Explanation, Meaning, Refusal } from './failures/httpError';
export { Unusable, unexpectedResponse } from './failures/unexpectedResponse';
export { gatewayRequest, isWrite, withSource } from './request';
export type { GatewayRequest, TypedRequest } from './request';
export { hasNextLink } from './response';
export { clientOfTest } from './credentialClient';
export { Throttle } from './throttle';
export { withKey } from './writePermission';
