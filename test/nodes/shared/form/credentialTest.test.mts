import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { CredentialTestContext } from '../../../support/harness.mjs';
import { skipPauses } from '../../../support/pauses.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const { testAccountingGatewayApi } = new AccountingGatewayDelivery().methods.credentialTest;

async function test(overrides: ICredentialDataDecryptedObject = {}): Promise<INodeCredentialTestResult> {
	const data = { ...gateway.credential, ...overrides };
	return await testAccountingGatewayApi.call(new CredentialTestContext({} as never), {
		id: '1',
		name: 'Gateway',
		type: 'accountingGatewayApi',
		data,
	});
}

describe('the credential test', () => {
	it('accepts a good credential', async () => {
		expect(await test()).toEqual({ status: 'OK', message: 'The gateway accepted the API key' });
		expect(await test({ baseUrl: `${gateway.credential.baseUrl}/v2/` })).toMatchObject({ status: 'OK' });
		expect(await test({ accountingProvider: '' })).toMatchObject({ status: 'OK' });
		expect(await test({ apiKey: `${gateway.credential.apiKey}\n` })).toMatchObject({ status: 'OK' });
	});

	it.each<[ICredentialDataDecryptedObject, string]>([
		[{ apiKey: 'a-wrong-key' }, 'The gateway rejected the API key (HTTP 401)'],
		[{ apiKey: '' }, 'The API key is empty'],
		[{ apiKey: ' \n' }, 'The API key is empty'],
		[{ baseUrl: '' }, 'The base URL in the credential is empty'],
		[{ baseUrl: 'http://127.0.0.1:1' }, "The gateway can't be reached: nothing answers at its address"],
		[{ baseUrl: 'https://gateway.invalid' }, "The gateway's address can't be found"],
		[
			{ accountingProvider: 'nobody' },
			'Check the IDs and names, and in the credential the base URL and the accounting provider',
		],
	])('explains %o', async (overrides, message) => {
		skipPauses();
		const result = await test(overrides);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});

	it('explains that a 403 can mean a bad key or one without access to the accounting', async () => {
		await gateway.fault({ kind: 'status', status: 403, body: { message: 'Forbidden' } });
		const { status, message } = await test();
		expect(status).toBe('Error');
		expect(message).toContain(
			'The gateway rejected the API key, or the key has no access to accounting (HTTP 403)',
		);
		expect(message).toContain('“Forbidden”');
		expect(message).toContain('A key for banking or tickets only still works there.');
	});

	it('sends a wrong key once', async () => {
		await test({ apiKey: 'a-wrong-key' });
		expect(await gateway.requests()).toHaveLength(1);
	});

	it('never shows the key', async () => {
		const message = `The key ${gateway.credential.apiKey} is bad`;
		await gateway.fault({ kind: 'status', status: 401, body: { message } });
		expect((await test()).message).toContain('The key *** is bad');
	});

	it('tries again where that can help', async () => {
		const pauses = skipPauses();
		await gateway.fault({ kind: 'status', status: 503 });
		expect(await test()).toMatchObject({ status: 'OK' });
		expect(pauses()).toEqual([0.5]);
	});

	it('refuses redirects and web pages', async () => {
		await gateway.fault({ kind: 'redirect', location: gateway.sandbox.url });
		expect((await test()).message).toContain('redirect');
		await gateway.fault({ kind: 'html', status: 200 });
		expect((await test()).message).toContain('web page (HTML)');
	});
});
