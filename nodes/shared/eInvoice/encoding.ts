/** XML as text. `warning` says when characters may be wrong. */
export interface DecodedXml {
	text: string;
	warning?: string;
}

const DECLARED = /^<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["'](?<label>[A-Za-z0-9._-]{1,40})["']/;

/**
 * Decodes XML by its byte order mark, by how its first character is stored, or as it declares. What claims to be UTF-8
 * but isn't is read as Windows-1252, with a warning: amounts, days and numbers are the same in both, names may not be.
 */
export function decodeXml(bytes: Uint8Array): DecodedXml {
	const utf16 = utf16Label(bytes);
	if (utf16) return { text: trimmed(new TextDecoder(utf16).decode(bytes)) };
	const text = decode('utf-8', bytes);
	const declared = declaredEncoding(bytes);
	// .NET declares UTF-16 for what it then stores as UTF-8.
	if (/^utf-?(?:8|16)/i.test(declared) && text !== undefined) return { text: trimmed(text) };
	// Any bytes are characters of UTF-16: what is UTF-16 was recognized above.
	const other = /^utf-?16/i.test(declared) ? undefined : decode(declared, bytes);
	if (other !== undefined) return { text: trimmed(other) };
	if (text !== undefined) return { text: trimmed(text) };
	return {
		text: trimmed(decode('windows-1252', bytes)!),
		warning: `The file says that its characters are stored as ${declared.toUpperCase()}, but they aren't. Check the umlauts in names and texts.`,
	};
}

/** The label of UTF-16, if the bytes are that, with or without a byte order mark. */
function utf16Label([first, second, third]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	if (first === 0xfe && second === 0xff) return 'utf-16be';
	if (first === 0x3c && second === 0 && third !== 0) return 'utf-16le';
	if (first === 0 && second === 0x3c) return 'utf-16be';
	return undefined;
}

/** UTF-8 if there is no declaration at the very beginning: behind a byte order mark, none counts. */
function declaredEncoding(bytes: Uint8Array): string {
	const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 400)).trimStart();
	return DECLARED.exec(start)?.groups?.label ?? 'utf-8';
}

/** Windows-1252 from 0x80 to 0x9f, as https://encoding.spec.whatwg.org/#windows-1252 has it. */
const NOT_LATIN_1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** @returns undefined if the bytes aren't in that encoding, or it is unknown */
function decode(label: string, bytes: Uint8Array): string | undefined {
	try {
		const decoder = new TextDecoder(label, { fatal: true });
		const text = decoder.decode(bytes);
		if (decoder.encoding !== 'windows-1252') return text;
		// Node.js 20 decodes it as if it were ISO-8859-1: "€" would be a control character.
		return text.replace(/[\u0080-\u009f]/g, (one) => NOT_LATIN_1[one.charCodeAt(0) - 0x80]);
	} catch {
		return undefined;
	}
}

/** Without what some programs leave before and after the XML. */
function trimmed(text: string): string {
	let end = text.length;
	while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
	// A byte order mark counts as white space.
	return text.slice(0, end).trim();
}
