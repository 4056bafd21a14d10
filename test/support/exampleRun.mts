/**
 * Runs an example as a whole in n8n's engine, in this process, with the package's nodes and n8n's own, which are those of
 * host/n8n: only the project `examples` of vitest.config.mts has them. Data Tables are in memory, Code nodes run without n8n's
 * sandbox, and e-mails go to a server of demo/mailbox.mts.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IRun,
	IWorkflowExecuteAdditionalData,
	Workflow as IWorkflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import mapValues from 'lodash/mapValues.js';
import pick from 'lodash/pick.js';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach } from 'vitest';

import { type Email, type Mail, startMail } from '../../demo/mailbox.mjs';
import type { WorkflowFile } from '../../host/client.mjs';
import { stillEmpty, type StoredRow } from '../../demo/tableOfClients.mjs';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mjs';
import { WORKFLOWS } from '../../demo/examples.mjs';
import {
	additionalData,
	DataDeduplicationService,
	execute,
	retryData,
	startOf,
	storedData,
	workflowWith,
} from '../../host/engine.mjs';
import { FakeDatabase } from './fakeDatabase.mjs';
import { fileStore, initBinaryData } from '../../host/fileStore.mjs';
import { PACKAGE } from '../../host/harness.mjs';
import { requireOfN8n } from '../../host/n8nPackages.mjs';
import { jsonAs, partial } from '../../host/partial.mjs';
import { loadNode } from '../../host/workflows.mjs';

type Row = Record<string, unknown>;
interface Condition {
	columnName: string;
	condition: string;
	value: unknown;
}
interface Filter {
	type: 'and' | 'or';
	filters: Condition[];
}

interface Table {
	id: string;
	name: string;
	columns: Array<{ name: string }>;
	rows: Row[];
}

/** n8n's Data Tables. */
class Tables {
	private tables: Table[] = [];
	private count = 0;

	rows(name: string): Row[] {
		return this.named(name)?.rows ?? [];
	}

	/** A row without any content, which n8n gives with all columns. */
	empty(name: string): Record<string, null> {
		return Object.fromEntries(
			(this.named(name) ?? missing(name)).columns.map((column) => [column.name, null]),
		);
	}

	/** A copy of a table as it is, for `add`. */
	copy(name: string): Table {
		return structuredClone(this.named(name) ?? missing(name));
	}

	/** Adds a copy of a table; returns its ID. */
	add(table: Table): string {
		const id = `table ${++this.count}`;
		this.tables.push({ ...structuredClone(table), id });
		return id;
	}

	/** As somebody does in n8n: the table's ID stays. */
	rename(name: string, to: string): void {
		(this.named(name) ?? missing(name)).name = to;
	}

	delete(name: string): void {
		this.tables = this.tables.filter((one) => one.name !== name);
	}

	private named(name: string): Table | undefined {
		return this.tables.find((one) => one.name === name);
	}

	readonly provider = {
		getDataTableAggregateProxy: async () => await Promise.resolve(this.aggregate),
		getDataTableProxy: async (_workflow: object, _node: object, id: string) =>
			await Promise.resolve(this.proxy(this.tables.find((one) => one.id === id) ?? missing(id))),
	};

	private readonly aggregate = {
		getManyAndCount: async ({ filter }: { filter: { name: string } }) => {
			const data = this.tables
				.filter(({ name }) => name === filter.name)
				.map(({ id, name }) => ({ id, name }));
			return await Promise.resolve({ data, count: data.length });
		},
		createDataTable: async ({ name, columns }: Pick<Table, 'name' | 'columns'>) => {
			const id = `table ${++this.count}`;
			this.tables.push({ id, name, columns, rows: [] });
			return await Promise.resolve({ id, name });
		},
	};

	private proxy({ rows: table, columns }: Table) {
		const find = (filter: Filter) => table.filter((row) => matches(row, filter));
		const insert = (row: Row) => {
			const now = new Date();
			table.push({ id: ++this.count, createdAt: now, updatedAt: now, ...row });
			return table.at(-1)!;
		};
		const update = (row: Row, data: Row) => Object.assign(row, data);
		return {
			getColumns: async () => await Promise.resolve(columns),
			getManyRowsAndCount: async ({
				filter,
				take,
				skip = 0,
			}: {
				filter: Filter;
				take?: number;
				skip?: number;
			}) => {
				const found = find(filter);
				const data = found.slice(skip, take === undefined ? undefined : skip + take);
				return await Promise.resolve({ data: data.map((row) => ({ ...row })), count: found.length });
			},
			insertRows: async (rows: Row[]) => await Promise.resolve(rows.map(insert)),
			updateRows: async ({ filter, data }: { filter: Filter; data: Row }) =>
				await Promise.resolve(find(filter).map((row) => ({ ...update(row, data) }))),
			upsertRow: async ({ filter, data }: { filter: Filter; data: Row }) => {
				const found = find(filter);
				return await Promise.resolve(found.length ? found.map((row) => update(row, data)) : [insert(data)]);
			},
		};
	}
}

