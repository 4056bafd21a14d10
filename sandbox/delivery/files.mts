import { createHash } from 'node:crypto';
import type { components } from '../../api/gateway.js';
import { ApiError } from '../http/apiError.mjs';
import type { Store } from '../store.mjs';

export type Attachment = components['schemas']['Attachment'];

/** A file that arrived. Its content can be read by its hash while the sandbox keeps it. */
export interface StoredFile {
	dateiname: string;
	/** Size in bytes. */
	size: number;
	/** SHA-256 as hex digits. */
	sha256: string;
}

/** A checked attachment, not stored yet. */
export interface CheckedFile extends StoredFile {
	base64: string;
}

/**
 * Decodes an attachment's content, which must be base64 (RFC 4648, padded) of at least one byte.
 * Base64 is our assumption: the contract leaves the encoding open.
 * @param field the attachment's path in the body: `datei`, `belegbilder/0`
 */
export function checkFile(attachment: Attachment, field: string): CheckedFile {
	const { content, dateiname } = attachment;
	const bytes = Buffer.from(content, 'base64');
	// Node.js skips invalid characters, so the result is encoded again to see whether the content was valid base64.
	if (bytes.toString('base64') !== content) {
		throw new ApiError(400, `"${field}/content" is not base64.`, `${field}/content`, 'base64');
	}
	if (!bytes.length) {
		throw new ApiError(
			400,
			`"${field}/content" is empty: "${dateiname}" has no bytes.`,
			`${field}/content`,
			'empty',
		);
	}
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return { dateiname, size: bytes.length, sha256, base64: content };
}

/** File contents by hash, as base64. When they grow too large, the oldest contents are deleted; their records stay. */
export class Files {
	readonly #contents;

	/** @param limit maximum total of base64 characters */
	constructor(
		store: Store,
		private readonly limit = 300 * 2 ** 20,
	) {
		this.#contents = store.addSlice<Record<string, string>>('files', () => ({}));
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

	/** The content, or undefined if it is no longer kept. */
	read(sha256: string): Buffer | undefined {
		const base64 = this.#contents.value[sha256];
		return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
	}
}
