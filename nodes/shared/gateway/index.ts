/** One request to one answer: the client and its exchange, limits of time and size, pace, redaction. */
export { AnswerBytes } from './answerBytes';
export type { AnswerStream } from './answerBytes';
export { FileContent, readWhole, sha256OfFile, sizeInMemory } from './body';
export { CREDENTIAL, GatewayClient, apiKeyOf } from './client';
export type { Body, Endpoint, Exact, ReadEndpoint, RequestParts, WriteEndpoint } from './contract';
export { Deadline } from './deadline';
export type { HttpSender } from './exchange';
export { gatewayRequest, isWrite, withSource } from './request';
export type { GatewayRequest, TypedRequest } from './request';
export { hasNextLink } from './response';
export { Throttle } from './throttle';
export { assumesHttps } from './url';
export { NO_REDIRECTS, WRITE_ADVICE, disguiseRefusal, keyRefusal } from './writePermission';