function missing(id: string): never {
	throw new Error(`There is no table "${id}".`);
}

function matches(row: Row, { type, filters }: Filter): boolean {
	const fits = ({ columnName, condition, value }: Condition) => {
		const is = row[columnName] ?? null;
		switch (condition) {
			case 'eq':
				return is === value;
			case 'neq':
				return is !== value;
			// Of a text, an empty one is empty, too.
			case 'isEmpty':
				return is === null || is === '';
			case 'isNotEmpty':
				return is !== null && is !== '';
			default:
				throw new Error(`The condition ${condition} isn't known here.`);
		}
	};
	return filters.length === 0 || (type === 'or' ? filters.some(fits) : filters.every(fits));
}

/** The package's nodes, by their types' names. */
const OWN = await ownNodes();

async function ownNodes(): Promise<Record<string, INodeType>> {
	const { n8n } = JSON.parse(await readFile('package.json', 'utf8')) as { n8n: { nodes: string[] } };
	const nodes = await Promise.all(n8n.nodes.map(async (file) => await loadNode(file.split('/').at(-2)!)));
	return Object.fromEntries(nodes.map((node) => [node.description.name, node]));
}

/** A node's class and that of its versions. */
interface Versioned {
	nodeVersions?: Record<number, INodeType>;
}
const loaded = new Map<string, INodeType & Versioned>();

/** n8n's own nodes, from its packages. */
export function nodeTypeOf(type: string): INodeType & Versioned {
	const [packageName, name] = type.split(/\.(?=[^.]+$)/);
	if (packageName === PACKAGE) return OWN[name];
	if (type === 'n8n-nodes-base.code') return CODE;
	const known = loaded.get(type);
	if (known) return known;
	const manifest = requireOfN8n.resolve(`${packageName}/package.json`);
	const { n8n } = requireOfN8n(manifest) as { n8n: { nodes: string[] } };
	const wanted = `/${name}.node.js`.toLowerCase();
	const file = n8n.nodes.find((one) => one.toLowerCase().endsWith(wanted)) ?? missing(type);
	const classes = requireOfN8n(path.join(path.dirname(manifest), file)) as Record<
		string,
		new () => INodeType
	>;
	const node = new (Object.values(classes).find((one) => String(one).startsWith('class'))!)();
	loaded.set(type, node);
	return node;
}

const AsyncFunction = (async () => {}).constructor as new (
	...given: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** A Code node, without n8n's sandbox. */
const CODE: INodeType = {
	description: partial<INodeTypeDescription>({
		displayName: 'Code',
		name: 'code',
		group: ['transform'],
		version: [2],
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Mode', name: 'mode', type: 'string', default: 'runOnceForAllItems' },
			{ displayName: 'Code', name: 'jsCode', type: 'string', default: '', noDataExpression: true },
		],
	}),
	async execute(this: IExecuteFunctions) {
		const code = this.getNodeParameter('jsCode', 0) as string;
		const each = this.getNodeParameter('mode', 0) === 'runOnceForEachItem';
		const run = async (index: number): Promise<unknown> => {
			const { $, $input, $json, $now, $today } = this.getWorkflowDataProxy(index);
			const given = { $, $input, $json, $now, $today, DateTime };
			// The code is the repository's own.
			return await new AsyncFunction(...Object.keys(given), code).call(
				{ helpers: this.helpers },
				...Object.values(given),
			);
		};
		// As from n8n's runner, another process, come copies.
		if (!each) return [jsonAs(JSON.parse(JSON.stringify(await run(0))))];
		return [
			await Promise.all(
				this.getInputData().map(async (_, item) => ({
					...jsonAs<INodeExecutionData>(await run(item)),
					pairedItem: { item },
				})),
			),
		];
	},
};

export interface File {
	fileName: string;
	content: string | Buffer;
}
/** An item of a trigger; its files are put into n8n's binary store. */
export interface Item {
	json: IDataObject;
	files?: Record<string, File>;
}

async function itemOf({ json, files = {} }: Item): Promise<INodeExecutionData> {
	const binary: INodeExecutionData['binary'] = {};
	for (const [field, { fileName, content }] of Object.entries(files)) {
		const fileExtension = path.extname(fileName).slice(1);
		const file = { mimeType: 'application/octet-stream', fileName, fileExtension, data: '' };
		const buffer = Buffer.from(content);
		binary[field] = await fileStore().store(FILES, buffer, file);
	}
	return { json, ...(Object.keys(binary).length > 0 && { binary }) };
}
const FILES = { type: 'execution' as const, workflowId: 'example', executionId: 'input' };

