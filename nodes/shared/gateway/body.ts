import { BINARY_ENCODING } from 'n8n-workflow';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { createHash, randomUUID } from 'node:crypto';

import { FILE_UNREADABLE } from './failures/networkError';

/**
 * How file content is encoded in JSON. The contract leaves the encoding open; base64 is an assumption, made only in
 * this file.
 */
const ENCODING = BINARY_ENCODING;

/** Three bytes are four base64 characters, so only whole triples can be encoded chunk by chunk. */
const TRIPLE = 3;

const base64Length = (bytes: number) => Math.ceil(bytes / TRIPLE) * 4;

type StoredFile = Pick<FileContent, 'binary' | 'bytes'>;

/** A file of an input item, as the `content` of an attachment. The file is read while it is sent, never as a whole. */
export class FileContent {
	/**
	 * @param binary n8n's metadata of the file; without `id` the file is in memory (`data`, base64)
	 * @param bytes size of the file; more than 0 where it is sent
	 * @param sha256 of the file's content, in hexadecimal
	 */
	constructor(
		readonly binary: IBinaryData,
		readonly bytes: number,
		readonly sha256: string,
	) {}
}

/** n8n's store of the items' files. */
export type BinaryStore = Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>;
type Readable = Awaited<ReturnType<BinaryStore['getBinaryStream']>>;

/** Gives an error a code of its own, so that a broken connection to S3 isn't reported as one to the gateway. */
const asUnreadable = (error: unknown) => Object.assign(error as Error, { code: FILE_UNREADABLE });

/** A file in memory. Nodes like "Code" may have written its base64 with line breaks, without padding or for URLs. */
const bytesOf = ({ data }: IBinaryData) => Buffer.from(data, ENCODING);

export const sizeInMemory = (binary: IBinaryData) => bytesOf(binary).length;

const openIn = async ({ binary }: StoredFile, store: BinaryStore): Promise<Readable> =>
	await store.getBinaryStream(binary.id as string);

/**
 * A file piece by piece. Throws if it can't be read, or has another size than announced: it would reach the gateway as a
 * damaged document.
 */
async function* piecesOfFile(
	file: StoredFile,
	open: () => Promise<AsyncIterable<Buffer>>,
): AsyncGenerator<Buffer> {
	if (file.binary.id === undefined) return yield bytesOf(file.binary);
	let bytes = 0;
	try {
		for await (const piece of await open()) {
			bytes += piece.length;
			yield piece;
		}
	} catch (error) {
		throw asUnreadable(error);
	}
	if (bytes !== file.bytes)
		throw asUnreadable(new Error(`The file has ${bytes} bytes instead of ${file.bytes}`));
}

/** SHA-256 of a file in hexadecimal. Throws like `piecesOfFile`. */
export async function sha256OfFile(file: StoredFile, store: BinaryStore): Promise<string> {
	const hash = createHash('sha256');
	for await (const piece of piecesOfFile(file, async () => await openIn(file, store))) hash.update(piece);
	return hash.digest('hex');
}

/** The whole content of a file. Throws like `piecesOfFile`. */
export async function readWhole(file: StoredFile, store: BinaryStore): Promise<Buffer> {
	const pieces: Buffer[] = [];
	for await (const piece of piecesOfFile(file, async () => await openIn(file, store))) pieces.push(piece);
	return Buffer.concat(pieces);
}

/**
 * Bytes. Whether a shorter body was handed over before the connection broke is chance, so the outcome of such a request
 * stays unknown.
 */
const SHORT_BODY = 2 ** 20;

/** A request body ready for the HTTP helper. */
interface Payload {
	body: string | Readable;
	/** Length of the body in bytes. A stream needs it, so that a broken transfer isn't mistaken for a complete one. */
	length: number;
	/** Whether the body's last piece was handed over. Until then, nobody can have received all of it. */
	isHandedOver(): boolean;
	/** Closes the files of a body that wasn't sent completely. */
	close(): void;
}

/**
 * Serializes a body to JSON. Files become base64 on the way, one chunk at a time: memory doesn't grow with the file.
 * @param body members that are `FileContent` are replaced by the file's base64 text
 */
export async function jsonPayload(body: object, store: BinaryStore): Promise<Payload> {
	const files: FileContent[] = [];
	// A random marker can't occur in what the user wrote.
	const marker = randomUUID();
	const json = JSON.stringify(body, (_key, value: unknown) => {
		if (!(value instanceof FileContent)) return value;
		files.push(value);
		return marker;
	});
	const texts = json.split(marker);
	const length =
		texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) +
		files.reduce((bytes, file) => bytes + base64Length(file.bytes), 0);

	const stored = files.findIndex((file) => file.binary.id !== undefined);
	if (stored === -1) {
		return {
			body: texts
				.map((text, i) => text + (files[i] ? bytesOf(files[i].binary).toString(ENCODING) : ''))
				.join(''),
			length,
			isHandedOver: () => true,
			close: () => undefined,
		};
	}
	let isHandedOver = false;
	// n8n's lint rules keep `node:stream` out of nodes; a stream that n8n opened can compose the others around itself.
	const first = await store.getBinaryStream(files[stored].binary.id as string);
	const opened: Readable[] = [first];
	// The first stream's error ends the composed stream before the generator sees it.
	first.once('error', asUnreadable);
	const stream = first.compose(async function* (source: AsyncIterable<Buffer>) {
		for (const [i, text] of texts.entries()) {
			// The end of the JSON, which is never empty.
			isHandedOver = i === texts.length - 1;
			yield text;
			const file = files[i];
			const open = async () => {
				if (i === stored) return source;
				const other = await openIn(file, store);
				opened.push(other);
				return other;
			};
			if (file) yield* base64(piecesOfFile(file, open));
		}
	});
	return {
		// Node's types give a composed stream as a duplex one without `read`; it is one that can be read.
		body: stream as unknown as Readable,
		length,
		isHandedOver: () => isHandedOver || length < SHORT_BODY,
		// A composed stream that is destroyed while it waits for a file leaves that open.
		close: () => [stream as unknown as Readable, ...opened].forEach((one) => one.destroy()),
	};
}

async function* base64(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
	let rest: Buffer = Buffer.alloc(0);
	for await (const piece of pieces) {
		const all = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
		const whole = all.length - (all.length % TRIPLE);
		rest = all.subarray(whole);
		yield all.toString(ENCODING, 0, whole);
	}
	yield rest.toString(ENCODING);
}
