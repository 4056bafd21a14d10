/**
 * The parts that are used of LibPDF's parser, and of pako, which it unpacks with. The build bundles them
 * (scripts/build/bundle.mjs); they are loaded when the first PDF is read.
 */

export type PdfObject = PdfDict | PdfArray | PdfName | PdfNumber | PdfRef | PdfString | PdfOther;

interface PdfOther {
	readonly type: 'null' | 'bool';
}

export type Resolver = (ref: PdfRef) => PdfObject | null;

export class PdfDict {
	readonly type: 'dict' | 'stream';
	get(key: string, resolver?: Resolver): PdfObject | undefined;
	getNumber(key: string): PdfNumber | undefined;
}

export class PdfStream extends PdfDict {
	/** As stored, decrypted. */
	readonly data: Uint8Array;
	/** Unpacked by the filters of the pipeline. */
	getDecodedData(): Uint8Array;
}

export class PdfArray {
	readonly type: 'array';
	readonly length: number;
	at(index: number): PdfObject | undefined;
}

export class PdfName {
	readonly type: 'name';
	readonly value: string;
}

export class PdfNumber {
	readonly type: 'number';
	readonly value: number;
}

export class PdfRef {
	readonly type: 'ref';
	readonly objectNumber: number;
	readonly generation: number;
	static of(objectNumber: number, generation?: number): PdfRef;
}

export class PdfString {
	readonly type: 'string';
	asString(): string;
}

/** Reads bytes; everything is parsed through one. */
export class Scanner {
	constructor(bytes: Uint8Array);
	peek(): number;
	moveTo(offset: number): void;
}

export interface ParsedDocument {
	readonly recoveredViaBruteForce: boolean;
	readonly isEncrypted: boolean;
	/** Whether the empty password, or none, opens it. */
	readonly isAuthenticated: boolean;
	readonly xref: ReadonlyMap<number, { type: string; generation?: number }>;
	getObject: Resolver;
	getCatalog(): PdfDict | null;
	getPages(): PdfRef[];
}

export class DocumentParser {
	constructor(scanner: Scanner);
	/** By the file's own directory, or if that is damaged, as `parseWithRecovery` does. */
	parse(): ParsedDocument;
	/** By searching the whole file for objects. */
	parseWithRecovery(): ParsedDocument;
}

/** Unpacks a stream that has its name under `/Filter`. */
export interface Filter {
	readonly name: string;
	decode(data: Uint8Array, params?: PdfDict): Uint8Array;
}

/** The filters of all documents, by their names. */
export class FilterPipeline {
	static register(filter: Filter): void;
	static getFilter(name: string): Filter | undefined;
}

/** Reverses what made rows of numbers easier to compress. */
export function applyPredictor(data: Uint8Array, params: PdfDict): Uint8Array;

export class Inflate {
	constructor(options: { raw: boolean });
	/** Called with each piece that is unpacked. */
	onData: (piece: Uint8Array) => void;
	readonly strm: { readonly output: Uint8Array | null; readonly next_out: number };
	/** @returns whether the data had an end and no damage */
	push(data: Uint8Array, isLast: boolean): boolean;
}
