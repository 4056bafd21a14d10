import { both } from './bilingual';
import type { SentenceEnd } from './sentenceEnd';

/**
 * Names that the internet doesn't have: reserved by RFC 6761, 6762 (with its appendix G), 7686, 8375 and 9476, and by ICANN
 * (`internal`); not `example`, which stands for any name in documentation.
 */
const LOCAL_NAME =
	/(^|\.)(localhost|test|invalid|local|intranet|internal|private|corp|home|lan|onion|home\.arpa|alt)$/;

/** German routers answer for names of this domain in their own network: fritz.box, easy.box, o2.box. */
const ROUTER = /\.box$/;

/** Special-purpose blocks of IPv4 that the internet doesn't route (RFC 6890), as first octets. */
const PRIVATE_V4 =
	/^(0|10|127|22[4-9]|2[34]\d|25[0-5])\.|^(169\.254|192\.168|198\.1[89])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.0\.[02]\.|^198\.51\.100\.|^203\.0\.113\./;
/** Unspecified and loopback, unique local, link-local, multicast, documentation. */
const PRIVATE_V6 = /^(::1?$|f[cd]|fe[89ab]|ff|2001:db8:)/;

/** n8n before 2.30 doesn't know `N8N_WEBHOOK_URL`; newer ones call the other name deprecated. */
const WEBHOOK_URL = both(
	'n8n builds the addresses of its webhooks from the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in older versions): set it to n8n\'s public address, e.g. https://n8n.example.com/, and restart n8n. For tests with a gateway in your own network, turn on the option "Allow Private URL"',
	'n8n bildet die Adressen seiner Webhooks aus der Umgebungsvariable N8N_WEBHOOK_URL (WEBHOOK_URL in älteren Versionen): Setzen Sie sie auf die öffentliche Adresse von n8n, etwa https://n8n.example.com/, und starten Sie n8n neu. Für Versuche mit einem Gateway im eigenen Netz schalten Sie die Option „Allow Private URL“ ein',
);

/**
 * Checks whether a gateway on the internet could deliver events to a URL. Used wherever a webhook URL is set: by the
 * operation `webhook.setUrl` and by the trigger, at its activation. Names aren't resolved: n8n may get other
 * addresses than the gateway.
 *
 * @param url the webhook URL
 * @param allowPrivate for trials: accepts any http(s) URL
 * @returns what is wrong with it, and what to do about it; the URL's path, which may hold a secret, isn't repeated.
 * `undefined` when it is fine.
 */
export function publicUrlProblem(url: string, allowPrivate = false): SentenceEnd | undefined {
	if (!URL.canParse(url)) return WEB_ADDRESS;
	const { protocol, hostname } = new URL(url);
	if (protocol !== 'https:' && protocol !== 'http:') return WEB_ADDRESS;
	if (allowPrivate) return undefined;
	const isOwn = isPrivateHost(hostname) || ROUTER.test(hostname.replace(/\.$/, ''));
	if (!isOwn && protocol === 'https:') return undefined;
	const reason = isOwn
		? both(
				`"${hostname}" is an address or name of this machine or its own network`,
				`„${hostname}“ ist eine Adresse oder ein Name dieses Rechners oder seines eigenen Netzes`,
			)
		: UNENCRYPTED_WEBHOOK;
	return both(
		`must be reachable from the internet: ${reason.en}. ${WEBHOOK_URL.en}`,
		`muss aus dem Internet erreichbar sein: ${reason.de}. ${WEBHOOK_URL.de}`,
	);
}

const WEB_ADDRESS = both(
	'must be a web address like https://n8n.example.com/webhook/payments',
	'muss eine Webadresse sein wie https://n8n.example.com/webhook/zahlungen',
);
const UNENCRYPTED_WEBHOOK = both(
	'it starts with http://, which is neither safe nor accepted; https:// is needed',
	'Sie beginnt mit http://, was weder sicher ist noch angenommen wird; nötig ist https://',
);

/** Whether a host is certainly this machine or in its own network, judged by its name. @param hostname as the URL parser writes it */
export function isPrivateHost(hostname: string): boolean {
	const host = hostname.replace(/[[\]]/g, '').replace(/\.$/, '');
	if (host.includes(':')) return PRIVATE_V6.test(host);
	if (/^[\d.]+$/.test(host)) return PRIVATE_V4.test(host);
	return LOCAL_NAME.test(host) || !host.includes('.');
}
