import { sentences } from './errorText';
import { unconfirmedOutcome } from './failure';
import type { Failure } from './failure';
import { CHECK_FIRST } from './outcomes';

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
	message: string;
	/** The message in German. */
	german: string;
	advice: string;
}

const TIME_OUT = new RegExp(
	`^(${DEADLINE_EXCEEDED}|ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|UND_ERR_\\w*TIMEOUT)$`,
);

const CANCELED_CODE = /^(ERR_CANCELED|ABORT_ERR)$/;

/** The reasons by Node.js's error code. */
const NETWORK: Array<Reason & { codes: RegExp }> = [
	{
		codes: /^(ENOTFOUND|EAI_\w+)$/,
		transient: true,
		message: "The gateway's address can't be found",
		german: 'Die Adresse des Gateways ist nicht zu finden',
		advice:
			'Check the base URL in the credential for typos, and the name resolution (DNS) of the machine that n8n runs on.',
	},
	{
		codes: new RegExp(`^${FILE_UNREADABLE}$`),
		message: 'A file of the item can no longer be read, or changed while it was being sent',
		german: 'Eine Datei ist nicht mehr lesbar oder hat sich beim Senden geändert',
		advice: 'Run the workflow again from the node that provides the file.',
	},
	{
		codes: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
		transient: true,
		message: "The gateway can't be reached: nothing answers at its address",
		german: 'Das Gateway ist nicht erreichbar: Unter seiner Adresse antwortet niemand',
		advice: 'Check the base URL in the credential, and whether a firewall blocks the connection.',
	},
	{
		codes: /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
		message: "No secure connection to the gateway: its certificate (TLS) has expired or isn't valid yet",
		german:
			'Keine sichere Verbindung zum Gateway: Sein Zertifikat (TLS) ist abgelaufen oder noch nicht gültig',
		advice:
			'Ask the provider of the gateway to renew the certificate, and check the clock of the machine that n8n runs on.',
	},
	{
		codes: /ALTNAME|^HOSTNAME_MISMATCH$/,
		message: 'No secure connection to the gateway: its certificate (TLS) is issued for another host name',
		german: 'Keine sichere Verbindung zum Gateway: Sein Zertifikat (TLS) gilt für einen anderen Namen',
		advice:
			'Enter the host name of the certificate as the base URL in the credential, or ask the provider of the gateway for a certificate for this one.',
	},
	{
		// The issuer isn't known here: self-signed, a private authority, or an incomplete chain.
		codes: /CERT|SELF_SIGNED|UNABLE_TO_|^INVALID_CA$/,
		message: "No secure connection to the gateway: its certificate (TLS) isn't trusted",
		german: 'Keine sichere Verbindung zum Gateway: Seinem Zertifikat (TLS) wird nicht vertraut',
		advice:
			'If it is self-signed or comes from your own certificate authority, ask your n8n administrator to set NODE_EXTRA_CA_CERTS to a file with that certificate and to restart n8n. Otherwise, ask the provider of the gateway to send the full certificate chain.',
	},
	{
		// This can also happen after the request was sent.
		codes: /^(EPROTO$|ERR_SSL|ERR_TLS)|WRONG_VERSION/,
		mayBeDone: true,
		message: 'The secure connection (TLS) to the gateway failed',
		german: 'Die sichere Verbindung (TLS) zum Gateway ist misslungen',
		advice:
			'Check the base URL in the credential, including its port: the server there may not accept secure connections (https).',
	},
	{
		codes: /^ERR_INVALID_CHAR$/,
		message: "The API key can't be sent: it contains line breaks or invalid characters",
		german: 'Der API-Schlüssel ist nicht zu senden: Er enthält Zeilenumbrüche oder ungültige Zeichen',
		advice: 'Enter the key in the credential again.',
	},
	{
		codes: TIME_OUT,
		mayBeDone: true,
		transient: true,
		message: "The gateway didn't answer in time",
		german: 'Das Gateway hat nicht rechtzeitig geantwortet',
		advice: 'Try again later. If the node has the option "Timeout", raise it.',
	},
	{
		codes: new RegExp(`^${ANSWER_TOO_LARGE}$`),
		mayBeDone: true,
		message:
			"The gateway's answer is too large (more than 256 MB or 3 million values), so it was not read to its end",
		german:
			'Die Antwort des Gateways ist zu groß (mehr als 256 MB oder 3 Millionen Werte) und wurde nicht zu Ende gelesen',
		advice:
			'Ask for less at once, e.g. a shorter time. If little was asked for, ask the provider of the gateway.',
	},
	{
		codes: CANCELED_CODE,
		mayBeDone: true,
		message: 'The execution was canceled while a request was in flight',
		german: 'Die Ausführung wurde abgebrochen, während eine Anfrage lief',
		advice: '',
	},
	{
		codes: /^(ERR_INVALID_URL|ERR_UNSUPPORTED_PROTOCOL|ERR_SSRF\w*)$|SSRF/,
		message: "This n8n doesn't allow requests to the gateway's address",
		german: 'Dieses n8n erlaubt keine Anfragen an die Adresse des Gateways',
		advice:
			'The address is private or restricted. Ask your n8n administrator to allow it (N8N_SSRF_ALLOWED_HOSTNAMES).',
	},
];

