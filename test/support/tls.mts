/** A secure line (TLS) to a server on this machine. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { generate } from 'selfsigned';

export interface SecureLine {
	/** Its certificate is signed by nobody. */
	url: string;
	close(): void;
}

/**
 * @param target port of the server
 * @param breaks whether something in between breaks the line by an answer of its own, which isn't encrypted, as soon as
 * the server answers
 */
export async function openSecureLine(target: number, { breaks = false } = {}): Promise<SecureLine> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
	/** The client's ends of the connections by the ports that they are handed on from. */
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
