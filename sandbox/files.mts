import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { components } from '../nodes/shared/contract.js';
import { Refusal } from './handlers.mjs';
import type { World } from './world.mjs';

export type Attachment = components['schemas']['Attachment'];

/** A file that arrived; its content can be read back by its hash while the sandbox keeps it. */
export interface StoredFile {
	dateiname: string;
	/** Bytes. */
	size: number;
	/** Hex. */
	sha256: string;
}

/** An attachment that was checked but not yet kept. */
export interface CheckedFile extends StoredFile {
	base64: string;
}

/**
 * Decodes an attachment's content, which has to be base64 (RFC 4648, padded) of at least one byte.
 * Base64 is our assumption: the specification doesn't show the encoding.
 * @param field where the attachment stands in the body: `datei`, `belegbilder/0`
 */
export function checkFile(attachment: Attachment, field: string): CheckedFile {
	const { content, dateiname } = attachment;
	const bytes = Buffer.from(content, 'base64');
	// Node decodes what it can; encoding the result again shows whether all of it was base64.
	if (bytes.toString('base64') !== content) {
		throw new Refusal(400, `"${field}/content" is not base64.`, `${field}/content`, 'base64');
	}
	if (!bytes.length) {
		throw new Refusal(
			400,
			`"${field}/content" is empty: "${dateiname}" has no bytes.`,
			`${field}/content`,
			'empty',
		);
	}
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return { dateiname, size: bytes.length, sha256, base64: content };
}

/** Files by hash, as base64 text. When they become too many, the oldest contents go; their records stay. */
export class Files {
	readonly #contents;

	/** @param limit characters of base64 kept in all */
	constructor(
		world: World,
		private readonly limit = 300 * 2 ** 20,
	) {
		this.#contents = world.slice<Record<string, string>>('files', () => ({}));
	}

	keep({ base64, ...file }: CheckedFile): StoredFile {
		const contents = this.#contents.value;
		contents[file.sha256] = base64;
		let total = Object.values(contents).reduce((sum, { length }) => sum + length, 0);
		for (const oldest of Object.keys(contents)) {
			if (total <= this.limit || oldest === file.sha256) break;
			total -= contents[oldest].length;
			delete contents[oldest];
		}
		return file;
	}

	/** The content, or undefined when it isn't there any more. */
	read(sha256: string): Buffer | undefined {
		const base64 = this.#contents.value[sha256];
		return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
	}
}

/** The kinds of files that browsers may show in place, by how they begin. Anything else could be a script. */
const SHOWN: [type: string, beginning: RegExp][] = [
	['application/pdf', /^%PDF/],
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/** Answers with a file's content. */
export function sendFile(reply: FastifyReply, files: Files, file: StoredFile | undefined): FastifyReply {
	const content = file && files.read(file.sha256);
	if (!content) throw new Refusal(404, 'There is no such file, or its content is not kept any more.');
	const beginning = content.subarray(0, 12).toString('latin1');
	const [type] = SHOWN.find(([, pattern]) => pattern.test(beginning)) ?? [];
	// By way of a buffer, as half a surrogate pair in a name can't be encoded.
	const name = encodeURIComponent(Buffer.from(file.dateiname).toString());
	return reply
		.type(type ?? 'application/octet-stream')
		.header('content-disposition', `${type ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
		.header('x-content-type-options', 'nosniff')
		.send(content);
}
