import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import chunk from 'lodash/chunk.js';
import type { IBinaryData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import {
	type BinaryStore,
	readWhole,
	FileContent,
	jsonPayload,
	sizeInMemory,
} from '../../../../nodes/shared/gateway/body.js';
import { partial } from '../../../../host/partial.mjs';

const CONTENT = Buffer.from('%PDF-1.4 Beleg März');
const inMemory = (content: Buffer) =>
	new FileContent({ mimeType: 'application/pdf', data: content.toString('base64') }, content.length, '');
const stored = (id: string, bytes = CONTENT.length) =>
	new FileContent({ mimeType: 'application/pdf', data: 'filesystem', id } as IBinaryData, bytes, '');

/** A store that gives its files in pieces. */
function storeOf(files: Record<string, Buffer>, pieces = 4) {
	const opened: string[] = [];
	const store = partial<BinaryStore>({
		getBinaryStream: async (id: string) => {
			opened.push(id);
			const parts = chunk([...files[id]], pieces).map((bytes) => Buffer.from(bytes));
			return await Promise.resolve(Readable.from(parts));
		},
	});
	return { store, opened };
}

const sent = async ({ body }: Awaited<ReturnType<typeof jsonPayload>>) =>
	typeof body === 'string' ? body : await text(body);
const base64 = (content: Buffer) => content.toString('base64');

describe('a body', () => {
	it('without files is its JSON, measured in bytes', async () => {
		const payload = await jsonPayload({ a: 'ä', b: undefined, c: [1] }, storeOf({}).store);
		expect(payload).toMatchObject({ body: '{"a":"ä","c":[1]}', length: 18 });
	});

	it('has the files in memory as base64 in their places', async () => {
		const short = Buffer.from('x');
		const body = { one: { content: inMemory(CONTENT) }, name: 'Müll', two: [{ content: inMemory(short) }] };
		const payload = await jsonPayload(body, storeOf({}).store);
		const json = `{"one":{"content":"${base64(CONTENT)}"},"name":"Müll","two":[{"content":"${base64(short)}"}]}`;
		expect(payload).toMatchObject({ body: json, length: Buffer.byteLength(json) });
	});

	// Three bytes are four characters: pieces of other sizes leave a rest.
	it.each([1, 2, 3, 4, 5, 100])(
		'has the stored files in pieces of %i bytes, and those in memory between',
		async (pieces) => {
			const other = Buffer.from('other');
			const { store, opened } = storeOf({ a: CONTENT, b: other }, pieces);
			const files = [inMemory(other), stored('a'), inMemory(CONTENT), stored('b', other.length)];
			const payload = await jsonPayload({ files, end: 'ä' }, store);
			const contents = [other, CONTENT, CONTENT, other].map((content) => `"${base64(content)}"`);
			const json = `{"files":[${contents.join(',')}],"end":"ä"}`;
			expect(await sent(payload)).toBe(json);
			expect(payload.length).toBe(Buffer.byteLength(json));
			// Each is opened once, the second one when the first one is sent.
			expect(opened).toEqual(['a', 'b']);
		},
	);

	it('is sent piece by piece, as its file is read', async () => {
		const { store } = storeOf({ a: Buffer.alloc(1000, 'x') }, 4);
		const { body } = await jsonPayload({ file: stored('a', 1000) }, store);
		const lengths: number[] = [];
		for await (const piece of body as AsyncIterable<string>) lengths.push(piece.length);
		// After the JSON before the file: four bytes and up to two that waited for them.
		expect(Math.max(...lengths.slice(1))).toBe(8);
	});

	it.each([
		['longer', CONTENT.length - 1],
		['shorter', CONTENT.length + 1],
	])('is not sent to its end when a file has become %s', async (_how, bytes) => {
		const payload = await jsonPayload({ file: stored('a', bytes) }, storeOf({ a: CONTENT }).store);
		await expect(sent(payload)).rejects.toMatchObject({
			code: 'FILE_UNREADABLE',
			message: `The file has ${CONTENT.length} bytes instead of ${bytes}`,
		});
	});
});

describe('the whole content of a file', () => {
	it('is the same in memory and in pieces from the store', async () => {
		const { store, opened } = storeOf({ a: CONTENT });
		expect(await readWhole(inMemory(CONTENT), store)).toEqual(CONTENT);
		expect(opened).toEqual([]);
		expect(await readWhole(stored('a'), store)).toEqual(CONTENT);
	});

	it('is not that of a file that has changed', async () => {
		const { store } = storeOf({ a: CONTENT });
		await expect(readWhole(stored('a', 3), store)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
	});
});

it('a file in memory is as large as its bytes, however its base64 is written', () => {
	const size = (data: string) => sizeInMemory({ mimeType: 'x', data });
	expect([size('eHl6\neHk='), size('eHl6eHk'), size('-_8')]).toEqual([5, 5, 2]);
});
