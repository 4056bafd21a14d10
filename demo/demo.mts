/** Puts the credential and the example workflows into an n8n, runs them, and reports the results. */
import isEqual from 'lodash/isEqual.js';
import pick from 'lodash/pick.js';
import pickBy from 'lodash/pickBy.js';
import type { TransferInput } from '../sandbox/banking/bank.mjs';
import type { Sandbox } from '../sandbox/server.mjs';
import type { Mail } from './mailbox.mjs';
import {
	arrivalsOf,
	type Example,
	expectedOf,
	FILLS_TABLE,
	isCalled,
	type Logins,
	type Outcome,
	readExamples,
	runBefore,
	runExample,
	TEST_LOGINS,
	withCalled,
	withCredentials,
	withErrorWorkflow,
	withSubWorkflows,
} from './examples.mjs';
import type { Credential, N8nClient, StoredWorkflow, WorkflowFile } from '../host/client.mjs';
import { orStop } from '../scripts/base/processes.mjs';
import { dim, print, red, step } from '../scripts/base/progress.mjs';
import { atMost } from '../scripts/base/waiting.mjs';
import type { StartRecord } from './record.mjs';
import { fillTableOfCustomers, typeIntoTable } from './tableOfClients.mjs';

/** How many examples run at once: more would take longer each, because n8n is one process. */
const AT_ONCE = 3;

const CREDENTIAL_NAME = 'Accounting Gateway (sandbox)';

/** Names for the records of the sandbox's lists, singular and plural. */
const NAMES: Record<string, [one: string, several: string]> = {
	customers: ['customer', 'customers'],
	documents: ['document', 'documents'],
	emails: ['e-mail', 'e-mails'],
	entries: ['cash-book entry', 'cash-book entries'],
	tickets: ['ticket', 'tickets'],
};

/** An example that has been imported into an n8n. */
export interface Imported extends Example {
	workflowId: string;
	/** The workflow as this n8n has it, unless somebody has changed it: with the IDs of its credentials and workflows. */
	asImported: WorkflowFile;
	/** Whether somebody has changed the workflow in n8n; their version is kept. */
	changed: boolean;
	/** Whether the workflow already existed. */
	existed: boolean;
}

/** Where credentials are stored: an n8n, or what keeps the record of it. */
interface CredentialStore<Id> {
	importCredential(credential: Credential): Promise<Id>;
}

/** Stores a credential for the sandbox, or replaces the one with that name. Returns its ID. */
export const storeCredential = async <Id,>(
	store: CredentialStore<Id>,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
	name = CREDENTIAL_NAME,
): Promise<Id> =>
	await store.importCredential({
		name,
		type: 'accountingGatewayApi',
		data: { apiKey, baseUrl: url, accountingProvider: 'acct' },
	});

/**
 * Stores the credentials with which n8n's e-mail nodes use the mailboxes of this process.
 * @param suffix of the credentials' names, if an n8n has several of each
 */
export async function storeMailCredentials<Id>(
	store: CredentialStore<Id>,
	{ credentials }: Pick<Mail, 'credentials'>,
	suffix = '',
): Promise<Record<'imap' | 'smtp', Id>> {
	const one = async (credential: Credential) =>
		await store.importCredential({ ...credential, name: credential.name + suffix });
	return { imap: await one(credentials.imap), smtp: await one(credentials.smtp) };
}

/**
 * Stores the credentials of the examples' forms: the user for approvals, the user for the other forms, and the
 * secret that signs the links to the form without a password.
 * @returns the credentials' IDs by name
 */
export async function storeFormCredentials<Id>(
	store: CredentialStore<Id>,
	{ approver, forms, links }: Logins = TEST_LOGINS,
): Promise<Record<string, Id>> {
	const one = async (name: string, type: string, data: { [field: string]: string }) => ({
		[name]: await store.importCredential({ name, type, data }),
	});
	return {
		...(await one('Approver', 'httpBasicAuth', { ...approver })),
		...(await one('Forms', 'httpBasicAuth', { ...forms })),
		...(await one('Links', 'crypto', { ...links })),
	};
}

