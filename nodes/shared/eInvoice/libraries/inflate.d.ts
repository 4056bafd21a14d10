/**
 * The parts that are used of pako, which unpacks. The build bundles it (scripts/build/bundle.mjs); it is loaded when the
 * first PDF is read.
 */
export class Inflate {
	/** @param options the size of the pieces, in bytes */
	constructor(options: { chunkSize: number });
	/** Called with each piece that is unpacked. */
	onData: (piece: Uint8Array) => void;
	/** The last piece, which isn't full yet. */
	readonly strm: { readonly output: Uint8Array | null; readonly next_out: number };
	/** Whether the data had an end, or damage. */
	readonly ended: boolean;
	push(data: Uint8Array, isLast: boolean): boolean;
}
