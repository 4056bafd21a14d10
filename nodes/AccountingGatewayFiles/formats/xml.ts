import type { SaxesOptions, SaxesParser } from 'saxes';

/** Elements within elements, in any XML that is read; invoices and spreadsheets have about 12. */
export const MAX_XML_DEPTH = 100;

/** The XML parser, without a tree: its caller sets the limits, and stops it by an error. Loaded when the first XML is read. */
export async function saxesParser<O extends SaxesOptions>(options: O): Promise<SaxesParser<O>> {
	const { SaxesParser: Parser } = await import('./libraries/xml.js');
	return new Parser<O>({ ...options, defaultXMLVersion: '1.0', forceXMLVersion: true });
}

/** The fields in which the parser collects text, the name of a tag, a reference, and the name of an instruction. */
const KEPT = ['text', 'name', 'entity', 'piTarget'] as const;

/**
 * Bounds what the parser keeps of something that hasn't ended yet, whatever it is: of a section of brackets or a comment of
 * hyphens, it keeps a string for each character, even if nobody reads it. Call this after each piece.
 * @param isText whether the text that has come so far is needed
 * @returns whether it is within the bound
 */
export function boundKept(parser: object, most: number, isText: boolean): boolean {
	const kept = parser as Record<(typeof KEPT)[number], string>;
	if (!isText) kept.text = '';
	// Stored as one string, it takes no more memory than its characters.
	for (const name of KEPT) kept[name] = Buffer.from(kept[name], 'utf16le').toString('utf16le');
	return KEPT.every((name) => kept[name].length <= most);
}
