import type { FastifyReply } from 'fastify';
import { ApiError } from '../http/apiError.mjs';
import type { Files, StoredFile } from './files.mjs';

/** File types that browsers may display, recognized by their first bytes. Any other file could contain a script. */
const DISPLAYED: [type: string, beginning: RegExp][] = [
	['application/pdf', /^%PDF/],
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/** Answers with a file's content. */
export function sendFile(reply: FastifyReply, files: Files, file: StoredFile | undefined): FastifyReply {
	const content = file && files.read(file.sha256);
	if (!content) throw new ApiError(404, 'There is no such file, or its content is no longer kept.');
	const beginning = content.subarray(0, 12).toString('latin1');
	const [type] = DISPLAYED.find(([, pattern]) => pattern.test(beginning)) ?? [];
	// The buffer replaces lone surrogates, which encodeURIComponent refuses.
	const name = encodeURIComponent(Buffer.from(file.dateiname).toString());
	return reply
		.type(type ?? 'application/octet-stream')
		.header('content-disposition', `${type ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
		.header('x-content-type-options', 'nosniff')
		.send(content);
}
