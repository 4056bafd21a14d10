import type { Turn } from '../../shared/values';

/** Windows-1252 from 0x80 to 0x9f, as https://encoding.spec.whatwg.org/#windows-1252 has it. */
const NOT_LATIN_1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text that a decoder has made: Node.js 20 decodes Windows-1252 as if it were ISO-8859-1, so "€" would be a control character. */
export const whatwg = (text: string, encoding: string): string =>
	encoding === 'windows-1252'
		? text.replace(/[\u0080-\u009f]/g, (one) => NOT_LATIN_1[one.charCodeAt(0) - 0x80])
		: text;

/** The label of UTF-16, if bytes begin with its byte order mark. */
export function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Text by its byte order mark; without one it is UTF-8 if it is valid UTF-8, or else what Windows writes. */
export async function decoded(bytes: Uint8Array, turn: Turn): Promise<string> {
	const utf16 = utf16Of(bytes);
	if (utf16) return await decodedAs(utf16, bytes, turn);
	try {
		return await decodedAs('utf-8', bytes, turn);
	} catch {
		return await decodedAs('windows-1252', bytes, turn);
	}
}

async function decodedAs(encoding: string, bytes: Uint8Array, turn: Turn): Promise<string> {
	const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
	let text = '';
	for (const piece of piecesOf(bytes)) {
		await turn.yield();
		text += whatwg(decoder.decode(piece, { stream: true }), encoding);
	}
	return text + decoder.decode();
}

/** Bytes of a file that are processed between two looks at the clock. */
const PIECE = 65_536;

export function* piecesOf(bytes: Uint8Array, size = PIECE): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
