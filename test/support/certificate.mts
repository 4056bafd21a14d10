/** Certificates that sign themselves, in DER (X.509), made with Node.js alone. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A value in DER: its tag, its length, its content. */
function der(tag: number, ...contents: Array<Uint8Array | string>): Buffer {
	const content = Buffer.concat(contents.map((one) => Buffer.from(one as Uint8Array)));
	const size = Buffer.from([content.length >> 8, content.length & 0xff]);
	const length = content.length < 128 ? size.subarray(1) : Buffer.concat([Buffer.from([0x82]), size]);
	return Buffer.concat([Buffer.from([tag]), length, content]);
}
const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents);
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
/** UTCTime: two digits of the year, without milliseconds. */
const time = (at: Date) =>
	der(
		0x17,
		`${at
			.toISOString()
			.replaceAll(/[-:T]|\.\d+/g, '')
			.slice(2)}`,
	);
const extension = (name: Uint8Array, value: Uint8Array) => sequence(name, der(0x04, value));

/** A certificate for a host, which is also its own authority, and its key; both in PEM. */
export function certificateFor(
	host: string,
	from = new Date(Date.now() - DAY_MS),
	to = new Date(Date.now() + DAY_MS),
): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
	const commonName = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, host))));
	const isAuthority = extension(oid(0x55, 0x1d, 0x13), sequence(der(0x01, Buffer.from([0xff]))));
	const alternativeName = extension(oid(0x55, 0x1d, 0x11), sequence(der(0x82, host)));
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1]), randomBytes(8)),
		ecdsaWithSha256,
		commonName,
		sequence(time(from), time(to)),
		commonName,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(isAuthority, alternativeName)),
	);
	const base64 = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)))
		.toString('base64')
		.replaceAll(/.{64}/g, '$&\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
	};
}
