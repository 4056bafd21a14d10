/** The example workflows of `workflows/`: reading, running, and comparing the results with the expected ones. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INodeExecutionData } from 'n8n-workflow';
import isEqual from 'lodash/isEqual.js';
import isEqualWith from 'lodash/isEqualWith.js';
import isPlainObject from 'lodash/isPlainObject.js';
import mapValues from 'lodash/mapValues.js';
import pick from 'lodash/pick.js';
import pickBy from 'lodash/pickBy.js';
import sortBy from 'lodash/sortBy.js';
import type { INodeParameterResourceLocator } from 'n8n-workflow';
import axios from 'axios';
import pWaitFor from 'p-wait-for';
import type { TransferInput } from '../../sandbox/banking/bank.mjs';
import type { Store } from '../../sandbox/store.mjs';
import type { Execution, N8nClient, WorkflowFile } from '../../host/client.mjs';
import type { Mail } from '../../host/mailbox.mjs';

export const WORKFLOWS = fileURLToPath(new URL('../../workflows', import.meta.url));

type Json = Record<string, unknown>;
/** Records or items by the name of the list or node that they belong to. */
type Lists = Record<string, Json[]>;
/** Reads a list of what has arrived: `documents`, `entries`, … of the sandbox, or `emails`. */
export type Arrivals = (list: string) => readonly Json[] | Promise<readonly Json[]>;

/**
 * The expected result of a run: `workflows/<example>/expected.json`. Each record has to have the given fields exactly
 * and may have others (an ID, a time); no record may be missing or extra. If an object has `file` (a path relative
 * to expected.json), that file's name, size and SHA-256 are expected.
 */
export interface Expected {
	/** The sandbox's records by list: `documents`, `entries`, … */
	arrives: Lists;
	/** The items that came out of nodes, by the node's name. */
	shows: Lists;
	/** The files that came out of nodes, by the node's name: `dateiname`, `size`, `sha256`, `mimeType`. */
	makes?: Lists;
	/** What is different when it runs a second time. */
	again?: Partial<Pick<Expected, 'arrives' | 'shows'>>;
	/**
	 * What is different in a later `npm start`: n8n remembers what it has done, but the gateway is a new one. With `sameAddress`
	 * only if the gateway has an address that it had before: the nodes recognize a gateway by its address.
	 */
	later?: Partial<Pick<Expected, 'arrives' | 'shows'>> & { sameAddress?: boolean };
	/** The manual trigger only makes another trigger start the workflow, with this many items in total. */
	triggered?: { node: string; items: number };
	/** The workflow begins with the transaction trigger: these transfers arrive on the bank account. */
	transfers?: TransferInput[];
	/** The workflow begins with a form, which is filled in like this. */
	form?: FilledForm;
	/** The workflow waits, and the approver fills in the form whose link it has e-mailed like this. */
	answer?: Pick<FilledForm, 'fields'>;
}

/** Who may fill in the forms that workflows wait for (n8n's credential for Basic Auth). */
export const APPROVER = { user: 'freigabe', password: 'Freigabe-Demo-1' };

/** Values by the field's position; files are paths beside expected.json. */
export interface FilledForm {
	fields: Record<string, string>;
	files: Record<string, string[]>;
}

export interface Example {
	/** `workflows/<example>.json`, without the ending. */
	name: string;
	workflow: WorkflowFile;
	/** None for a workflow that waits for something that `npm start` can't make happen. */
	expected?: Expected;
}

/**
 * What an example has to bring about in an `npm start`.
 * @param existed n8n has had it before
 * @param isElsewhere the gateway has an address that it never had with this n8n
 */
export function expectedOf(expected: Expected, existed: boolean, isElsewhere: boolean): Expected {
	const { later } = expected;
	return existed && !(isElsewhere && later?.sameAddress) ? { ...expected, ...later } : expected;
}

/** Makes a transfer arrive at the bank. */
export type Pay = (transfer: TransferInput) => unknown;

/** The result of a run. */
export interface Outcome extends Pick<Expected, 'arrives' | 'shows' | 'makes'> {
	/** What is missing, unexpected or wrong, in words. */
	problems: string[];
}

/** All examples by file name, but each after those that it calls. */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(WORKFLOWS)).filter((file) => file.endsWith('.json')).sort();
	const examples = await Promise.all(
		files.map(async (file) => {
			const name = basename(file, '.json');
			const workflow = JSON.parse(await readFile(join(WORKFLOWS, file), 'utf8')) as WorkflowFile;
			return { name, workflow, expected: await readExpected(join(WORKFLOWS, name)) };
		}),
	);
	return withCalled(examples, examples);
}

const calledOf = ({ parameters }: WorkflowFile['nodes'][number]) =>
	parameters.workflowId as INodeParameterResourceLocator | undefined;

