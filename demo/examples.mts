/** The example workflows of `workflows/`: reading, running, and comparing the results with the expected ones. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
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
import type { TransferInput } from '../sandbox/banking/bank.mjs';
import type { Store } from '../sandbox/store.mjs';
import type { Execution, N8nClient, WorkflowFile } from '../host/client.mjs';
import type { Mail } from './mailbox.mjs';
import { PATIENCE_MS, waitFor } from '../scripts/base/waiting.mjs';

export const WORKFLOWS = fileURLToPath(new URL('../workflows', import.meta.url));

type Json = Record<string, unknown>;
/** Records or items by the name of the list or node that they belong to. */
type Lists = Record<string, Json[]>;
/** Reads a list of arrived records: `documents`, `entries`, … of the sandbox, or `emails`. */
export interface Arrivals {
	(list: string): readonly Json[] | Promise<readonly Json[]>;
	/** How often a mailbox was opened; missing if nobody knows. */
	opened?: Mail['opened'];
}

/**
 * The expected result of a run: `workflows/<example>/expected.json`. Each record has to have the given fields exactly
 * and may have others (an ID, a time); no record may be missing or extra. If a record has `file` (a path relative
 * to expected.json), that file's name, size and SHA-256 are expected.
 */
export interface Expected {
	/** The sandbox's records by list: `documents`, `entries`, … */
	arrives: Lists;
	/** Output items of nodes, by the node's name. */
	shows: Lists;
	/** Output files of nodes, by the node's name: `dateiname`, `size`, `sha256`, `mimeType`. */
	makes?: Lists;
	/** Expected differences in a second run. */
	again?: Partial<Pick<Expected, 'arrives' | 'shows'>>;
	/**
	 * Expected differences in a later `npm start`: n8n remembers earlier runs, but the gateway is new. With `sameAddress`, they
	 * apply only if the gateway's address was used before, because the nodes recognize a gateway by its address.
	 */
	later?: Partial<Pick<Expected, 'arrives' | 'shows'>> & { sameAddress?: boolean };
	/** The manual trigger only makes this other trigger start the workflow, with this many items in total. */
	triggered?: { node: string; items: number };
	/** Transfers to the bank account, for a workflow that begins with the transaction trigger. */
	transfers?: TransferInput[];
	/** Values for the form that the workflow begins with. */
	form?: FilledForm;
	/** The approver's values for the form that the workflow waits for, and whose link it has e-mailed. */
	answer?: Pick<FilledForm, 'fields'>;
}

/** A user of n8n's credential for Basic Auth. */
type Login = Record<'user' | 'password', string>;

/** What the examples' forms ask for. */
export interface Logins {
	/** Who may fill in the forms that workflows wait for. */
	approver: Login;
	/** Who may open the forms that workflows begin with. */
	forms: Login;
	/** Signs the links to the form without a password. */
	links: { hmacSecret: string };
}

/** The logins of an n8n that a test starts and removes again. Anybody can read them here, so `npm start` makes its own. */
export const APPROVER = { user: 'freigabe', password: 'Freigabe-Test-1' };
export const FORMS = { user: 'beleg', password: 'Beleg-Test-1' };
export const LINKS = { hmacSecret: 'Links-Test-1' };
export const TEST_LOGINS: Logins = { approver: APPROVER, forms: FORMS, links: LINKS };

/** Values by the field's position; files are paths relative to expected.json. */
export interface FilledForm {
	fields: Record<string, string>;
	files: Record<string, string[]>;
	/** Its further pages. */
	pages?: Array<Pick<FilledForm, 'fields'> & Partial<Pick<FilledForm, 'files'>>>;
	/** A field for the seal that makes a link to the form valid, and the fields that it covers. */
	seal?: { field: string; of: string[] };
}

/** What a link to a form without a password carries, so that nobody else makes one. */
export const sealOf = (secret: string, parts: string[]): string =>
	createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');

/** The values for a form, with its seal. */
export const sealed = ({ fields, files, pages, seal }: FilledForm, secret: string): FilledForm => ({
	files,
	pages,
	fields: {
		...fields,
		...(seal && {
			[seal.field]: sealOf(
				secret,
				seal.of.map((field) => fields[field]),
			),
		}),
	},
});

export interface Example {
	/** Name of the file `workflows/<example>.json`, without the ending. */
	name: string;
	workflow: WorkflowFile;
	/** Missing if the workflow waits for an event that `npm start` can't cause. */
	expected?: Expected;
}

