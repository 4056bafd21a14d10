import type { IDataObject } from 'n8n-workflow';

import { CHECK_FIRST, gatewayMessage, isWebPage } from '../../errors';
import type { Failure } from '../../errors';
import { both, foreign, sentences } from '../../values';
import type { Bilingual, SentenceEnd } from '../../values';

const PROBABLY_DONE = both(
	'The gateway reported success, so it was probably carried out.',
	'Das Gateway hat Erfolg gemeldet, es wurde also vermutlich ausgeführt.',
);
const TRY_AGAIN = both(
	'Try again; if the problem persists, ask the provider of the gateway.',
	'Versuchen Sie es noch einmal; hilft das nicht, fragen Sie den Anbieter des Gateways.',
);

const UNCHANGED = both(
	'Turn off "Simplify" to get it unchanged.',
	'Schalten Sie „Simplify“ aus, um sie unverändert zu erhalten.',
);

/** Explains a success status with content that isn't the expected JSON. */
export function invalidJson(status: number, text: string, writes: boolean): Failure {
	const isPage = isWebPage(text);
	return {
		outcome: unconfirmedOutcome(writes),
		message: isPage
			? both(
					'A web page (HTML) came back instead of an answer from the gateway',
					'Statt einer Antwort des Gateways kam eine Webseite (HTML)',
				)
			: both(
					"The gateway's answer is broken: it isn't valid JSON",
					'Die Antwort des Gateways ist beschädigt: Sie ist kein gültiges JSON',
				),
		...(isPage && { said: gatewayMessage(text) }),
		description: isPage
			? sentences(
					writes && CHECK_FIRST,
					both(
						'Check the base URL in the credential; a login page or a proxy may have answered instead.',
						'Prüfen Sie die Adresse des Gateways in den Zugangsdaten; vielleicht hat eine Anmeldeseite oder ein Proxy geantwortet.',
					),
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
		message: both(
			`The gateway has accepted the request, but hasn't answered it yet (HTTP ${status})`,
			`Das Gateway hat die Anfrage angenommen, aber noch nicht beantwortet (HTTP ${status})`,
		),
		said: gatewayMessage(body),
		description: both(
			'The result, such as a report, is still being prepared, or is sent in parts: run the node again in a few minutes.',
			'Das Ergebnis, etwa eine Auswertung, wird noch erstellt oder in Teilen gesendet: Führen Sie den Node in ein paar Minuten noch einmal aus.',
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
		readonly advice: Bilingual,
	) {
		super(problem.en);
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
		message: both(
			`The gateway's answer isn't what was expected${problem ? `: it ${problem.en}` : ''}`,
			`Die Antwort des Gateways ist nicht die erwartete${problem ? `: Sie ${problem.de}` : ''}`,
		),
		description: sentences(
			// The problem may be that the write wasn't carried out.
			writes && !problem && PROBABLY_DONE,
			writes && CHECK_FIRST,
			writes &&
				ids.length > 0 &&
				both(`The answer has ${ids.join(', ')}.`, `Die Antwort hat ${ids.join(', ')}.`),
			// To change the option and run it again would write twice.
			...(advice ? [advice] : error ? [!writes && UNCHANGED, foreign(`(${error.message})`)] : []),
			!writes && !error && TRY_AGAIN,
		),
		...(ids.length > 0 && { received }),
	};
}

/** The outcome of a request that no answer confirms. */
export const unconfirmedOutcome = (writes: boolean): Failure['outcome'] => (writes ? 'unknown' : 'failed');
