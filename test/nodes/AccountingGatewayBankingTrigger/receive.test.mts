/** What the webhook answers, and what it lets start an execution. */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { AccountingGatewayBankingTrigger } from '../../../nodes/AccountingGatewayBankingTrigger/AccountingGatewayBankingTrigger.node.js';
import { EXAMPLE_EVENT, type ContractEvent } from '../../../nodes/AccountingGatewayBankingTrigger/event.js';
import { processorTime } from '../../support/timing.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { publish, type Sent } from '../../../host/triggerHarness.mjs';

const gateway = useGateway();
const node = new AccountingGatewayBankingTrigger();
const { data } = EXAMPLE_EVENT;

const event = (changes: Partial<ContractEvent['data']> = {}, rest: object = {}): ContractEvent => ({
	...EXAMPLE_EVENT,
	data: { ...data, payment_id: 'pay-1', ...changes },
	...rest,
});

let nr = 0;
/** Publishes a new workflow and sends something to it. */
async function send(body: unknown, sent: Partial<Sent> = {}, parameters: INodeParameters = {}) {
	const { workflow, token } = await publish(gateway, node, { parameters, workflowId: `w${++nr}` });
	const { status, started, ...answer } = await workflow.deliver({ body, token, ...sent });
	return { status, json: started?.[0][0].json, body: answer.body, logs: workflow.logs.join('\n') };
}

const accepted = (json: unknown) => ({ status: 200, json, body: '', logs: '' });
const ignored = accepted(undefined);

describe('A delivery to the payment trigger', () => {
	it.each<[string, Partial<Sent>]>([
		['no token', { token: undefined }],
		['a wrong token', { token: 'x'.repeat(72) }],
		['a short token', { token: 'x' }],
		['a list of tokens', { token: ['x'.repeat(72), 'y'] }],
		['a long token', { token: 'x'.repeat(100_000) }],
		['no token in a test', { token: undefined, kind: 'test' }],
	])('with %s gets 401, starts nothing, and a line in the log says why', async (_, sent) => {
		const { status, json, logs, body } = await send(event(), sent);
		const message = 'The token in the URL is missing or wrong.';
		expect([status, json, body]).toEqual([401, undefined, { error: { message } }]);
		expect(logs).toContain('(401)');
		expect(logs).not.toMatch(/xxx|credential/);
	});

	it('with a wrong token is a line in the log once a minute, which counts the others', async () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		onTestFinished(() => void vi.useRealTimers());
		const { workflow } = await publish(gateway, node, { workflowId: 'flooded' });
		const send = async (times: number) => {
			for (let i = 0; i < times; i++)
				expect((await workflow.deliver({ body: event(), token: 'x' })).status).toBe(401);
			return workflow.logs.splice(0).filter((line) => line.includes('(401)'));
		};
		expect(await send(50)).toHaveLength(1);
		vi.advanceTimersByTime(60_000);
		expect(await send(10)).toEqual([
			expect.stringContaining('So were 49 others since the last line about it.'),
		]);
		vi.advanceTimersByTime(60_000);
		expect(await send(1)).toEqual([expect.stringContaining('So were 9 others')]);
	});

	it("with another workflow's token gets 401", async () => {
		const one = await publish(gateway, node);
		const { status } = await one.workflow.deliver({
			body: event(),
			token: (await publish(gateway, node, { workflowId: 'other' })).token,
		});
		expect(status).toBe(401);
	});

	it('whose token is new gets 401 while the credential can not be read, and the log says so', async () => {
		const { workflow, token } = await publish(gateway, node);
		workflow.staticData = {};
		workflow.options.credential = {
			get apiKey(): string {
				throw new Error('Credential not found');
			},
		};
		expect((await workflow.deliver({ body: event(), token })).status).toBe(401);
		expect(workflow.logs.join()).toContain('Credential not found');
	});

	const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
	const withTime = (json: string) => JSON.stringify(event({}, { received_at: 'X' })).replace('"X"', json);

	it.each<[string, unknown, string]>([
		['nothing', '', 'The body must be an object'],
		['no JSON', '<event>payment_update</event>', 'The body is not JSON'],
		['an unknown status', { ...EXAMPLE_EVENT, data: { ...data, status: 'done' } }, 'data.status.*, not done'],
		['a time nested 20,000 deep', withTime(nested(20_000)), 'deep'],
		['a body nested 120,000 deep', nested(120_000), 'deep'],
		['a million bytes', event({}, { x: 'x'.repeat(1_000_000) }), '262144 bytes'],
	])('of %s gets 400, starts nothing, and a line in the log says why', async (_, body, problem) => {
		const contentType = typeof body === 'string' ? 'text/plain' : 'application/json';
		let sent!: Awaited<ReturnType<typeof send>>;
		const took = await processorTime(async () => (sent = await send(body, { contentType })));
		const { status, json, logs } = sent;
		expect([status, json]).toEqual([400, undefined]);
		expect(logs).toContain('(400)');
		expect(logs).toMatch(new RegExp(`${problem}.*\\. {"workflowId":.*,"node":"Node"}$`));
		expect(took).toBeLessThan(2_000);
	});

	it.each(['DE02120300000000202051', 'x\nERROR: all payments were approved', { iban: 'DE0212' }])(
		'leaves nothing of its content in the log: %j as status',
		async (status) => {
			const { logs } = await send({ ...EXAMPLE_EVENT, data: { ...data, status } });
			expect(logs).not.toMatch(/DE02|ERROR|\n/);
		},
	);

	it('of an event with a time nested 90 deep is accepted: if refused, it would be lost', async () => {
		const body: unknown = JSON.parse(withTime(nested(90)));
		expect(await send(body)).toEqual(accepted(body));
	});

	it.each([
		'application/json; charset=utf-8',
		'application/cloudevents+json',
		'text/plain',
		'application/x-www-form-urlencoded',
		null,
	])('is accepted with the content type %s', async (contentType) => {
		const body = event({ custom_fields: { text: 'Büromöbel €' } });
		expect(await send(body, { contentType })).toEqual(accepted(body));
		expect(await send(`\uFEFF${JSON.stringify(body)}`, { contentType })).toEqual(accepted(body));
	});

	it('is refused as a form with files', async () => {
		expect((await send(event(), { contentType: 'multipart/form-data; boundary=x' })).status).toBe(400);
	});

	it('keeps as text the numbers that JavaScript can not represent', async () => {
		const { json } = await send(withTime('12345678901234567890'));
		expect(json?.received_at).toBe('12345678901234567890');
	});
});

