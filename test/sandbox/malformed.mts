/** Requests as a careless or hostile client sends them: malformed anywhere from the method to the last byte of the body. */
import { METHODS } from 'node:http';
import fc from 'fast-check';
import without from 'lodash/without.js';
import { SECOND_KEY } from '../../sandbox/seed.mjs';
import type { Operation } from '../support/contract.mjs';
import type { Client } from './client.mjs';

/** Bytes. Some requests have a larger body. */
export const BODY_LIMIT = 32 * 1024;
const DAY = '2026-03-02';

/** A request as it is sent. */
export interface Wire {
	method: string;
	/** Path and query, as in the request's first line. */
	url: string;
	headers: Record<string, string>;
	body: Buffer;
}

/** Changes a part of a request. */
type Change<Part> = (part: Part) => Part;

/** Mostly no change to a part: a request with one fault tells more than one with five. */
const rarely = <Part,>(weight: number, changes: fc.Arbitrary<Change<Part>>): fc.Arbitrary<Change<Part>> =>
	fc.oneof(
		{ weight: 10 - weight, arbitrary: fc.constant((part: Part) => part) },
		{ weight, arbitrary: changes },
	);
const oneOf = <Part,>(...changes: Change<Part>[]) => fc.constantFrom(...changes);

/** Names that are special to JavaScript or to parsers, or close to the contract's. */
const name = fc.oneof(
	fc.constantFrom(
		'__proto__',
		'constructor',
		'toString',
		'prototype',
		'',
		' ',
		'\0',
		'0',
		'$ref',
		'unbekannt',
	),
	fc.constantFrom('BelegNummer', 'belegnummer ', 'Connectionid', 'connection_id', 'kontonummer', 'url', 'id'),
	fc.string({ unit: 'binary', maxLength: 5 }),
);
/** Values that are nearly right, or completely wrong. */
const text = fc.oneof(
	fc.constantFrom(
		'',
		' ',
		'\0',
		'null',
		'true',
		'0',
		'-1',
		'1,50',
		'ä'.normalize('NFD'),
		'🧾',
		'\ud800',
		'../..',
	),
	fc.constantFrom(
		`${DAY} 10:15:00Z`,
		`${DAY}T10:15:00`,
		`${DAY}T10:15:00+01`,
		`${DAY}T10:15:60Z`,
		'2026-02-30',
	),
	fc.constantFrom(
		'EINNAHME',
		'einnahme',
		'all',
		'raw',
		'eur',
		'29098-10001',
		'1000',
		'https://n8n.example/',
		'%',
	),
	fc.uuid(),
	fc.uuid().map((uuid) => `urn:uuid:${uuid}`),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(61, 300, 2000).map((length) => 'x'.repeat(length)),
);
/** Tokens to put in place of a value. Many make the text invalid JSON. */
const RAW = [
	'1e400',
	'-1e400',
	'1e-400',
	'-0',
	'0.30000000000000004',
	'9'.repeat(40),
	'01',
	'1.',
	'+1',
	'0x1',
].concat([
	'NaN',
	'Infinity',
	'undefined',
	"'x'",
	'"\\ud800"',
	'"\\u00"',
	'"\t"',
	'{"a":1,"a":2}',
	'[,]',
	'{}{}',
	'/**/1',
	'',
]);
const MARK = '⟪raw⟫';
const value: fc.Arbitrary<unknown> = fc.oneof(
	text,
	fc.double(),
	fc.constantFrom(null, true, false, 0, -1, 0.005, 1e15, [], {}, [[]], [{}], [null]),
	fc.jsonValue({ maxDepth: 3 }),
	fc.constantFrom(...RAW).map((token) => MARK + token),
);

const isContainer = (part: unknown): part is object => typeof part === 'object' && part !== null;
const entries = (part: unknown) => (isContainer(part) ? Object.entries(part) : []);
/** Object.fromEntries makes own properties, of `__proto__` too. */
const rebuilt = (part: unknown, members: [string, unknown][]): unknown =>
	Array.isArray(part) ? members.map(([, member]) => member) : Object.fromEntries(members);

/** Changes the nth value within a JSON value, counted from the outside and starting over at the end. */
function changeAt(whole: unknown, place: number, change: Change<unknown>): unknown {
	const count = (part: unknown): number => entries(part).reduce((sum, [, member]) => sum + count(member), 1);
	let left = place % count(whole);
	const walk = (part: unknown): unknown => {
		if (left-- === 0) return change(part);
		return isContainer(part)
			? rebuilt(
					part,
					entries(part).map(([key, member]) => [key, walk(member)]),
				)
			: part;
	};
	return walk(whole);
}