/** Examples that others call to get something from them: they are run, too. The others only get items. */
const SUB_WORKFLOWS = new Set(['chase-missing', 'client', 'close-month-client', 'payment-reminders-client']);

export interface Started {
	/** The trigger, or another node, that it begins with. */
	from: string;
	items?: Item[];
	/** Items of another execution, instead. */
	given?: INodeExecutionData[];
	/** Other parameters of nodes, or other values of a node *Edit Fields*, by the node's name. */
	change?: Record<string, IDataObject>;
	/** What nodes put out without being run, by the node's name. */
	pinned?: Record<string, IDataObject[]>;
	/** Credentials besides those of the gateway and the mail server, by type. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
}

export interface Ran {
	example: string;
	started: Started;
	run: IRun;
	/** The message of the error that ended the execution. */
	error?: string;
	/** The items on an output of a node. */
	items(node: string, output?: number): IDataObject[];
	/** Whether the node has run. */
	ran(node: string): boolean;
}

export class ExampleRig {
	sandbox!: Sandbox;
	tables!: Tables;
	mail!: Mail;
	/** The items that a sub-workflow was called with. */
	called: INodeExecutionData[] = [];
	/** The runs of sub-workflows, in the order in which they ended. */
	subRuns: Ran[] = [];
	/** Other parameters of nodes of a sub-workflow, by its example's name and the node's name. */
	subWorkflows: Record<string, Started['change']> = {};
	/** The executions of sub-workflows that nobody waited for, in their order. */
	children: Ran[] = [];
	/** The mail server refuses every e-mail. */
	isMailDown = false;
	private seen = 0;

	/** The e-mails that have arrived since the test began. */
	get emails(): Email[] {
		return this.mail.emails.slice(this.seen);
	}

	entries(): Array<IDataObject & { fields: IDataObject; belegbilder: unknown[] }> {
		return jsonAs(this.sandbox.store.list('entries'));
	}

	documents(): Array<IDataObject & { dateiname: string; fields: IDataObject }> {
		return jsonAs(this.sandbox.store.list('documents'));
	}

	reset(): void {
		this.sandbox.store.reset();
		this.sandbox.faults.clear();
		this.tables = new Tables();
		new FakeDatabase(0).install();
		this.isMailDown = false;
		this.called = [];
		this.subRuns = [];
		this.subWorkflows = {};
		this.children = [];
		this.forgetEmails();
	}

	/** Leaves out the e-mails that have arrived so far. */
	forgetEmails(): void {
		this.seen = this.mail.emails.length;
	}

	/** The table of clients as *Clients* fills it and a person completes it: once for all tests. */
	async fillTableOfClients(): Promise<void> {
		if (this.filled) return void this.tables.add(this.filled);
		const { error } = await this.run('clients', { from: 'Start' });
		if (error) throw new Error(error);
		for (const row of this.clients())
			Object.assign(row, stillEmpty({ ...this.tables.empty('Mandanten'), ...row }));
		this.filled = this.tables.copy('Mandanten');
		this.forgetEmails();
	}
	private filled?: Table;

	/** The rows of the table of clients. */
	clients(): StoredRow[] {
		return this.tables.rows('Mandanten') as StoredRow[];
	}

	async run(example: string, started: Started): Promise<Ran> {
		const items = started.given ?? (await Promise.all((started.items ?? [{ json: {} }]).map(itemOf)));
		const pinData = mapValues(started.pinned ?? {}, (records) =>
			records.map((json, item) => ({ json, pairedItem: { item } })),
		);
		return await this.execute(example, started, 'trigger', (workflow) =>
			startOf(workflow.getNode(started.from) ?? missing(started.from), [items], pinData),
		);
	}

	/** What n8n's button "Retry" does with a failed execution. */
	async retry({ example, started, run }: Ran): Promise<Ran> {
		const data = retryData(run.data);
		return await this.execute(example, started, 'retry', () => data);
	}

	/** What n8n does when somebody sends the form that an execution waits for, or when nobody has and the time is over. */
	async answer({ example, started, run }: Ran, said?: IDataObject, files?: Item['files']): Promise<Ran> {
		const data = storedData(run.data);
		const [waiting] = data.executionData!.nodeExecutionStack;
		waiting.node.disabled = true;
		if (said) waiting.data.main = [[await itemOf({ json: said, files })]];
		delete data.waitTill;
		data.resultData.runData[data.resultData.lastNodeExecuted!].pop();
		return await this.execute(example, started, 'webhook', () => data);
	}

