import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../http/apiError.mjs';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host name or IP address means this machine (loopback). */
export function isLoopback(host: string): boolean {
	const version = isIP(host);
	if (version) return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
	return host === 'localhost' || host.endsWith('.localhost');
}

interface AccessOptions {
	/** The host on which the sandbox listens. */
	host: string;
	/** Additional host names that the sandbox answers to, and whose pages may call it. */
	allowedHosts: readonly string[];
}

/**
 * Protects the sandbox from web pages in a browser on the same machine: its control API and its page need no key, and its
 * gateway's key is known. Another site's page can reach the sandbox if its own name resolves to this address (DNS rebinding),
 * which the `Host` header shows, or with cross-origin requests, which the `Origin` header shows.
 *
 * The sandbox answers to this machine's names, the address that a request arrived at, and the names that the options allow.
 */
export function restrictAccess(app: FastifyInstance, { host, allowedHosts }: AccessOptions): void {
	const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()));
	const listened = host.toLowerCase();
	app.addHook('onRequest', (request, _reply, done) => done(refusal(request, listened, allowed)));
}

function refusal(
	{ headers, socket }: FastifyRequest,
	listened: string,
	allowed: ReadonlySet<string>,
): ApiError | undefined {
	const url = parseUrl(`http://${headers.host}`);
	const name = url ? hostnameOf(url) : '';
	const arrivedAt = socket.localAddress?.replace(/^::ffff:/, '');
	if (!url || !(isLoopback(name) || [arrivedAt, listened].includes(name) || allowed.has(name))) {
		const message = `The sandbox doesn't answer to the host "${headers.host ?? ''}"; see --allow-host.`;
		return new ApiError(403, message, 'host', 'forbidden');
	}
	if (headers.origin === undefined) return undefined;
	const origin = parseUrl(headers.origin);
	if (origin && (origin.host === url.host || allowed.has(hostnameOf(origin)))) return undefined;
	return new ApiError(
		403,
		`The sandbox doesn't answer to pages of ${headers.origin}.`,
		'origin',
		'forbidden',
	);
}

const parseUrl = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** The host name of a URL, without the brackets of an IPv6 address. */
const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
