/** What a run stores in n8n's data of the execution. "Retry" starts with a copy of this data. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../../errors/failure';
import { isTool } from '../isTool';
import type { Attempts } from './attempts';

/**
 * The outcome of a request that must not be sent again: the gateway's answer, that the record already existed, or the
 * failure.
 */
export interface Entry {
	body?: unknown;
	/** The record already existed; `said` is the gateway's message about it. */
	existed?: { said?: string };
	failure?: Failure;
	/** Identifies the input item, or all items that the record is made of. */
	fingerprint: string;
	/** Where the request was sent: the gateway and the connection. */
	destination: string;
	label?: string;
	/** For a tool call: the number of its record. */
	unique?: string;
}

/** Stored in one place for all nodes that write, so that a renamed node's entries are found. */
export interface ExecutionMemory extends Attempts {
	/** Set if no node may send anything more. */
	stopped?: true;
	/** The nodes' entries, by node name. */
	nodes: Record<string, NodeMemory>;
}

export interface NodeMemory {
	/** Set if nobody can tell anymore what a tool has sent: then the tool may send nothing. */
	lost?: true;
	results: Record<string, Entry>;
}

const KEY = 'accountingGatewayWritten';

export const memoryIn = (context: IExecuteFunctions) =>
	(context.getContext('flow')[KEY] ??= { tries: 0, nodes: {} }) as ExecutionMemory;

/** The entries of what this node has written in the execution. */
export function ownMemory(context: IExecuteFunctions, { nodes }: ExecutionMemory): NodeMemory {
	const { name } = context.getNode();
	return (nodes[name] ??= {
		results: {},
		...(isAfterRenamedTool(context, nodes) && { lost: true as const }),
	});
}

/**
 * Whether this tool may be one that was renamed. n8n finds a node by its name, but a tool by its connections, so a
 * renamed tool can continue an execution.
 */
function isAfterRenamedTool(context: IExecuteFunctions, nodes: ExecutionMemory['nodes']): boolean {
	if (context.getMode() !== 'retry' || !isTool(context)) return false;
	return Object.entries(nodes).some(
		([name, { results }]) => Object.keys(results).length > 0 && !isInWorkflow(context, name),
	);
}

function isInWorkflow(context: IExecuteFunctions, node: string): boolean {
	try {
		// `$node` throws for a node that doesn't exist.
		return Boolean(context.getWorkflowDataProxy(0).$node[node]);
	} catch {
		return false;
	}
}
