import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** The oldest version that `npm run versions` has found to work. */
export const OLDEST_N8N = '1.123';

/** What all functions of a node have; older versions of n8n lack the last one. */
type Context = { getNode(): INode } & Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>;

/**
 * Throws on an n8n that is too old. It doesn't tell its version; of what the nodes rely on, it got this last: without it, a
 * retry after n8n was killed looks like a first run and would book again.
 */
export function requireSupportedN8n(context: Context): void {
	if (typeof context.getExecutionContext === 'function') return;
	throw new NodeOperationError(
		context.getNode(),
		`This n8n is too old for the node, which needs n8n ${OLDEST_N8N} or newer`,
		{ description: 'Nothing was sent. Update n8n.' },
	);
}
