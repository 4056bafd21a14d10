import { CHECK_FIRST } from '../../errors';
import { unconfirmedOutcome } from './unexpectedResponse';
import type { Failure } from '../../errors';
import { both, sentences } from '../../values';
import type { Bilingual } from '../../values';

/** Code for a file that can't be read while a request is built or sent. */
export const FILE_UNREADABLE = 'FILE_UNREADABLE';

/** Code for an answer that wasn't complete in time. */
export const DEADLINE_EXCEEDED = 'DEADLINE_EXCEEDED';

/** Code for an answer with more bytes, or more work, than is taken. */
export const ANSWER_TOO_LARGE = 'ANSWER_TOO_LARGE';

interface Reason {
	/** Whether a request that was sent completely may have been carried out all the same. */
	mayBeDone?: true;
	/** Whether a retry may help. */
	transient?: true;
	message: Bilingual;
	advice: Bilingual;
}

const TIME_OUT = new RegExp(
	`^(${DEADLINE_EXCEEDED}|ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|UND_ERR_\\w*TIMEOUT)$`,
);

const CANCELED_CODE = /^(ERR_CANCELED|ABORT_ERR)$/;

/** Nothing has been sent: there was no connection, or it wasn't secure yet. */
const UNREACHABLE: Reason = {
	transient: true,
	message: both(
		"The gateway can't be reached: no connection came about",
		'Das Gateway ist nicht erreichbar: Es kam keine Verbindung zustande',
	),
	advice: both(
		'Check the base URL in the credential, and whether a firewall or a proxy holds the connection up.',
		'Prüfen Sie die Adresse des Gateways in den Zugangsdaten, und ob eine Firewall oder ein Proxy die Verbindung aufhält.',
	),
};

