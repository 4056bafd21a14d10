/**
 * The limits on what is read from one file, because its sender chooses it. Real invoices stay far below them (an
 * XRechnung may carry 15 MB of attachments).
 */
export const INVOICE_LIMITS = {
	/** Of a file. */
	bytes: 50_000_000,
	/** That are unpacked from one PDF, without the first ones of streams that don't begin as an e-invoice. */
	unpackedBytes: 100_000_000,
	/** How often a packed byte may be read: by a look at its stream and, in an invoice, once for each encoding. */
	readsOfByte: 5,
	/** Of a PDF whose beginning is looked at, and those of them that begin like an e-invoice. */
	streams: 100_000,
	invoices: 20,
	/** Characters before the first element of XML inside a PDF: a comment. */
	prolog: 32_768,
	/** Characters before the first element of any XML, and of a tag with its attributes. */
	tag: 200_000,
	attributes: 100,
	/** That are kept, as are characters, also of a comment or a name that never ends; lines and attachments are skipped. */
	elements: 50_000,
	text: 1_000_000,
	/** That are kept, and the elements and characters of all of them; what is more is skipped. */
	lines: 1_000,
	lineElements: 50_000,
	lineText: 300_000,
	/** Notes, attachments, allowances and charges that are kept. */
	list: 500,
	/** Characters of a value. A seller's words about payment may be long. */
	value: 4_000,
	/** Characters of an attribute: a code, or the name of a file. */
	attribute: 300,
	/** With two hyphens in them, each of which the parser reports as an error. */
	oddComments: 10_000,
	/** Sentences about one invoice. */
	warnings: 20,
	/** Of an invoice, on its readable page. */
	shownLines: 500,
};
