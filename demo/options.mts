/** The options of `npm start` and `npm run dev`. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { MAX_CLIENTS } from '../sandbox/seed.mjs';
import { UserError } from '../scripts/base/processes.mjs';

/** The values of the options. An unknown one is refused, with the usage. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
	args: string[],
	options: Options,
	usage: string,
) {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new UserError(`${(error as Error).message}\n\n${usage}`);
	}
}

export function portOf(option: string, value: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new UserError(`--${option} has to be a port number between 1 and 65535, not "${value}".`);
}

/** The number of clients of the sandbox's office. */
export function clientsOf(value: string): number {
	const clients = Number(value);
	if (Number.isInteger(clients) && clients >= 2 && clients <= MAX_CLIENTS) return clients;
	throw new UserError(`--clients has to be a whole number between 2 and ${MAX_CLIENTS}, not "${value}".`);
}