/** The reasons by Node.js's error code. */
const NETWORK: Array<Reason & { codes: RegExp }> = [
	{
		codes: /^(ENOTFOUND|EAI_\w+)$/,
		transient: true,
		message: both("The gateway's address can't be found", 'Die Adresse des Gateways ist nicht zu finden'),
		advice: both(
			'Check the base URL in the credential for typos, and the name resolution (DNS) of the machine that n8n runs on.',
			'Prüfen Sie die Adresse des Gateways in den Zugangsdaten auf Tippfehler und die Namensauflösung (DNS) des Rechners, auf dem n8n läuft.',
		),
	},
	{
		codes: new RegExp(`^${FILE_UNREADABLE}$`),
		message: both(
			'A file of the item can no longer be read, or changed while it was being sent',
			'Eine Datei ist nicht mehr lesbar oder hat sich beim Senden geändert',
		),
		advice: both(
			'Run the workflow again from the node that provides the file.',
			'Führen Sie den Workflow ab dem Node noch einmal aus, der die Datei liefert.',
		),
	},
	{ codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/, ...UNREACHABLE },
	{
		codes: /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|HOSTNAME_MISMATCH)$|ALTNAME/,
		message: both(
			"No secure connection to the gateway: its certificate (TLS) isn't valid now, or is for another host name",
			'Keine sichere Verbindung zum Gateway: Sein Zertifikat (TLS) ist zurzeit nicht gültig oder gilt für einen anderen Namen',
		),
		advice: both(
			'Check the host name in the base URL, and the clock of the machine that n8n runs on; if both are right, ask the provider of the gateway for a new certificate.',
			'Prüfen Sie den Namen in der Adresse des Gateways und die Uhr des Rechners, auf dem n8n läuft; stimmt beides, bitten Sie den Anbieter des Gateways um ein neues Zertifikat.',
		),
	},
	{
		// The issuer isn't known here: self-signed, a private authority, or an incomplete chain.
		codes: /CERT|SELF_SIGNED|UNABLE_TO_|^INVALID_CA$/,
		message: both(
			"No secure connection to the gateway: its certificate (TLS) isn't trusted",
			'Keine sichere Verbindung zum Gateway: Seinem Zertifikat (TLS) wird nicht vertraut',
		),
		advice: both(
			'If it is self-signed or comes from your own certificate authority, ask your n8n administrator to set NODE_EXTRA_CA_CERTS to a file with that certificate and to restart n8n. If it comes from a public authority, ask the provider of the gateway to send the full certificate chain.',
			'Ist es selbst ausgestellt oder von der Zertifizierungsstelle Ihrer Firma, bitten Sie den Administrator, NODE_EXTRA_CA_CERTS auf eine Datei mit diesem Zertifikat zu setzen und n8n neu zu starten. Ist es von einer öffentlichen Stelle, bitten Sie den Anbieter des Gateways, die ganze Zertifikatskette zu senden.',
		),
	},
	{
		// This can also happen after the request was sent.
		codes: /^(EPROTO$|ERR_SSL|ERR_TLS)|WRONG_VERSION/,
		mayBeDone: true,
		message: both(
			'The secure connection (TLS) to the gateway failed',
			'Die sichere Verbindung (TLS) zum Gateway ist misslungen',
		),
		advice: both(
			'Check the base URL in the credential, including its port: the server there may not accept secure connections (https).',
			'Prüfen Sie die Adresse des Gateways in den Zugangsdaten samt Port: Vielleicht nimmt der Server dort keine sicheren Verbindungen (https) an.',
		),
	},
	{
		codes: /^ERR_INVALID_CHAR$/,
		message: both(
			"The API key can't be sent: it contains line breaks or invalid characters",
			'Der API-Schlüssel ist nicht zu senden: Er enthält Zeilenumbrüche oder ungültige Zeichen',
		),
		advice: both(
			'Enter the key in the credential again.',
			'Tragen Sie den Schlüssel in den Zugangsdaten noch einmal ein.',
		),
	},
	{
		codes: TIME_OUT,
		mayBeDone: true,
		transient: true,
		message: both("The gateway didn't answer in time", 'Das Gateway hat nicht rechtzeitig geantwortet'),
		advice: both(
			'Try again later. If the node has the option "Timeout", raise it.',
			'Versuchen Sie es später noch einmal. Hat der Node die Option „Timeout“, erhöhen Sie sie.',
		),
	},
	{
		codes: new RegExp(`^${ANSWER_TOO_LARGE}$`),
		mayBeDone: true,
		message: both(
			"The gateway's answer is too large (more than 256 MB or 3 million values), so it was not read to its end",
			'Die Antwort des Gateways ist zu groß (mehr als 256 MB oder 3 Millionen Werte) und wurde nicht zu Ende gelesen',
		),
		advice: both(
			'Ask for less at once, e.g. a shorter time. If little was asked for, ask the provider of the gateway.',
			'Fragen Sie nach weniger auf einmal, etwa nach einem kürzeren Zeitraum. War es nicht viel, fragen Sie den Anbieter des Gateways.',
		),
	},
	{
		codes: CANCELED_CODE,
		mayBeDone: true,
		message: both(
			'The execution was canceled while a request was in flight',
			'Die Ausführung wurde abgebrochen, während eine Anfrage lief',
		),
		advice: both('', ''),
	},
	{
		codes: /^(ERR_INVALID_URL|ERR_UNSUPPORTED_PROTOCOL|ERR_SSRF\w*)$|SSRF/,
		message: both(
			"This n8n doesn't allow requests to the gateway's address",
			'Dieses n8n erlaubt keine Anfragen an die Adresse des Gateways',
		),
		advice: both(
			'The address is private or restricted. Ask your n8n administrator to allow it (N8N_SSRF_ALLOWED_HOSTNAMES).',
			'Die Adresse ist privat oder gesperrt. Bitten Sie den Administrator von n8n, sie zu erlauben (N8N_SSRF_ALLOWED_HOSTNAMES).',
		),
	},
];

const BROKEN: Reason = {
	mayBeDone: true,
	transient: true,
	message: both(
		'The connection to the gateway broke before an answer came',
		'Die Verbindung zum Gateway brach ab, bevor eine Antwort kam',
	),
	advice: both('Try again later.', 'Versuchen Sie es später noch einmal.'),
};

/**
 * An incomplete request can't have been carried out. A gateway that answers "too large" often closes the connection so
 * early.
 */
