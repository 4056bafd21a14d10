/** What n8n gives to a node that runs, for tests of one of its steps. Tests of whole runs use harness.mts. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

export interface FakeContext {
	items?: INodeExecutionData[];
	/** The node's data in the execution, which outlives its runs. */
	memory?: IDataObject;
	execution?: string;
	/** Number of the node's run, from 0. */
	run?: number;
	isTool?: boolean;
}

/** @returns the context, and the hints that the node has added to it */
export function fakeContext({
	items = [{ json: {} }],
	memory = {},
	execution = '1',
	run = 0,
	isTool,
}: FakeContext = {}) {
	const hints: NodeExecutionHint[] = [];
	const context = {
		getInputData: () => items,
		getContext: () => memory,
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex: run }),
		// As in a workflow that n8n hasn't begun as an execution of its own.
		getExecutionContext: () => undefined,
		getNode: () => ({ name: 'Node', ...(isTool && { rewireOutputLogTo: 'ai_tool' }) }),
		addExecutionHints: (...added: NodeExecutionHint[]) => void hints.push(...added),
	} as unknown as IExecuteFunctions;
	return { context, hints };
}