const BROKEN: Reason = {
	mayBeDone: true,
	transient: true,
	message: 'The connection to the gateway broke before an answer came',
	german: 'Die Verbindung zum Gateway brach ab, bevor eine Antwort kam',
	advice: 'Try again later.',
};

/**
 * An incomplete request can't have been carried out. A gateway that answers "too large" often closes the connection so
 * early.
 */
const BROKEN_WHILE_SENDING: Reason = {
	transient: true,
	message:
		'The gateway closed the connection before the file was sent completely, so nothing was uploaded or booked',
	german:
		'Das Gateway hat die Verbindung geschlossen, bevor die Datei ganz gesendet war: Es wurde nichts hochgeladen oder gebucht',
	advice:
		'The gateway, or a proxy in front of it, may take no files of this size: send smaller or fewer files. Otherwise, try again later.',
};

/** Nothing has been sent: the connection wasn't there yet, or wasn't secure yet. */
const NOT_CONNECTED: Reason = {
	transient: true,
	message: 'No connection to the gateway came about, so nothing was sent',
	german: 'Es kam keine Verbindung zum Gateway zustande: Es wurde nichts gesendet',
	advice:
		'Check the base URL in the credential, and whether a firewall or a proxy holds the connection up. Otherwise, try again later.',
};

const TOO_SLOW: Reason = {
	transient: true,
	message: "The file wasn't sent completely in time, so nothing was uploaded or booked",
	german: 'Die Datei wurde nicht rechtzeitig ganz gesendet: Es wurde nichts hochgeladen oder gebucht',
	advice: 'If the node has the option "Timeout", raise it, or send smaller or fewer files.',
};

const CANCELED_BEFORE: Reason = {
	message: 'The execution was canceled before this request was sent',
	german: 'Die Ausführung wurde abgebrochen, bevor diese Anfrage gesendet war',
	advice: '',
};

/** How far a request had come: nothing had been sent, a part of it, or all of it may have reached the gateway. */
export type Progress = 'connecting' | 'sending' | 'handedOver';

function reasonFor(code: string, progress: Progress): Reason {
	const known = NETWORK.find(({ codes }) => codes.test(code));
	if (progress === 'handedOver') return known ?? BROKEN;
	if (CANCELED_CODE.test(code)) return CANCELED_BEFORE;
	const [broken, late] =
		progress === 'connecting' ? [NOT_CONNECTED, NOT_CONNECTED] : [BROKEN_WHILE_SENDING, TOO_SLOW];
	return TIME_OUT.test(code) ? late : (known ?? broken);
}

/**
 * Explains a request without an answer.
 * @param code Node.js's error code, `''` if there is none
 */
export function networkError(code: string, writes: boolean, progress: Progress): Failure {
	const { mayBeDone, transient = false, message, german, advice } = reasonFor(code, progress);
	// What wasn't sent completely can't have been carried out.
	const isUnknown = mayBeDone && progress === 'handedOver';
	return {
		outcome: isUnknown ? unconfirmedOutcome(writes) : 'notSent',
		message,
		german: `${german}.`,
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