/**
 * The expected result of an example in an `npm start`.
 * @param existed whether the example already existed in n8n
 * @param isElsewhere whether the gateway has an address that this n8n hasn't used before
 */
export function expectedOf(expected: Expected, existed: boolean, isElsewhere: boolean): Expected {
	const { later } = expected;
	return existed && !(isElsewhere && later?.sameAddress) ? { ...expected, ...later } : expected;
}

/** Makes a transfer arrive at the bank. */
export type Pay = (transfer: TransferInput) => unknown;

/** The result of a run. */
export interface Outcome extends Pick<Expected, 'arrives' | 'shows' | 'makes'> {
	/** Descriptions of all differences from the expected result. */
	problems: string[];
}

/** The example that fills the table of clients, which others read. */
export const FILLS_TABLE = 'clients';

/**
 * All examples, sorted by file name, but each after its error workflow and the workflows that it calls, and the one that fills the
 * table of clients before those that read it.
 */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(WORKFLOWS)).filter((file) => file.endsWith('.json')).sort();
	const examples = await Promise.all(
		files.map(async (file) => {
			const name = basename(file, '.json');
			const workflow = JSON.parse(await readFile(join(WORKFLOWS, file), 'utf8')) as WorkflowFile;
			return { name, workflow, expected: await readExpected(join(WORKFLOWS, name)) };
		}),
	);
	const isErrorWorkflow = ({ name }: Example) =>
		examples.some(({ workflow }) => workflow.settings?.errorWorkflow === name);
	return withCalled(
		sortBy(examples, [(example) => !isErrorWorkflow(example), ({ name }) => name !== FILLS_TABLE]),
		examples,
	);
}

/** An example by its name, the file's without the ending. */
export async function readExample(wanted: string): Promise<Example> {
	const found = (await readExamples()).find(({ name }) => name === wanted);
	if (!found) throw new Error(`There is no example "${wanted}".`);
	return found;
}

/** The Data Tables that an example reads or writes, also by the workflows that it calls. */
const tablesOf = (example: Example, all: Example[]): unknown[] =>
	withCalled([example], all).flatMap(({ workflow }) =>
		workflow.nodes.flatMap(({ parameters }) => parameters.tableName ?? []),
	);

/**
 * The examples before this one that must have run when it begins: those with a Data Table in common, because whoever comes first
 * makes the table, and the others read what is in it.
 */
export function runBefore<One extends Example>(example: One, all: One[]): One[] {
	const tables = tablesOf(example, all);
	return all
		.slice(0, all.indexOf(example))
		.filter((one) => tablesOf(one, all).some((table) => tables.includes(table)));
}

const calledOf = ({ parameters }: WorkflowFile['nodes'][number]) =>
	parameters.workflowId as INodeParameterResourceLocator | undefined;

/** Examples and the workflows that they call; each example follows those that it calls. */
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

/** Whether other examples call this one. */
export const isCalled = ({ workflow }: Example, all: Example[]): boolean =>
	all.some(({ workflow: { nodes } }) =>
		nodes.some((node) => calledOf(node)?.cachedResultName === workflow.name),
	);

async function readExpected(folder: string): Promise<Expected | undefined> {
	const file = join(folder, 'expected.json');
	if (!existsSync(file)) return undefined;
	const expected: unknown = JSON.parse(await readFile(file, 'utf8'));
	return (await describeFiles(expected, folder)) as Expected;
}

/** Replaces every `file` by name, size and hash. A node's items may have a field `file` of their own. */
async function describeFiles(value: unknown, folder: string): Promise<unknown> {
	if (Array.isArray(value)) return await Promise.all(value.map((member) => describeFiles(member, folder)));
	if (!isPlainObject(value)) return value;
	const { file, ...rest } = value as Json;
	const members = await Promise.all(
		Object.entries(rest).map(async ([key, member]) => [
			key,
			key === 'shows' ? member : await describeFiles(member, folder),
		]),
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
 * Replaces the IDs of a workflow's credentials by those of this n8n: the exported file has another n8n's IDs.
 * @param ids IDs by the credential's name or type; the name takes precedence
 */
export function withCredentials(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: mapValues(
				pickBy(node.credentials, ({ name }, type) => ids[name] ?? ids[type]),
				(credential, type) => ({ ...credential, id: ids[credential.name] ?? ids[type] }),
			),
		}),
	}));
	return { ...workflow, nodes };
}

/**
 * Replaces the IDs of called workflows by those of this n8n: the exported file has another n8n's IDs.
 * @param ids IDs by the workflows' names
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

/**
 * Replaces the error workflow's name by its ID in this n8n: the file has the example's name.
 * @param ids IDs by the examples' names
 */