	private async execute(
		example: string,
		started: Started,
		mode: WorkflowExecuteMode,
		startData: (workflow: IWorkflow) => IRun['data'],
	): Promise<Ran> {
		const { change = {}, credentials = {} } = started;
		const file = JSON.parse(await readFile(path.join(WORKFLOWS, `${example}.json`), 'utf8')) as WorkflowFile;
		const nodes = file.nodes.map((node) => filledIn(changed(node, change[node.name])));
		const workflow = workflowWith({ ...file, id: example, nodes, active: true }, (type, version) =>
			versionOf(nodeTypeOf(type), version),
		);
		const data = additionalData();
		const gateway = { apiKey: this.sandbox.apiKey, baseUrl: this.sandbox.url, accountingProvider: 'acct' };
		const { data: smtp } = this.mail.credentials.smtp;
		const known: Record<string, ICredentialDataDecryptedObject> = {
			accountingGatewayApi: gateway,
			smtp: { ...smtp, ...(this.isMailDown && { port: 1 }) },
			...credentials,
		};
		const helper = data.credentialsHelper;
		data.credentialsHelper = Object.assign(Object.create(helper) as typeof helper, {
			getDecrypted: async (_data: object, _credential: object, type: string) =>
				await Promise.resolve({ ...known[type] }),
		});
		Object.assign(data, { 'data-table': { dataTableProxyProvider: this.tables.provider } } satisfies Partial<
			Record<keyof IWorkflowExecuteAdditionalData, unknown>
		>);
		data.executeWorkflow = async ({ id = '' }, _more, { inputData = [], doNotWaitToFinish }) => {
			if (!SUB_WORKFLOWS.has(id)) {
				this.called = inputData;
				return { executionId: 'called', data: [inputData] };
			}
			const ran = await this.run(id, {
				from: 'When called',
				given: inputData,
				change: this.subWorkflows[id],
				// An example that calls itself has the same nodes.
				...(id === example && pick(started, ['pinned', 'credentials'])),
			});
			this.subRuns.push(ran);
			if (doNotWaitToFinish) {
				this.children.push(ran);
				return { executionId: id, data: [inputData] };
			}
			const { lastNodeExecuted, runData, error } = ran.run.data.resultData;
			if (error) throw error;
			return { executionId: id, data: runData[lastNodeExecuted!].at(-1)?.data?.main ?? [[]] };
		};
		const run = await execute(workflow, { mode, start: startData(workflow), additional: data });
		const { runData, error } = run.data.resultData;
		return {
			example,
			started,
			run,
			error: error && `${run.data.resultData.lastNodeExecuted}: ${error.message}`,
			items: (node, output = 0) =>
				(runData[node] ?? []).flatMap((task) => (task.data?.main[output] ?? []).map(({ json }) => json)),
			ran: (node) => node in runData,
		};
	}
}

/** What n8n fills in when a template without credentials is imported. */
function filledIn(node: INode): INode {
	const { credentials = [] } = node.credentials
		? {}
		: versionOf(nodeTypeOf(node.type), node.typeVersion).description;
	const chosen = credentials.filter(({ name }) => ['accountingGatewayApi', 'smtp'].includes(name));
	if (chosen.length === 0) return node;
	return {
		...node,
		credentials: Object.fromEntries(chosen.map(({ name }) => [name, { id: name, name }])),
	};
}

/** Retries of a failing mail server don't wait. */
function changed(node: INode, change?: IDataObject): INode {
	const one = { ...node, ...(node.retryOnFail && { maxTries: 2, waitBetweenTries: 1 }) };
	if (!change) return one;
	const parameters = structuredClone(node.parameters) as IDataObject;
	const set = (parameters.assignments as { assignments: Array<{ name: string; value: unknown }> } | undefined)
		?.assignments;
	for (const [name, value] of Object.entries(change)) {
		const field = set?.find((assignment) => assignment.name === name);
		if (field) field.value = value;
		else parameters[name] = value;
	}
	return { ...one, parameters: parameters as INode['parameters'] };
}

export const versionOf = (node: INodeType & Versioned, version?: number): INodeType =>
	node.nodeVersions ? (node.nodeVersions[version!] ?? Object.values(node.nodeVersions).at(-1)!) : node;

/** What the tests of a file run examples with; everything is empty before each. */
export function useExamples(options: SandboxOptions = {}): ExampleRig {
	const rig = new ExampleRig();
	beforeAll(async () => {
		await initBinaryData();
		rig.sandbox = await startSandbox(options);
		rig.mail = await startMail();
	});
	beforeEach(() => rig.reset());
	afterAll(async () => {
		await rig.sandbox.close();
		await rig.mail.stop();
		Object.assign(DataDeduplicationService, { instance: undefined });
	});
	return rig;
}
