import type { Filter, FilterPipeline as Pipeline } from './libraries/pdf.js';

import { MAX_LZW_BYTES, MAX_UNPACKED_BYTES } from './limits';

type Library = typeof import('./libraries/pdf.js');

/** Some thousand bytes can be packed so that they unpack to gigabytes. */
class TooLarge extends Error {}

/** How much may still be unpacked. A document is read without a pause, so that only one is read at a time. */
let budget = 0;
let isExceeded = false;
let isInstalled = false;

/** Replaces the library's filters with ones that unpack no more than the bounds allow, and starts a new document. */
export function boundUnpacking(library: Library): void {
	budget = MAX_UNPACKED_BYTES;
	isExceeded = false;
	if (isInstalled) return;
	isInstalled = true;
	const { FilterPipeline } = library;
	FilterPipeline.register(flate(library));
	bound(FilterPipeline, 'LZWDecode', ({ length }) => (length > MAX_LZW_BYTES ? Infinity : 0));
	bound(FilterPipeline, 'RunLengthDecode', runLength);
	// Four zeros are one letter.
	bound(FilterPipeline, 'ASCII85Decode', ({ length }) => length * 4);
	bound(FilterPipeline, 'ASCIIHexDecode', ({ length }) => length);
}

/** Whether something in the document wanted to be larger. The library takes that for damage, and continues. */
export const exceedsBounds = () => isExceeded;

function spend(bytes: number): void {
	budget -= bytes;
	if (budget < 0) refuse();
}

function refuse(): never {
	isExceeded = true;
	throw new TooLarge();
}

/** Limits a filter by the size of what it will produce. */
function bound(pipeline: typeof Pipeline, name: string, sizeOf: (data: Uint8Array) => number): void {
	const filter = pipeline.getFilter(name);
	if (!filter) return;
	pipeline.register({
		name,
		decode(data, params) {
			if (sizeOf(data) > budget) refuse();
			const unpacked = filter.decode(data, params);
			spend(data.length + unpacked.length);
			return unpacked;
		},
	});
}

/** What RunLengthDecode makes of bytes: up to 64 times as many. */
function runLength(data: Uint8Array): number {
	let size = 0;
	for (let at = 0; at < data.length; ) {
		const length = data[at];
		if (length === 128) break;
		size += length < 128 ? length + 1 : 257 - length;
		at += length < 128 ? length + 2 : 2;
	}
	return size;
}

/** Inflates in pieces, so that it can be stopped. From damaged data, it returns what comes before the damage. */
function flate({ Inflate, applyPredictor }: Library): Filter {
	const inflate = (data: Uint8Array, raw: boolean): Uint8Array => {
		const pieces: Uint8Array[] = [];
		const inflator = new Inflate({ raw });
		inflator.onData = (piece) => {
			spend(piece.length);
			pieces.push(piece);
		};
		if (!inflator.push(data, true) && inflator.strm.output) {
			pieces.push(inflator.strm.output.subarray(0, inflator.strm.next_out));
		}
		return Buffer.concat(pieces);
	};
	return {
		name: 'FlateDecode',
		decode(data, params) {
			spend(data.length);
			const unpacked = inflate(data, false);
			// Some leave out the header of two bytes.
			const bytes = unpacked.length > 0 ? unpacked : inflate(data, true);
			return params && (params.getNumber('Predictor')?.value ?? 1) > 1
				? applyPredictor(bytes, params)
				: bytes;
		},
	};
}
