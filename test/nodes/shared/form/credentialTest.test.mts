import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { testCredential } from '../../../support/testCredential.mjs';
import { skipPauses } from '../../../support/pauses.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();

const test = async (overrides: ICredentialDataDecryptedObject = {}) =>
	await testCredential({ ...gateway.credential, ...overrides });

describe('The credential test', () => {
	it('accepts a good credential', async () => {
		expect(await test()).toEqual({ status: 'OK', message: 'The gateway accepted the API key.' });
		expect(await test({ baseUrl: `${gateway.credential.baseUrl}/v2/` })).toMatchObject({ status: 'OK' });
		expect(await test({ accountingProvider: '' })).toMatchObject({ status: 'OK' });
		expect(await test({ apiKey: `${gateway.credential.apiKey}\n` })).toMatchObject({ status: 'OK' });
	});

	it('reads JSON with a byte order mark, as the nodes do', async () => {
		await gateway.fault({ kind: 'status', status: 200, body: '\ufeff[{"id":"a"}]' });
		expect(await test()).toMatchObject({ status: 'OK' });
	});

	it.each<[ICredentialDataDecryptedObject, string]>([
		[{ apiKey: 'a-wrong-key' }, 'The gateway rejected the API key (HTTP 401)'],
		[{ apiKey: '' }, 'The API key is empty'],
		[{ baseUrl: '' }, 'The base URL in the credential is empty'],
		[{ baseUrl: 'http://127.0.0.1:1' }, "The gateway can't be reached: no connection came about"],
		[{ baseUrl: 'https://gateway.invalid' }, "The gateway's address can't be found"],
		[
			{ accountingProvider: 'nobody' },
			'Check the base URL, which may belong to something else, and the accounting provider',
		],
	])('explains %o', async (overrides, message) => {
		skipPauses();
		const result = await test(overrides);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});

	it('says that https was assumed where the base URL names no scheme', async () => {
		skipPauses();
		const { host } = new URL(gateway.credential.baseUrl);
		expect((await test({ baseUrl: host })).message).toContain('https:// was assumed');
		expect((await test({ baseUrl: `https://${host}` })).message).not.toContain('assumed');
	});

	it.each(['https://office:hunter2@[gateway', 'office:hunter2@gateway.example.com:x', 'https://u:hunter2@x'])(
		'never shows the password of a base URL: %s',
		async (baseUrl) => {
			const { status, message } = await test({ baseUrl });
			expect(status).toBe('Error');
			expect(message).toMatch(/^The base URL in the credential/);
			expect(message).not.toContain('hunter2');
		},
	);

	it('refuses http:// to a public address before the key is sent, unless the credential allows it', async () => {
		const baseUrl = 'http://gateway.example.com';
		expect((await test({ baseUrl })).message).toMatch(/starts with http:\/\/.*Nothing was sent/);
		skipPauses();
		expect((await test({ baseUrl, allowHttp: true })).message).not.toContain('Nothing was sent');
	});

	it('explains that a 403 can mean a bad key or one without access to the accounting', async () => {
		await gateway.fault({ kind: 'status', status: 403, body: { message: 'Forbidden' } });
		const { status, message } = await test();
		expect(status).toBe('Error');
		expect(message).toContain(
			'The gateway rejected the API key, or the key has no access to accounting (HTTP 403)',
		);
		expect(message).toContain('“Forbidden”');
		expect(message).toContain('A key for only banking or tickets still works for those.');
	});

	it('sends a wrong key once, and puts one full stop behind what the gateway says', async () => {
		expect((await test({ apiKey: 'a-wrong-key' })).message).toContain(' is not valid.” Check the key');
		expect(await gateway.requests()).toHaveLength(1);
	});

	it.each<[string, unknown, string]>([
		['a web page', '<!DOCTYPE html><html><title>Welcome</title></html>', 'A web page (HTML) came back'],
		['a text', 'OK', "it isn't valid JSON"],
		['JSON of something else', { status: 'ok', version: '2.41' }, 'holds no list of connections'],
	])('points to the base URL where a server answers with %s', async (_what, body, why) => {
		await gateway.fault({ kind: 'status', status: 200, body });
		const { status, message } = await test();
		expect(status).toBe('Error');
		expect(message).toContain(why);
		expect(message).toContain('This address may not be the gateway: check the base URL.');
	});

	it('points to the base URL where a server has no such page', async () => {
		await gateway.fault({ kind: 'html', status: 404 });
		expect((await test()).message).toContain('Check the base URL, which may belong to something else');
	});

	it.each([401, 502])('says nothing about it where a page has the status %i', async (status) => {
		skipPauses();
		await gateway.fault({ kind: 'html', status, times: null });
		const { message } = await test();
		expect(message).toContain(`(HTTP ${status})`);
		expect(message).not.toContain('base URL');
	});

	it('accepts a gateway without connections, and one whose list is bare', async () => {
		await gateway.fault({ kind: 'status', status: 200, body: { data: [] } });
		expect(await test()).toMatchObject({ status: 'OK' });
		await gateway.variant({ lists: 'bare' });
		expect(await test()).toMatchObject({ status: 'OK' });
	});
});
