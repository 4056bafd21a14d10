import { createHash } from 'node:crypto';

const BYTES = 16;

/** A UUID of version 5: a name within a namespace, which is a UUID itself (RFC 9562, 5.5). */
export function uuidOfName(namespace: string, name: string): string {
	const bytes = createHash('sha1')
		.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
		.update(name)
		.digest()
		.subarray(0, BYTES);
	// The version, in the high half of its byte.
	bytes[6] = (bytes[6] % 16) + 0x50;
	// The variant, in the two highest bits of its byte.
	bytes[8] = (bytes[8] % 64) + 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
