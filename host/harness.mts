/** Runs actions in n8n's engine, as a workflow, an AI agent or the form does. */
import path from 'node:path';
import type { Readable } from 'node:stream';
import type {
	EngineRequest,
	EngineResponse,
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
	IRun,
	ITaskData,
	IWorkflowSettings,
	NodeError,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import {
	additionalData,
	core,
	createRunExecutionData,
	execute,
	newExecutionId,
	Node,
	retryData,
	startOf,
	withExpressions,
	workflowWith,
} from './engine.mjs';
import { requireOfN8n } from './n8nPackages.mjs';
import { nodeOf } from './workflows.mjs';

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
	/** Files as another node has put them out. */
	binary?: IBinaryKeyData;
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
	/** n8n's ID of the execution. Default: a new one. */
	executionId?: string;
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
	{ json = {}, files, binary: passed }: TestItem,
): Promise<INodeExecutionData> {
	if (!files && !passed) return { json };
	const binary: IBinaryKeyData = { ...passed };
	for (const [name, { content, fileName, mimeType }] of Object.entries(files ?? {})) {
		binary[name] = await context.helpers.prepareBinaryData(
			content,
			fileName,
			mimeType ?? 'application/octet-stream',
		);
	}
	return { json, binary };
}

/** A workflow of two nodes: the source of the items, and the one under test; or of three with an agent in between. */
export function workflowOf(options: RunOptions) {
	const {
		node: given,
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
	const type = agent && given.description.usableAsTool ? asTool(given) : given;
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
	const definition = {
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
		settings: { executionOrder: 'v1' as const, timezone: 'Europe/Berlin', ...options.workflowSettings },
	};
	return { workflow: workflowWith(definition, (title) => types[title]), source, node };
}

/**
 * A node as n8n makes it a tool (`convertNodeToAiTool`): another name, by which `@tool` is known, no input, and a
 * description for the model.
 */
export function asTool(node: INodeType): INodeType {
	const { description: own } = node;
	const { usableAsTool, ...description } = structuredClone(own);
	if (!usableAsTool) throw new Error(`${own.name} is no tool`);
	const toolDescription = {
		displayName: 'Description',
		name: 'toolDescription',
		type: 'string' as const,
		default: description.description,
		displayOptions: { show: { descriptionType: ['manual'] } },
	};
	const descriptionType = {
		displayName: 'Tool Description',
		name: 'descriptionType',
		type: 'options' as const,
		options: [
			{ name: 'Set Automatically', value: 'auto' },
			{ name: 'Set Manually', value: 'manual' },
		],
		default: 'auto',
	};
	return Object.assign(Object.create(node), {
		description: {
			...description,
			name: `${own.name}Tool`,
			displayName: `${own.displayName} Tool`,
			inputs: [],
			outputs: ['ai_tool'],
			properties: [descriptionType, toolDescription, ...description.properties],
		},
	}) as INodeType;
}

/** Runs a node on items and returns n8n's result. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const { credential, cancel, retryOf, received, executionId } = options;
	const { mode = retryOf ? 'retry' : 'manual' } = options;
	const { workflow, source, node } = workflowOf(options);
	const start = retryOf ? retryData(retryOf.data) : received ? startOf(node, received) : startOf(source);
	const additional = additionalData(credential);
	const run = await execute(workflow, { mode, start, additional, cancel, executionId });
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

/**
 * Gives a node to an AI agent, whose model determines the tool's input.
 * @param runData n8n's data of the agent's execution
 */
export function toolOf(
	given: RunOptions,
	runData = createRunExecutionData(),
): (said: IDataObject) => Promise<string> {
	const options = { ...given, node: asTool(given.node) };
	const { workflow, node } = workflowOf(options);
	const additional = { ...additionalData(options.credential), executionId: newExecutionId() };
	const contextOf = (runIndex: number) =>
		new core.SupplyDataContext(
			workflow,
			node,
			additional,
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
