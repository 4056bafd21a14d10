/** Runs a trigger's life cycle, its webhook and its `execute` in n8n's own engine, in this process. */
import { EventEmitter } from 'node:events';
import { jsonParse } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWebhookFunctions,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData, HookContext, listenToLog, WebhookContext, withExpressions } from './engine.mjs';
import { runNode, type RunOptions, type RunResult, workflowOf } from './harness.mjs';
import { partial } from './partial.mjs';

type Express = ReturnType<IWebhookFunctions['getResponseObject']>;

/** A published workflow, or one being tested in the editor. */
export type Kind = 'production' | 'test';

export interface TriggerOptions {
	credential: ICredentialDataDecryptedObject;
	/** Of the credential in n8n; `1` if omitted, `null` for none, as in imported workflows. */
	credentialId?: string | null;
	parameters?: INodeParameters;
	workflowId?: string;
	workflowName?: string;
	/** n8n's address as configured. */
	n8nUrl?: string;
}

export interface Sent {
	/** A string is sent as is, everything else as JSON. */
	body: unknown;
	/** Of the query; none if omitted. */
	token?: string | string[];
	kind?: Kind;
	contentType?: string | null;
	/** Pads the body with spaces to this many bytes. */
	size?: number;
}

export interface Answered {
	status: number;
	/** The answer's body; `''` for none. */
	body: unknown;
	/** The items with which n8n starts an execution. */
	started?: INodeExecutionData[][];
}

/** The response object passed to `webhook`. */
class FakeResponse extends EventEmitter {
	statusCode = 200;
	body: unknown = '';

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): void {
		this.body = body;
		this.end();
	}

	end(): void {
		this.emit('finish');
		this.emit('close');
	}
}

/** Mode and activation mode that n8n calls the hooks with. */
const CREATING = { production: ['trigger', 'activate'], test: ['manual', 'manual'] } as const;
const DELETING = ['internal', 'update'] as const;

type Modes = readonly [WorkflowExecuteMode, WorkflowActivateMode];

/** A workflow that begins with the trigger under test. */
export class TriggerWorkflow {
	/** n8n's static data of the workflow. */
	staticData: IDataObject = {};
	/** What the node wrote to n8n's log. */
	readonly logs: string[] = [];
	options: TriggerOptions;

	constructor(
		private readonly node: INodeType,
		options: TriggerOptions,
	) {
		this.options = options;
	}

	/** What n8n does on publishing, or for "Listen for test event". */
	async create(kind: Kind = 'production'): Promise<void> {
		try {
			await this.runCreate(kind);
		} catch (error) {
			// n8n does so after each failure.
			await this.delete(kind);
			throw error;
		}
	}

	/** What an n8n without the publication service does when it starts, or becomes the leader of several. */
	async start(activation: 'init' | 'leadershipChange' = 'init'): Promise<void> {
		await this.runCreate('production', ['trigger', activation]);
	}

	private async runCreate(kind: Kind, modes?: Modes): Promise<void> {
		if (!(await this.runHook('checkExists', kind, modes))) await this.runHook('create', kind, modes);
	}

	/** What n8n does on unpublishing, at the end of a test, and before a changed version is published. */
	async delete(kind: Kind = 'production'): Promise<boolean> {
		return await this.runHook('delete', kind);
	}

