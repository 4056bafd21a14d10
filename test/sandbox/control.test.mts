import type { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { startSandbox } from '../../sandbox/server.mjs';
import type { Json } from '../../api/contract.mjs';
import { useSandbox } from './client.mjs';

const client = useSandbox({ logSize: 20 });

it('the sandbox’s control API accepts JSON under any content type, as curl sends it', async () => {
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	const { status, data } = await client.control.post('credits', '{"credits": 5}', { headers });
	expect([status, data.credits]).toEqual([200, 5]);
});

it('the sandbox’s keys can be added and revoked', async () => {
	const lists = client.request('listDuoConnections');
	expect((await client.send(lists, 'new-key')).status).toBe(401);
	await client.control.post('keys', { key: 'new-key' });
	expect((await client.send(lists, 'new-key')).status).toBe(200);
	await client.control.delete('keys/new-key');
	expect((await client.send(lists, 'new-key')).status).toBe(401);
});

it('the sandbox’s page is told of changes, and no more when it is closed', async () => {
	const { data: events } = await client.control.get<Readable>('events', { responseType: 'stream' });
	let said = '';
	events.on('data', (piece: Buffer) => (said += piece.toString()));
	await expect.poll(() => said).toBe('retry: 1000\nevent: change\ndata: {}\n\n');
	await client.control.post('credits', { credits: 5 });
	await expect.poll(() => said.match(/event: change\ndata: \{\}\n\n/g)).toHaveLength(2);
	const { events: changes } = client.sandbox.store;
	const before = changes.listenerCount('change');
	events.destroy();
	await expect.poll(() => changes.listenerCount('change')).toBe(before - 1);
});

describe('the sandbox’s credits', () => {
	it('are used by successful calls only', async () => {
		await client.post('createCashBookEntry');
		expect((await client.post('createCashBookEntry')).status).toBe(409);
		expect((await client.post('listCashBooks')).data.svc).toEqual({ neuesGuthaben: 999 });
	});

	it('that are used up block only calls that cost', async () => {
		await client.control.post('credits', { credits: 1 });
		expect((await client.post('uploadDuoDocument')).data.svc).toEqual({ neuesGuthaben: 0 });
		const { status, data } = await client.post('createCashBookEntry');
		expect([status, data.error.message]).toEqual([402, expect.stringContaining('costs 1, 0 are left')]);
		expect(await client.list('entries')).toEqual([]);
		expect((await client.post('listCashBooks')).status).toBe(200);
	});

	it('cannot be spent twice by simultaneous calls', async () => {
		await client.control.post('credits', { credits: 3 });
		const statuses = await Promise.all(
			Array.from({ length: 6 }, async (_, number) => {
				const request = client.request('createCashBookEntry');
				const body = { ...(request.body as Json), belegnummer: String(number) };
				return (await client.send({ ...request, body })).status;
			}),
		);
		expect(statuses.sort()).toEqual([200, 200, 200, 402, 402, 402]);
	});
});

it('the sandbox’s clock can be set, and follows the machine when released', async () => {
	await client.control.post('clock', { now: '2025-12-31T23:59:59+01:00' });
	await client.post('createCashBookEntry');
	expect(await client.list('entries')).toMatchObject([{ receivedAt: '2025-12-31T22:59:59.000Z' }]);
	await client.control.post('clock', { now: null });
	const before = Date.now();
	const now = Date.parse((await client.control.get('clock')).data.now);
	expect([now >= before, now <= Date.now()]).toEqual([true, true]);
	for (const never of ['soon', '9999-12-31T00:00:00Z']) {
		expect((await client.control.post('clock', { now: never })).status).toBe(400);
	}
});

describe('the sandbox’s request log', () => {
	it('shows requests with their outcome, without the key', async () => {
		const request = client.request('createCashBookEntry');
		const image = { content: Buffer.alloc(3000).toString('base64'), dateiname: 'gross.png' };
		await client.send({ ...request, body: { ...(request.body as Json), belegbilder: [image] } });
		await client.send({ ...request, query: { ...request.query, connectionId: 'x' } });
		const requests = await client.list('requests');
		expect(requests).toMatchObject([
			{
				nr: 1,
				method: 'POST',
				path: request.path,
				query: request.query,
				operationId: 'createCashBookEntry',
				account: 'demo',
				status: 200,
				credits: 1,
				body: { belegbilder: [{ content: expect.stringMatching(/^A{200}… \(4000 characters\)$/) }] },
				durationMs: expect.any(Number),
			},
			{ nr: 2, status: 400, credits: 0, error: '"connectionId" must match format "uuid".' },
		]);
		expect(JSON.stringify(requests)).not.toContain(client.sandbox.apiKey);
	});

	it('keeps no more than the beginning of a large body', async () => {
		const belegzeilen = Array.from({ length: 5000 }, (_, i) => ({ belegtext: `Zeile ${i}`, betrag: 1 }));
		const body = {
			...(client.request('createAdvancedCashBookEntry').body as Json),
			belegzeilen,
			betrag: 5000,
		};
		expect((await client.post('createAdvancedCashBookEntry', body)).status).toBe(200);
		const [{ body: logged }] = await client.list('requests');
		const { belegzeilen: lines } = logged as { belegzeilen: unknown[] };
		expect(lines[0]).toEqual({ belegtext: 'Zeile 0', betrag: 1 });
		expect(lines.length).toBeLessThan(1000);
		expect(JSON.stringify(logged).length).toBeLessThan(50_000);
	});

	it('keeps only the latest requests', async () => {
		for (let nr = 0; nr < 25; nr++) await client.post('listDuoConnections');
		const requests = await client.list('requests');
		expect([requests.length, requests[0].nr, requests[19].nr]).toEqual([20, 6, 25]);
		expect(await client.list('requests?limit=2')).toMatchObject([{ nr: 24 }, { nr: 25 }]);
		await client.control.delete('requests');
		expect(await client.list('requests')).toEqual([]);
	});
});

it('the sandbox’s state can be loaded into another sandbox, with its files and what it has seen', async () => {
	const { data: document } = await client.post('uploadDuoDocument');
	await client.post('createCashBookEntry');
	const { data: state } = await client.control.get('state');
	const next = await startSandbox({ state });
	try {
		expect(next.store.snapshot()).toEqual(state);
		const repeated = client.request('createCashBookEntry');
		const url = `${next.url}${repeated.path}`;
		expect((await client.http.post(url, repeated.body, { params: repeated.query })).status).toBe(409);
		const file = await client.http.get(`${next.url}/sandbox/documents/${document.id}/content`);
		expect(file.status).toBe(200);
	} finally {
		await next.close();
	}
});

describe('a file in the sandbox', () => {
	const upload = async (content: Buffer, dateiname: string) => {
		const datei = { content: content.toString('base64'), dateiname };
		const { data } = await client.post('uploadDuoDocument', { datei, belegtyp: 'Kasse' });
		return await client.control.get(`documents/${data.id}/content`);
	};

	it.each([
		['%PDF-1.7', 'application/pdf', 'inline'],
		['\x89PNG\r\n', 'image/png', 'inline'],
		['\xff\xd8\xff\xe0', 'image/jpeg', 'inline'],
		['GIF89a', 'image/gif', 'inline'],
		['RIFF1234WEBPVP8 ', 'image/webp', 'inline'],
		['<svg xmlns="http://www.w3.org/2000/svg"/>', 'application/octet-stream', 'attachment'],
	])('%j is shown as %s', async (text, type, disposition) => {
		const { headers } = await upload(Buffer.from(text, 'latin1'), 'ä "x".pdf');
		expect(headers).toMatchObject({
			'content-type': type,
			'content-disposition': `${disposition}; filename*=UTF-8''%C3%A4%20%22x%22.pdf`,
			'x-content-type-options': 'nosniff',
		});
	});
});

it('the sandbox’s page may load nothing of other sites', async () => {
	const { headers } = await client.http.get('/');
	expect(headers['content-security-policy']).toBe("default-src 'self'; frame-ancestors 'none'");
});

it('the sandbox answers 500, and prints why, when its own answer breaks the contract', async () => {
	const print = vi.spyOn(console, 'error').mockReturnValue();
	client.sandbox.store.accounts[0].credits = Number.NaN;
	const { status, data } = await client.post('listCashBooks');
	const message = `The sandbox's own answer to listCashBooks violates the contract: "svc/neuesGuthaben" must be number.`;
	expect([status, data.error.message]).toEqual([500, message]);
	expect(print).toHaveBeenCalledWith(expect.objectContaining({ message }));
	print.mockRestore();
});

it('the sandbox can stand under another provider name', async () => {
	const sandbox = await startSandbox({ accountingProvider: 'muster' });
	const get = (path: string) => client.http.get(`${sandbox.url}/v2/${path}`);
	expect((await get('muster-duo/connections')).status).toBe(200);
	expect((await get('acct-duo/connections')).status).toBe(404);
	await sandbox.close();
});
