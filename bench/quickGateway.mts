/** A gateway that answers at once and checks nothing, so that only the client is measured. */
import type { Readable } from 'node:stream';
import fastify from 'fastify';
import pick from 'lodash/pick.js';

/** A valid connection ID; this gateway ignores it. */
export const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';

/** The fields that identify an entry. The node takes an entry as booked only if the answer repeats them. */
const IDENTITY = [
	'belegnummer',
	'kassenname',
	'bewegung',
	'betrag',
	'waehrung',
	'transaktionsdatum',
	'steuersatz',
];

/** The answer to an entry, an income: the contract's example with the identifying fields of the entry that was sent. */
export const confirmation = (example: object, sent: object) => ({ ...example, ...pick(sent, IDENTITY) });

export interface BenchGateway {
	/** Base URL without a slash at the end. */
	url: string;
	close(): Promise<void>;
}

/** @param answer must read the request's body; returns the answer as an object or as JSON text */
export async function startGateway(answer: (body: Readable) => Promise<unknown>): Promise<BenchGateway> {
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, body, done) => done(null, body));
	app.all('/*', async ({ body, raw }, reply) => {
		reply.type('application/json; charset=utf-8');
		return await answer((body as Readable | undefined) ?? raw);
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return { url, close: async () => await app.close() };
}
