/** The bounds on what is unpacked, to the byte: through a PDF, only far more than that could be seen. */
import { deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Inflate } from '../../../../nodes/shared/eInvoice/libraries/pdf.js';
import type { Filter, PdfDict } from '../../../../nodes/shared/eInvoice/libraries/pdf.js';
import { MAX_LZW_BYTES, MAX_UNPACKED_BYTES } from '../../../../nodes/shared/eInvoice/limits.js';
import { partial } from '../../../support/partial.mjs';

type Unpacking = typeof import('../../../../nodes/shared/eInvoice/unpacking.js');
type Library = Parameters<Unpacking['boundUnpacking']>[0];

let unpacking: Unpacking;
let filters: Map<string, Filter>;
/** What the library's own filters make of anything, and of what they have done so. */
let unpacked: Uint8Array;
let done: Uint8Array[];
const own = (data: Uint8Array) => {
	done.push(data);
	return unpacked;
};
const applyPredictor = vi.fn((data: Uint8Array) => data.map((byte) => byte + 1));
const register = vi.fn((filter: Filter) => void filters.set(filter.name, filter));

const install = () =>
	unpacking.boundUnpacking(
		partial<Library>({
			FilterPipeline: partial<Library['FilterPipeline']>({
				register,
				getFilter: (name: string) => filters.get(name),
			}),
			Inflate,
			applyPredictor,
		}),
	);

beforeEach(async () => {
	// It changes the library once, for all documents.
	vi.resetModules();
	unpacking = await import('../../../../nodes/shared/eInvoice/unpacking.js');
	unpacked = new Uint8Array(0);
	done = [];
	for (const mock of [applyPredictor, register]) mock.mockClear();
	const names = ['LZWDecode', 'RunLengthDecode', 'ASCII85Decode', 'ASCIIHexDecode'];
	filters = new Map(names.map((name) => [name, { name, decode: own }]));
	install();
});

// To tests of other files, the library isn't bounded yet.
afterAll(() => void vi.resetModules());

const unpack = (name: string, data: Uint8Array, params?: PdfDict) =>
	filters.get(`${name}Decode`)!.decode(data, params);

describe('a filter that the library has', () => {
	const repeated = (times: number) => Buffer.alloc(2 * times, Buffer.from([129, 32]));
	const literal = (length: number) => Buffer.from([length - 1, ...Buffer.alloc(length, 'x')]);
	/** As much as 500,000 times 128 bytes. */
	const MOST = repeated(MAX_UNPACKED_BYTES / 128);
	const ALMOST = repeated(MAX_UNPACKED_BYTES / 128 - 1);

	it.each<[string, Uint8Array, Uint8Array]>([
		['LZW', Buffer.alloc(MAX_LZW_BYTES), Buffer.alloc(MAX_LZW_BYTES + 1)],
		['ASCII85', Buffer.alloc(MAX_UNPACKED_BYTES / 4), Buffer.alloc(MAX_UNPACKED_BYTES / 4 + 1)],
		['ASCIIHex', Buffer.alloc(MAX_UNPACKED_BYTES / 2), Buffer.alloc(MAX_UNPACKED_BYTES + 1)],
		['RunLength', MOST, Buffer.concat([MOST, literal(1)])],
		['RunLength', Buffer.concat([ALMOST, literal(128)]), Buffer.concat([ALMOST, literal(128), literal(1)])],
		['RunLength', Buffer.concat([MOST, Buffer.from([128]), MOST]), Buffer.concat([MOST, MOST])],
	])('%s unpacks as much as there may be, and is not begun for more', (name, most, more) => {
		unpack(name, most);
		expect(done.length).toBe(1);
		expect(done[0]).toBe(most);
		expect(unpacking.exceedsBounds()).toBe(false);
		install();
		expect(() => unpack(name, more)).toThrow();
		expect(done.length).toBe(1);
		expect(unpacking.exceedsBounds()).toBe(true);
	});

	it('gives what the library makes of the data', () => {
		unpacked = Buffer.from('<a/>');
		expect(unpack('ASCIIHex', Buffer.from('3c612f3e'))).toBe(unpacked);
	});

	it('counts what goes in and what comes out, of all parts of a document', () => {
		unpacked = Buffer.alloc(MAX_UNPACKED_BYTES / 2 - 2);
		unpack('ASCIIHex', Buffer.alloc(MAX_UNPACKED_BYTES / 2));
		unpacked = Buffer.alloc(1);
		unpack('ASCIIHex', Buffer.alloc(1));
		expect(unpacking.exceedsBounds()).toBe(false);
		expect(() => unpack('ASCIIHex', Buffer.alloc(1))).toThrow();
		expect(unpacking.exceedsBounds()).toBe(true);
	});

	it('may turn out to make too much', () => {
		unpacked = Buffer.alloc(MAX_UNPACKED_BYTES);
		expect(() => unpack('ASCIIHex', Buffer.alloc(1))).toThrow();
		expect(unpacking.exceedsBounds()).toBe(true);
	});
});

