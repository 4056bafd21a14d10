/** Building blocks of workflows: nodes, their parameters, and what they refer to. */
import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';

import type { WorkflowFile } from './client.mjs';
import type { Module } from '../sandbox/seed.mjs';
import type { Sandbox } from '../sandbox/server.mjs';

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

/** A workflow whose nodes run one after another. */
export const chainOf = (name: string, nodes: INode[]): WorkflowFile => ({
	name,
	nodes,
	connections: Object.fromEntries(nodes.slice(1).map((next, i) => [nodes[i].name, to(next.name)])),
	settings: {},
});

/** The connections of a node with only one after it. */
export const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

/** The ID of the demo account's first connection of a module. */
export const connectionOf = (sandbox: Sandbox, module: Module): string =>
	sandbox.store.accounts[0].connections.find((connection) => connection.module === module)!.id;

/** The URL to which the gateway delivers the demo account's events, if one is registered. */
export function webhookUrlOf(sandbox: Sandbox): string | undefined {
	const urls = sandbox.store.list('webhooks') as Array<{ account: string; url: string }>;
	return urls.find(({ account }) => account === 'demo')?.url;
}

/** Creates a node of the package by its folder's name. */
export async function loadNode(folder: string): Promise<INodeType> {
	const module = (await import(`../nodes/${folder}/${folder}.node.ts`)) as Record<
		string,
		new () => INodeType
	>;
	return new module[folder]();
}

/**
 * The form of "Cash Book Entry", "Create" as an accountant fills it in. In a run, each item has its own
 * `belegnummer`.
 * @param own values of other fields, or replacements
 */
export const simpleEntry = (connectionId: string, own: INodeParameters = {}): INodeParameters => ({
	resource: 'cashBookEntry',
	operation: 'create',
	connectionId: { __rl: true, mode: 'id', value: connectionId },
	kassenname: { __rl: true, mode: 'value', value: 'Hauptkasse' },
	bewegung: 'EINNAHME',
	betrag: '10',
	waehrung: 'EUR',
	steuersatz: '19',
	transaktionsdatum: '2026-03-02T09:30:00',
	belegnummer: '={{ "K-1" + $itemIndex }}',
	belegtext: 'Tageseinnahme',
	...own,
});

/**
 * The form of "Document", "Upload to Duo" for all files of an item.
 * @param own values of other fields, or replacements
 */
export const uploadToDuo = (connectionId: string, own: INodeParameters = {}): INodeParameters => ({
	resource: 'document',
	operation: 'uploadDuo',
	connectionId,
	datei: '*',
	belegtyp: 'Rechnungseingang',
	...own,
});
