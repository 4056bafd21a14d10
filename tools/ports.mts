import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The port that was asked for (0: any), if nobody listens there on this machine. */
const free = async (port: number): Promise<number | undefined> =>
	await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen(port, '127.0.0.1', () => {
			const { port: found } = server.address() as AddressInfo;
			server.close(() => resolve(found));
		});
	});

/** When each port was given to a caller. */
const given = new Map<number, number>();
/** Within this time, the caller listens on its port. */
const TAKEN_WITHIN_MS = 30_000;

/** Returns the first free port of those preferred, or any free one. It gives no port to two callers at once. */
export async function freePort(preferred: Iterable<number | undefined> = []): Promise<number> {
	for (const wanted of preferred) {
		const port = wanted && !isGiven(wanted) ? await free(wanted) : undefined;
		if (port && !isGiven(port)) return give(port);
	}
	for (;;) {
		const port = await free(0);
		if (port && !isGiven(port)) return give(port);
	}
}

const isGiven = (port: number) => performance.now() - (given.get(port) ?? -TAKEN_WITHIN_MS) < TAKEN_WITHIN_MS;

function give(port: number): number {
	given.set(port, performance.now());
	return port;
}
