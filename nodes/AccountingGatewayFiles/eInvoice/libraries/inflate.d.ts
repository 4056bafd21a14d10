/**
 * The parts that are used of pako, which unpacks. The build bundles it (scripts/build/bundle.mjs); it is loaded when the
 * first PDF is read.
 */
export class ZStream {
	input: Uint8Array;
	next_in: number;
	avail_in: number;
	output: Uint8Array;
	next_out: number;
	avail_out: number;
}
/** Begins to unpack, or begins anew. */
export function inflateInit(stream: ZStream): number;
/**
 * Unpacks until there is no more input or no more room for the output.
 * @returns 0 if it can go on; otherwise, the data had an end, is cut off, or damaged
 */
export function inflate(stream: ZStream, flush: 0): number;