export function withErrorWorkflow(workflow: WorkflowFile, ids: Record<string, string>): WorkflowFile {
	const { errorWorkflow, ...settings } = workflow.settings ?? {};
	const id = ids[String(errorWorkflow)];
	return { ...workflow, settings: { ...settings, ...(id && { errorWorkflow: id }) } };
}

/** Reads records that arrived in this process's sandbox and mailboxes. */
export const arrivalsOf = (store: Store, mail?: Pick<Mail, 'emails' | 'opened'>): Arrivals => {
	const arrivals = (list: string) => ((list === 'emails' ? mail?.emails : store.list(list)) ?? []) as Json[];
	return Object.assign(arrivals, { opened: mail?.opened });
};

/**
 * Runs an example and compares the result with the expected one.
 * @param expected the result to compare with; the caller has merged in `again` if needed
 */
export async function runExample(
	client: N8nClient,
	arrivals: Arrivals,
	{ name, workflow, workflowId }: Pick<Example, 'name' | 'workflow'> & { workflowId: string },
	expected: Expected,
	pay?: Pay,
	logins = TEST_LOGINS,
): Promise<Outcome> {
	const lists = Object.keys(expected.arrives);
	const before = await Promise.all(lists.map(async (list) => (await arrivals(list)).length));
	const { name: quelle } = await client.workflow(workflowId);
	const executions = await begin(client, arrivals, { name, workflow, workflowId }, expected, logins, pay);
	const after = await Promise.all(lists.map(async (list) => await arrivals(list)));
	const isOwn = ownedBy(quelle, workflow, executions);
	const arrives = Object.fromEntries(lists.map((list, i) => [list, after[i].slice(before[i]).filter(isOwn)]));
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

/**
 * Tells a workflow's own records from those of others that run at the same time: the gateway is told which workflow sends
 * (`quelle`), and of an e-mail, the node that sent it puts out the ID. What has neither is its own.
 */
function ownedBy(quelle: string, { nodes }: Pick<WorkflowFile, 'nodes'>, executions: Execution[]) {
	// A workflow that calls itself gives back what its last node put out.
	const senders = nodes.filter(({ type }) => /\.(emailSend|executeWorkflow)$/.test(type));
	const sent = executions.flatMap((execution) =>
		senders.flatMap((node) => itemsOf(execution, node.name).map(({ messageId }) => messageId)),
	);
	return (record: Json): boolean =>
		'messageId' in record ? sent.includes(record.messageId) : (record.quelle ?? quelle) === quelle;
}

/** Starts a workflow the way it is meant to be started. Returns all of its executions, once they are over. */
async function begin(
	client: N8nClient,
	arrivals: Arrivals,
	{ name, workflow, workflowId }: Pick<Example, 'name' | 'workflow'> & { workflowId: string },
	{ form, triggered, answer, transfers }: Expected,
	logins: Logins,
	pay?: Pay,
): Promise<Execution[]> {
	if (answer) {
		const id = await client.start(workflowId);
		await answerForm(await linkedForm(client, arrivals, id), formOf(answer.fields), logins.approver);
		return [await client.execution(id)];
	}
	if (transfers) return await payIn(client, workflowId, transfers, pay!);
	if (!form && !triggered) return [await client.run(workflowId)];
	// The trigger of a workflow that is published already may be connected to a mailbox of an earlier start.
	if (triggered && (await client.workflow(workflowId)).active) await client.deactivate(workflowId);
	const earlier = await client.executionIds(workflowId);
	const opened = (await arrivals.opened?.()) ?? 0;
	await client.publish(workflowId);
	if (form) {
		const folder = join(WORKFLOWS, name);
		const pages = (form.pages ?? []).map(async (page) => await formData(page, folder));
		const first = await formData(sealed(form, logins.links.hmacSecret), folder);
		await submitForm(client, workflow, first, logins.forms, await Promise.all(pages));
		return await executionsSince(client, workflowId, earlier);
	}
	const { node, items } = triggered!;
	// n8n connects after it has answered, and doesn't read what has arrived before.
	if (arrivals.opened) await waitFor(async () => (await arrivals.opened!()) > opened);
	const sending = await client.run(workflowId);
	let executions: Execution[] = [];
	for (let arrived = 0; arrived < items; ) {
		const further = async () => {
			executions = await executionsSince(client, workflowId, earlier);
			const count = executions.flatMap((execution) => itemsOf(execution, node)).length;
			return count > arrived && count;
		};
		const message = () =>
			`“${node}” has put out ${arrived} of ${items} items, and no further one within ${QUIET_MS / 1000} seconds.`;
		arrived = await waitFor(further, { interval: 300, timeout: QUIET_MS, message });
	}
	return executions.some(({ id }) => id === sending.id) ? executions : [...executions, sending];
}

/** The fields of a workflow in n8n's API that are needed here. */
interface WorkflowState {
	active: boolean;
	staticData?: object | null;
}

/**
 * Lets money arrive while a workflow is published. Publishing it again makes n8n poll at once; its regular polls are minutes apart.
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
	// A workflow that an earlier `npm start` has published may poll a sandbox that no longer exists, so it starts from
	// scratch.
	if (active) await client.deactivate(workflowId);
	await client.publish(workflowId);
	// n8n publishes after it has answered; at the end, it stores the trigger's static data.
	const isPublished = async () => !isEqual((await stored()).staticData ?? null, staticData ?? null);
	// If the trigger already has static data, publishing it at the same gateway may not change the data.
	const timeout = staticData ? SOON_MS : PATIENCE_MS;
	await waitFor(isPublished, { interval: 200, timeout }).catch((error: unknown) => {
		if (!staticData) throw error;
	});
	const earlier = await client.executionIds(workflowId);
	for (const transfer of transfers) await pay({ ...transfer, id: randomUUID() });
	await client.deactivate(workflowId);
	await client.publish(workflowId);
	return await executionsSince(client, workflowId, earlier);
}

/** Waits for the end of a workflow's executions that began after the earlier ones, and returns them. */
async function executionsSince(
	client: N8nClient,
	workflowId: string,
	earlier: string[],
): Promise<Execution[]> {
	const ids = await client.startedSince(workflowId, earlier, PATIENCE_MS);
	return await Promise.all(ids.map(async (id) => await client.execution(id)));
}

/** n8n’s client for mailboxes listens 15 seconds after its last command; a busy machine needs more. */
const QUIET_MS = 60_000;
/** Publishing takes less than this. */
const SOON_MS = 5_000;

/** Finds the e-mailed link to the form that an execution waits for; the e-mail is sent before the execution waits. */
export async function linkedForm(client: N8nClient, arrivals: Arrivals, id: string): Promise<string> {
	await client.waiting(id, PATIENCE_MS);
	const texts = (await arrivals('emails')).map(({ text }) => text as string);
	const links = texts.flatMap((text) => text.match(/https?:\/\/\S+\/form-waiting\/\S+/g) ?? []);
	const link = links.find((one) => new URL(one).pathname.endsWith(`/${id}`));
	if (!link) throw new Error(`The execution ${id} waits, but no e-mail has a link to its form.`);
	return link;
}

/** Fills in a form that an execution waits for, like a browser whose user knows the password. */
export async function answerForm(link: string, data: FormData, auth: Login | null = APPROVER) {
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

/** MIME types of files that aren't photos. */
const TYPES: Record<string, string> = {
	'.pdf': 'application/pdf',
	'.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

async function formData(
	{ fields, files = {} }: NonNullable<FilledForm['pages']>[number],
	folder: string,
): Promise<FormData> {
	const data = formOf(fields);
	for (const [field, paths] of Object.entries(files)) {
		for (const path of paths) {
			const type = TYPES[extname(path)] ?? 'image/jpeg';
			data.append(field, await openAsBlob(join(folder, path), { type }), basename(path));
		}
	}
	return data;
}

/** Sends a published form as a browser does. Returns the page that is shown at the end. */
export async function submitForm(
	client: N8nClient,
	{ nodes }: Pick<WorkflowFile, 'nodes'>,
	data: FormData,
	login: Login = FORMS,
	pages: FormData[] = [],
): Promise<string> {
	const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger')!;
	const { options, authentication } = trigger.parameters as {
		options: { path: string };
		authentication?: string;
	};
	const auth = authentication && { username: login.user, password: login.password };
	return await client.submitForm(options.path, data, auth || undefined, pages);
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

/** The items on a node's first output, from all its runs. */
export const itemsOf = (execution: Execution, node: string): Json[] =>
	outputOf(execution, node).map(({ json }) => json);

const outputOf = ({ data }: Execution, node: string): INodeExecutionData[] =>
	(data.resultData.runData[node] ?? []).flatMap((run) => run.data?.main[0] ?? []);

/**
 * Describes missing and unexpected records; empty if there are none. The order of records doesn't matter, nor that of an
 * entry's files, because n8n outputs a form's files in the order in which it has stored them.
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
