/**
 * Reads the files in a ZIP archive that a stranger has made. Nothing is trusted: every offset and size is checked, and nothing is
 * unpacked beyond what the archive's directory announces. Names are only compared, never used as paths.
 */
import { mapValues, range } from 'lodash';

import type { Bilingual } from '../../shared/values';

/** A file in an archive, or by itself. */
export interface Source {
	/** The name in the archive, with its folders. */
	name: string;
	/** Bytes that it takes to read: those of the content or, where they are more, those that it is packed in. */
	size: number;
	/** Unpacks it. Throws `ZipError` if it can't be. */
	bytes(): Promise<Uint8Array>;
}

/** Why an archive can't be read: a sentence for people. */
export class ZipError extends Error {
	constructor(readonly sentence: Bilingual) {
		super(sentence.en);
	}
}

const DAMAGED_ZIP = {
	en: "The ZIP is damaged and can't be read: export it again.",
	de: 'Das ZIP ist beschädigt und nicht lesbar: Bitte erneut exportieren.',
};

const LONG_NAME: Bilingual = {
	en: 'The ZIP has a file whose name is far too long: export it again.',
	de: 'Das ZIP enthält eine Datei mit einem viel zu langen Namen: Bitte erneut exportieren.',
};

/** Signatures of the format, little-endian. */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_HEADER = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
/** In the format for very large archives (ZIP64), which some programs use for all. */
const WIDE_END = 0x06064b50;
const WIDE_END_LOCATOR = 0x07064b50;
const WIDE_FIELD = 1;
/** The sizes of these structures, without names and comments. */
const END_SIZE = 22;
const DIRECTORY_HEADER_SIZE = 46;
const LOCAL_SIZE = 30;
const LOCATOR_SIZE = 20;
const COMMENT_SIZE = 0xffff;
/** Stand for a size and a count that only ZIP64 gives. */
const WIDE_SIZE = 0xffffffff;
const WIDE_COUNT = 0xffff;
const MAX_ARCHIVED_FILES = 10_000;
/** Bytes of a name with its folders, many times what a register writes. Names are compared and grouped, which takes the longer the longer they are. */
const MAX_FILE_PATH = 1024;
const STORED = 0;
const DEFLATED = 8;

const dataViewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether a file starts like a ZIP archive, an empty one included. */
export const isZip = (bytes: Uint8Array): boolean =>
	bytes.length >= END_SIZE && [LOCAL_HEADER, END_OF_DIRECTORY].includes(dataViewOf(bytes).getUint32(0, true));

/** The files in an archive, without folders. Throws `ZipError`. */
export function filesIn(archive: Uint8Array): Source[] {
	try {
		return [...listedFiles(archive)].filter(({ name }) => !name.endsWith('/'));
	} catch (error) {
		// An offset that lies outside of the archive.
		throw error instanceof RangeError ? new ZipError(DAMAGED_ZIP) : error;
	}
}

