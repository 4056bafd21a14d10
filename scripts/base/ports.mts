import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { UserError } from './processes.mjs';

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

/**
 * Returns the first free port of those preferred, or any free one. It gives no port to two callers at once, but another process
 * may take it before the caller listens: `onFreePort` then goes on to the next.
 */
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

/** The same code as that of Node.js, also where a child process says that its port is taken. */
export const PORT_TAKEN = 'EADDRINUSE';

/** A program that was started has ended because another process had taken its port. */
export class PortTaken extends UserError {
	readonly code = PORT_TAKEN;
}

/** How many ports are tried: other programs that start at the same moment take a few at most. */
const TRIES = 20;

/**
 * Listens on the first of the preferred ports that can be had, or on any free one.
 * @param listen fails with the code `PORT_TAKEN` if another process has taken the port in the meantime
 */
export async function onFreePort<Server>(
	preferred: Iterable<number | undefined>,
	listen: (port: number) => Promise<Server>,
): Promise<Server> {
	const wishes = [...preferred];
	for (let tries = 1; ; tries++) {
		const port = await freePort(wishes);
		try {
			return await listen(port);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== PORT_TAKEN || tries === TRIES) throw error;
		}
	}
}
