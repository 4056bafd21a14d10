/**
 * Runs anything in n8n's own engine (n8n-core), in this process: actions (harness.mts), triggers by webhook
 * (triggerHarness.mts), polling triggers (pollHarness.mts) and whole examples (test/support/exampleRun.mts). n8n-core isn't a public API,
 * so it is pinned, and only this file uses it.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IPinData,
	IRun,
	IWorkflowExecuteAdditionalData,
	Logger as ContextLogger,
	Workflow as IWorkflow,
	WorkflowExecuteMode,
	WorkflowParameters,
} from 'n8n-workflow';
import { onTestFinished } from 'vitest';

import { AccountingGatewayApi } from '../credentials/AccountingGatewayApi.credentials.js';
import { requireOfCore, requireOfN8n } from './n8nPackages.mjs';
import { jsonAs, partial } from './partial.mjs';

export const core = requireOfN8n('n8n-core') as typeof import('n8n-core');
export const { createRunExecutionData, Node, Workflow } = requireOfN8n(
	'n8n-workflow',
) as typeof import('n8n-workflow');
export const { Container } = requireOfCore('@n8n/di') as {
	Container: { get<T>(type: new (...args: never[]) => T): T };
};
/** Parts of n8n-core that tests need. */
export const { CredentialTestContext, DataDeduplicationService, HookContext, PollContext, WebhookContext } =
	core;

function credentialsHelper(credential?: ICredentialDataDecryptedObject): ICredentialsHelper {
	const type = new AccountingGatewayApi();
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		// As in n8n, its fields may be expressions.
		getDecrypted: async (_more, _details, _type, mode, executeData, _raw, resolve) => {
			if (!resolve) return await Promise.resolve({ ...credential });
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
			const run = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData, mode] as const;
			return jsonAs(
				workflow.expression.getParameterValue(jsonAs({ ...credential }), ...run, {}, executeData),
			);
		},
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

/** n8n's stored data of executions that ended with an error. */
const failedExecutions = new Map<string, IRun['data']>();

/** What n8n passes to each run. */
export function additionalData(credential?: ICredentialDataDecryptedObject): IWorkflowExecuteAdditionalData {
	return partial<IWorkflowExecuteAdditionalData>({
		credentialsHelper: credentialsHelper(credential),
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		variables: {},
		executionId: '1',
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		getRunExecutionData: async (id: string) => await Promise.resolve(failedExecutions.get(id)),
	});
}

/** A workflow of n8n. @param typeOf its nodes' types */
export const workflowWith = (
	definition: Omit<WorkflowParameters, 'nodeTypes'>,
	typeOf: (type: string, version?: number) => INodeType,
): IWorkflow =>
	new Workflow({
		...definition,
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
	});

/** The number of executions. */
let executions = 0;
/** n8n gives a retry a new ID, too. */
export const newExecutionId = (): string => String(++executions);

interface Execution {
	mode: WorkflowExecuteMode;
	/** n8n's data to begin with. */
	start: IRun['data'];
	/** What n8n passes to the run. */
	additional: IWorkflowExecuteAdditionalData;
	executionId?: string;
	/** Cancels the execution when it resolves. */
	cancel?: Promise<unknown>;
}

/** Runs a workflow. */
export async function execute(
	workflow: IWorkflow,
	{ mode, start, additional, cancel, executionId = newExecutionId() }: Execution,
): Promise<IRun> {
	Object.assign(additional, {
		executionId,
		hooks: new core.ExecutionLifecycleHooks(mode, '1', partial({})),
	});
	const running = new core.WorkflowExecute(additional, mode, start).processRunExecutionData(workflow);
	if (cancel) void cancel.then(() => running.cancel());
	const run = await running;
	if (run.data.resultData.error) failedExecutions.set(executionId, run.data);
	return run;
}

/** What n8n's ExecutionService does to a failed execution's data before it is retried. */
export function retryData(data: IRun['data']): IRun['data'] {
	const copy = structuredClone(data);
	delete copy.resultData.error;
	const tasks = copy.resultData.runData[copy.resultData.lastNodeExecuted!];
	if (tasks.at(-1)?.error) tasks.pop();
	return copy;
}

/** A run's data as n8n stores it. */
export const storedData = (data: IRun['data']): IRun['data'] => jsonAs(JSON.parse(JSON.stringify(data)));

/** n8n's start data: the first node and its input, such as a webhook's items for a trigger. */
export function startOf(
	node: INode,
	main: INodeExecutionData[][] = [[{ json: {} }]],
	pinData?: IPinData,
): IRun['data'] {
	return createRunExecutionData({
		...(pinData && { resultData: { runData: {}, pinData } }),
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
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

/** Has what a node writes to its log written to a list, too: n8n's own logger is shared by all workflows. */
export function listenToLog(context: object, lines: string[]): void {
	const log = (message: string, details?: object) =>
		void lines.push(details ? `${message} ${JSON.stringify(details)}` : message);
	Object.defineProperty(context, 'logger', { value: { debug: log, info: log, warn: log, error: log } });
}