it.each<[INodeParameters, Partial<ContractEvent['data']>, boolean]>([
	[{ status: ['settled', 'failed'] }, { status: 'failed' }, true],
	[{ status: '={{ "settled" }}' }, {}, true],
	[{ template_identifier: ['SEPA_INSTANT'] }, { template_identifier: 'SEPA_INSTANT' }, true],
	[{ status: ['failed'], template_identifier: ['SEPA'] }, {}, false],
	[{ template_identifier: ['SEPA'] }, { template_identifier: undefined }, true],
])('The filters %o of the payment trigger let %o pass: %s', async (parameters, changes, passes) => {
	const body = JSON.parse(JSON.stringify(event(changes))) as unknown;
	expect(await send(body, {}, parameters)).toEqual(passes ? accepted(body) : ignored);
});

it.each<[INodeParameters, string]>([
	[{ status: '={{ ["setteld"] }}' }, 'Statuses (status)'],
	[{ options: { verify: '={{ "no" }}' } }, 'Verify (verify)'],
	[{ status: '={{ $("Nowhere").first().json.status }}' }, "Referenced node doesn't exist"],
])(
	'A payment event is not lost where a parameter is wrong: its execution fails, %o',
	async (parameters, message) => {
		const { workflow, token } = await publish(gateway, node);
		workflow.options = { ...workflow.options, parameters };
		const { started } = await workflow.deliver({ body: event(), token });
		const { json, error } = await workflow.run(started!);
		expect(json).toEqual([]);
		expect(error?.message).toContain(message);
	},
);

it('Events of other kinds than payments start the workflow only where they are wanted, whatever the filters say', async () => {
	const other = { event: 'account_update', data: 'anything' };
	expect(await send(other)).toEqual(ignored);
	expect(await send(other, {}, { status: ['failed'], options: { otherEvents: true } })).toEqual(
		accepted(other),
	);
});

it('The example event passes the filters in a test, and only there', async () => {
	const filters = { status: ['failed'] };
	expect(await send(EXAMPLE_EVENT, { kind: 'test' }, filters)).toEqual(accepted(EXAMPLE_EVENT));
	expect(await send(EXAMPLE_EVENT, {}, filters)).toEqual(ignored);
	expect(await send(event(), { kind: 'test' }, filters)).toEqual(ignored);
});
