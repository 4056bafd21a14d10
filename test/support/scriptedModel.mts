/** A language model scripted by a test, and the nodes of an AI agent that uses it. */
import { fastify, type FastifyInstance } from 'fastify';
import type { IConnections, IDataObject, INode } from 'n8n-workflow';

import type { N8nClient } from '../../host/client.mjs';
import { nodeOf } from '../../host/workflows.mjs';

interface Message {
	role: string;
	content: unknown;
}

interface Tool {
	description: string;
	parameters: { properties: Record<string, { description?: string }> };
}

export class ScriptedModel {
	/** The inputs of the model's tool calls, in order. */
	calls: IDataObject[] = [];
	/** The results it was given. */
	heard: string[] = [];
	/** The tool's description, and that of each field it fills in. */
	offered!: Tool;

	private constructor(
		private readonly server: FastifyInstance,
		private readonly credential: { id: string; name: string },
	) {}

	static async start(client: N8nClient): Promise<ScriptedModel> {
		const server = fastify();
		server.post('/v1/chat/completions', ({ body }) =>
			model.answer(body as Parameters<typeof model.answer>[0]),
		);
		const name = 'Model';
		const url = `${await server.listen()}/v1`;
		const id = await client.importCredential({
			name: `${name} at ${url}`,
			type: 'openAiApi',
			data: { apiKey: 'none', url },
		});
		const model = new ScriptedModel(server, { id, name });
		return model;
	}

	/** The agent and its model; their tool is a node named *Tool*. */
	agentNodes(): INode[] {
		return [
			nodeOf(
				'Agent',
				'@n8n/n8n-nodes-langchain.agent',
				{ promptType: 'define', text: 'Do it.' },
				{ typeVersion: 3.1 },
			),
			nodeOf(
				'Model',
				'@n8n/n8n-nodes-langchain.lmChatOpenAi',
				{},
				{ typeVersion: 1.2, credentials: { openAiApi: this.credential } },
			),
		];
	}

	/** @param trigger starts the agent */
	connections(trigger: string): IConnections {
		const to = (type: 'main' | 'ai_tool' | 'ai_languageModel') => ({
			[type]: [[{ node: 'Agent', type, index: 0 }]],
		});
		return { [trigger]: to('main'), Model: to('ai_languageModel'), Tool: to('ai_tool') };
	}

	async stop(): Promise<void> {
		await this.server.close();
	}

	private answer({ messages, tools }: { messages: Message[]; tools: Array<{ function: Tool }> }) {
		this.offered = tools[0].function;
		this.heard = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
		return this.completion(this.calls[this.heard.length]);
	}

	/** A model's answer: a call of the tool, or the end. */
	private completion(call?: IDataObject) {
		const id = `call_${this.heard.length}`;
		const toCall = { id, type: 'function', function: { name: 'Tool', arguments: JSON.stringify(call) } };
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
}
