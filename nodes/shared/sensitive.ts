import { escape } from 'lodash';

/** The countries that have IBANs: other letters begin numbers that people must be able to read, like `RE2026…`. */
const COUNTRIES =
	'A[DELTZ]|B[AEGHIRY]|C[HRYZ]|D[EJKO]|E[EGS]|F[IKOR]|G[BEILRT]|H[NRU]|I[ELQST]|JO|K[WZ]|L[BCITUVY]|M[CDEKNRTU]|N[ILO]|OM|P[KLST]|QA|R[OSU]|S[ACDEIKMOTV]|T[LNR]|UA|V[AG]|XK|YE';
/** `DE02120300000000202051` or `DE02 1203 0000 0000 2020 51`. */
const IBAN = new RegExp(
	`\\b(?:${COUNTRIES})\\d{2}(?:[A-Z\\d]{11,30}|(?: [A-Z\\d]{4}){2,7}(?: [A-Z\\d]{1,3})?)\\b`,
	'g',
);
const IP_V4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
const IP_V6 = /(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}(?![\w:])/gi;

/**
 * Hides IBANs (but for country and last digits, as banks do) and IP addresses in a text that goes into an error: errors
 * are logged, mailed and shown to people whom they don't concern.
 */
export function maskSensitive(text: string): string {
	return text
		.replace(IBAN, (iban) => `${iban.slice(0, 2)}…${iban.slice(-4)}`)
		.replace(IP_V4, '[IP address]')
		.replace(IP_V6, '[IP address]');
}

/** Shorter strings are no keys, and would be found by chance in what the gateway answers. */
const MIN_SECRET_LENGTH = 8;

/** Removes a secret from a text, also as it is written in JSON, in a web page or in an address. */
export function withoutSecret(text: string, secret: string): string {
	if (secret.length < MIN_SECRET_LENGTH) return text;
	const json = JSON.stringify(secret).slice(1, -1);
	// The buffer makes text of anything, which addresses want.
	const address = encodeURIComponent(Buffer.from(secret).toString());
	return [secret, json, escape(secret), address].reduce((rest, form) => rest.replaceAll(form, '***'), text);
}

/** What identifies payer and payee in a payment. */
const OF_PAYMENT = [
	'payment_attributes.debtor_iban',
	'payment_attributes.creditor_iban',
	'payment_attributes.customer_ip_address',
];
/** What identifies payer and payee in a bank transaction. */
const OF_TRANSACTION = ['extra.payee_information', 'extra.payer_information'];

/** Where they are in an event that the trigger puts out, as read back and as delivered. */
export const SENSITIVE_IN_EVENTS = OF_PAYMENT.flatMap((field) => [`data.${field}`, `delivered.${field}`]);

/**
 * Where IBANs and the like are in the output of the banking node, simplified or not. n8n hides such fields when it shows
 * an execution; the workflow itself sees them. (n8n 2.40 knows the marking, but doesn't act on it yet.)
 */
export const SENSITIVE_IN_BANKING = [
	...[...OF_PAYMENT, ...OF_TRANSACTION].flatMap((field) => [field, `data.${field}`]),
	...OF_TRANSACTION.flatMap((field) => [`transactions[*].${field}`, `data[*].transactions[*].${field}`]),
];
