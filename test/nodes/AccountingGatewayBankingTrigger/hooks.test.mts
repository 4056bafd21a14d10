/** Publishing and unpublishing a workflow: what the gateway gets, and what n8n's log says. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import cloneDeep from 'lodash/cloneDeep.js';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE_EVENT } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { listening } from '../../support/listening.mjs';
import { tokenIn, TriggerWorkflow, type TriggerOptions } from '../../../host/triggerHarness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();

afterEach(() => void vi.restoreAllMocks());

const workflow = (workflowId = 'w1', options: Partial<TriggerOptions> = {}) =>
	new TriggerWorkflow(node, { credential: gateway.credential, workflowId, ...options });
const withParameters = (parameters: INodeParameters) => workflow('w1', { parameters });
const requests = async () =>
	(await gateway.requests()).map(({ method, body }) => [method, Object.keys(body as object)]);
const url = async () => (await gateway.list<{ url: string }>('webhooks'))[0]?.url;
const statusOf = async (one: TriggerWorkflow, token: string) =>
	(await one.deliver({ body: EXAMPLE_EVENT, token })).status;
const goneCredential: TriggerOptions['credential'] = {
	get apiKey(): string {
		throw new Error('Credential not found');
	},
};

describe('Publishing a payment trigger', () => {
	it('sends one request that sets the URL, and logs it', async () => {
		const one = workflow();
		await one.create();
		expect(await url()).toMatch(/^https:\/\/n8n\.example\.com\/webhook\/w1-node\/payments\?token=[\w-]{72}$/);
		expect(await requests()).toEqual([['PUT', ['url']]]);
		expect(one.logs).toHaveLength(1);
	});

	it('writes the URL into the field that the option names', async () => {
		await withParameters({ options: { urlField: 'webhook_url' } }).create();
		expect(await requests()).toEqual([['PUT', ['webhook_url']]]);
	});

	it.each([
		[200, 'OK'],
		[204, ''],
		[202, '<!DOCTYPE html><html><body>OK</body></html>'],
	])('succeeds with any success, whatever its content: %i %o', async (status, body) => {
		await gateway.fault({ kind: 'status', status, body, point: 'after-handler' });
		await workflow().create();
	});

	it.each([
		[{ kind: 'status', status: 401 }, 'The gateway rejected the API key (HTTP 401)'],
		[{ kind: 'status', status: 500 }, 'Publish the workflow again'],
		[{ kind: 'status', status: 200, body: { success: false, message: 'Gesperrt' } }, 'Gesperrt'],
		[{ kind: 'drop' }, 'The connection to the gateway broke'],
	] as const)('fails after %o, and can be repeated', async (fault, message) => {
		const one = workflow();
		await gateway.fault(fault);
		await expect(one.create()).rejects.toThrow(message);
		expect(one.logs).toEqual([]);
		await one.create();
		expect(await statusOf(one, tokenIn(await url()))).toBe(200);
	});

	it.each<[Partial<TriggerOptions>, RegExp]>([
		[{ n8nUrl: 'http://localhost:5678' }, /reachable from the internet.*WEBHOOK_URL/s],
		[{ parameters: { status: ['done'] } }, /Statuses \(status\)/],
		[{ parameters: { options: { verify: '={{ "yes" }}' } } }, /Verify \(verify\)/],
	])('with %o is refused, sends nothing, and logs no unpublishing', async (options, message) => {
		const one = workflow('w1', options);
		await expect(one.create()).rejects.toThrow(message);
		expect(await requests()).toEqual([]);
		expect(one.logs).toEqual([]);
	});

	it('registers a private URL when the option allows it', async () => {
		const parameters = { options: { allowPrivateUrl: true } };
		await workflow('w1', { n8nUrl: 'http://localhost:5678', parameters }).create();
		expect(await url()).toContain('http://localhost:5678/webhook/');
	});
});

describe('The token of a payment trigger', () => {
	it('is in nothing that n8n keeps or logs, nor is the key', async () => {
		const one = workflow();
		await one.create();
		const token = tokenIn(await url());
		await one.delete();
		for (const kept of [JSON.stringify(one.staticData), one.logs.join('\n')]) {
			expect(kept).not.toContain(token);
			expect(kept).not.toContain(gateway.credential.apiKey);
		}
	});

	it('is masked where the gateway repeats the URL, even if its message is cut short', async () => {
		let token = '';
		const server = createServer((request, response) => {
			void text(request).then((body) => {
				const { url: sent } = JSON.parse(body) as { url: string };
				token = tokenIn(sent);
				// Of the 500 characters that are shown, the token's first 40 would be the last.
				response.writeHead(422).end(JSON.stringify({ message: sent.padStart(500 + token.length - 40, 'x') }));
			});
		});
		const credential = { ...gateway.credential, baseUrl: `http://${await listening(server)}` };
		const error = (await workflow('w1', { credential })
			.create()
			.catch((e: Error) => e)) as Error;
		expect(error.message).toContain('token=***');
		expect(JSON.stringify(error)).not.toContain(token.slice(0, 10));
	});

	it('is another one for each publication; the one before stays good for a minute', async () => {
		const one = workflow();
		await one.create();
		const first = tokenIn(await url());
		// That is how n8n publishes a changed version.
		await one.delete();
		await one.create();
		const second = tokenIn(await url());
		expect([await statusOf(one, first), await statusOf(one, second)]).toEqual([200, 200]);
		vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
		expect([await statusOf(one, first), await statusOf(one, second)]).toEqual([401, 200]);
	});

	it('has a random part: two publications at the same moment differ', async () => {
		vi.spyOn(Date, 'now').mockReturnValue(Date.now());
		const tokens: string[] = [];
		for (let i = 0; i < 2; i++) {
			await workflow().create();
			tokens.push(tokenIn(await url()));
		}
		expect(new Set(tokens).size).toBe(2);
	});

	it('is good before n8n has saved what the publication keeps, or if it never does', async () => {
		const one = workflow();
		await one.create();
		const saved = cloneDeep(one.staticData);
		await one.create();
		for (const staticData of [saved, {}]) {
			one.staticData = staticData;
			expect(await statusOf(one, tokenIn(await url()))).toBe(200);
		}
	});

	it("of an earlier publication isn't good again when the machine's clock is set back", async () => {
		const one = workflow();
		await one.create();
		const first = tokenIn(await url());
		const now = Date.now();
		vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
		await one.create();
		const second = tokenIn(await url());
		for (const time of [now - 3_600_000, now + 61_000]) {
			vi.mocked(Date.now).mockReturnValue(time);
			expect([await statusOf(one, first), await statusOf(one, second)]).toEqual([401, 200]);
		}
	});

	it('stays good when the API key is changed, or the credential is gone', async () => {
		const one = workflow();
		await one.create();
		for (const credential of [{ ...gateway.credential, apiKey: 'new-key' }, goneCredential]) {
			one.options = { ...one.options, credential };
			expect(await statusOf(one, tokenIn(await url()))).toBe(200);
		}
	});
});

describe('Unpublishing a payment trigger', () => {
	it('sends nothing and logs one line, even when the credential is gone', async () => {
		const one = workflow();
		await one.create();
		one.logs.length = 0;
		one.options = { ...one.options, credential: goneCredential };
		// n8n may call it again when an activation fails.
		for (let i = 0; i < 3; i++) expect(await one.delete(), 'n8n may go on').toBe(true);
		expect(one.logs).toHaveLength(1);
		expect(await requests()).toHaveLength(1);
	});
});

it.each([
	['n8n starts', 'init'],
	['another n8n becomes the leader', 'leadershipChange'],
] as const)(
	'A payment trigger sends nothing when %s, unless its publication never succeeded',
	async (_, activation) => {
		const one = workflow();
		await one.create();
		await one.start(activation);
		expect(await requests(), 'URLs registered').toHaveLength(1);
		await workflow('w2').start(activation);
		expect(await requests(), 'URLs registered').toHaveLength(2);
	},
);
