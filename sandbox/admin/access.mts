import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../http/apiError.mjs';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host name or IP address is a loopback one. */
export function isLoopback(host: string): boolean {
	const version = isIP(host);
	if (version) return loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
	return host === 'localhost' || host.endsWith('.localhost');
}

interface AccessOptions {
	/** The host that the sandbox was told to listen on. */
	host: string;
	/** Additional host names that it answers to, and whose pages may call it. */
	allowedHosts: readonly string[];
}

/**
 * Protects the control API, which needs no key, from web pages in a browser on the same machine. Another site's page
 * can get here by letting its own name resolve to this address (DNS rebinding), visible in the `Host` header, or with
 * cross-origin requests, visible in the `Origin` header.
 *
 * It answers to this machine's names, the address that a request arrived at, and the names that the options allow.
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
		const message = `The control API doesn't answer to the host "${headers.host ?? ''}"; see --allow-host.`;
		return new ApiError(403, message, 'host', 'forbidden');
	}
	if (headers.origin === undefined) return undefined;
	const origin = parseUrl(headers.origin);
	if (origin && (origin.host === url.host || allowed.has(hostnameOf(origin)))) return undefined;
	return new ApiError(
		403,
		`The control API doesn't answer to pages of ${headers.origin}.`,
		'origin',
		'forbidden',
	);
}

const parseUrl = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/** Without the brackets of an IPv6 address. */
const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');
