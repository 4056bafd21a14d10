/** Answers that are far larger, or nested far deeper, than any of a gateway: n8n goes on, and nothing is tried again. */
import { createServer } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { MAX_ANSWER_BYTES } from '../../../../nodes/shared/gateway/answerBytes.js';
import { runNode } from '../../../../host/harness.mjs';
import { lengthenTimeouts } from '../../../support/pauses.mjs';
import { watched } from '../../../support/timing.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { testCredential } from '../../../support/testCredential.mjs';
import { listening } from '../../../support/listening.mjs';

/** More than the limit, of which little is sent. */
const plain = Buffer.alloc(MAX_ANSWER_BYTES + 1_000_000, ' ');
const PACKED: Record<string, () => Buffer> = {
	gzip: () => gzipSync(plain, { level: 1 }),
	deflate: () => deflateSync(plain, { level: 1 }),
	br: () => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** A server that gives each request the same answer. */
async function gatewayWith(headers: Record<string, string>, body: Buffer | string) {
	const requests: string[] = [];
	const server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		request.resume().once('end', () => response.writeHead(200, headers).end(body));
	});
	return { requests, credential: { apiKey: 'key', baseUrl: `http://${await listening(server)}` } };
}
const TYPE = { 'content-type': 'application/json' };

const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const COMPANIES = {
	resource: 'company',
	operation: 'getAll',
	connectionId: { __rl: true, mode: 'id', value: CONNECTION },
};
const RUN = { items: [{}], settings: { onError: 'continueErrorOutput' as const } };
const read = async (credential: ICredentialDataDecryptedObject) =>
	await runNode({ ...RUN, node: new AccountingGatewayData(), parameters: COMPANIES, credential });
const book = async (credential: ICredentialDataDecryptedObject) =>
	await runNode({
		...RUN,
		node: new AccountingGatewayDelivery(),
		parameters: simpleEntry(CONNECTION),
		credential,
	});

describe('An answer that is too large', () => {
	it.each(Object.entries(PACKED))(
		'as little %s, is read no further, and not asked for again',
		async (encoding, pack) => {
			const { credential, requests } = await gatewayWith({ ...TYPE, 'content-encoding': encoding }, pack());
			const { result, blocked } = await watched(async () => await read(credential));
			expect(result.errors[0]?.error).toMatch(/too large \(more than 256 MB/);
			expect(requests).toHaveLength(1);
			expect(blocked).toBeLessThan(500);
		},
	);
});

/** Little that unpacks to much: 71 bytes to 2,000,000 objects, 299 bytes to 20,000,000. */
const LITTLE = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const emptyObjects = (count: number) => Buffer.from(`{"data":[${'{},'.repeat(count)}{}]}`);

describe('An answer of more values than any that is meant', () => {
	it.each([2_000_000, 20_000_000])(
		'as little brotli, %d empty objects: is read no further, and not asked for again',
		async (count) => {
			const packed = brotliCompressSync(emptyObjects(count), LITTLE);
			const { credential, requests } = await gatewayWith({ ...TYPE, 'content-encoding': 'br' }, packed);
			const { result, blocked, memory } = await watched(async () => await read(credential));
			expect(result.errors[0]?.error).toMatch(/3 million values/);
			expect(requests).toHaveLength(1);
			expect(blocked, 'milliseconds').toBeLessThan(500);
			expect(memory, 'MB').toBeLessThan(200);
		},
	);
});

const deep = `{"data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;

describe.each<[string, RegExp, Record<string, string>, () => Buffer | string]>([
	['too large', /too large \(more than 256 MB/, { 'content-encoding': 'br' }, PACKED.br],
	['nested too deeply', /nested more than 100 levels deep/, {}, () => deep],
])('An answer that is %s', (_what, said, headers, body) => {
	it('is no list, and not asked for again', async () => {
		const { credential, requests } = await gatewayWith({ ...TYPE, ...headers }, body());
		const { errors } = await read(credential);
		expect(errors[0]?.error).toMatch(said);
		expect(requests).toHaveLength(1);
	});

	it('is of unknown outcome where something was written, which is sent once', async () => {
		const { credential, requests } = await gatewayWith({ ...TYPE, ...headers }, body());
		expect((await book(credential)).errors[0]).toMatchObject({ details: { outcome: 'unknown' } });
		expect(requests).toHaveLength(1);
	});

	it('ends the test of a credential', async () => {
		lengthenTimeouts();
		const { credential } = await gatewayWith({ ...TYPE, ...headers }, body());
		const { status, message } = await testCredential(credential);
		expect([status, message]).toEqual(['Error', expect.stringMatching(said)]);
	});
});
