/**
 * Runs nodes in n8n's own engine (n8n-core), in this process. n8n-core isn't a public API, so it is pinned, and only
 * this file uses it.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type {
	EngineRequest,
	EngineResponse,
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	Logger as ContextLogger,
	NodeError,
	NodeExecutionHint,
	Workflow as IWorkflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { onTestFinished } from 'vitest';

import { AccountingGatewayApi } from '../../credentials/AccountingGatewayApi.credentials.js';
import type { Bucket } from './binaryMode.mjs';
import { engineIsFrom, requireOfN8n } from './engine.mjs';
import { PATIENCE_MS } from './timing.mjs';
import { nodeOf } from './workflows.mjs';
import { partial } from './partial.mjs';

const core = requireOfN8n('n8n-core') as typeof import('n8n-core');
const { createRunExecutionData, Node, Workflow } = requireOfN8n(
	'n8n-workflow',
) as typeof import('n8n-workflow');
const requireOfCore = createRequire(requireOfN8n.resolve('n8n-core'));
const { Container } = requireOfCore('@n8n/di') as {
	Container: { get<T>(type: new (...args: never[]) => T): T };
};

export const PACKAGE = 'n8n-nodes-accounting-gateway';

/** A file of an input item; a stream if it must not be in memory as a whole. */
export interface TestFile<Content extends Buffer | Readable = Buffer> {
	content: Content;
	fileName?: string;
	mimeType?: string;
}

/** An input item; its files go through n8n's binary store like those of any node. */
export interface TestItem {
	json?: IDataObject;
	files?: Record<string, TestFile<Buffer | Readable>>;
}

export interface RunOptions {
	node: INodeType;
	parameters: INodeParameters;
	/** Default: one empty item. */
	items?: TestItem[];
	/** Default: none. */
	credential?: ICredentialDataDecryptedObject;
	/** `onError`, `retryOnFail`, `maxTries`, `waitBetweenTries`, … of the node under test. */
	settings?: Partial<INode>;
	workflowId?: string;
	workflowName?: string;
	workflowSettings?: IWorkflowSettings;
	/** n8n's static data of the workflow. */
	staticData?: IDataObject;
	/** Whether the workflow is published. */
	active?: boolean;
	mode?: WorkflowExecuteMode;
	/** Cancels the execution when it resolves. */
	cancel?: Promise<unknown>;
	/** A failed run to retry as n8n's button "Retry" does: its data is loaded, its last error removed. */
	retryOf?: IRun;
	/** For a trigger: the output of its `webhook`, instead of `items`. */
	received?: INodeExecutionData[][];
	/** How many times the source passes its items to the node, as in a loop. Default: once. */
	runs?: number;
	/** Has the node as a tool, instead of getting `items`. */
	agent?: Agent;
}

export interface RunResult {
	/** The node's output: `main[0]`, with `onError: continueErrorOutput` the errors in `main[1]`. */
	main: INodeExecutionData[][];
	/** Shorthand for the JSON of the first output. */
	json: IDataObject[];
	/** Shorthand for the JSON of the error output. */
	errors: IDataObject[];
	error?: NodeError;
	hints: NodeExecutionHint[];
	run: IRun;
}

/** n8n's description of a node beside the one under test. */
const descriptionOf = (displayName: string, inputs: Array<'main'>) => ({
	displayName,
	name: displayName.toLowerCase(),
	group: [inputs.length ? ('transform' as const) : ('trigger' as const)],
	version: 1,
	description: '',
	defaults: {},
	inputs,
	outputs: ['main' as const],
	properties: [],
});

/** Passes its items to the node under test. */
class Source implements INodeType {
	description = descriptionOf('Source', []);

	constructor(items: TestItem[]) {
		// n8n calls `execute` on the functions object, so the items travel in the closure.
		this.execute = async function (this: IExecuteFunctions) {
			return [await Promise.all(items.map(async (item) => await toItem(this, item)))];
		};
	}

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** An AI agent like n8n's current one: it asks the engine to run its tool, and is run again with the result. */
export class Agent extends Node {
	description = descriptionOf('Agent', ['main']);
	/** What the model is told about each call: the output, or a failure's message. */
	readonly heard: string[] = [];

	/** @param said the model's input for each call */
	constructor(private readonly said: IDataObject[]) {
		super();
	}