/** Examples with those that they call, each after those. */
export function withCalled(some: Example[], all: Example[]): Example[] {
	const found = new Set<Example>();
	const add = (example: Example) => {
		if (found.has(example)) return;
		const names = example.workflow.nodes.map((node) => calledOf(node)?.cachedResultName);
		for (const one of all) if (names.includes(one.workflow.name)) add(one);
		found.add(example);
	};
	some.forEach(add);
	return [...found];
}

/** Whether others call the workflow. */
export const isCalled = ({ nodes }: Pick<WorkflowFile, 'nodes'>): boolean =>
	nodes.some(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger');

async function readExpected(folder: string): Promise<Expected | undefined> {
	const file = join(folder, 'expected.json');
	if (!existsSync(file)) return undefined;
	const expected: unknown = JSON.parse(await readFile(file, 'utf8'));
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
 * The workflow with the credentials of this n8n: a file names them as n8n exports them, but with another n8n's IDs.
 * @param ids by credential type
 */
export function withCredentials(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: mapValues(
				pickBy(node.credentials, (_, type) => ids[type]),
				(credential, type) => ({ ...credential, id: ids[type] }),
			),
		}),
	}));
	return { ...workflow, nodes };
}

/**
 * The workflow with the workflows of this n8n that it calls: a file names them, but with another n8n's IDs.
 * @param ids by the workflows' names
 */
export function withSubWorkflows(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const nodes = workflow.nodes.map((node) => {
		const called = calledOf(node);
		const id = ids[called?.cachedResultName ?? ''];
		if (!called || !id) return node;
		return { ...node, parameters: { ...node.parameters, workflowId: { ...called, value: id } } };
	});
	return { ...workflow, nodes };
}

/** What arrives in a sandbox in this process, and in the mailboxes next to it. */
export const arrivalsOf =
	(store: Store, mail?: Pick<Mail, 'emails'>): Arrivals =>
	(list) =>
		((list === 'emails' ? mail?.emails : store.list(list)) ?? []) as Json[];

/**
 * Runs an example and compares the result with the expected one.
 * @param expected of the first run; merging in `again` is up to the caller
 */
export async function runExample(
	client: N8nClient,
	arrivals: Arrivals,
	{ name, workflow, workflowId }: Pick<Example, 'name' | 'workflow'> & { workflowId: string },
	expected: Expected,
	pay?: Pay,
): Promise<Outcome> {
	const lists = Object.keys(expected.arrives);
	const before = await Promise.all(lists.map(async (list) => (await arrivals(list)).length));
	const executions = await begin(client, arrivals, { name, workflow, workflowId }, expected, pay);
	const after = await Promise.all(lists.map(async (list) => await arrivals(list)));
	const arrives = Object.fromEntries(lists.map((list, i) => [list, after[i].slice(before[i])]));
	const shows = mapValues(expected.shows, (_, node) =>
		executions.flatMap((execution) => itemsOf(execution, node)),
	);
	const makes: Lists = {};
	for (const node of Object.keys(expected.makes ?? {})) {
		makes[node] = (
			await Promise.all(executions.map(async (execution) => await filesOf(client, execution, node)))
		).flat();
	}
	const problems = [
		...executions
			.filter(({ status }) => status !== 'success')
			.map(({ status, data }) => `The workflow ended with "${status}": ${data.resultData.error?.message}`),
		...compare(expected.arrives, arrives),
		...compare(expected.shows, shows),
		...compare(expected.makes ?? {}, makes),
	];
	return { arrives, shows, makes, problems };
}

/** Starts a workflow the way it is meant to be started. Returns all of its executions, once they are over. */
async function begin(
	client: N8nClient,
	arrivals: Arrivals,
	{ name, workflow, workflowId }: Pick<Example, 'name' | 'workflow'> & { workflowId: string },
	{ form, triggered, answer, transfers }: Expected,
	pay?: Pay,
): Promise<Execution[]> {
	if (answer) {
		const id = await client.start(workflowId);
		await answerForm(await linkedForm(client, arrivals, id), formOf(answer.fields));
		return [await client.execution(id)];
	}
	if (transfers) return await payIn(client, workflowId, transfers, pay!);
	if (!form && !triggered) return [await client.run(workflowId)];
	const earlier = await client.executionIds(workflowId);
	await client.publish(workflowId);
	if (form) {
		await submitForm(client, workflow, await formData(form, join(WORKFLOWS, name)));
		return await executionsSince(client, workflowId, earlier);
	}
	const { node, items } = triggered!;
	const sending = await client.run(workflowId);
	let executions: Execution[] = [];
	await pWaitFor(
		async () => {
			executions = await executionsSince(client, workflowId, earlier);
			return executions.flatMap((execution) => itemsOf(execution, node)).length >= items;
		},
		{ interval: 300, timeout: PATIENCE_MS },
	);
	return executions.some(({ id }) => id === sending.id) ? executions : [...executions, sending];
}

/** The part of what n8n's API says about a workflow that is needed here. */
interface WorkflowState {
	active: boolean;
	staticData?: object | null;
}

/**
 * Lets money arrive while a workflow is published. Publishing it again makes n8n poll at once: its own times are minutes apart.
 * The IDs are new, because the trigger may remember those of an earlier sandbox.
 */
