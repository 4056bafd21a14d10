/** Puts the credential and the example workflows into an n8n, runs them, and reports the results. */
import isEqual from 'lodash/isEqual.js';
import pick from 'lodash/pick.js';
import type { Sandbox } from '../../sandbox/server.mjs';
import type { Mail } from '../../host/mailbox.mjs';
import {
	APPROVER,
	arrivalsOf,
	type Example,
	type Outcome,
	readExamples,
	runExample,
	withCredentials,
	withSubWorkflows,
} from './examples.mjs';
import type { N8nClient, WorkflowFile } from '../../host/client.mjs';
import { orStop } from '../shared/processes.mjs';
import { dim, red, step } from '../shared/progress.mjs';

const CREDENTIAL_TYPE = 'accountingGatewayApi';
const CREDENTIAL_NAME = 'Accounting Gateway (sandbox)';

/** What to call the records of the sandbox's lists: one, several. */
const NAMES: Record<string, [one: string, several: string]> = {
	customers: ['customer', 'customers'],
	documents: ['document', 'documents'],
	emails: ['e-mail', 'e-mails'],
	entries: ['cash-book entry', 'cash-book entries'],
	tickets: ['ticket', 'tickets'],
};

/** An example as it is in an n8n. */
export interface Imported extends Example {
	workflowId: string;
	/** Somebody has changed it there; their version is kept. */
	changed: boolean;
	/** It was there before. */
	existed: boolean;
}

/** Stores a credential for the sandbox, or changes the one of that name. Returns its ID. */
export const storeCredential = async (
	client: N8nClient,
	{ url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
	name = CREDENTIAL_NAME,
): Promise<string> =>
	await client.importCredential({
		name,
		type: CREDENTIAL_TYPE,
		data: { apiKey, baseUrl: url, accountingProvider: 'acct' },
	});

/**
 * Stores the credentials of n8n's e-mail nodes for mailboxes that run here.
 * @param suffix of their names, where an n8n has those of several
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

/** Stores the credential of who may approve. */
export const storeApprover = async (client: N8nClient): Promise<string> =>
	await client.importCredential({ name: 'Approver', type: 'httpBasicAuth', data: APPROVER });

/**
 * Stores a credential with a key that may read the workflows and executions of this n8n.
 * @param suffix of its name, where an n8n has several
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

/** Stores the credentials of n8n's own that examples need: who may approve, and a key. */
export const storeN8nCredentials = async (client: N8nClient): Promise<Record<string, string>> => ({
	httpBasicAuth: await storeApprover(client),
	n8nApi: await storeN8nKey(client),
});

/**
 * Imports the example workflows that aren't there yet.
 * @param credentials their IDs by type
 * @param wanted which ones; by default all
 */
export async function importExamples(
	client: N8nClient,
	credentials: Record<string, string>,
	wanted: (example: Example) => boolean = () => true,
): Promise<Imported[]> {
	const imported: Imported[] = [];
	for (const example of (await readExamples()).filter(wanted)) {
		const ids = Object.fromEntries(imported.map((one) => [one.workflow.name, one.workflowId]));
		const workflow = withSubWorkflows(withCredentials(example.workflow, credentials), ids);
		const existing = await client.findWorkflow(workflow.name);
		// Published by an earlier start, it holds on to a mailbox that is gone.
		if (existing && example.expected?.triggered) await client.deactivate(existing.id);
		imported.push({
			...example,
			workflowId: existing?.id ?? (await client.importWorkflow(workflow)),
			changed: existing !== undefined && !isSame(existing, workflow),
			existed: existing !== undefined,
		});
	}
	return imported;
}

const isSame = (one: WorkflowFile, other: WorkflowFile): boolean =>
	isEqual(pick(one, 'nodes', 'connections'), pick(other, 'nodes', 'connections'));

/** The whole demonstration on a terminal. Returns whether everything expected arrived. */
export async function demonstrate(
	client: N8nClient,
	sandbox: Sandbox,
	mail: Mail,
	stop: AbortSignal,
): Promise<boolean> {
	const examples = await step('Storing the credentials and importing the example workflows', async (say) => {
		const store = async () => ({
			[CREDENTIAL_TYPE]: await storeCredential(client, sandbox),
			...(await storeMailCredentials(client, mail)),
			...(await storeN8nCredentials(client)),
		});
		const imported = await orStop(importExamples(client, await orStop(store(), stop)), stop);
		const changed = imported.filter((example) => example.changed).map(({ workflow }) => workflow.name);
		say(changed.length ? `kept as changed in n8n: ${changed.join(', ')}` : `${imported.length} workflows`);
		return imported;
	});
	let allWell = true;
	for (const example of examples) {
		const { workflow, expected: first, existed } = example;
		if (!first) continue;
		const expected = existed ? { ...first, ...first.later } : first;
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
		console.log(`Not run, as they wait for a payment or for the clock: ${waiting.join(', ')}.`);
		console.log(dim('Each says on its canvas how to try it.'));
	}
	return allWell;
}

/** "6 documents arrived", "23 cash-book entries arrived, Refused lines: 1", "Check: 1, made Saldenliste 2026.xlsx" */
export function summarize({ arrives, shows, makes = {} }: Outcome): string {
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
 * What gets its own line: why something was refused, which is on purpose where all is as expected, and what differs from the
 * expected result.
 */
export function details({ shows, problems }: Outcome): string[] {
	const intended = problems.length ? '' : ` ${dim('(on purpose)')}`;
	const refused = Object.values(shows)
		.flat()
		.filter(({ reason }) => reason)
		.map(
			({ reason, ...item }) => `${Object.values(item).join(' · ')} ${dim('–')} ${String(reason)}${intended}`,
		);
	return [...refused, ...problems.map((problem) => red(problem))];
}
