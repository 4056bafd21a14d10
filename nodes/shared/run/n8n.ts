/** What a run needs to know of the n8n that it runs in. */
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { Explained } from '../errors';
import { both } from '../values';

/** The oldest version that `npm run versions` has found to work. */
export const OLDEST_N8N = '1.123';

/**
 * The version that a workflow saves with each node. All nodes share one version, because they are released together.
 */
export const NODE_VERSION = 1;

/** The context that all functions of a node have; older versions of n8n lack the last function. */
type Context = { getNode(): INode } & Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>;

/**
 * Throws on an n8n that is too old. n8n doesn't reveal its version to nodes. Of the functions that the nodes rely on,
 * this one is the newest: without it, a retry after n8n was killed looks like a first run and would book again.
 */
export function requireSupportedN8n(context: Context): void {
	requireKnownVersion(context);
	if (typeof context.getExecutionContext === 'function') return;
	throw new Explained({
		message: both(
			`This n8n is too old for the node, which needs n8n ${OLDEST_N8N} or newer`,
			`Dieses n8n ist zu alt für den Node, der n8n ${OLDEST_N8N} oder neuer braucht`,
		),
		description: both('Nothing was sent. Update n8n.', 'Es wurde nichts gesendet. Aktualisieren Sie n8n.'),
	});
}

/**
 * Throws for a node that was saved by a newer version of the package. n8n would run it as the newest version it knows,
 * and ignore the fields that this version doesn't have.
 */
export function requireKnownVersion(context: Pick<Context, 'getNode'>): void {
	const node = context.getNode();
	if (!(node.typeVersion > NODE_VERSION)) return;
	throw new Explained({
		message: both(
			`This node has version ${node.typeVersion}, but the installed package only supports version ${NODE_VERSION}`,
			`Dieser Node hat die Version ${node.typeVersion}, das installierte Paket kennt aber nur die Version ${NODE_VERSION}`,
		),
		description: both(
			'The workflow was made with a newer version of the package. Nothing was sent, because fields of the newer version would be ignored. Update the package (Settings > Community Nodes), then run it again.',
			'Der Workflow stammt von einer neueren Version des Pakets. Es wurde nichts gesendet, weil Felder der neueren Version unbeachtet blieben. Aktualisieren Sie das Paket (Settings > Community Nodes) und führen Sie ihn noch einmal aus.',
		),
	});
}

/** Whether an AI agent calls the node. n8n's agents do that in two ways; only the older one sets it in the context. */
export function isTool(context: IExecuteFunctions): boolean {
	// Older versions of n8n have no function for this; they show it in the context.
	const { connectionType } = context as { connectionType?: string };
	const isContextOfTool = context.isToolExecution?.() ?? connectionType === 'ai_tool';
	return isContextOfTool || context.getNode().rewireOutputLogTo === 'ai_tool';
}