async function payIn(
	client: N8nClient,
	workflowId: string,
	transfers: TransferInput[],
	pay: Pay,
): Promise<Execution[]> {
	const stored = async () => (await client.api.get(`workflows/${workflowId}`)).data as WorkflowState;
	const { active, staticData } = await stored();
	// A workflow that an earlier `npm start` has published may follow a sandbox that is gone, so it starts from
	// scratch.
	if (active) await client.deactivate(workflowId);
	await client.publish(workflowId);
	// n8n publishes after it has answered; what the trigger remembers is stored at the end of that.
	const isPublished = async () => !isEqual((await stored()).staticData ?? null, staticData ?? null);
	// Published again at the same gateway, it remembers the same.
	const timeout = staticData ? { milliseconds: SOON_MS, fallback: () => {} } : PATIENCE_MS;
	await pWaitFor(isPublished, { interval: 200, timeout });
	const earlier = await client.executionIds(workflowId);
	for (const transfer of transfers) await pay({ ...transfer, id: randomUUID() });
	await client.deactivate(workflowId);
	await client.publish(workflowId);
	return await executionsSince(client, workflowId, earlier);
}

/** A workflow's executions that have begun since these, once they are over. */
async function executionsSince(
	client: N8nClient,
	workflowId: string,
	earlier: string[],
): Promise<Execution[]> {
	const ids = await client.startedSince(workflowId, earlier, PATIENCE_MS);
	return await Promise.all(ids.map(async (id) => await client.execution(id)));
}

/** n8n checks a mailbox when it is notified of something new, and answers a form when its workflow has ended. */
const PATIENCE_MS = 60_000;
/** Publishing takes no longer. */
const SOON_MS = 5_000;

/** The link, in an e-mail, to the form that an execution waits for; it is there as soon as the execution waits. */
export async function linkedForm(client: N8nClient, arrivals: Arrivals, id: string): Promise<string> {
	await client.waiting(id, PATIENCE_MS);
	const texts = (await arrivals('emails')).map(({ text }) => text as string);
	const links = texts.flatMap((text) => text.match(/https?:\/\/\S+\/form-waiting\/\S+/g) ?? []);
	const link = links.find((one) => new URL(one).pathname.endsWith(`/${id}`));
	if (!link) throw new Error(`The execution ${id} waits, but no e-mail has a link to its form.`);
	return link;
}

/** Fills in a form that an execution waits for, like a browser whose user has the password. */
export async function answerForm(link: string, data: FormData, auth: typeof APPROVER | null = APPROVER) {
	const options = {
		...(auth && { auth: { username: auth.user, password: auth.password } }),
		proxy: false as const,
		validateStatus: () => true,
	};
	return await axios.post(link, data, options);
}

export function formOf(fields: FilledForm['fields']): FormData {
	const data = new FormData();
	for (const [field, value] of Object.entries(fields)) data.append(field, value);
	return data;
}

async function formData({ fields, files }: FilledForm, folder: string): Promise<FormData> {
	const data = formOf(fields);
	for (const [field, paths] of Object.entries(files)) {
		for (const path of paths) {
			const type = path.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg';
			data.append(field, await openAsBlob(join(folder, path), { type }), basename(path));
		}
	}
	return data;
}

/** Sends a published form as a browser does. Returns the page that is shown in the end. */
export async function submitForm(
	client: N8nClient,
	{ nodes }: Pick<WorkflowFile, 'nodes'>,
	data: FormData,
): Promise<string> {
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	return await client.submitForm((trigger.parameters.options as { path: string }).path, data);
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

/**
 * What is missing and what is unexpected, in words; empty if all is well. The order of records doesn't matter, nor that of
 * an entry's files: n8n uses the files of a form in the order in which it has stored them.
 */
export function compare(expected: Lists, actual: Lists): string[] {
	return Object.entries(expected).flatMap(([list, wanted]) => {
		const rest = [...(actual[list] ?? [])];
		const missing = wanted.filter((record) => {
			const found = rest.findIndex((one) => isEqualWith(pick(one, Object.keys(record)), record, isAsWanted));
			if (found >= 0) rest.splice(found, 1);
			return found < 0;
		});
		return [
			...missing.map((record) => `${list}: missing ${JSON.stringify(record)}`),
			...rest.map((record) => `${list}: unexpected ${JSON.stringify(record)}`),
		];
	});
}

/** Compares files in any order, and a text with `{ endsWith }`; leaves everything else to lodash. */
function isAsWanted(actual: unknown, wanted: unknown, key?: PropertyKey): boolean | undefined {
	if (key === 'belegbilder')
		return isEqual(sortBy(actual as Json[], 'dateiname'), sortBy(wanted as Json[], 'dateiname'));
	if (!isPlainObject(wanted) || typeof (wanted as Json).endsWith !== 'string') return undefined;
	return typeof actual === 'string' && actual.endsWith((wanted as { endsWith: string }).endsWith);
}
