/** Bytes as text in PDFs (ISO 32000-1, 7.4.3): five characters are four bytes. */
const FIRST = 0x21;
const LAST = FIRST + 84;
/** Stands for four zeros. */
const ZEROS = 0x7a;

/** Whether a stream ends as such a text does. */
export const endsAsAscii85 = (stream: Uint8Array): boolean =>
	Buffer.from(stream.subarray(-8)).toString('latin1').trimEnd().endsWith('~>');

/** Decodes piece by piece; none of the results is empty but the last. Its end mark ends it, as does what is damaged. */
export function* ascii85(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
	let value = 0;
	let count = 0;
	for (const piece of pieces) {
		const bytes = Buffer.alloc(4 * piece.length);
		let length = 0;
		for (const byte of piece) {
			if (byte < FIRST) continue;
			if (byte === ZEROS && count === 0) {
				length += 4;
			} else if (byte > LAST) {
				// Of a last group, one character less is as many bytes.
				const rest = Math.max(count - 1, 0);
				for (; count < 5; count++) value = value * 85 + 84;
				bytes.writeUInt32BE(value >>> 0, length);
				yield bytes.subarray(0, length + rest);
				return;
			} else {
				value = value * 85 + byte - FIRST;
				if (++count < 5) continue;
				bytes.writeUInt32BE(value >>> 0, length);
				length += 4;
				value = count = 0;
			}
		}
		if (length > 0) yield bytes.subarray(0, length);
	}
}
