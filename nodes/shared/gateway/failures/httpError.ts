import { CHECK_FIRST, gatewayMessage } from '../../errors';
import type { Failure } from '../../errors';
import { both, sentences } from '../../values';
import type { Bilingual } from '../../values';

/** Message and advice for one HTTP status. */
export interface Explanation {
	message: Bilingual;
	advice: Bilingual;
	/** The advice where the gateway names no cause. */
	unsaid?: Bilingual;
}

/** An answer by which the gateway refuses a request. */
export interface Refusal {
	status: number;
	/** Whether the gateway says that it has the record already. */
	exists?: boolean;
}

/**
 * What a refusal means for one request; what it leaves out is explained as usual. `partial`: what to do, as a part of what
 * was refused may have been carried out.
 */
export type Meaning = Partial<Explanation> & { partial?: Bilingual };

/** Whether a refusal of one write says that the gateway has the record already. */
export type SaysItExists = (status: number, body: unknown) => boolean;

/** Explains a refusal of one request; `undefined` if it means nothing special there. */
export type Explain = (refusal: Refusal) => Meaning | undefined;

const INVALID_VALUE: Explanation = {
	message: both('The gateway refused a value', 'Das Gateway hat einen Wert abgelehnt'),
	advice: both(
		'Correct the field that the gateway names.',
		'Berichtigen Sie das Feld, das das Gateway nennt.',
	),
	unsaid: both(
		'The gateway names no field: check the values that were sent.',
		'Das Gateway nennt kein Feld: Prüfen Sie die gesendeten Werte.',
	),
};

const STATUS: Record<number, Explanation> = {
	400: INVALID_VALUE,
	401: {
		message: both('The gateway rejected the API key', 'Das Gateway hat den API-Schlüssel abgelehnt'),
		advice: both(
			'Check the key in the credential; it may have been revoked. Create a new one in the API keys section of the service.',
			'Prüfen Sie den Schlüssel in den Zugangsdaten; er kann gesperrt sein. Einen neuen legen Sie beim Dienst im Bereich der API-Schlüssel an.',
		),
	},
	402: {
		message: both('The credit balance is used up', 'Das Guthaben ist aufgebraucht'),
		advice: both(
			'Top up the credits of the account, then try again.',
			'Laden Sie das Guthaben des Kontos auf und versuchen Sie es noch einmal.',
		),
	},
	403: {
		message: both('The gateway denied access', 'Das Gateway hat den Zugang verweigert'),
		advice: both(
			'The API key may be wrong or revoked, or its account may not include this connection or service: check the key in the credential, and what its account covers.',
			'Der API-Schlüssel kann falsch oder gesperrt sein, oder sein Konto umfasst diese Verbindung oder diesen Dienst nicht: Prüfen Sie den Schlüssel in den Zugangsdaten und den Umfang des Kontos.',
		),
	},
	404: {
		message: both(
			"The gateway couldn't find what was requested",
			'Das Gateway hat das Angefragte nicht gefunden',
		),
		advice: both(
			'Check the IDs and names, and in the credential the base URL and the accounting provider.',
			'Prüfen Sie IDs und Namen, in den Zugangsdaten außerdem Adresse und Anbieter der Buchhaltung.',
		),
	},
	409: {
		message: both(
			'The gateway refused the request because of a conflict',
			'Das Gateway hat die Anfrage wegen eines Konflikts abgelehnt',
		),
		advice: both('Correct what the gateway names.', 'Berichtigen Sie, was das Gateway nennt.'),
		unsaid: both(
			'The gateway gives no reason: check whether the period or the cash book is closed, and whether the record already exists.',
			'Das Gateway nennt keinen Grund: Prüfen Sie, ob der Zeitraum oder die Kasse abgeschlossen ist, und ob es den Vorgang schon gibt.',
		),
	},
	413: {
		message: both('The request is too large for the gateway', 'Die Anfrage ist dem Gateway zu groß'),
		advice: both('Send smaller or fewer files.', 'Senden Sie kleinere oder weniger Dateien.'),
	},
	422: INVALID_VALUE,
	429: {
		message: both('The gateway received too many requests', 'Das Gateway hat zu viele Anfragen erhalten'),
		advice: both(
			'Wait a moment, then try again.',
			'Warten Sie einen Moment und versuchen Sie es noch einmal.',
		),
	},
};

/**
 * Explains that the gateway already has a record, which is a mistake only if that is a different one. Where it counts as
 * done, an operation's `outputIfExisted` says so instead.
 * @param what the name of the record for the person who has sent it
 * @param advice what to do about a different record, and about the rest of the run
 */
