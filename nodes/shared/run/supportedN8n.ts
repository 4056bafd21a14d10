import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** The oldest version that `npm run versions` has found to work. */
export const OLDEST_N8N = '1.123';

/** The nodes' version, which a workflow saves with each node; of all of them, as they are released together. */
export const NODE_VERSION = 1;

/** What all functions of a node have; older versions of n8n lack the last one. */
type Context = { getNode(): INode } & Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>;

/**
 * Throws on an n8n that is too old. It doesn't tell its version; of what the nodes rely on, it got this last: without it, a
 * retry after n8n was killed looks like a first run and would book again.
 */
export function requireSupportedN8n(context: Context): void {
	requireKnownVersion(context);
	if (typeof context.getExecutionContext === 'function') return;
	throw new NodeOperationError(
		context.getNode(),
		`This n8n is too old for the node, which needs n8n ${OLDEST_N8N} or newer`,
		{ description: 'Nothing was sent. Update n8n.' },
	);
}

/**
 * Throws for a node that a later version of the package has saved, which n8n runs as the newest version it knows: fields that
 * this one doesn't know would be ignored.
 */
export function requireKnownVersion(context: Pick<Context, 'getNode'>): void {
	const node = context.getNode();
	const isKnown = !(node.typeVersion > NODE_VERSION);
	if (isKnown) return;
	throw new NodeOperationError(
		node,
		`This node has version ${node.typeVersion}, and the package that is installed knows version ${NODE_VERSION} only`,
		{
			description:
				'The workflow was made with a newer version of the package. Nothing was sent, as fields of the newer version would be ignored. Update the package (Settings > Community Nodes), then run it again.',
		},
	);
}
