import { ascii85, endsAsAscii85 } from './ascii85';
import { firstPiece } from './encoding';
import type { Pieces } from './encoding';
import { piecesOf } from '../formats/text';
import type { Turn } from '../../shared/values';
import { INVOICE_LIMITS } from './limits';

/** What is found in a PDF by one pass over its bytes. */
interface PdfContent {
	/** The streams that begin like the XML of an e-invoice. */
	xmls: Pieces[];
	/** Whether the PDF itself says that it contains an invoice. */
	claimsInvoice: boolean;
	/** Whether there is a file inside that can't be read without a key. */
	isEncrypted: boolean;
	isCutOff: boolean;
	/** Whether there is a PDF inside, which isn't read. */
	hasPdf: boolean;
	/** Whether the PDF has more streams, or unpacks to more bytes, than the limits allow. */
	isTooMuch: () => boolean;
}

/** Namespaces of what ZUGFeRD and Factur-X add to a PDF's metadata. */
const CLAIMS = [
	'urn:factur-x:pdfa:CrossIndustryDocument:',
	'urn:zugferd:pdfa:CrossIndustryDocument:',
	'urn:ferd:pdfa:CrossIndustryDocument:',
];
const ENCRYPTION_MARKS = ['/Encrypt ', '/Encrypt\n', '/Encrypt\r', '/Encrypt<'];
/** The names that the first element of an e-invoice can have; the last one is Peppol's envelope. */
const FIRST_ELEMENT_NAMES = [
	'Invoice',
	'CreditNote',
	'CrossIndustryInvoice',
	'CrossIndustryDocument',
	'StandardBusinessDocument',
];
const COMMENT = /<!--[^]*?(?:-->|$)/g;
const FIRST_ELEMENT = /<(?:[^\s<>:/!?]{1,40}:)?(?<name>[^\s<>:/!?]{1,40})[\s/>]/;
/** Bytes of a stream that are looked at, and bytes that are parsed at a time. */
const HEAD_BYTES = 4096;
const UNPACKED_PIECE = 65_536;
/** Packed bytes that are read at a time. */
const PACKED_PIECE = 1024;
/** Characters of a text that show whether its bytes are packed. */
const START_OF_TEXT = 16;

const STREAM_BEGIN = 'stream';
const STREAM_END = 'endstream';

/**
 * Finds the XML of e-invoices inside a PDF, without using the PDF's directory, because the sender chooses that, too. A
 * file inside a PDF is always a separate stream, and reading each byte a few times at most takes time in proportion to
 * the file's length, even if streams lie inside one another.
 */
export async function readPdf(bytes: Uint8Array, turn: Turn): Promise<PdfContent> {
	const library = await import('./libraries/inflate.js');
	const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	const isMentioned = (text: string) => file.includes(text);
	const unpacking = new Unpacking(library, file.length);
	const xmls: Pieces[] = [];
	let looks = 0;
	let at = file.indexOf(STREAM_BEGIN);
	let end = 0;
	while (
		at !== -1 &&
		looks <= INVOICE_LIMITS.streams &&
		xmls.length <= INVOICE_LIMITS.invoices &&
		!unpacking.isOver
	) {
		const start = at + STREAM_BEGIN.length;
		if (isBreakOrSpace(file[start]) && file[at - 1] !== 0x64) {
			looks++;
			if (end < start) end = endOfStream(file, start);
			const stream = file.subarray(afterSpace(file, start), end);
			if (unpacking.hasInvoice(stream)) xmls.push(() => unpacking.pieces(stream));
		}
		// The word may also stand in a title in front of a real stream, so nothing is passed over.
		at = file.indexOf(STREAM_BEGIN, start);
		await turn.yield();
	}
	return {
		xmls,
		claimsInvoice: CLAIMS.some(isMentioned),
		isEncrypted: ENCRYPTION_MARKS.some(isMentioned) && isMentioned('/EmbeddedFile'),
		hasPdf: unpacking.hasPdf,
		isCutOff: file.lastIndexOf('%%EOF') <= file.lastIndexOf('endobj'),
		isTooMuch: () => at !== -1 || xmls.length > INVOICE_LIMITS.invoices || unpacking.isOver,
	};
}

const isBreakOrSpace = (byte: number | undefined) => byte === 0x0a || byte === 0x0d || byte === 0x20;

/** Where a stream ends: of a file that is cut off, where that ends. */
function endOfStream(file: Buffer, start: number): number {
	const end = file.indexOf(STREAM_END, start);
	return end === -1 ? file.length : end;
}

