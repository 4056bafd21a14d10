import { BINARY_ENCODING } from 'n8n-workflow';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { createHash, randomUUID } from 'node:crypto';

import { FILE_UNREADABLE } from '../errors/networkError';

/**
 * How file content is encoded in JSON. The contract leaves the encoding open; base64 is an assumption, made only in
 * this file.
 */
const ENCODING = BINARY_ENCODING;

/** Three bytes are four base64 characters, so only whole triples can be encoded chunk by chunk. */
const TRIPLE = 3;

const base64Length = (bytes: number) => Math.ceil(bytes / TRIPLE) * 4;

/** A file of an input item, as the `content` of an attachment. The file is read while it is sent, never as a whole. */
export class FileContent {
	/**
	 * @param binary n8n's metadata of the file; without `id` the file is in memory (`data`, base64)
	 * @param bytes size of the file, always more than 0
	 * @param sha256 of the file's content in hexadecimal, where it is needed
	 */
	constructor(
		readonly binary: IBinaryData,
		readonly bytes: number,
		readonly sha256?: string,
	) {}
}

/** The file in n8n's binary store has changed since the item was checked. */
class FileChangedError extends Error {
	readonly code = FILE_UNREADABLE;

	constructor(bytes: number, file: Pick<FileContent, 'bytes'>) {
		super(`The file has ${bytes} bytes instead of ${file.bytes}`);
	}
}

/**
 * Gives an error of n8n's binary store a code of its own, so that a broken connection to S3 isn't reported as one to
 * the gateway.
 */
const asUnreadable = (error: unknown) => Object.assign(error as Error, { code: FILE_UNREADABLE });

/** A file in memory. Nodes like "Code" may have written its base64 with line breaks, without padding or for URLs. */
const bytesOf = ({ data }: IBinaryData) => Buffer.from(data, ENCODING);

/**
 * SHA-256 of a file in hexadecimal, read piece by piece. Throws if the file can't be read, or has another size than
 * announced.
 */
export async function sha256(
	file: Pick<FileContent, 'binary' | 'bytes'>,
	store: BinaryStore,
): Promise<string> {
	const hash = createHash('sha256');
	if (file.binary.id === undefined) return hash.update(bytesOf(file.binary)).digest('hex');
	let bytes = 0;
	for await (const chunk of (await store.getBinaryStream(file.binary.id)) as AsyncIterable<Buffer>) {
		hash.update(chunk);
		bytes += chunk.length;
	}
	if (bytes !== file.bytes) throw new FileChangedError(bytes, file);
	return hash.digest('hex');
}

/** The whole content of a file. Throws if the file can't be read, or has another size than announced. */
export async function readWhole(file: FileContent, store: BinaryStore): Promise<Buffer> {
	if (file.binary.id === undefined) return bytesOf(file.binary);
	const chunks: Buffer[] = [];
	for await (const chunk of (await store.getBinaryStream(file.binary.id)) as AsyncIterable<Buffer>) {
		chunks.push(chunk);
	}
	const content = Buffer.concat(chunks);
	if (content.length !== file.bytes) throw new FileChangedError(content.length, file);
	return content;
}

/** Size of a file in memory. */
export const sizeInMemory = (binary: IBinaryData) => bytesOf(binary).length;

const base64InMemory = ({ binary }: FileContent) => bytesOf(binary).toString(ENCODING);

/** n8n's store of the items' files. */
export type BinaryStore = Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>;
type Readable = Awaited<ReturnType<BinaryStore['getBinaryStream']>>;

/**
 * Bytes. Whether a shorter body was handed over before the connection broke is chance, so the outcome of such a request
 * stays unknown.
 */
const SHORT = 2 ** 20;

/** A request body ready for the HTTP helper. */
interface Payload {
	body: string | Readable;
	/** Length of the body in bytes. A stream needs it, so that a broken transfer isn't mistaken for a complete one. */
	length: number;
	/** Whether the body's last piece was handed over. Until then, nobody can have received all of it. */
	isHandedOver(): boolean;
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
			body: texts.map((text, i) => text + (files[i] ? base64InMemory(files[i]) : '')).join(''),
			length,
			isHandedOver: () => true,
		};
	}
	let isHandedOver = false;
	const open = async (file: FileContent) => await store.getBinaryStream(file.binary.id as string);
	// n8n's lint rules keep `node:stream` out of nodes; a stream that n8n opened can compose the others around itself.
	const first = await open(files[stored]);
	// The first stream's error ends the composed stream before the generator sees it.
	first.once('error', asUnreadable);
	const stream = first.compose(async function* (source: AsyncIterable<Buffer>) {
		for (const [i, text] of texts.entries()) {
			// The end of the JSON, which is never empty.
			isHandedOver = i === texts.length - 1;
			yield text;
			const file = files[i];
			if (!file) continue;
			if (file.binary.id === undefined) yield base64InMemory(file);
			else yield* base64(async () => (i === stored ? source : await open(file)), file);
		}
	});
	// Node's types give a composed stream as a duplex one without `read`; it is one that can be read.
	return { body: stream as unknown as Readable, length, isHandedOver: () => isHandedOver || length < SHORT };
}

async function* base64(
	open: () => Promise<AsyncIterable<Buffer>>,
	file: FileContent,
): AsyncGenerator<string> {
	let rest: Buffer = Buffer.alloc(0);
	let bytes = 0;
	try {
		for await (const chunk of await open()) {
			bytes += chunk.length;
			const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
			const whole = all.length - (all.length % TRIPLE);
			rest = all.subarray(whole);
			yield all.toString(ENCODING, 0, whole);
		}
	} catch (error) {
		throw asUnreadable(error);
	}
	// A file that is shorter or longer than announced would reach the gateway as a damaged document.
	if (bytes !== file.bytes) throw new FileChangedError(bytes, file);
	yield rest.toString(ENCODING);
}