const N8N_KEY = { name: 'This n8n', type: 'n8nApi' };

/**
 * Stores a credential with a key that may read the workflows and executions of this n8n.
 * @param suffix of the credential's name, if an n8n has several
 */
export const storeN8nKey = async <Id,>(
	client: Pick<N8nClient, 'createKey' | 'api'>,
	suffix: string,
	store: CredentialStore<Id>,
): Promise<Id> =>
	await store.importCredential({
		name: `${N8N_KEY.name}${suffix}`,
		type: N8N_KEY.type,
		data: {
			apiKey: await client.createKey(`Examples${suffix}`, [
				'workflow:list',
				'workflow:read',
				'execution:list',
				'execution:read',
			]),
			baseUrl: client.api.defaults.baseURL!,
		},
	});

/** Stores all credentials that the examples need. Returns their IDs, by their names or types. */
export const storeCredentials = async (
	client: N8nClient,
	sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
	mail: Mail,
): Promise<Record<string, string>> => ({
	accountingGatewayApi: await storeCredential(client, sandbox),
	...(await storeMailCredentials(client, mail)),
	...(await storeFormCredentials(client)),
	n8nApi: await storeN8nKey(client, '', client),
});

/** Stores all credentials that the examples need, but leaves alone those that somebody has changed since an earlier start. */
export async function storeOwnCredentials(
	client: N8nClient,
	record: StartRecord,
	sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
	mail: Mail,
	logins: Logins,
): Promise<Record<string, string>> {
	const ids = {
		accountingGatewayApi: await storeCredential(record, sandbox),
		...(await storeMailCredentials(record, mail)),
		...(await storeFormCredentials(record, logins)),
		// A new key would revoke the one in a credential that isn't replaced.
		n8nApi: (await record.isChanged(N8N_KEY)) ? undefined : await storeN8nKey(client, '', record),
	};
	return pickBy(ids, (id) => id !== undefined) as Record<string, string>;
}

/**
 * Imports the example workflows that aren't there yet, and publishes those of them that others call.
 * @param credentials IDs of credentials by name or type
 * @param wanted the examples to import, with all workflows that they call. Default: all
 * @param suffix of the called workflows' names, if an n8n has several of each; of the wanted ones, too, if they are `copies`
 * @returns the examples in `wanted`
 */
export async function importExamples(
	client: N8nClient,
	credentials: Record<string, string>,
	wanted: (example: Example) => boolean = () => true,
	suffix = '',
	copies = false,
): Promise<Imported[]> {
	const imported: Imported[] = [];
	const all = await readExamples();
	const nameOf = (example: Example) =>
		wanted(example) && !copies ? example.workflow.name : example.workflow.name + suffix;
	const examples = withCalled(all.filter(wanted), all);
	const there = await Promise.all(
		examples.map(async (example) => {
			const found = await client.findWorkflow(nameOf(example));
			return found && (await client.workflow(found.id));
		}),
	);
	for (const [i, example] of examples.entries()) {
		const ids = Object.fromEntries(imported.map((one) => [one.workflow.name, one.workflowId]));
		const own = withSubWorkflows(withCredentials(example.workflow, credentials), ids);
		const byExample = Object.fromEntries(imported.map((one) => [one.name, one.workflowId]));
		const workflow = {
			...withErrorWorkflow(own, byExample),
			name: nameOf(example),
		};
		const existing = there[i];
		const workflowId = existing?.id ?? (await client.importWorkflow(workflow));
		imported.push({
			...example,
			workflowId,
			asImported: workflow,
			changed: existing !== undefined && !isAsImported(existing, workflow),
			existed: existing !== undefined,
		});
		// A published workflow can call only published workflows.
		if (isCalled(example, all) && !existing) await client.publish(workflowId);
	}
	return imported.filter(wanted);
}