	/** Delivers something to the trigger's webhook. */
	async deliver(sent: Sent): Promise<Answered> {
		const { body, token, kind = 'production', contentType = 'application/json' } = sent;
		const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
		const rawBody = Buffer.from(text.padEnd(sent.size ?? 0));
		const headers = { ...(contentType === null ? {} : { 'content-type': contentType }) };
		const response = new FakeResponse();
		const data = additionalData(this.options.credential);
		// n8n parses some types itself; of others it keeps only the bytes, and of forms with files nothing.
		const parsed = contentType === 'application/json' ? jsonParse(text, { fallbackValue: {} }) : {};
		data.httpRequest = partial({
			headers,
			body: contentType === 'text/plain' ? text : parsed,
			query: token === undefined ? {} : { token },
			...(contentType?.startsWith('multipart/') ? {} : { rawBody }),
		});
		// n8n passes it to the node, which uses these members.
		data.httpResponse = response as unknown as Express;
		const { workflow, node } = workflowOf(this.runOptions(kind));
		const mode = kind === 'test' ? 'manual' : 'webhook';
		const context = new WebhookContext(workflow, node, data, mode, this.webhookData(kind), [], null);
		listenToLog(context, this.logs);
		const result = await withExpressions(workflow, async () => await this.node.webhook!.call(context));
		if (!result.workflowData) return { status: response.statusCode, body: response.body };
		response.status(200).end();
		return { status: response.statusCode, body: response.body, started: result.workflowData };
	}

	/** Runs the trigger's `execute` with the output of `webhook`. */
	async run(
		received: INodeExecutionData[][],
		{ mode = 'webhook', ...options }: Partial<RunOptions> & { mode?: WorkflowExecuteMode } = {},
	): Promise<RunResult> {
		return await runNode({ ...this.runOptions('production'), ...options, received, mode });
	}

	/** Delivers an event and runs the execution it starts. */
	async react(sent: Sent): Promise<IDataObject[]> {
		const { started } = await this.deliver(sent);
		if (!started) return [];
		const { json, error } = await this.run(started, { mode: sent.kind === 'test' ? 'manual' : 'webhook' });
		if (error) throw error;
		return json;
	}

	private runOptions(kind: Kind): RunOptions {
		const { credential, credentialId = '1', parameters = {} } = this.options;
		const { workflowId, workflowName } = this.options;
		return {
			node: this.node,
			parameters,
			credential,
			workflowId,
			workflowName,
			// A test in the editor has none of n8n's stored data.
			staticData: kind === 'test' ? {} : this.staticData,
			active: kind === 'production',
			settings: {
				id: 'node',
				webhookId: `${workflowId}-node`,
				credentials: { accountingGatewayApi: { id: credentialId, name: 'Gateway' } },
			},
		};
	}

	private async runHook(
		name: 'checkExists' | 'create' | 'delete',
		kind: Kind,
		[mode, activation]: Modes = name === 'delete' ? DELETING : CREATING[kind],
	): Promise<boolean> {
		const { workflow, node } = workflowOf(this.runOptions(kind));
		const { credential, n8nUrl = 'https://n8n.example.com' } = this.options;
		const data = additionalData(credential);
		Object.assign(data, {
			webhookBaseUrl: `${n8nUrl}/webhook`,
			webhookTestBaseUrl: `${n8nUrl}/webhook-test`,
		});
		const context = new HookContext(workflow, node, data, mode, activation, this.webhookData(kind));
		listenToLog(context, this.logs);
		if (kind === 'production') this.staticData = workflow.staticData;
		const hook = this.node.webhookMethods!.default![name];
		return await withExpressions(workflow, async () => await hook.call(context));
	}

	private webhookData(kind: Kind): IWebhookData {
		const [webhookDescription] = this.node.description.webhooks!;
		return { isTest: kind === 'test', webhookDescription } as IWebhookData;
	}
}

/** A published workflow, and the token in the URL that it has given to the gateway. */
export async function publish(
	{ credential, list }: { credential: ICredentialDataDecryptedObject; list<T>(name: string): Promise<T[]> },
	node: INodeType,
	options: Partial<TriggerOptions> = {},
) {
	const workflow = new TriggerWorkflow(node, { credential, workflowId: 'w', ...options });
	await workflow.create();
	workflow.logs.length = 0;
	const [{ url }] = await list<{ url: string }>('webhooks');
	return { workflow, token: tokenIn(url) };
}

export const tokenIn = (url: string): string => new URL(url).searchParams.get('token')!;
