/** What files of several kinds are made of: archives, tables of text, encodings, XML. */
export { CsvError, delimiterOf, recordsIn } from './csv';
export { decoded, utf16Of, whatwg } from './text';
export { MAX_XML_DEPTH, boundKept, saxesParser } from './xml';
export { ZipError, filesIn, isZip } from './zip';
export type { Source } from './zip';
