import type { Bilingual } from '../../shared/values';
import { utf16Of, whatwg } from '../formats/text';

/** The bytes of XML, from the beginning each time: which encoding they are in shows only at their end. */
export type Pieces = () => Iterable<Uint8Array>;

/** The first piece with something in it. */
export function firstPiece(pieces: Iterable<Uint8Array>): Uint8Array {
	for (const piece of pieces) if (piece.length > 0) return piece;
	return new Uint8Array(0);
}

/** How bytes are read as characters. `warning` says when these may be wrong. */
interface Encoding {
	label: string;
	warning?: Bilingual;
}

const DECLARED = /^<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["'](?<label>[A-Za-z0-9._-]{1,40})["']/;

/**
 * The encodings that XML may be in, by its byte order mark, by how its first character is stored, or as it declares;
 * the first one that fits is used. XML that claims to be UTF-8 but isn't is read as Windows-1252, with a warning:
 * amounts, days and numbers are the same in both, names may not be.
 * @param start some hundred bytes
 */
export function encodingsOf(start: Uint8Array): Encoding[] {
	const utf16 = utf16Of(start) ?? utf16WithoutMark(start);
	if (utf16) return [{ label: utf16 }];
	const declared = declaredEncoding(start);
	// .NET declares UTF-16 for what it then stores as UTF-8.
	const labels = /^utf-?(?:8|16)/i.test(declared) || !isKnown(declared) ? ['utf-8'] : [declared, 'utf-8'];
	const warning = {
		en: `The file says that its characters are stored as ${declared.toUpperCase()}, but they aren't. Check the umlauts in names and texts.`,
		de: `Die Zeichen der Datei sind nicht, wie angegeben, als ${declared.toUpperCase()} gespeichert. Bitte die Umlaute in Namen und Texten prüfen.`,
	};
	return [...labels.map((label) => ({ label })), { label: 'windows-1252', warning }];
}

/** The label of UTF-16, if the bytes begin with its `<`. */
function utf16WithoutMark([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	if (first === 0x3c && second === 0) return 'utf-16le';
	return first === 0 && second === 0x3c ? 'utf-16be' : undefined;
}

/** UTF-8 if there is no declaration at the very beginning: behind a byte order mark, none counts. */
function declaredEncoding(bytes: Uint8Array): string {
	const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 400)).trimStart();
	return DECLARED.exec(start)?.groups?.label ?? 'utf-8';
}

function isKnown(label: string): boolean {
	try {
		return Boolean(new TextDecoder(label));
	} catch {
		return false;
	}
}

/** Reads bytes as characters, without a byte order mark and white space before XML. */
export class Decoding {
	/** Whether the bytes turned out to be none of this encoding: their text ends there. */
	isWrong = false;

	constructor(private readonly label: string) {}

	*texts(pieces: Iterable<Uint8Array>): Generator<string> {
		const decoder = new TextDecoder(this.label, { fatal: !this.label.startsWith('utf-16') });
		let isBegun = false;
		try {
			for (const piece of pieces) {
				const text = whatwg(decoder.decode(piece, { stream: true }), decoder.encoding);
				// A byte order mark counts as white space.
				yield isBegun ? text : text.trimStart();
				isBegun ||= text.trim() !== '';
			}
			yield decoder.decode();
		} catch {
			this.isWrong = true;
		}
	}
}