it('filters are replaced once, and each document begins anew', () => {
	expect(register).toHaveBeenCalledTimes(5);
	expect(() => unpack('LZW', Buffer.alloc(MAX_LZW_BYTES + 1))).toThrow();
	install();
	expect(register).toHaveBeenCalledTimes(5);
	expect(unpacking.exceedsBounds()).toBe(false);
	unpack('ASCIIHex', Buffer.alloc(MAX_UNPACKED_BYTES / 2));
});

it('a filter that the library lacks is none', async () => {
	vi.resetModules();
	unpacking = await import('../../../../nodes/shared/eInvoice/unpacking.js');
	filters.clear();
	install();
	expect([...filters.keys()]).toEqual(['FlateDecode']);
});

describe('Flate', () => {
	const text = Buffer.from('<a>Käufer</a>'.repeat(1000));
	const withPredictor = (value?: number) =>
		partial<PdfDict>({ getNumber: (key: string) => (key === 'Predictor' && value ? { value } : undefined) });

	it.each<[string, Uint8Array]>([
		['with', deflateSync(text)],
		['without', deflateRawSync(text)],
	])('is inflated %s a header', (_how, data) => {
		expect(Buffer.compare(unpack('Flate', data), text)).toBe(0);
		expect(applyPredictor).not.toHaveBeenCalled();
	});

	it('that is cut off gives what comes before that', () => {
		const data = deflateSync(text);
		const part = Buffer.from(unpack('Flate', data.subarray(0, data.length - 10)));
		expect(part.length).toBeGreaterThan(100);
		expect(text.subarray(0, part.length).equals(part)).toBe(true);
	});

	it.each([
		[undefined, false],
		[1, false],
		[2, true],
		[12, true],
	])('has its rows put together if there is a predictor: %s', (value, isApplied) => {
		const data = deflateSync(Buffer.from('abc'));
		const params = withPredictor(value);
		expect(Buffer.from(unpack('Flate', data, params)).toString()).toBe(isApplied ? 'bcd' : 'abc');
		if (isApplied) expect(applyPredictor).toHaveBeenCalledExactlyOnceWith(expect.any(Uint8Array), params);
	});

	it('counts what goes in and what comes out', () => {
		const size = MAX_UNPACKED_BYTES / 2;
		const data = deflateSync(Buffer.alloc(size));
		const rest = size - 2 * data.length;
		unpack('Flate', data);
		expect(unpacking.exceedsBounds()).toBe(false);
		unpacked = Buffer.alloc(0);
		unpack('ASCIIHex', Buffer.alloc(rest));
		expect(unpacking.exceedsBounds()).toBe(false);
		unpack('ASCIIHex', Buffer.alloc(data.length));
		expect(() => unpack('ASCIIHex', Buffer.alloc(1))).toThrow();
		install();
		unpack('Flate', data);
		expect(() => unpack('Flate', data)).toThrow();
		expect(unpacking.exceedsBounds()).toBe(true);
	});
});
