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
/** An IPv4 address inside an IPv6 one, as the URL parser writes it: `::ffff:7f00:1`. */
const MAPPED_V4 = /^::ffff:([\da-f]+):([\da-f]+)$/;

/** n8n before 2.30 doesn't know `N8N_WEBHOOK_URL`; newer ones call the other name deprecated. */
const WEBHOOK_URL =
	'n8n builds the addresses of its webhooks from the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL in older versions): set it to n8n\'s public address, e.g. https://n8n.example.com/, and restart n8n. For tests with a gateway in your own network, turn on the option "Allow Private URL"';

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
	if (!URL.canParse(url)) return 'must be a web address like https://n8n.example.com/webhook/payments';
	const { protocol, hostname } = new URL(url);
	if (protocol !== 'https:' && protocol !== 'http:') return 'must start with https://';
	if (allowPrivate) return undefined;
	const reason =
		unreachable(hostname) ?? ofRouter(hostname) ?? (protocol === 'http:' ? UNENCRYPTED_WEBHOOK : undefined);
	return reason && `must be reachable from the internet: ${reason}. ${WEBHOOK_URL}`;
}

const UNENCRYPTED_WEBHOOK = 'it starts with http://, which is neither safe nor accepted; https:// is needed';

const ofRouter = (hostname: string) =>
	ROUTER.test(hostname.replace(/\.$/, ''))
		? `"${hostname}" is a name that home routers give in their own network`
		: undefined;

/** Whether a host is certainly this machine or in its own network, judged by its name. @param hostname as the URL parser writes it */
export const isPrivateHost = (hostname: string) => unreachable(hostname) !== undefined;

/** Why a host can't be reached from outside, judged by its name. @param hostname as the URL parser writes it */
function unreachable(hostname: string): string | undefined {
	const host = hostname.replace(/[[\]]/g, '').replace(/\.$/, '');
	if (host.includes(':')) return isPrivateV6(host) ? `${host} is a private address` : undefined;
	if (/^[\d.]+$/.test(host)) return PRIVATE_V4.test(host) ? `${host} is a private address` : undefined;
	if (LOCAL_NAME.test(host)) return `"${host}" is a name of this machine or its own network`;
	return host.includes('.') ? undefined : `"${host}" is a name in its own network only`;
}

function isPrivateV6(host: string): boolean {
	const mapped = MAPPED_V4.exec(host)
		?.slice(1)
		.map((part) => Number.parseInt(part, 16));
	if (!mapped) return PRIVATE_V6.test(host);
	const [high, low] = mapped;
	return PRIVATE_V4.test([high >> 8, high & 255, low >> 8, low & 255].join('.'));
}
