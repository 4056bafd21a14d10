/** Nodes as the editor of a release saved them, with what that release sent for them and put out. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';

import type { Answer } from '../conformance/recorder.mjs';
import { requireOfN8n } from '../support/engine.mjs';
import { nodeOf } from '../support/workflows.mjs';

const { NodeHelpers } = requireOfN8n('n8n-workflow') as typeof import('n8n-workflow');

export interface SavedNode {
	/** What it does and how it is filled in. */
	title: string;
	/** The folder under nodes/ that has its code. */
	folder: string;
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters'>;
	/** All parameters, with the defaults of that release. */
	resolved: INodeParameters;
	/** Of an action, not of a trigger. */
	run?: SavedRun;
}

/** What an execution sent and put out, with the gateway's answers in turn. */
export interface SavedRun {
	requests: Array<{ method: string; url: string; body?: unknown }>;
	answers: Answer[];
	items: IDataObject[];
}

/**
 * The parameters of a node.
 * @param defaults whether those are there that have their default, as when a node runs; n8n saves it without them
 */
export function parametersIn(
	{ description }: INodeType,
	{ parameters, typeVersion }: Pick<INode, 'parameters' | 'typeVersion'>,
	defaults: boolean,
): INodeParameters {
	const node = nodeOf('Node', description.name, parameters, { typeVersion });
	const { properties } = description;
	return plain(NodeHelpers.getNodeParameters(properties, parameters, defaults, false, node, description)!);
}

export const newestVersion = ({ description: { version } }: INodeType): number =>
	Math.max(...[version].flat());

/** As it stands in a file. */
export const plain = <T,>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const fileOf = (release: string) => new URL(`${release}/nodes.json`, import.meta.url);

export async function loadSaved(release: string): Promise<SavedNode[]> {
	return JSON.parse(await readFile(fileOf(release), 'utf8')) as SavedNode[];
}

export async function save(release: string, nodes: SavedNode[]): Promise<void> {
	await mkdir(new URL('./', fileOf(release)), { recursive: true });
	await writeFile(fileOf(release), `${JSON.stringify(nodes, undefined, '\t')}\n`);
}
