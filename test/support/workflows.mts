/** Building blocks of workflows for a real n8n. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Module } from '../../sandbox/seed.mjs';
import type { Sandbox } from '../../sandbox/server.mjs';

/**
 * A node of a workflow. Its name is also its ID.
 * @param more additional or different settings of the node
 */
export const nodeOf = (
	name: string,
	type: string,
	parameters: IDataObject = {},
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INodeParameters,
	...more,
});

/** The ID of the demo account's first connection of a module. */
export const connectionOf = (sandbox: Sandbox, module: Module): string =>
	sandbox.store.accounts[0].connections.find((connection) => connection.module === module)!.id;

/** The URL to which the gateway delivers the demo account's events, if one is registered. */
export function webhookUrlOf(sandbox: Sandbox): string | undefined {
	const urls = sandbox.store.list('webhooks') as Array<{ account: string; url: string }>;
	return urls.find(({ account }) => account === 'demo')?.url;
}