const NOT_ALL_SENT: Reason = {
	transient: true,
	message: both(
		"The file wasn't sent completely, so nothing was uploaded or booked",
		'Die Datei wurde nicht ganz gesendet: Es wurde nichts hochgeladen oder gebucht',
	),
	advice: both(
		'The gateway, or a proxy in front of it, may take no files of this size, or the option "Timeout" is too low for it: send smaller or fewer files. For files that went through before, try again later.',
		'Das Gateway oder ein Proxy davor nimmt vielleicht keine Dateien dieser Größe an, oder die Option „Timeout“ ist dafür zu niedrig: Senden Sie kleinere oder weniger Dateien. Ging es mit solchen schon, versuchen Sie es später noch einmal.',
	),
};

const CANCELED_BEFORE: Reason = {
	message: both(
		'The execution was canceled before this request was sent',
		'Die Ausführung wurde abgebrochen, bevor diese Anfrage gesendet war',
	),
	advice: both('', ''),
};

/** How far a request had come: nothing had been sent, a part of it, or all of it may have reached the gateway. */
export type Progress = 'connecting' | 'sending' | 'handedOver';

function reasonFor(code: string, progress: Progress): Reason {
	const known = NETWORK.find(({ codes }) => codes.test(code));
	if (progress === 'handedOver') return known ?? BROKEN;
	if (CANCELED_CODE.test(code)) return CANCELED_BEFORE;
	return (!TIME_OUT.test(code) && known) || (progress === 'connecting' ? UNREACHABLE : NOT_ALL_SENT);
}

/**
 * Explains a request without an answer.
 * @param code Node.js's error code, `''` if there is none
 */
export function networkError(code: string, writes: boolean, progress: Progress): Failure {
	const { mayBeDone, transient = false, message, advice } = reasonFor(code, progress);
	// What wasn't sent completely can't have been carried out.
	const isUnknown = mayBeDone && progress === 'handedOver';
	return {
		outcome: isUnknown ? unconfirmedOutcome(writes) : 'notSent',
		message,
		// To try again may write twice.
		description: writes && isUnknown ? sentences(CHECK_FIRST, !transient && advice) : advice,
		transient,
	};
}

interface SystemError {
	code?: unknown;
	/** The system call that failed with this code: `connect`, `read`, `write`. */
	syscall?: unknown;
	message?: unknown;
	cause?: unknown;
	/** Older versions of n8n have the code only here, in place of an HTTP status. */
	httpCode?: unknown;
	/** The request of the HTTP client, with the socket that it had. */
	request?: { socket?: Partial<Record<'secureConnecting' | '_bytesDispatched', unknown>> | null };
	/** In older versions of n8n, the system's message: `connect EHOSTUNREACH 10.0.0.1:443`. */
	messages?: unknown[];
}

const MAX_CAUSES = 5;

/**
 * Whether a request failed before anything of it was sent, as far as its socket shows: there was none yet, the connection
 * wasn't secure yet, or no byte had left.
 */
export function isBeforeSending(error: unknown): boolean {
	let e = error as SystemError | undefined;
	for (let depth = 0; e && depth < MAX_CAUSES; depth++) {
		const socket = e.request?.socket;
		if (socket !== undefined)
			return socket === null || socket.secureConnecting === true || socket._bytesDispatched === 0;
		e = e.cause as typeof e;
	}
	return false;
}

/** These errors can also occur after the request was sent. */
const NO_ROUTE = /^(EHOST|ENET)(UNREACH|DOWN)$/;

/** Finds Node.js's error code in n8n's wrapped errors. `''`: an established connection broke. */
export function errorCode(error: unknown): string {
	for (let e = error as SystemError | undefined, depth = 0; e && depth < MAX_CAUSES; depth++) {
		const code = e.code ?? e.httpCode;
		if (typeof code === 'string') {
			const [said] = e.messages ?? [];
			const syscall =
				e.syscall ??
				(e.cause as SystemError | undefined)?.syscall ??
				(typeof said === 'string' ? said.split(' ', 1)[0] : 'connect');
			return NO_ROUTE.test(code) && syscall !== 'connect' ? '' : code;
		}
		if (typeof e.message === 'string' && /restricted IP|SSRF/i.test(e.message)) return 'SSRF';
		e = e.cause as typeof e;
	}
	return '';
}
