/** Puts the credential and the example workflows into an n8n, runs them, and reports the results. */
import isEqual from 'lodash/isEqual.js';
import pick from 'lodash/pick.js';
import type { Sandbox } from '../../sandbox/server.mjs';
import type { Mail } from '../../host/mailbox.mjs';
import {
	APPROVER,
	arrivalsOf,
	type Example,
	expectedOf,
	FORMS,
	isCalled,
	LINKS,
	type Outcome,
	readExamples,
	runExample,
	withCalled,
	withCredentials,
	withErrorWorkflow,
	withSubWorkflows,
} from './examples.mjs';
import type { N8nClient, WorkflowFile } from '../../host/client.mjs';
import { orStop } from '../shared/processes.mjs';
import { dim, red, step } from '../shared/progress.mjs';

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
	/** Whether somebody has changed the workflow in n8n; their version is kept. */
	changed: boolean;
	/** Whether the workflow already existed. */
	existed: boolean;
}

/** Stores a credential for the sandbox, or replaces the one with that name. Returns its ID. */
export const storeCredential = async (
	client: N8nClient,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
	name = CREDENTIAL_NAME,
): Promise<string> =>
	await client.importCredential({
		name,
		type: 'accountingGatewayApi',
		data: { apiKey, baseUrl: url, accountingProvider: 'acct' },
	});

/**
 * Stores the credentials with which n8n's e-mail nodes use the mailboxes of this process.
 * @param suffix of the credentials' names, if an n8n has several of each
 */
export async function storeMailCredentials(
	client: N8nClient,
	{ credentials }: Pick<Mail, 'credentials'>,
	suffix = '',
): Promise<Record<'imap' | 'smtp', string>> {
	const store = async (one: Mail['credentials']['imap']) =>
		await client.importCredential({ ...one, name: one.name + suffix });
	return { imap: await store(credentials.imap), smtp: await store(credentials.smtp) };
}

/**
 * Stores the credentials of the examples' forms: the user for approvals, the user for the other forms, and the
 * secret that signs the links to the form without a password.
 * @returns the credentials' IDs by name
 */
export async function storeFormCredentials(client: N8nClient): Promise<Record<string, string>> {
	const store = async (name: string, type: string, data: Record<string, string>) => ({
		[name]: await client.importCredential({ name, type, data }),
	});
	return {
		...(await store('Approver', 'httpBasicAuth', APPROVER)),
		...(await store('Forms', 'httpBasicAuth', FORMS)),
		...(await store('Links', 'crypto', LINKS)),
	};
}

/**
 * Stores a credential with a key that may read the workflows and executions of this n8n.
 * @param suffix of the credential's name, if an n8n has several
 */
export const storeN8nKey = async (client: N8nClient, suffix = ''): Promise<string> =>
	await client.importCredential({
		name: `This n8n${suffix}`,
		type: 'n8nApi',
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
	n8nApi: await storeN8nKey(client),
});

/**
 * Imports the example workflows that aren't there yet, and publishes those that others call.
 * @param credentials IDs of credentials by name or type
 * @param wanted the examples to import, with all workflows that they call. Default: all
 * @param suffix of the called workflows' names, if an n8n has several of each
 * @returns the examples in `wanted`
 */
export async function importExamples(
	client: N8nClient,
	credentials: Record<string, string>,
	wanted: (example: Example) => boolean = () => true,
	suffix = '',
): Promise<Imported[]> {
	const imported: Imported[] = [];
	const all = await readExamples();
	for (const example of withCalled(all.filter(wanted), all)) {
		const ids = Object.fromEntries(imported.map((one) => [one.workflow.name, one.workflowId]));
		const { name } = example.workflow;
		const own = withSubWorkflows(withCredentials(example.workflow, credentials), ids);
		const byExample = Object.fromEntries(imported.map((one) => [one.name, one.workflowId]));
		const workflow = {
			...withErrorWorkflow(own, byExample),
			name: wanted(example) ? name : name + suffix,
		};
		const existing = await client.findWorkflow(workflow.name);
		// If an earlier start has published the workflow, it is still connected to a mailbox that no longer exists.
		if (existing && example.expected?.triggered) await client.deactivate(existing.id);
		imported.push({
			...example,
			workflowId: existing?.id ?? (await client.importWorkflow(workflow)),
			changed: existing !== undefined && !isSame(existing, workflow),
			existed: existing !== undefined,
		});
		// A published workflow can call only published workflows.
		if (isCalled(workflow)) await client.publish(imported.at(-1)!.workflowId);
	}
	return imported.filter(wanted);
}

const isSame = (one: WorkflowFile, other: WorkflowFile): boolean =>
	isEqual(pick(one, 'nodes', 'connections'), pick(other, 'nodes', 'connections'));

/**
 * Imports and runs the examples, and prints the results.
 * @param isElsewhere whether the sandbox has an address that this n8n hasn't used before
 * @returns whether everything expected arrived
 */
export async function demonstrate(
	client: N8nClient,
	sandbox: Sandbox,
	mail: Mail,
	stop: AbortSignal,
	isElsewhere: boolean,
): Promise<boolean> {
	const examples = await step('Storing the credentials and importing the example workflows', async (say) => {
		const credentials = await orStop(storeCredentials(client, sandbox, mail), stop);
		const imported = await orStop(importExamples(client, credentials), stop);
		const changed = imported.filter((example) => example.changed).map(({ workflow }) => workflow.name);
		say(
			changed.length
				? `kept as they are in n8n, unlike their files: ${changed.join(', ')}`
				: `${imported.length} workflows`,
		);
		return imported;
	});
	let allWell = true;
	for (const example of examples) {
		const { workflow, expected: first, existed } = example;
		if (!first) continue;
		const expected = expectedOf(first, existed, isElsewhere);
		const outcome = await step(`Running “${workflow.name}”`, async (say) => {
			const arrivals = arrivalsOf(sandbox.store, mail);
			const running = runExample(client, arrivals, example, expected, (transfer) =>
				sandbox.services.bank.transfer(transfer),
			);
			const result = await orStop(running, stop);
			say(result.problems.length ? red('not what was expected') : summarize(result));
			return result;
		});
		for (const line of details(outcome)) console.log(`    ${line}`);
		allWell &&= outcome.problems.length === 0;
	}
	const waiting = examples.filter(({ expected }) => !expected).map(({ workflow }) => `“${workflow.name}”`);
	if (waiting.length) {
		console.log(`Not run, because they wait for a payment or for the clock: ${waiting.join(', ')}.`);
		console.log(dim('Each says on its canvas how to try it.'));
	}
	return allWell;
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
 * The lines to print about a run: reasons for refusals (intended ones, if everything is as expected), and differences
 * from the expected result.
 */
function details({ shows, problems }: Outcome): string[] {
	const intended = problems.length ? '' : ` ${dim('(on purpose)')}`;
	const refused = Object.values(shows)
		.flat()
		.filter(({ line }) => line)
		.map(({ line }) => `${String(line).trim()}${intended}`);
	return [...refused, ...problems.map((problem) => red(problem))];
}
