/** n8n's context for a running node, for tests of single steps. Tests of whole runs use harness.mts. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { partial } from './partial.mjs';

export interface FakeContext {
	items?: INodeExecutionData[];
	/** The node's data in the execution, which outlives its runs. */
	memory?: IDataObject;
	execution?: string;
	/** Number of the node's run, from 0. */
	run?: number;
	isTool?: boolean;
	mode?: WorkflowExecuteMode;
	/** The node's own name and ID. */
	name?: string;
	id?: string;
	/** The names of the workflow's nodes. */
	nodes?: string[];
}

/** @returns the context, and the hints that the node added to it */
export function fakeContext({
	items = [{ json: {} }],
	memory = {},
	execution = '1',
	run = 0,
	isTool,
	mode = 'manual',
	name = 'Node',
	id = 'node',
	nodes = [name],
}: FakeContext = {}) {
	const hints: NodeExecutionHint[] = [];
	const existing = new Proxy({} as Record<string, object>, {
		get: (_, node: string) => {
			if (!nodes.includes(node)) throw new Error("Referenced node doesn't exist");
			return {};
		},
	});
	const context = partial<IExecuteFunctions>({
		getInputData: () => items,
		getContext: () => memory,
		getExecutionId: () => execution,
		getWorkflowDataProxy: () => ({ $runIndex: run, $node: existing }),
		// As in a workflow that n8n didn't start as its own execution.
		getExecutionContext: () => undefined,
		getMode: () => mode,
		getNode: () => ({ id, name, ...(isTool && { rewireOutputLogTo: 'ai_tool' }) }),
		addExecutionHints: (...added: NodeExecutionHint[]) => void hints.push(...added),
	});
	return { context, hints };
}