/** Values close to a value. */
function nearly(part: unknown): unknown[] {
	if (typeof part === 'number')
		return [-part, String(part), part + 0.001, part * 1e20, `${MARK}1e400`, `${MARK}0${part}`];
	if (typeof part === 'string') {
		const written = [
			part.toLowerCase(),
			part.toUpperCase(),
			` ${part}`,
			`${part}\0`,
			`urn:uuid:${part}`,
			[part],
		];
		const instant = ['T', /:00$/, /:\d\d$/, /([+-]..:..|Z)$/].map((what) => part.replace(what, ' ').trim());
		return [...written, ...instant, Number(part), part.repeat(10)];
	}
	if (Array.isArray(part)) return [[...part, ...part], [part], { ...part }, part[0], []];
	const members = entries(part);
	return [
		[part],
		{},
		rebuilt(
			part,
			members.map(([key, member]) => [key.toUpperCase(), member]),
		),
		...members.map((_, index) => rebuilt(part, members.toSpliced(index, 1))),
	];
}

const atPlace: fc.Arbitrary<Change<unknown>> = fc.oneof(
	value.map((other) => () => other),
	{ weight: 2, arbitrary: fc.nat().map((nth) => (part: unknown) => nearly(part)[nth % nearly(part).length]) },
	fc.tuple(name, value).map(
		([key, other]) =>
			(part: unknown) =>
				rebuilt(part, [...entries(part), [key, other]]),
	),
	fc
		.integer({ min: 1, max: 60 })
		.map(
			(levels) => (part: unknown) => Array.from({ length: levels }).reduce((inner) => ({ x: inner }), part),
		),
);
const inBody = fc
	.array(fc.tuple(fc.nat(), atPlace), { minLength: 1, maxLength: 2 })
	.map(
		(changes) => (body: unknown) =>
			changes.reduce((part, [place, change]) => changeAt(part, place, change), body),
	);

/** The JSON text of a value, with marked tokens written as they are. */
const textOf = (body: unknown) =>
	body === undefined
		? ''
		: JSON.stringify(body).replace(new RegExp(`"${MARK}((?:[^"\\\\]|\\\\.)*)"`, 'g'), (_, token: string) =>
				String(JSON.parse(`"${token}"`)),
			);

const insert = (bytes: Buffer, where: number, what: Buffer | string) => {
	const at = bytes.length ? where % bytes.length : 0;
	return Buffer.concat([bytes.subarray(0, at), Buffer.from(what as string), bytes.subarray(at)]);
};
const inBytes: fc.Arbitrary<Change<Buffer>> = fc.oneof(
	fc.nat().map((where) => (body: Buffer) => body.subarray(0, where % (body.length + 1))),
	fc.tuple(fc.nat(), fc.constantFrom('"', '{', '}', '[', ',', '\\', '\0', '\ufeff', '//', ' ', '0', 'e')).map(
		([where, what]) =>
			(body: Buffer) =>
				insert(body, where, what),
	),
	fc.tuple(fc.nat(), fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80])).map(
		([where, what]) =>
			(body: Buffer) =>
				insert(body, where, Buffer.from(what)),
	),
	fc.uint8Array({ maxLength: 40 }).map((bytes) => () => Buffer.from(bytes)),
	// Often enough for some of them to be sent in each run.
	{ weight: 2, arbitrary: oneOf<Buffer>((body) => Buffer.concat([body, Buffer.alloc(BODY_LIMIT, ' ')])) },
	oneOf<Buffer>(
		(body) => Buffer.concat([body, body]),
		(body) => Buffer.from(body.toString(), 'utf16le'),
		(body) => Buffer.concat([Buffer.from('\ufeff'), body]),
		() => Buffer.from('['.repeat(BODY_LIMIT - 1)),
		() => Buffer.from(`{"a":${'[1,'.repeat(500)}`),
		() => Buffer.alloc(0),
	),
);

