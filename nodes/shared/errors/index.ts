/** The words for what goes wrong: errors as people and agents see them, texts from outside, secrets. */
export {
	Explained,
	asNodeError,
	failureText,
	inOneTextOf,
	plainTextOf,
	textOf,
	toNodeError,
} from './errorText';
export type { ErrorText } from './errorText';
export { CHECK_FIRST, unsent } from './failure';
export type { Failure } from './failure';
export { gatewayMessage, isMessageField, isWebPage, messageAmong, quote } from './gatewayMessage';
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
