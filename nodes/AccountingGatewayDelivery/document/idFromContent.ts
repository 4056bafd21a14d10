/** What makes a file that arrives again the same document: an ID from its content, or the node's memory of contents. */
import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { quote } from '../../shared/errors';
import type { FileContent } from '../../shared/gateway';
import type { RecordIdentity } from '../../shared/operation';
import { flag } from '../../shared/parameters';
import type { Attachment } from '../../shared/parameters';
import { both, sentences } from '../../shared/values';

export const ID_FROM_CONTENT = 'ID From Content';
export const ALREADY_UPLOADED = 'Skip What Was Uploaded Before';

export const options = {
	idFromContent: flag({
		displayName: ID_FROM_CONTENT,
		description:
			"Whether to derive the document's ID from the file's content and the connection, so that a file that arrives again, in another e-mail or run, is the same document. On unless you turn it off or give an ID. A document that the gateway already has counts as done, with alreadyExisted in the output.",
		default: true,
		decisive: true,
	}),
	alreadyUploaded: flag({
		displayName: ALREADY_UPLOADED,
		description:
			"Whether a file whose content this node has uploaded to the connection before comes out without a request, with alreadyExisted in the output, e.g. for a folder that is read each hour. Remembers 50,000 files that were uploaded with it on, in n8n's database: then it forgets the oldest one or, without “ID From Content”, sends nothing more; two runs with the same file at the same moment may not see each other.",
		default: true,
		decisive: true,
	}),
};

export interface Options {
	idFromContent?: boolean;
	alreadyUploaded?: boolean;
}

export const idFrom = (connectionId: string, { sha256 }: FileContent) => uuidOfName(connectionId, sha256);

/**
 * What makes a document the same as another one: its ID or else, where the node remembers it, its content.
 * @param id the ID that is sent, and its field
 */
export function identityOf(
	connectionId: string,
	{ dateiname, content: file }: Attachment,
	{ field, value }: { field: string; value?: string },
	{ alreadyUploaded = false }: Options,
	module: 'duo' | 'rewe',
): RecordIdentity | undefined {
	const { sha256 } = file;
	const within = connectionId;
	const content = `document ${module} ${connectionId.toLowerCase()} ${sha256}`;
	const recognized = {
		outputIfExisted: (said?: string, first: IDataObject = value === undefined ? {} : { id: value }) => ({
			record: { ...first, dateiname, alreadyExisted: true, sha256 },
			warning:
				said === undefined
					? undefined
					: sentences(
							both(`the document ${dateiname} was there already.`, `Der Beleg ${dateiname} war schon da.`),
							quote(said),
						),
		}),
		again: 'never' as const,
		recognizedBy: alreadyUploaded ? ALREADY_UPLOADED : ID_FROM_CONTENT,
	};
	if (value === undefined)
		return alreadyUploaded
			? { ...recognized, kind: 'onlyOnce', field: 'datei', value: sha256, within, content }
			: undefined;
	// With either option, `check` lets nobody give another one.
	if (value !== idFrom(connectionId, file)) return { kind: 'given', field, value, within };
	return {
		...recognized,
		kind: 'made',
		field,
		value,
		within,
		isOneRecord: true,
		content: alreadyUploaded ? content : undefined,
	};
}

const UUID_BYTES = 16;

/** A UUID of version 5: a name within a namespace, which is a UUID itself (RFC 9562, 5.5). */
export function uuidOfName(namespace: string, name: string): string {
	const bytes = createHash('sha1')
		.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
		.update(name)
		.digest()
		.subarray(0, UUID_BYTES);
	// The version, in the high half of its byte.
	bytes[6] = (bytes[6] % 16) + 0x50;
	// The variant, in the two highest bits of its byte.
	bytes[8] = (bytes[8] % 64) + 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