	override async execute(
		_context: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		for (const { data } of (response?.actionResponses ?? []) as Array<{ data: ITaskData }>) {
			this.heard.push(
				JSON.stringify(data.data?.ai_tool?.[0]?.map(({ json }) => json) ?? data.error?.message),
			);
		}
		const call = this.heard.length;
		const input = this.said[call];
		if (!input) return await Promise.resolve([[{ json: {} }]]);
		const metadata = { itemIndex: 0 };
		const action = { actionType: 'ExecutionNodeAction' as const, nodeName: 'Node', type: 'ai_tool' as const };
		return { actions: [{ ...action, input, id: `call ${call}`, metadata }], metadata: {} };
	}
}

async function toItem(
	context: IExecuteFunctions,
	{ json = {}, files }: TestItem,
): Promise<INodeExecutionData> {
	if (!files) return { json };
	const binary: IBinaryKeyData = {};
	for (const [name, { content, fileName, mimeType }] of Object.entries(files)) {
		binary[name] = await context.helpers.prepareBinaryData(
			content,
			fileName,
			mimeType ?? 'application/octet-stream',
		);
	}
	return { json, binary };
}

type FileStore = Pick<
	InstanceType<typeof core.BinaryDataService>,
	'init' | 'setManager' | 'store' | 'rename' | 'deleteManyByBinaryDataId' | 'getAsStream'
> & { mode: string };
/** n8n's binary store. */
// The container's type requires a public constructor; the container calls this class's private one.
export const fileStore = () => Container.get<FileStore>(core.BinaryDataService as never);

/** Starts n8n's binary store; n8n keeps files on disk by default. */
export async function initBinaryData(mode: 'filesystem' | 'default' = 'filesystem'): Promise<void> {
	const store = fileStore();
	await store.init();
	store.mode = mode === 'filesystem' ? 'filesystem-v2' : 'default';
}

/** Makes n8n's binary store keep files in S3. Only n8n's start requires a license, not its engine. */
export async function keepFilesInS3({ host, name, accessKey, accessSecret }: Bucket): Promise<void> {
	type Objects = { init(): Promise<void> };
	const { S3ByteStore } = requireOfCore('@n8n/blob-storage') as {
		S3ByteStore: new (objects: Objects) => ConstructorParameters<typeof core.BinaryDataBlobManager>[0];
	};
	const { ObjectStoreService } = requireOfCore('@n8n/blob-storage/object-store') as {
		ObjectStoreService: new (log: object, config: object) => Objects;
	};
	const objects = new ObjectStoreService(logger, {
		host,
		protocol: 'http',
		forcePathStyle: true,
		bucket: { name, region: 'eu-central-1' },
		credentials: { accessKey, accessSecret, authAutoDetect: false },
		maxAttempts: 3,
		startupTimeoutMs: PATIENCE_MS,
	});
	await objects.init();
	const store = fileStore();
	await store.init();
	store.setManager(
		's3',
		new core.BinaryDataBlobManager(new S3ByteStore(objects), Container.get(core.ErrorReporter)),
	);
	store.mode = 's3';
}

/**
 * What n8n does when it stores an execution started by a webhook or form: it adds the execution's ID to the IDs of
 * its files, everywhere in its data.
 */
export async function renameFiles({ data }: IRun): Promise<void> {
	const store = fileStore();
	const seen = new Set<object>();
	const renamed = new Map<string, string>();
	const visit = async (value: unknown): Promise<void> => {
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		const file = value as { mimeType?: string; id?: string };
		if (file.mimeType && file.id) {
			const [mode, from] = file.id.split(':');
			const to = renamed.get(from) ?? from.replace(/\/executions\/[^/]+\//, '/executions/stored/');
			if (!renamed.has(from)) await store.rename(from, to).catch(leftBehind);
			renamed.set(from, to);
			file.id = `${mode}:${to}`;
		}
		for (const member of Object.values(value)) await visit(member);
	};
	await visit([data.resultData.runData, data.executionData]);
}

/** An older engine then removes a folder that exists only for files of n8n's own webhooks. */
function leftBehind(error: NodeJS.ErrnoException): void {
	if (engineIsFrom('2.23') || error.code !== 'ENOENT' || !error.message.endsWith("/temp'")) throw error;
}

/** Removes the files of an input item, as n8n does after a while, or anyone who cleans up its store. */
export async function removeFiles({ data }: IRun, item: number): Promise<void> {
	const [{ data: input }] = data.executionData!.nodeExecutionStack;
	const files = Object.values(input.main[0]![item].binary!);
	await fileStore().deleteManyByBinaryDataId(files.map(({ id }) => id!));
}

function credentialsHelper(credential?: ICredentialDataDecryptedObject): ICredentialsHelper {
	const type = new AccountingGatewayApi();
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => await Promise.resolve({ ...credential }),
		preAuthentication: async () => await Promise.resolve(undefined),
		getCredentialsProperties: () => type.properties,
		authenticate: async (data, _typeName, options) =>
			await type.authenticate(data, options as IHttpRequestOptions),
	};
	return helper as ICredentialsHelper;
}

/** Sets up what a workflow's expressions need, as n8n does before it evaluates them. */
export async function withExpressions<T>(
	{ expression }: Pick<IWorkflow, 'expression'>,
	work: () => T | Promise<T>,
): Promise<T> {
	// Older versions of n8n have no isolates.
	const acquired = await expression.acquireIsolate?.();
	try {
		return await work();
	} finally {
		if (acquired) await expression.releaseIsolate();
	}
}

/** The number of executions. */
let executions = 0;
/** n8n's stored data of executions that ended with an error. */
const failedExecutions = new Map<string, IRun['data']>();

/** What n8n passes to each run. */
export function additionalData(credential?: ICredentialDataDecryptedObject): IWorkflowExecuteAdditionalData {
	return partial<IWorkflowExecuteAdditionalData>({
		credentialsHelper: credentialsHelper(credential),
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://localhost/rest',
		instanceBaseUrl: 'http://localhost',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		formBaseUrl: 'http://localhost/form',
		formTestBaseUrl: 'http://localhost/form-test',
		webhookBaseUrl: 'https://n8n.example.com/webhook',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		webhookTestBaseUrl: 'https://n8n.example.com/webhook-test',
		mcpBaseUrl: 'http://localhost/mcp',
		mcpTestBaseUrl: 'http://localhost/mcp-test',
		variables: {},
		executionId: '1',
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		getRunExecutionData: async (id: string) => await Promise.resolve(failedExecutions.get(id)),
	});
}

/** A workflow of two nodes: the source of the items, and the one under test; or of three with an agent in between. */
export function workflowOf(options: RunOptions) {
	const {
		node: type,
		parameters,
		items = [{}],
		settings,
		workflowId = 'test',
		workflowName = 'Test workflow',
		staticData,
		active = false,
		credential,
		runs = 1,
		agent,
	} = options;
	const name = type.description.name;
	const types: Record<string, INodeType> = {
		'test.source': new Source(items),
		// n8n accepts both `Node` and `INodeType`, but calls them differently.
		...(agent && { 'test.agent': agent as unknown as INodeType }),
		[`${PACKAGE}.${name}`]: type,
	};
	const source = nodeOf('Source', 'test.source');
	const to = (title: string, type: 'main' | 'ai_tool') => ({ node: title, type, index: 0 });
	const node = nodeOf('Node', `${PACKAGE}.${name}`, parameters, {
		...(credential ? { credentials: { accountingGatewayApi: { id: '1', name: 'Gateway' } } } : {}),
		...settings,
	});
	const workflow = new Workflow({
		id: workflowId,
		name: workflowName,
		nodes: [source, node, ...(agent ? [nodeOf('Agent', 'test.agent')] : [])],
		connections: {
			Source: { main: [Array.from({ length: runs }, () => to(agent ? 'Agent' : node.name, 'main'))] },
			...(agent && { Node: { ai_tool: [[to('Agent', 'ai_tool')]] } }),
		},
		active,
		staticData,
		// As the editor creates workflows; n8n's own default time zone is New York.
		settings: { executionOrder: 'v1', timezone: 'Europe/Berlin', ...options.workflowSettings },
		nodeTypes: {
			getByName: (typeName) => types[typeName],
			getByNameAndVersion: (typeName) => types[typeName],
			getKnownTypes: () => ({}),
		},
	});
	return { workflow, source, node };
}

/** Runs a node on items and returns n8n's result. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { credential, cancel, retryOf, received } = options;
	const { mode = retryOf ? 'retry' : 'manual' } = options;
	const { workflow, source, node } = workflowOf(options);
	const data = additionalData(credential);
	// n8n runs a retried execution under a new ID.
	data.executionId = String(++executions);
	data.hooks = new core.ExecutionLifecycleHooks(mode, '1', {
		id: 'test',
		name: workflow.name ?? '',
		active: false,
		activeVersionId: null,
		isArchived: false,
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
		createdAt: new Date(),
		updatedAt: new Date(),
	});
	const begin = retryOf ? retryData(retryOf) : received ? startOf(node, received) : startOf(source);
	const running = new core.WorkflowExecute(data, mode, begin).processRunExecutionData(workflow);
	if (cancel) void cancel.then(() => running.cancel());
	const run = await running;
	if (run.data.resultData.error) failedExecutions.set(data.executionId, run.data);
	const task = run.data.resultData.runData[node.name]?.at(-1);
	const main = (task?.data?.main ?? []) as INodeExecutionData[][];
	return {
		main,
		json: (main[0] ?? []).map((item) => item.json),
		errors: (main[1] ?? []).map((item) => item.json),
		error: (task?.error ?? run.data.resultData.error) as NodeError | undefined,
		hints: task?.hints ?? [],
		run,
	};
}

/** What n8n's ExecutionService does to a failed execution's data before it is retried. */
function retryData({ data }: IRun): IRun['data'] {
	const copy = structuredClone(data);
	delete copy.resultData.error;
	const tasks = copy.resultData.runData[copy.resultData.lastNodeExecuted!];
	if (tasks.at(-1)?.error) tasks.pop();
	return copy;
}

/** n8n's start data: the first node and its input, such as a webhook's items for a trigger. */
function startOf(node: INode, main: INodeExecutionData[][] = [[{ json: {} }]]): IRun['data'] {
	return createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
}

/** Gives a node to an AI agent, whose model determines the tool's input. */
export function toolOf(options: RunOptions): (said: IDataObject) => Promise<string> {
	const { workflow, node } = workflowOf(options);
	const runData = createRunExecutionData();
	const contextOf = (runIndex: number) =>
		new core.SupplyDataContext(
			workflow,
			node,
			additionalData(options.credential),
			options.mode ?? 'manual',
			runData,
			runIndex,
			[{ json: {} }],
			{},
			'ai_tool',
			{ data: {}, node, source: null },
			[],
		);
	const folder = path.join(path.dirname(requireOfN8n.resolve('n8n-core')), 'execution-engine');
	const { makeHandleToolInvocation } = requireOfN8n(
		path.join(folder, 'node-execution-context/utils/get-input-connection-data.js'),
	) as { makeHandleToolInvocation: (...args: unknown[]) => (said: IDataObject) => Promise<string> };
	const invoke = makeHandleToolInvocation(contextOf, node, options.node, runData);
	return async (said) => await withExpressions(workflow, async () => await invoke(said));
}

export interface ListOptions {
	node: INodeType;
	credential: ICredentialDataDecryptedObject;
	/** Name in `methods.listSearch`. */
	method: string;
	/** What has been filled in so far. */
	parameters?: INodeParameters;
	filter?: string;
	workflowName?: string;
	/** n8n's ID of the credential. Default: a new one, because a list's answer is cached for a minute per credential. */
	credentialId?: string;
}

/** The number of credentials used for opening lists. */
let listCredentials = 0;

/** Opens the list of a resource locator as the editor does. */
export async function searchList(options: ListOptions): Promise<INodeListSearchResult> {
	const { node: type, credential, method, parameters = {}, filter } = options;
	const { credentialId: id = `list ${++listCredentials}` } = options;
	const settings = { credentials: { accountingGatewayApi: { id, name: 'Gateway' } } };
	const { workflow, node } = workflowOf({ ...options, parameters, settings });
	const data = additionalData(credential);
	data.currentNodeParameters = parameters;
	const context = new core.LoadOptionsContext(workflow, node, data, '');
	const list = type.methods!.listSearch![method];
	return await list.call(context, filter);
}

/** n8n's log, which all nodes write to. */
export const logger = Container.get(
	(requireOfCore('@n8n/backend-common') as { Logger: new () => ContextLogger }).Logger,
);
// n8n looks up the caller of every message, even of those that nobody sees, and its engine writes several for each run.
logger.debug = () => {};

/** Simulates an older n8n until the test has finished: removes one of the functions that nodes get. */
export function takeAway(name: string): void {
	for (const { prototype } of [core.ExecuteContext, core.HookContext, core.SupplyDataContext]) {
		for (let at = prototype as object; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
			const own = Object.getOwnPropertyDescriptor(at, name);
			if (!own) continue;
			Reflect.deleteProperty(at, name);
			onTestFinished(() => void Object.defineProperty(at, name, own));
		}
	}
}

/** Other parts of n8n-core that tests need. */
export const { CredentialTestContext, DataDeduplicationService, HookContext, PollContext, WebhookContext } =
	core;
