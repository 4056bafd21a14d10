/**
 * The limits on what is read from one file, because its sender chooses it. Real invoices stay far below them (an
 * XRechnung may carry 15 MB of attachments).
 */

/** A file, or an XML inside a PDF. */
export const MAX_BYTES = 50_000_000;
/** All that the compressed parts of one PDF may unpack to. */
export const MAX_UNPACKED_BYTES = 64_000_000;
/** The output of LZW is limited only by its input; nobody packs an invoice's XML like that today. */
export const MAX_LZW_BYTES = 32_000;
/** Time to find the files inside a PDF, in milliseconds. A sound PDF of any size takes a few. */
export const MAX_PDF_TIME = 2000;
/** Files inside a PDF, and nodes of the tree that lists them. */
export const MAX_ATTACHMENTS = 100;
export const MAX_TREE_NODES = 1000;
/** Objects that are searched when a PDF's directory is lost, and pages for files that are pinned to them. */
export const MAX_OBJECTS = 100_000;
export const MAX_PAGES = 200;
/** A file inside a PDF that isn't named .xml is looked into up to this size. */
export const MAX_UNNAMED_BYTES = 5_000_000;
/** Elements within elements; invoices have about 12. */
export const MAX_DEPTH = 100;
export const MAX_ATTRIBUTES = 100;
/** Elements and characters that are kept; lines and attachments of an invoice are skipped. */
export const MAX_ELEMENTS = 100_000;
export const MAX_TEXT = 5_000_000;
