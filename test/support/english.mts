/** What a person reads of a failure whose credential says English. */
import { type Failure, failureText } from '../../nodes/shared/errors/index.js';

export function english(failure: Failure) {
	const { message, description } = failureText(failure);
	return { ...failure, message: message.en, description: description.en };
}
