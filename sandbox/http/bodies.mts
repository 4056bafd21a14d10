import type { FastifyInstance } from 'fastify';
import { ApiError } from './apiError.mjs';

/** More levels than any body in the contract has. Deeper JSON could exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * Makes a server read bodies of one content type as JSON in UTF-8, and refuse all others. Whether the JSON fits the
 * operation is checked against the contract later.
 */
export function readJsonBodies(app: FastifyInstance, contentType: string): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(contentType, { parseAs: 'buffer' }, ({ headers }, raw: Buffer, done) => {
		if (headers['content-encoding']) {
			return done(new ApiError(415, 'The body must not be compressed.', 'content-encoding', 'type'));
		}
		try {
			done(null, raw.length ? parseJson(raw) : undefined);
		} catch (error) {
			done(new ApiError(400, `The body is not JSON: ${(error as Error).message}`, 'body', 'json'));
		}
	});
}

function parseJson(raw: Buffer): unknown {
	const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
	if (isDeeperThan(MAX_DEPTH, value)) throw new Error('it is nested too deeply.');
	return value;
}

function isDeeperThan(levels: number, value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}
