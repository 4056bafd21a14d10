/**
 * An S3 server in memory, with what n8n asks of one (`@n8n/blob-storage`): it stores, reads, lists and deletes objects. n8n's
 * client, which signs and checks what it sends and gets, is Amazon's own.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pickBy from 'lodash/pickBy.js';

interface S3Object {
	content: Buffer;
	/** Type and metadata, which come back with the object. */
	headers: IncomingHttpHeaders;
}

const xml = (text: string) => text.replace(/[<&]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Starts it on a free port. */
export async function startS3(bucket: string): Promise<{ host: string; stop(): void }> {
	const objects = new Map<string, S3Object>();
	const server = createServer((request, response) => {
		void buffer(request).then((content) => {
			const { pathname, searchParams } = new URL(request.url!, 'http://s3');
			const [, name, ...path] = pathname.split('/').map(decodeURIComponent);
			const key = path.join('/');
			const answer = (status: number, body?: Buffer | string, headers: IncomingHttpHeaders = {}) =>
				response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
			if (name !== bucket) return answer(404, '<Error><Code>NoSuchBucket</Code></Error>');
			if (request.method === 'PUT') {
				const kept = pickBy(request.headers, (_, name) => /^(content-type|x-amz-meta-.*)$/.test(name));
				objects.set(key, { content, headers: { ...kept, 'content-length': String(content.length) } });
				return answer(200);
			}
			if (request.method === 'DELETE') return (objects.delete(key), answer(204));
			if (request.method === 'POST') {
				const deleted = [...content.toString().matchAll(/<Key>[^<]*<\/Key>/g)].map(([key]) => key);
				for (const one of deleted) objects.delete(one.slice('<Key>'.length, -'</Key>'.length));
				const results = deleted.map((one) => `<Deleted>${one}</Deleted>`).join('');
				return answer(200, `<DeleteResult>${results}</DeleteResult>`);
			}
			if (key === '') {
				const prefix = searchParams.get('prefix') ?? '';
				const keys = [...objects.keys()].filter((one) => one.startsWith(prefix));
				const contents = keys.map((one) => `<Contents><Key>${xml(one)}</Key></Contents>`).join('');
				return answer(
					200,
					`<ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`,
				);
			}
			const object = objects.get(key);
			if (!object) return answer(404, '<Error><Code>NoSuchKey</Code></Error>');
			return answer(200, object.content, object.headers);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