/** Where a stream begins: after a line break, and what some programs leave there. */
function afterSpace(file: Uint8Array, start: number): number {
	let at = start;
	while (at < start + 10 && isBreakOrSpace(file[at])) at++;
	return at;
}

/** Unpacks the streams of one PDF. */
class Unpacking {
	private budget = INVOICE_LIMITS.unpackedBytes;
	private packed: number;
	hasPdf = false;

	/** Some thousand bytes can be packed so that they unpack to gigabytes, and streams can lie inside one another. */
	get isOver(): boolean {
		return this.budget < 0 || this.packed < 0;
	}

	constructor(
		private readonly library: typeof import('./libraries/inflate.js'),
		length: number,
	) {
		this.packed = INVOICE_LIMITS.readsOfByte * length;
	}

	/** Whether a stream has an e-invoice: as it is or packed by Flate, and either of them as text, as ReportLab stores all streams. */
	hasInvoice(stream: Uint8Array): boolean {
		const head = firstPiece(this.unpacked(stream, HEAD_BYTES, HEAD_BYTES));
		if (Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-') this.hasPdf = true;
		return startsLikeXml(head) && this.beginsAsInvoice(stream);
	}

	/** Looks at the beginning of a stream; where it is a long comment, as in the samples of ZUGFeRD, behind that. */
	private beginsAsInvoice(stream: Uint8Array): boolean {
		let start = '';
		for (const piece of this.unpacked(stream, HEAD_BYTES, 2 * INVOICE_LIMITS.prolog)) {
			if (start === '' && piece.length > 0 && !startsLikeXml(piece)) return false;
			// In UTF-16, each second byte is 0.
			start += Buffer.from(piece).toString('latin1').replaceAll('\0', '');
			const name = FIRST_ELEMENT.exec(start.replace(COMMENT, ''))?.groups?.name;
			if (name) return FIRST_ELEMENT_NAMES.includes(name);
			this.budget -= piece.length;
			if (start.length > INVOICE_LIMITS.prolog || this.isOver) return false;
		}
		return false;
	}

	*pieces(stream: Uint8Array): Generator<Uint8Array> {
		for (const piece of this.unpacked(stream)) {
			this.budget -= piece.length;
			if (this.isOver) return;
			yield piece;
		}
	}

	/** Counts what is read, and ends where that is too much. */
	private *counted(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
		for (const piece of pieces) {
			this.packed -= piece.length;
			if (this.isOver) return;
			yield piece;
		}
	}

	/**
	 * What the stream has, unpacked if it is packed; of what is damaged, the part before the damage.
	 * @param most bytes of the stream that are read
	 */
	private *unpacked(stream: Uint8Array, size = UNPACKED_PIECE, most = stream.length): Generator<Uint8Array> {
		const part = stream.subarray(0, most);
		// What is packed may end with the same two bytes; and no text of an invoice begins like it.
		const isText = !isPacked(stream) && endsAsAscii85(stream);
		const counted = (piece: number) => this.counted(piecesOf(part, piece));
		const stored = (piece: number) => (isText ? ascii85(counted(piece)) : counted(piece));
		if (!isPacked(isText ? firstPiece(stored(START_OF_TEXT)) : part)) {
			yield* isText ? stored(size) : piecesOf(part, size);
			return;
		}
		const source = stored(PACKED_PIECE);
		const { ZStream, inflate, inflateInit } = this.library;
		const work = new ZStream();
		inflateInit(work);
		for (let isMore = true; isMore && !this.isOver; ) {
			if (work.avail_out === 0) {
				work.output = new Uint8Array(size);
				work.next_out = 0;
				work.avail_out = size;
			}
			if (work.avail_in === 0) {
				work.input = source.next().value ?? NO_BYTES;
				work.next_in = 0;
				work.avail_in = work.input.length;
			}
			isMore = inflate(work, 0) === 0;
			// Yields even without a result, so that n8n can do its other work.
			yield work.output.subarray(0, isMore && work.avail_out > 0 ? 0 : work.next_out);
		}
	}
}

const NO_BYTES = new Uint8Array(0);

/** Whether bytes begin like those of Flate, the only way in which files are packed in PDFs today. */
const isPacked = ([first, second]: Uint8Array) => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;

/** After a byte order mark and white space, there is `<`. */
export function startsLikeXml(bytes: Uint8Array): boolean {
	const first = bytes
		.subarray(0, 100)
		.find((byte) => ![0, 9, 10, 13, 32, 0xef, 0xbb, 0xbf, 0xfe, 0xff].includes(byte));
	return first === 0x3c;
}
