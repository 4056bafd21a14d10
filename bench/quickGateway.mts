/** A gateway that answers at once and checks nothing, so that only the client is measured. */
import type { Readable } from 'node:stream';
import fastify from 'fastify';
import pick from 'lodash/pick.js';

/** A valid connection ID; this gateway ignores it. */
export const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';

/** What identifies an entry: it counts as booked only if the answer repeats it. */
const IDENTITY = [
	'belegnummer',
	'kassenname',
	'bewegung',
	'betrag',
	'waehrung',
	'transaktionsdatum',
	'steuersatz',
];

/** The answer to an entry, an income: the contract's example with what identifies the entry that was sent. */
export const confirmation = (example: object, sent: object) => ({ ...example, ...pick(sent, IDENTITY) });

/** An answer that isn't 200. */
export class Refusal {
	constructor(
		readonly status: number,
		readonly headers: Record<string, string>,
	) {}
}

export interface BenchGateway {
	/** Without a slash at the end. */
	url: string;
	close(): Promise<void>;
}

/** @param answer makes an answer of a request's body, which it has to read: an object, JSON as text, or a refusal */
export async function startGateway(answer: (body: Readable) => Promise<unknown>): Promise<BenchGateway> {
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, body, done) => done(null, body));
	app.all('/*', async ({ body, raw }, reply) => {
		reply.type('application/json; charset=utf-8');
		const content = await answer((body as Readable | undefined) ?? raw);
		if (!(content instanceof Refusal)) return content;
		return await reply.code(content.status).headers(content.headers).send('{}');
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return { url, close: async () => await app.close() };
}
