/** The example workflows of `workflows/`: reading, running, and comparing the results with the expected ones. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INodeExecutionData } from 'n8n-workflow';
import isEqual from 'lodash/isEqual.js';
import isPlainObject from 'lodash/isPlainObject.js';
import mapValues from 'lodash/mapValues.js';
import pick from 'lodash/pick.js';
import type { INodeParameterResourceLocator } from 'n8n-workflow';
import type { Store } from '../sandbox/store.mjs';
import { type Execution, manualTrigger, type N8nClient, type WorkflowFile } from '../host/client.mjs';

export const WORKFLOWS = fileURLToPath(new URL('../workflows', import.meta.url));

type Json = Record<string, unknown>;
/** Records or items by the name of the list or node that they belong to. */
type Lists = Record<string, Json[]>;

/**
 * The expected result of a run: `workflows/<example>/expected.json`. Each record has to have the given fields exactly
 * and may have others (an ID, a time); no record may be missing or too many. If an object has `file` (a path relative
 * to expected.json), that file's name, size and SHA-256 are expected.
 */
export interface Expected {
	/** The sandbox's records by list: `documents`, `entries`, … */
	arrives: Lists;
	/** The items that came out of nodes, by the node's name. */
	shows: Lists;
	/** The files that came out of nodes, by the node's name: `dateiname`, `size`, `sha256`, `mimeType`. */
	makes?: Lists;
}

export interface Example {
	/** `workflows/<example>.json`, without the ending. */
	name: string;
	workflow: WorkflowFile;
	/** None for a workflow that waits for something instead of running by itself. */
	expected?: Expected;
}

/** The result of a run. */
export interface Outcome extends Expected {
	/** What is missing, unexpected or wrong, in words. */
	problems: string[];
}

/** All examples, sorted by file name, so that sub-workflows come before the workflow that calls them. */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(WORKFLOWS)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => {
			const name = basename(file, '.json');
			const workflow = JSON.parse(await readFile(join(WORKFLOWS, file), 'utf8')) as WorkflowFile;
			const expected = manualTrigger(workflow) && (await readExpected(join(WORKFLOWS, name)));
			return { name, workflow, expected };
		}),
	);
}

async function readExpected(folder: string): Promise<Expected> {
	const expected: unknown = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8'));
	return (await describeFiles(expected, folder)) as Expected;
}

/** Puts name, size and hash in place of every `file`. */
async function describeFiles(value: unknown, folder: string): Promise<unknown> {
	if (Array.isArray(value)) return await Promise.all(value.map((member) => describeFiles(member, folder)));
	if (!isPlainObject(value)) return value;
	const { file, ...rest } = value as Json;
	const members = await Promise.all(
		Object.entries(rest).map(async ([key, member]) => [key, await describeFiles(member, folder)]),
	);
	const described = Object.fromEntries(members) as Json;
	if (typeof file !== 'string') return described;
	return { ...described, ...describeFile(basename(file), await readFile(join(folder, file))) };
}

const describeFile = (dateiname: string, content: Buffer) => ({
	dateiname,
	size: content.length,
	sha256: createHash('sha256').update(content).digest('hex'),
});

/**
 * The workflow with the credentials of this n8n: a file names them as n8n exports them, but their IDs are another
 * n8n's.
 * @param ids by credential type
 */
export function withCredentials(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: mapValues(node.credentials, (credential, type) => ({ ...credential, id: ids[type] })),
		}),
	}));
	return { ...workflow, nodes };
}

/**
 * The workflow with the workflows of this n8n that it calls: a file names them, but their IDs are another n8n's.
 * @param ids by the workflows' names
 */
export function withSubWorkflows(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		const called = node.parameters.workflowId as INodeParameterResourceLocator | undefined;
		const id = ids[called?.cachedResultName ?? ''];
		if (!called || !id) return node;
		return { ...node, parameters: { ...node.parameters, workflowId: { ...called, value: id } } };
	});
	return { ...workflow, nodes };
}

/** Runs an example and compares the result with the expected one. */
export async function runExample(
	client: N8nClient,
	store: Store,
	workflowId: string,
	expected: Expected,
): Promise<Outcome> {
	const records = () => mapValues(expected.arrives, (_, list) => (store.list(list) ?? []) as Json[]);
	const before = mapValues(records(), ({ length }) => length);
	const execution = await client.run(workflowId);
	const arrives = mapValues(records(), (list, name) => list.slice(before[name]));
	const shows = mapValues(expected.shows, (_, node) => itemsOf(execution, node));
	const makes: Lists = {};
	for (const node of Object.keys(expected.makes ?? {})) makes[node] = await filesOf(client, execution, node);
	const { error } = execution.data.resultData;
	const problems = [
		...(execution.status === 'success'
			? []
			: [`The workflow ended with "${execution.status}": ${error?.message}`]),
		...compare(expected.arrives, arrives),
		...compare(expected.shows, shows),
		...compare(expected.makes ?? {}, makes),
	];
	return { arrives, shows, makes, problems };
}

/** The files on a node's first output, as `Expected` describes them. */
async function filesOf(client: N8nClient, execution: Execution, node: string): Promise<Json[]> {
	const files = outputOf(execution, node).flatMap(({ binary }) => Object.values(binary ?? {}));
	return await Promise.all(
		files.map(async (file) => {
			const content = await client.download(file);
			return { ...describeFile(file.fileName ?? '', content), mimeType: file.mimeType };
		}),
	);
}

/** The items on a node's first output, of all its runs. */
export const itemsOf = (execution: Execution, node: string): Json[] =>
	outputOf(execution, node).map(({ json }) => json);

const outputOf = ({ data }: Execution, node: string): INodeExecutionData[] =>
	(data.resultData.runData[node] ?? []).flatMap((run) => run.data?.main[0] ?? []);

/** What is missing and what is unexpected, in words; empty if all is well. The order doesn't matter. */
export function compare(expected: Lists, actual: Lists): string[] {
	return Object.entries(expected).flatMap(([list, wanted]) => {
		const rest = [...(actual[list] ?? [])];
		const missing = wanted.filter((record) => {
			const found = rest.findIndex((one) => isEqual(pick(one, Object.keys(record)), record));
			if (found >= 0) rest.splice(found, 1);
			return found < 0;
		});
		return [
			...missing.map((record) => `${list}: missing ${JSON.stringify(record)}`),
			...rest.map((record) => `${list}: unexpected ${JSON.stringify(record)}`),
		];
	});
}
