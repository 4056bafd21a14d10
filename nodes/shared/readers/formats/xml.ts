import type { SaxesParser } from 'saxes';

/** The XML parser, without a tree: its caller sets the limits, and stops it by an error. Loaded when the first XML is read. */
export async function saxesParser(): Promise<SaxesParser<{ xmlns: true }>> {
	const { SaxesParser: Parser } = await import('./libraries/xml.js');
	return new Parser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
}
