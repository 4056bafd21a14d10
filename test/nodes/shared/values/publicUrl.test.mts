import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isPrivateHost, publicUrlProblem } from '../../../../nodes/shared/values/publicUrl.js';
/** The blocks that the internet doesn't route: first and last address. */
const BLOCKS = `
	0.0.0.0-0.255.255.255 10.0.0.0-10.255.255.255 100.64.0.0-100.127.255.255 127.0.0.0-127.255.255.255
	169.254.0.0-169.254.255.255 172.16.0.0-172.31.255.255 192.0.0.0-192.0.0.255 192.0.2.0-192.0.2.255
	192.168.0.0-192.168.255.255 198.18.0.0-198.19.255.255 198.51.100.0-198.51.100.255
	203.0.113.0-203.0.113.255 224.0.0.0-255.255.255.255`
	.trim()
	.split(/\s+/)
	.map((block) => block.split('-'));
const PRIVATE = BLOCKS.flat();
/** Their neighbors; before the first and behind the last there is none. */
const PUBLIC = BLOCKS.flatMap(([first, last]) => [moved(first, -1), moved(last, 1)]).slice(1, -1);

/** The address so many steps away. */
function moved(address: string, by: number): string {
	const number = address.split('.').reduce((total, part) => total * 256 + Number(part), 0) + by;
	return [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.');
}

const OWN = 'is an address or name of this machine or its own network';
const ACCEPTED = 'the address is accepted';
const said = (url: string, allowPrivate?: boolean) => publicUrlProblem(url, allowPrivate)?.en ?? ACCEPTED;

describe('publicUrlProblem', () => {
	it.each([...PUBLIC, '[2a00:1450:4001:830::200e]', '[2001:db9::1]'])('accepts %s', (host) => {
		expect(said(`https://${host}/webhook/x`)).toBe(ACCEPTED);
	});

	const OF_IPV6 = '[::] [::1] [fc00::1] [fdff::1] [fe80::1] [febf::1]'.split(' ');
	it.each([...PRIVATE, ...OF_IPV6])('refuses %s', (host) => {
		expect(said(`https://${host}/webhook/x`)).toContain(OWN);
	});

	it.each(['[ff02::1]', '[2001:db8::1]', '2130706433', '0x7f.1', '0177.0.0.1', '127.1'])(
		'refuses %s, however it is written',
		(host) => {
			expect(said(`https://${host}/`)).toContain(OWN);
		},
	);

	it.each([
		...'LOCALHOST localhost. app.localhost 3cx.local host.docker.internal n8n.lan'.split(' '),
		...'fritz.box.home.arpa n8n.test n8n.test. n8n.intranet n8n.private n8n.alt n8nabcdefgh.onion'.split(' '),
	])('refuses the name %s', (host) => {
		expect(said(`https://${host}/`)).toContain(`"${host.toLowerCase()}" ${OWN}`);
	});

	it.each(['n8n.fritz.box', 'fritz.box', 'fritz.box.', 'n8n.FRITZ.box', 'easy.box'])(
		'refuses the name %s of a home network, but never sends a key there without TLS',
		(host) => {
			expect(said(`https://${host}/`)).toContain(`"${host.toLowerCase()}" ${OWN}. n8n builds`);
			expect(said(`https://${host}/`, true)).toBe(ACCEPTED);
			expect(isPrivateHost(host), 'the key may go there without TLS').toBe(false);
		},
	);

	it.each(['n8n', 'server2'])('refuses the name %s, which has no domain', (host) => {
		expect(said(`https://${host}/`)).toContain(`"${host}" ${OWN}`);
	});

	it.each([
		...'n8n.example.com n8n.example.com. 10.example.com localhost.example.com mylocal.de'.split(' '),
		...'internal.firma.de bäckerei.de a.homes fritz.box.de xbox.com'.split(' '),
	])('accepts the name %s', (host) => {
		expect(said(`https://${host}:8443/`)).toBe(ACCEPTED);
	});

	const NO_ADDRESS = 'must be a web address like https://n8n.example.com/webhook/payments';
	it.each([
		['', NO_ADDRESS],
		['n8n.example.com', NO_ADDRESS],
		['//n8n.example.com', NO_ADDRESS],
		['https://', NO_ADDRESS],
		['https://a b/', NO_ADDRESS],
		['ftp://a.de/', NO_ADDRESS],
		['file:///etc/passwd', NO_ADDRESS],
	])('refuses %o even for trials', (url, problem) => {
		for (const allowPrivate of [false, true]) expect(said(url, allowPrivate)).toBe(problem);
	});

	it('refuses an address of the internet without TLS', () => {
		expect(said('http://n8n.example.com/')).toContain('it starts with http://, which is neither safe');
	});

	it.each([
		['http://n8n.example.com/', 'Sie beginnt mit http://, was weder sicher ist noch angenommen wird'],
		['https://n8n.lan/', '„n8n.lan“ ist eine Adresse oder ein Name dieses Rechners'],
	])('refuses %s in German, too', (url, reason) => {
		const { de } = publicUrlProblem(url)!;
		expect(de).toContain(`muss aus dem Internet erreichbar sein: ${reason}`);
		expect(de).toContain('N8N_WEBHOOK_URL');
		expect(de).toContain('schalten Sie die Option „Allow Private URL“ ein');
	});

	it('accepts any http(s) address for trials', () => {
		for (const url of ['http://localhost:5678/', 'https://10.0.0.1/', 'http://n8n/', 'http://[::1]/']) {
			expect(said(url, true)).toBe(ACCEPTED);
		}
	});

	it('judges any text without throwing', () => {
		fc.assert(fc.property(fc.oneof(fc.string(), fc.webUrl()), (url) => void publicUrlProblem(url)));
	});
});