function* listedFiles(archive: Uint8Array): Generator<Source> {
	const view = dataViewOf(archive);
	const { count, start: first } = directoryOf(view);
	let at = first;
	if (count > MAX_ARCHIVED_FILES)
		throw new ZipError({
			en: `The ZIP has more than ${MAX_ARCHIVED_FILES} files.`,
			de: `Das ZIP hat mehr als ${MAX_ARCHIVED_FILES} Dateien.`,
		});
	for (let i = 0; i < count; i++) {
		if (view.getUint32(at, true) !== DIRECTORY_HEADER) throw new ZipError(DAMAGED_ZIP);
		const nameLength = view.getUint16(at + 28, true);
		if (nameLength > MAX_FILE_PATH) throw new ZipError(LONG_NAME);
		const start = at + DIRECTORY_HEADER_SIZE;
		const file = {
			// The part of a name that is compared is ASCII.
			name: new TextDecoder().decode(archive.subarray(start, start + nameLength)),
			isEncrypted: view.getUint16(at + 8, true) % 2 === 1,
			method: view.getUint16(at + 10, true),
			checksum: view.getUint32(at + 16, true),
			...placeOf(view, at, start + nameLength),
		};
		// Packed data may be endless and empty, and any number of files may share it.
		const size = Math.max(file.size, file.packed);
		yield { name: file.name, size, bytes: async () => await unpacked(archive, file) };
		at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
}

/** How many files the directory has, and where it begins. */
function directoryOf(view: DataView) {
	const end = endOfDirectory(view);
	const [count, start] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
	const locator = end - LOCATOR_SIZE;
	const isWide = (count === WIDE_COUNT || start === WIDE_SIZE) && locator >= 0;
	if (!isWide || view.getUint32(locator, true) !== WIDE_END_LOCATOR) return { count, start };
	const wide = wideIn(view, locator + 8);
	if (view.getUint32(wide, true) !== WIDE_END) throw new ZipError(DAMAGED_ZIP);
	return { count: wideIn(view, wide + 32), start: wideIn(view, wide + 48) };
}

/** The sizes of a file and where its file is: in ZIP64, a field behind the name has those that are too large for their place. */
function placeOf(view: DataView, header: number, fields: number) {
	const [size, packed, start] = [24, 20, 42].map((at) => view.getUint32(header + at, true));
	const end = fields + view.getUint16(header + 30, true);
	let at = fields;
	while (at < end && view.getUint16(at, true) !== WIDE_FIELD) at += 4 + view.getUint16(at + 2, true);
	const place = { size, packed, header: start };
	if (at >= end) return place;
	at += 4;
	return mapValues(place, (value) => {
		if (value !== WIDE_SIZE) return value;
		at += 8;
		return wideIn(view, at - 8);
	});
}

const wideIn = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

/** Finds the end of the directory, which is at the end of the archive; only a comment may follow. */
function endOfDirectory(view: DataView): number {
	const last = view.byteLength - END_SIZE;
	for (let at = last; at >= Math.max(0, last - COMMENT_SIZE); at--) {
		if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
	}
	throw new ZipError(DAMAGED_ZIP);
}

interface PackedFile {
	isEncrypted: boolean;
	method: number;
	checksum: number;
	packed: number;
	size: number;
	header: number;
}

async function unpacked(archive: Uint8Array, file: PackedFile): Promise<Uint8Array> {
	const { isEncrypted, method, packed, size, header } = file;
	if (isEncrypted)
		throw new ZipError({
			en: 'The ZIP is protected by a password: export it without one.',
			de: 'Das ZIP ist mit einem Kennwort geschützt: Bitte ohne Kennwort exportieren.',
		});
	if (method !== STORED && method !== DEFLATED)
		throw new ZipError({
			en: 'The ZIP is packed in an unusual way: unpack it, and give the tables.',
			de: 'Das ZIP ist ungewöhnlich gepackt: Bitte entpacken und die Tabellen angeben.',
		});
	const view = dataViewOf(archive);
	const isThere = header + LOCAL_SIZE <= archive.length && view.getUint32(header, true) === LOCAL_HEADER;
	if (!isThere) throw new ZipError(DAMAGED_ZIP);
	const start = header + LOCAL_SIZE + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
	const data = archive.subarray(start, start + packed);
	const blocks = method === STORED ? blocksOf(data) : [new Uint8Array(data)];
	const content = await inflated(blocks, file).catch(() => undefined);
	if (data.length !== packed || content?.length !== size) throw new ZipError(DAMAGED_ZIP);
	return content;
}

/** The header of gzip for deflated data without a name. */
const GZIP_HEADER = new Uint8Array([0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 0, 0xff]);

/** The most bytes of a block of deflated data that isn't packed. */
const BLOCK_SIZE = 0xffff;

/** Stored data as if it was deflated, so that its checksum is compared, too; an empty block is the last one. */
function blocksOf(data: Uint8Array): Uint8Array<ArrayBuffer>[] {
	const blocks = range(0, data.length, BLOCK_SIZE).flatMap((at) => {
		const block = new Uint8Array(data.subarray(at, at + BLOCK_SIZE));
		const { length } = block;
		return [new Uint8Array([0, length, length >> 8, ~length, ~length >> 8]), block];
	});
	return [...blocks, new Uint8Array([1, 0, 0, 0xff, 0xff])];
}

/** Unpacks deflated data as gzip, which also compares the checksum; of data that is larger than it says, only a part. */
async function inflated(
	data: Uint8Array<ArrayBuffer>[],
	{ checksum, size }: PackedFile,
): Promise<Uint8Array> {
	const trailer = new Uint8Array(8);
	dataViewOf(trailer).setUint32(0, checksum, true);
	dataViewOf(trailer).setUint32(4, size, true);
	const packed = new Blob([GZIP_HEADER, ...data, trailer]).stream();
	const pieces: Uint8Array[] = [];
	let length = 0;
	for await (const piece of packed.pipeThrough(new DecompressionStream('gzip'))) {
		pieces.push(piece);
		length += piece.length;
		if (length > size) break;
	}
	return Buffer.concat(pieces);
}
