/** The XML parser. The build bundles it (scripts/build/bundle.mjs); it is loaded when the first XML is read. */
export { SaxesParser } from 'saxes';