/** Whether nobody has changed an imported workflow, neither what n8n's editor shows nor what is published. */
export function isAsImported(current: StoredWorkflow, file: WorkflowFile): boolean {
	const { activeVersion, isArchived, pinData, settings = {} } = current;
	const content = (one: Pick<WorkflowFile, 'nodes' | 'connections'>) => pick(one, 'nodes', 'connections');
	return (
		!isArchived &&
		isEqual(content(current), content(file)) &&
		(!activeVersion || isEqual(content(activeVersion), content(file))) &&
		isEqual(pick(settings, Object.keys(file.settings ?? {})), file.settings ?? {}) &&
		isEqual(pinData ?? {}, file.pinData ?? {})
	);
}

/** Whether an example uses only credentials with one of these IDs. */
const usesOnly = (
	{ workflow, asImported }: Pick<Imported, 'workflow' | 'asImported'>,
	ids: string[],
): boolean =>
	workflow.nodes.every(({ credentials = {} }, i) =>
		Object.keys(credentials).every((type) => ids.includes(asImported.nodes[i].credentials?.[type]?.id ?? '')),
	);

/**
 * Whether an example may run: it and the workflows that it calls are the files', unchanged, and use only credentials that
 * `npm start` has stored. Asked right before each run, because somebody may be working in n8n meanwhile.
 */
export async function mayRun(
	client: Pick<N8nClient, 'workflow'>,
	record: Pick<StartRecord, 'ownCredentials'>,
	example: Imported,
	all: Imported[],
): Promise<boolean> {
	const own = await record.ownCredentials();
	for (const one of withCalled([example], all) as Imported[]) {
		if (!usesOnly(one, own)) return false;
		// Its deletion is a change, too.
		const current = await client.workflow(one.workflowId).catch(() => undefined);
		if (!current || !isAsImported(current, one.asImported)) return false;
	}
	return true;
}

/** Imports the examples. Returns them as they are in n8n. */
async function install(
	client: N8nClient,
	record: StartRecord,
	sandbox: Sandbox,
	mail: Mail,
	logins: Logins,
	stop: AbortSignal,
): Promise<Imported[]> {
	return await step('Storing the credentials and importing the example workflows', async (say) => {
		const credentials = await orStop(storeOwnCredentials(client, record, sandbox, mail, logins), stop);
		const imported = await orStop(importExamples(client, credentials), stop);
		const changed = imported.filter((example) => example.changed).map(({ workflow }) => workflow.name);
		say(
			changed.length
				? `kept as they are in n8n, unlike their files: ${changed.join(', ')}`
				: `${imported.length} workflows`,
		);
		return imported;
	});
}

/**
 * Imports the examples, runs them, and prints the results. In an n8n in which they have run before, they run only on request.
 * @param isElsewhere whether the sandbox has an address that this n8n hasn't used before
 * @returns whether everything expected arrived
 */
