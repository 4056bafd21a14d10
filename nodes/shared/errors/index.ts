/** What can go wrong, and the words for it. */
export { inOneText, plainTextOf, sentences, toListError, toNodeError } from './errorText';
export { isCertainlyNotDone, unsent } from './failure';
export type { Failure } from './failure';
export { gatewayMessage, isMessageField, messageAmong, quote } from './gatewayMessage';
export { explainExisting, httpError } from './httpError';
export type { Explain, Explanation, Meaning, Refusal, SaysItExists } from './httpError';
export {
	ANSWER_TOO_LARGE,
	DEADLINE_EXCEEDED,
	FILE_UNREADABLE,
	errorCode,
	isBeforeSending,
	networkError,
} from './networkError';
export type { Progress } from './networkError';
export { CHECK_FIRST, NOT_AGAIN, OUTCOMES, adviceFor, titleOf } from './outcomes';
export type { OutcomeName } from './outcomes';
export {
	asHtml,
	cut,
	cutLine,
	excerpt,
	oneLine,
	presentable,
	presentableIn,
	workflowTitle,
} from './presentable';
export { maskSensitive, redactSecret, redactSecretIn } from './redaction';
export { Unusable, invalidJson, notReady, unexpectedResponse } from './unexpectedResponse';
