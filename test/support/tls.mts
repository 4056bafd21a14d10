/** A TLS proxy to a server on this machine. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

import { certificateFor } from './certificate.mjs';

export interface SecureLine {
	/** Its certificate is self-signed. */
	url: string;
	close(): void;
}

/**
 * @param target port of the server
 * @param breaks whether something in between breaks the connection with its own unencrypted answer as soon as the
 * server answers
 */
export async function openSecureLine(target: number, { breaks = false } = {}): Promise<SecureLine> {
	const { key, cert } = certificateFor('127.0.0.1');
	/** The client sockets by the ports they are forwarded from. */
	const clients = new Map<number | undefined, Socket>();
	const secure = createTlsServer({ key, cert }, (line) => {
		const server = connect(target, '127.0.0.1');
		line.pipe(server);
		if (breaks)
			server.once('data', () => clients.get(line.remotePort)?.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
		else server.pipe(line);
		for (const end of [line, server]) end.on('error', () => {});
	}).listen(0, '127.0.0.1');
	const open = createServer((client) => {
		const line = connect(portOf(secure), '127.0.0.1', () => clients.set(line.localPort, client));
		client.pipe(line).pipe(client);
		for (const end of [client, line]) end.on('error', () => {});
		client.on('close', () => line.destroy());
	}).listen(0, '127.0.0.1');
	await Promise.all([once(secure, 'listening'), once(open, 'listening')]);
	return {
		url: `https://127.0.0.1:${portOf(open)}`,
		close() {
			for (const client of clients.values()) client.destroy();
			open.close();
			secure.close();
		},
	};
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