/** Encodes a text for a URL, without lone surrogates, which can't be encoded. */
const encoded = (part: string) => encodeURIComponent(Buffer.from(part).toString());
/** Query parameters as written, encoded or not. */
type Pairs = string[];
const BROKEN = ['%', '%zz', '%f', '%ff', '%C3%28', '50%25%'];
const written = fc.oneof({ weight: 3, arbitrary: text.map(encoded) }, fc.constantFrom(...BROKEN));
/** @param names the operation's parameters */
const inQuery = (names: string[]): fc.Arbitrary<Change<Pairs>> =>
	fc.oneof(
		fc.nat(4).map((nth) => (pairs: Pairs) => pairs.toSpliced(nth, 1)),
		fc.nat(4).map((nth) => (pairs: Pairs) => [...pairs, ...pairs.slice(nth, nth + 1)]),
		fc
			.tuple(fc.oneof(name, fc.constantFrom('', ...names)), written)
			.map(([key, other]) => (pairs: Pairs) => [...pairs, `${encoded(key)}=${other}`]),
		fc.tuple(fc.nat(4), written).map(
			([nth, other]) =>
				(pairs: Pairs) =>
					pairs.map((pair, index) =>
						index === nth % pairs.length ? `${pair.split('=')[0]}=${other}` : pair,
					),
		),
		fc
			.constantFrom('[]', '[0]', '[x]', '.x', '%00', '+')
			.map((suffix) => (pairs: Pairs) => pairs.map((pair) => pair.replace('=', `${suffix}=`))),
		oneOf<Pairs>(
			(pairs) => pairs.map((pair) => pair.toUpperCase()),
			(pairs) => [...pairs, '', '', 'x'],
			(pairs) => [pairs.join(';')],
			(pairs) => [...pairs, `quelle=${'x'.repeat(9000)}`],
		),
	);

const inPath: fc.Arbitrary<Change<string>> = fc.oneof(
	written.map((other) => (path: string) => path.replace(/[^/]+(?=(\/activate)?$)/, other)),
	text.map((other) => (path: string) => `${path}/${encoded(other)}`),
	oneOf<string>(
		(path) => `${path}/`,
		(path) => `/${path}`,
		(path) => path.toUpperCase(),
		(path) => path.replace('/v2', ''),
		(path) => path.replace('/v2', '/v3'),
		(path) => `/${path.slice(1).replaceAll('/', '%2F')}`,
		(path) => path.replace('/v2/', '/v2/./'),
	),
);

const inHeaders: fc.Arbitrary<Change<Wire['headers']>> = fc.oneof(
	fc
		.constantFrom(
			'',
			'sandbox-demo',
			'SANDBOX-DEMO-KEY',
			'sandbox-demo-key, sandbox-demo-key',
			SECOND_KEY,
			'__proto__',
		)
		.map((key) => (headers: Wire['headers']) => ({ ...headers, 'x-api-key': key })),
	fc
		.constantFrom(
			'',
			'text/plain',
			'text/json',
			'application/json+x',
			'application/jsonp',
			'application/json x',
			'*/*',
		)
		.map((type) => (headers: Wire['headers']) => ({ ...headers, 'content-type': type })),
	fc
		.constantFrom('application/json; charset=utf-8', 'Application/JSON', 'multipart/form-data; boundary=x')
		.map((type) => (headers: Wire['headers']) => ({ ...headers, 'content-type': type })),
	fc
		.constantFrom('gzip', 'deflate', 'br')
		.map((encoding) => (headers: Wire['headers']) => ({ ...headers, 'content-encoding': encoding })),
	oneOf<Wire['headers']>(
		({ 'x-api-key': _, ...headers }) => headers,
		({ 'content-type': _, ...headers }) => headers,
		(headers) => ({ ...headers, authorization: 'Bearer x', accept: 'text/html', cookie: 'a=b' }),
	),
);

/** A request for an operation: the contract's example, more or less malformed. */
export function malformed({ id, parameters }: Operation, client: Client): fc.Arbitrary<Wire> {
	const changes = fc.record({
		method: rarely(
			1,
			fc.constantFrom(...without(METHODS, 'CONNECT', 'HEAD', 'PRI')).map((other) => () => other),
		),
		path: rarely(2, inPath),
		query: rarely(4, inQuery(parameters.filter((one) => one.in === 'query').map((one) => one.name))),
		headers: rarely(2, inHeaders),
		body: rarely(8, inBody),
		bytes: rarely(2, inBytes),
	});
	return changes.map((change) => {
		const { method, path, query, body } = client.request(id);
		const pairs = change.query(Object.entries(query).map(([key, one]) => `${key}=${encoded(one)}`));
		return {
			method: change.method(method),
			url: `${change.path(path)}${pairs.length ? '?' : ''}${pairs.join('&')}`,
			headers: change.headers({ 'x-api-key': client.sandbox.apiKey, 'content-type': 'application/json' }),
			body: change.bytes(Buffer.from(textOf(body === undefined ? undefined : change.body(body)))),
		};
	});
}
