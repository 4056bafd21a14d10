import type { IDataObject } from 'n8n-workflow';

import { sentences } from './errorText';
import { unconfirmedOutcome } from './failure';
import type { Failure } from './failure';
import { gatewayMessage, isWebPage, quote } from './gatewayMessage';
import { CHECK_FIRST } from './outcomes';
import type { SentenceEnd } from '../values';

const PROBABLY_DONE = 'The gateway reported success, so it was probably carried out.';
const TRY_AGAIN = 'Try again; if the problem persists, ask the provider of the gateway.';

/** Explains a success status with content that isn't the expected JSON. */
export function invalidJson(status: number, text: string, writes: boolean): Failure {
	const isPage = isWebPage(text);
	return {
		outcome: unconfirmedOutcome(writes),
		message: isPage
			? 'A web page (HTML) came back instead of an answer from the gateway'
			: "The gateway's answer is broken: it isn't valid JSON",
		german: isPage
			? 'Statt einer Antwort des Gateways kam eine Webseite (HTML).'
			: 'Die Antwort des Gateways ist beschädigt: Sie ist kein gültiges JSON.',
		description: isPage
			? sentences(
					quote(gatewayMessage(text)),
					writes && CHECK_FIRST,
					'Check the base URL in the credential; a login page or a proxy may have answered instead.',
				)
			: writes
				? sentences(PROBABLY_DONE, CHECK_FIRST)
				: TRY_AGAIN,
		status,
	};
}

/** Explains a success status that says that the answer isn't ready yet, or isn't complete. */
export function notReady(status: number, body: unknown): Failure {
	return {
		outcome: 'failed',
		message: `The gateway has accepted the request, but hasn't answered it yet (HTTP ${status})`,
		german: `Das Gateway hat die Anfrage angenommen, aber noch nicht beantwortet (HTTP ${status}).`,
		description: sentences(
			quote(gatewayMessage(body)),
			'The result, such as a report, is still being prepared, or is sent in parts: run the node again in a few minutes.',
		),
		status,
	};
}

/**
 * Thrown by an operation's `records` if the answer can't be turned into what was requested, and the user can do
 * something about it.
 */
export class Unusable extends Error {
	/** @param advice what the user can do about the problem */
	constructor(
		readonly problem: SentenceEnd,
		readonly advice: string,
	) {
		super(problem);
	}
}

/** What is known about an answer that isn't what was expected. */
interface Unexpected {
	/** What is wrong with the answer: `says “Kasse gesperrt”`, `has the belegnummer "K-2" instead of "K-1"`. */
	problem?: SentenceEnd;
	/** The error that turning the answer into records has thrown. */
	error?: Error;
	/** The IDs and numbers in the answer. */
	received?: IDataObject;
}

/**
 * Explains a success status with JSON that doesn't say what it should. A write may have been carried out all the same.
 */
export function unexpectedResponse(writes: boolean, given: Unexpected = {}): Failure {
	const { error, received = {} } = given;
	const ids = Object.entries(received).map(([name, value]) => `${name} ${String(value)}`);
	const { problem, advice } =
		error instanceof Unusable ? error : { problem: given.problem, advice: undefined };
	return {
		outcome: unconfirmedOutcome(writes),
		message: `The gateway's answer isn't what was expected${problem ? `: it ${problem}` : ''}`,
		description: sentences(
			// The problem may be that the write wasn't carried out.
			writes && !problem && PROBABLY_DONE,
			writes && CHECK_FIRST,
			writes && ids.length > 0 && `The answer has ${ids.join(', ')}.`,
			// To change the option and run it again would write twice.
			advice ?? (error && `${writes ? '' : 'Turn off "Simplify" to get it unchanged. '}(${error.message})`),
			!writes && !error && TRY_AGAIN,
		),
		...(ids.length > 0 && { received }),
	};
}
