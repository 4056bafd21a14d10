/** n8n's own AI agent uses a node as its tool on a real n8n; only the model is played by this test. */
import { fastify, type FastifyInstance } from 'fastify';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import type { FaultInput } from '../../../sandbox/admin/faults.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { simpleEntry } from '../../support/simpleEntry.mjs';
import { Rig } from '../../support/rig.mjs';
import { connectionOf, nodeOf } from '../../support/workflows.mjs';

interface Message {
	role: string;
	content: unknown;
}

let rig: Rig;
let model: FastifyInstance;
let modelCredential: string;
/** What the model calls the tool with, one call after another. */
let calls: IDataObject[];
/** What it has been told of them. */
let heard: string[];

beforeAll(async () => {
	rig = await Rig.join();
	model = fastify();
	model.post('/v1/chat/completions', ({ body }) => {
		const { messages } = body as { messages: Message[] };
		heard = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
		return completion(calls[heard.length]);
	});
	modelCredential = await rig.client.importCredential({
		name: 'Model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: `${await model.listen()}/v1` },
	});
});

beforeEach(() => {
	rig.sandbox.store.reset();
	heard = [];
});

afterAll(async () => {
	await model?.close();
	await rig?.stop();
});

/** A model's answer: a call of the tool, or the end. */
function completion(call?: IDataObject) {
	const id = `call_${heard.length}`;
	const toCall = { id, type: 'function', function: { name: 'Book', arguments: JSON.stringify(call) } };
	const message = call ? { content: null, tool_calls: [toCall] } : { content: 'Done.' };
	return {
		id,
		object: 'chat.completion',
		created: 0,
		model: 'gpt-4o',
		choices: [
			{
				index: 0,
				finish_reason: call ? 'tool_calls' : 'stop',
				message: { role: 'assistant', ...message },
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** Has the agent call the tool. @returns how the execution ended */
async function run(
	said: IDataObject[],
	own: INodeParameters = {},
	settings: Partial<INode> = {},
): Promise<string> {
	calls = said;
	const booking = simpleEntry(connectionOf(rig.sandbox, 'duo'), {
		belegnummer: '={{ "K-" + $now.toMillis() }}',
		betrag: "={{ $fromAI('betrag', 'Amount in euros', 'string') }}",
		...own,
	});
	const to = (type: 'main' | 'ai_tool' | 'ai_languageModel') => ({
		[type]: [[{ node: 'Agent', type, index: 0 }]],
	});
	const workflowId = await rig.client.importWorkflow({
		name: 'Agent',
		nodes: [
			nodeOf('Manual', 'n8n-nodes-base.manualTrigger'),
			nodeOf(
				'Agent',
				'@n8n/n8n-nodes-langchain.agent',
				{ promptType: 'define', text: 'Book it.' },
				{ typeVersion: 3.1 },
			),
			nodeOf(
				'Model',
				'@n8n/n8n-nodes-langchain.lmChatOpenAi',
				{},
				{ typeVersion: 1.2, credentials: { openAiApi: { id: modelCredential, name: 'Model' } } },
			),
			nodeOf('Book', `${PACKAGE}.accountingGatewayDeliveryTool`, booking, {
				credentials: rig.credentials,
				...settings,
			}),
		],
		connections: { Manual: to('main'), Model: to('ai_languageModel'), Book: to('ai_tool') },
		settings: { executionOrder: 'v1' },
	});
	return (await rig.client.run(workflowId)).status;
}

const amounts = () =>
	(rig.sandbox.store.list('entries') as Array<{ fields: { betrag: number } }>).map(
		({ fields }) => fields.betrag,
	);

it.each([false, true])(
	'books nothing twice whose outcome is unknown; Retry On Fail: %s',
	async (retryOnFail) => {
		const lost: FaultInput = { operationId: 'createCashBookEntry', kind: 'drop', point: 'after-handler' };
		rig.sandbox.faults.add(lost);
		const said = [{ betrag: '10' }, { betrag: '10' }, { betrag: '20' }];
		expect(await run(said, {}, { retryOnFail, waitBetweenTries: 10 })).toBe('success');
		expect(amounts()).toEqual([10, 20]);
		for (const told of heard.slice(0, 2)) {
			expect(told).toMatch(/broke before an answer came.*belegnummer K-.*is unknown: check that/);
		}
		expect(heard[2]).toContain('Hauptkasse');
	},
);

it('tells the model every value that it has to correct, so that it can', async () => {
	const said = [
		{ betrag: 'zehn', waehrung: 'EURO' },
		{ betrag: '10', waehrung: 'EUR' },
	];
	expect(await run(said, { waehrung: "={{ $fromAI('waehrung', 'Currency', 'string') }}" })).toBe('success');
	expect(heard[0]).toContain('(betrag)');
	expect(heard[0]).toContain('(waehrung)');
	expect(amounts()).toEqual([10]);
});
