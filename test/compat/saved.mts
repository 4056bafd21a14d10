/** Nodes as the editor of a release saved them, with what that release sent for them and emitted. */
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
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

/** A failed execution as n8n stores it, and what came of its Retry with the same release. */
export interface SavedFailure {
	title: string;
	/** The folder under nodes/ that has its code. */
	folder: string;
	node: SavedNode['node'];
	/** By n8n's serializer. The gateway's address is `GATEWAY`. */
	data: string;
	retry: {
		/** Items that were emitted; none, where the Retry failed. */
		items: number;
		/** What had arrived at the gateway after it that hadn't before. */
		arrived: string[];
	};
}

/** What an execution sent and emitted, with the gateway's answers in turn. */
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

/** What is saved of a release, by the file's name. */
export interface Saved {
	nodes: SavedNode[];
	failed: SavedFailure[];
}

const fileOf = (release: string, name: keyof Saved) => new URL(`${release}/${name}.json`, import.meta.url);

export async function load<Name extends keyof Saved>(release: string, name: Name): Promise<Saved[Name] | []> {
	if (SAVE_RELEASE) return [];
	return JSON.parse(await readFile(fileOf(release, name), 'utf8')) as Saved[Name];
}

export async function save<Name extends keyof Saved>(release: string, name: Name, content: Saved[Name]) {
	const file = fileURLToPath(fileOf(release, name));
	await mkdir(dirname(file), { recursive: true });
	const options = { ...(await resolveConfig(file)), filepath: file };
	await writeFile(file, await format(JSON.stringify(content, undefined, '\t'), options));
}

/** The releases of which something is saved. */
export const RELEASES = readdirSync(import.meta.dirname, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);
/** Set to save what the code of now does as that of a release. */
export const { SAVE_RELEASE } = process.env;