export const explainExisting =
	(what: Bilingual, advice: Bilingual) =>
	({ exists }: Refusal): Explanation | undefined =>
		exists
			? {
					message: both(
						`The gateway says it already has this ${what.en}`,
						`Das Gateway sagt, dass es den ${what.de} schon hat`,
					),
					advice: sentences(
						both(
							"If it's the same one, there is nothing to do.",
							`Ist es derselbe ${what.de}, ist nichts zu tun.`,
						),
						advice,
					),
				}
			: undefined;

const explainRecord = explainExisting(
	both('record', 'Vorgang'),
	both(
		"If it's a different record, send it under a different number.",
		'Ist es ein anderer, senden Sie ihn unter einer anderen Nummer.',
	),
);

const CLIENT_ERROR: Explanation = {
	message: both('The gateway refused the request', 'Das Gateway hat die Anfrage abgelehnt'),
	advice: both('Check the parameters of the node.', 'Prüfen Sie die Felder des Nodes.'),
};
const SERVER_ERROR: Explanation = {
	message: both(
		'The gateway failed to process the request',
		'Das Gateway konnte die Anfrage nicht verarbeiten',
	),
	advice: both(
		'Try again later; if the problem persists, ask the provider of the gateway.',
		'Versuchen Sie es später noch einmal; hilft das nicht, fragen Sie den Anbieter des Gateways.',
	),
};
const REDIRECT: Explanation = {
	message: both(
		'The gateway answered with a redirect, which is not followed to keep the API key safe',
		'Das Gateway verweist auf eine andere Adresse; ihr wird nicht gefolgt, damit der API-Schlüssel geheim bleibt',
	),
	advice: both(
		'Enter the final address as the base URL in the credential (often https instead of http).',
		'Tragen Sie die endgültige Adresse in den Zugangsdaten ein (oft https statt http).',
	),
};

function explanation(status: number): Explanation {
	if (status >= 300 && status < 400) return REDIRECT;
	return STATUS[status] ?? (isBroken(status) ? SERVER_ERROR : CLIENT_ERROR);
}

interface RawAnswer {
	status: number;
	/** Seconds. */
	retryAfter?: number;
	/** The parsed JSON, or the text if it isn't JSON. */
	body: unknown;
}

/** Whether a text is more than the name of a status, such as "Not Found" or "Unprocessable Content". */
const namesCause = (said: string | undefined) => said !== undefined && said.split(/\s+/).length > 2;

/** @param writes whether the request changes something: after a 5xx nobody knows whether it did */
export function httpError(
	answer: RawAnswer,
	writes: boolean,
	{ explain, saysItExists }: { explain?: Explain; saysItExists?: SaysItExists } = {},
): Failure {
	const { status, retryAfter, body } = answer;
	const said = gatewayMessage(body);
	const exists = saysItExists?.(status, body) ?? false;
	const usual = explainRecord({ status, exists }) ?? explanation(status);
	const special = explain?.({ status, exists });
	const { message, partial } = { ...usual, ...special };
	const { advice = usual.advice, unsaid = advice }: Meaning = special?.advice === undefined ? usual : special;
	const isUnknown = writes && mayBeCarriedOut(status);
	const broken = isBroken(status);
	const wait =
		retryAfter !== undefined &&
		both(`It asks you to wait ${retryAfter} seconds.`, `Es bittet darum, ${retryAfter} Sekunden zu warten.`);
	const outcome = isUnknown ? 'unknown' : broken ? 'failed' : 'refused';
	return {
		outcome,
		message: both(`${message.en} (HTTP ${status})`, `${message.de} (HTTP ${status})`),
		description: sentences(
			isUnknown && CHECK_FIRST,
			!(isUnknown && broken) && (namesCause(said) ? advice : unsaid),
			wait,
			outcome === 'refused' && partial,
		),
		status,
		retryAfter,
		transient: [429, 502, 503, 504].includes(status),
		...(said && { said }),
		...(exists && { exists }),
		...(outcome === 'refused' && partial && { partial: true }),
	};
}

/**
 * Whether the gateway, or a proxy in front of it, failed, before or after carrying out the request; with 408, it stopped waiting
 * for the rest of it, and may have processed the part that it had (RFC 9110, 15.5.9).
 */
const isBroken = (status: number): boolean => status >= 500 || status === 408;

/** Whether a write that is answered with this error status may have been carried out. */
function mayBeCarriedOut(status: number): boolean {
	if (isBroken(status)) return true;
	// The gateway understood the request and refused it.
	if (status >= 400) return false;
	// The same request should be sent to another address, so nothing was done here (15.4.8, 15.4.9).
	if (status === 307 || status === 308) return false;
	// A server may answer like this after carrying out the request: 303 by the standard, 301 and 302 for historical
	// reasons (15.4.2 to 15.4.4). Other statuses have no meaning for a write, so they prove nothing.
	return true;
}
