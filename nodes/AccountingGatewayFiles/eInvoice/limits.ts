/**
 * The limits on what is read from one file, because its sender chooses it. Real invoices stay far below them (an
 * XRechnung may carry 15 MB of attachments).
 */

/** Bytes of a file. */
export const MAX_INVOICE_BYTES = 50_000_000;
/** Bytes that are unpacked from one PDF, without the first ones of streams that don't begin as an e-invoice. */
export const MAX_UNPACKED_BYTES = 100_000_000;
/** Bytes of a stream that is packed in a rare way, before and after unpacking. */
export const MAX_DECODED = 5_000_000;
/** Streams of a PDF whose beginning is looked at, and those of them that begin like an e-invoice. */
export const MAX_STREAMS = 100_000;
export const MAX_INVOICES = 20;
/** Characters before the first element of XML inside a PDF: a comment. */
export const MAX_PROLOG = 32_768;
/** Characters before the first element of any XML, and of a tag with its attributes. */
export const MAX_TAG = 200_000;
export const MAX_TAG_ATTRIBUTES = 100;
/** Elements and characters that are kept, also of a comment or a name that never ends; lines and attachments are skipped. */
export const MAX_INVOICE_ELEMENTS = 50_000;
export const MAX_INVOICE_TEXT = 1_000_000;
/** Lines of an invoice that are kept, and the elements and characters of all of them; what is more is skipped. */
export const MAX_INVOICE_LINES = 1_000;
export const MAX_LINE_ELEMENTS = 50_000;
export const MAX_LINE_TEXT = 300_000;
/** Notes, attachments, allowances and charges that are kept. */
export const MAX_LIST = 500;
/** Characters of a value. A seller's words about payment may be long. */
export const MAX_VALUE = 4_000;
/** Characters of an attribute: a code, or the name of a file. */
export const MAX_ATTRIBUTE = 300;
/** Comments with two hyphens in them, each of which the parser reports as an error. */
export const MAX_ODD_COMMENTS = 10_000;
