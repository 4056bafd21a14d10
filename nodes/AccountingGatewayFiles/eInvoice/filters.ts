/** The filters of PDF that write bytes as text, or repeat them (ISO 32000-1, 7.4.2 to 7.4.5). Rarely used for files. */
import { MAX_DECODED } from './limits';

/** Decodes a stream, or its beginning. What is damaged ends it. */
export type Decoder = (stream: Uint8Array) => Uint8Array;

export const asItIs: Decoder = (stream) => stream;

/** The decoders that a stream may be meant for, by how it ends. */
export function decodersOf(stream: Uint8Array): Decoder[] {
	const end = Buffer.from(stream.subarray(-8)).toString('latin1').trimEnd();
	if (end.endsWith('~>')) return [ascii85];
	if (end.endsWith('>')) return [asciiHex];
	return stream.at(-1) === END_OF_RUNS || stream.subarray(-3).includes(END_OF_RUNS) ? [runLength] : [];
}

const isSpace = (byte: number) => byte <= 0x20;
/** Characters of ASCII 85, from 0 to 84; `z` stands for four zeros, `~` ends it. */
const ZERO = 0x21;
const FOUR_ZEROS = 0x7a;
const END_OF_DATA = 0x7e;

const ascii85: Decoder = (stream) => {
	const bytes = new Uint8Array(Math.min(4 * stream.length + 4, MAX_DECODED));
	let length = 0;
	let group: number[] = [];
	const put = (count: number) => {
		const value = [...group, 84, 84, 84, 84].slice(0, 5).reduce((sum, digit) => sum * 85 + digit, 0);
		for (let i = 0; i < count; i++) bytes[length++] = Math.floor(value / 256 ** (3 - i)) % 256;
		group = [];
	};
	// Some programs begin with <~.
	const start = stream[0] === 0x3c && stream[1] === END_OF_DATA ? 2 : 0;
	for (let at = start; at < stream.length && length < bytes.length - 4; at++) {
		const { [at]: byte } = stream;
		if (byte === END_OF_DATA) break;
		if (isSpace(byte)) continue;
		if (byte === FOUR_ZEROS && group.length === 0) length += 4;
		else if (byte < ZERO || byte > ZERO + 84) break;
		else if (group.push(byte - ZERO) === 5) put(4);
	}
	if (group.length > 1) put(group.length - 1);
	return bytes.subarray(0, length);
};

const asciiHex: Decoder = (stream) => {
	const text = Buffer.from(stream).toString('latin1').replace(/\s+/g, '');
	const digits = /^[\dA-Fa-f]*/.exec(text)![0];
	return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
};

const END_OF_RUNS = 128;

const runLength: Decoder = (stream) => {
	const bytes = new Uint8Array(Math.min(128 * stream.length, MAX_DECODED));
	let length = 0;
	for (let at = 0; at < stream.length; ) {
		const { [at]: count } = stream;
		if (count === END_OF_RUNS) break;
		const isRun = count > END_OF_RUNS;
		const copies = isRun ? 257 - count : count + 1;
		if (length + copies > bytes.length) break;
		if (isRun) bytes.fill(stream[at + 1], length, length + copies);
		else bytes.set(stream.subarray(at + 1, at + 1 + copies), length);
		length += copies;
		at += isRun ? 2 : 1 + copies;
	}
	return bytes.slice(0, length);
};
