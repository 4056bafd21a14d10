/** Servers of tests, each on a free port of this machine. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server until the end of the test. @returns its address without `http://` */
export async function listening(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.close();
		(server as { closeAllConnections?: () => void }).closeAllConnections?.();
	});
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