export async function demonstrate(
	client: N8nClient,
	record: StartRecord,
	sandbox: Sandbox,
	mail: Mail,
	logins: Logins,
	stop: AbortSignal,
	{ isElsewhere, onRequest }: { isElsewhere: boolean; onRequest: boolean },
): Promise<boolean> {
	const examples = await install(client, record, sandbox, mail, logins, stop);
	const isLater = record.examplesHaveRun;
	if (isLater && !onRequest) {
		console.log('Not run again: the examples. With --examples, those that you haven’t changed are.');
		await orStop(nameSilentErrorWorkflows(client, examples), stop);
		return true;
	}
	record.noteExamplesRun();
	const arrivals = arrivalsOf(sandbox.store, mail);
	const pay = (transfer: TransferInput) => sandbox.services.bank.transfer(transfer);

	/** Whether what was expected arrived, or nothing was to be run. */
	const runOne = async (example: Imported): Promise<boolean> => {
		const { workflow, expected: first, existed } = example;
		if (!first) return true;
		if (!(await orStop(mayRun(client, record, example, examples), stop))) {
			print(`- “${workflow.name}”: Not run, because you changed it, or a credential that it uses.`);
			return true;
		}
		const expected = expectedOf(first, existed && isLater, isElsewhere);
		const outcome = await step(`Running “${workflow.name}”`, async (say) => {
			const running = runExample(client, arrivals, example, expected, pay, logins);
			const result = await orStop(running, stop).catch((error: Error): Outcome => {
				stop.throwIfAborted();
				return { arrives: {}, shows: {}, problems: [error.message] };
			});
			say(result.problems.length ? red('not what was expected') : summarize(result));
			return result;
		});
		print(...details(outcome).map((line) => `    ${line}`));
		if (example.name === FILLS_TABLE && !isLater) {
			await orStop(typeIntoTable(client), stop);
			await orStop(fillTableOfCustomers(client), stop);
		}
		return outcome.problems.length === 0;
	};

	const turn = atMost(AT_ONCE);
	const running = new Map<Imported, Promise<boolean>>();
	for (const example of examples) {
		const earlier = runBefore(example, examples).map((one) => running.get(one)!);
		const run = async () => {
			await Promise.all(earlier);
			return await turn(async () => await runOne(example));
		};
		running.set(example, run());
	}
	const allWell = (await Promise.all(running.values())).every(Boolean);
	const waiting = examples.filter(({ expected }) => !expected).map(({ workflow }) => `“${workflow.name}”`);
	if (waiting.length) {
		console.log(`Not run, because they wait for a payment or for the clock: ${waiting.join(', ')}.`);
		console.log(dim('Each says on its canvas how to try it.'));
	}
	await orStop(nameSilentErrorWorkflows(client, examples), stop);
	return allWell;
}

/** Says which error workflow isn't published: n8n doesn't call it then, and says so only in its log. */
async function nameSilentErrorWorkflows(client: N8nClient, examples: Imported[]): Promise<void> {
	const called = examples.map(({ asImported }) => asImported.settings?.errorWorkflow);
	for (const { workflowId } of examples.filter((one) => called.includes(one.workflowId))) {
		const { active, name } = await client.workflow(workflowId);
		if (active) continue;
		console.log(
			`Nobody is told of a failure yet: “${name}”, the error workflow of the others, isn’t published.`,
		);
		console.log(
			dim('Published, it reports executions that a trigger starts, not those of “Execute workflow”.'),
		);
	}
}

/** "6 documents arrived", "23 cash-book entries arrived, Refused lines: 1", "Check: 1, made Saldenliste 2026.xlsx" */
function summarize({ arrives, shows, makes = {} }: Outcome): string {
	const arrived = Object.entries(arrives)
		.filter(([, records]) => records.length > 0)
		.map(([list, { length }]) => `${length} ${NAMES[list]?.[length === 1 ? 0 : 1] ?? list}`);
	const shown = Object.entries(shows)
		.filter(([, items]) => items.length > 0)
		.map(([node, { length }]) => `${node}: ${length}`);
	const made = Object.values(makes)
		.flat()
		.map(({ dateiname }) => `made ${String(dateiname)}`);
	return [...(arrived.length ? [`${arrived.join(' and ')} arrived`] : []), ...shown, ...made].join(', ');
}

/**
 * The lines to print about a run: what became of an item, and why (as expected, if everything is), and differences from
 * the expected result.
 */
function details({ shows, problems }: Outcome): string[] {
	const expected = problems.length ? '' : ` ${dim('(as expected)')}`;
	const told = Object.values(shows)
		.flat()
		.filter(({ line }) => line)
		.map(({ result, line }) => [result, String(line).trim().replaceAll('\n', ' ')].filter(Boolean).join(': '))
		.map((line) => line + expected);
	return [...told, ...problems.map((problem) => red(problem))];
}
