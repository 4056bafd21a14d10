/** The examples' files in the editor, through its own *Import*: changed as their notes say, and run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { type Mail, startMail } from '../../demo/mailbox.mjs';
import type { WorkflowFile } from '../../host/client.mjs';
import { storeMailCredentials, storeN8nKey } from '../../demo/demo.mjs';
import { APPROVER, readExamples, WORKFLOWS } from '../../demo/examples.mjs';
import { NIGHTLY } from '../../scripts/base/extent.mjs';
import { Rig } from '../support/rig.mjs';

const NAMES = (await readExamples()).map(({ name }) => name);

interface Run {
	/** The nodes in which the note has a credential chosen, by its kind. */
	gateway?: string[];
	mail: string[];
	n8n?: string[];
	approver?: string[];
	/** The trigger that the note has executed, if there are several. */
	from?: string;
	/** The subjects of its e-mails. */
	sends: RegExp[];
	/** How many records arrive at the gateway, by list. */
	arrive?: Record<string, number>;
}

/** What the notes say, without what only an office can know: addresses, folders, accounts. Those with a form or a mailbox, or that call another: other tests. */
const RUNS: Record<string, Run> = {
	'trial-balance': {
		gateway: ['Trial balance'],
		mail: ['Send it'],
		from: 'Start',
		sends: [/^Summen- und Saldenliste \d\d\.\d{4}$/],
	},
	'e-invoices-rewe': {
		gateway: ['Upload to Rewe'],
		mail: ['Tell the accountant'],
		from: 'Start',
		sends: [/^E-Rechnungen: bitte ansehen$/],
		arrive: { documents: 5 },
	},
	'receipts-folder': {
		gateway: ['Upload the documents'],
		mail: ['Tell the accountant'],
		from: 'Start',
		sends: [/^Belege aus dem Ordner: bitte prüfen$/],
		arrive: { documents: 7 },
	},
	'approve-booking': {
		gateway: ['Look', 'Accounts', 'Book'],
		mail: ['Ask', 'Tell'],
		approver: ['Wait'],
		from: 'Start',
		sends: [/^Bitte freigeben: Ausgabe 23,50 EUR: „.+“$/],
	},
	'employee-tickets': {
		gateway: ['Buy job ticket', 'Activate job ticket'],
		mail: ['Send the result'],
		sends: [/^Jobtickets: 1 abgelehnt oder unklar, 5 gekauft$/],
		arrive: { tickets: 5 },
	},
	'prove-chain': {
		mail: ['Send the seal', 'Raise the alarm'],
		from: 'Start',
		sends: [/^Protokoll unverändert: bis Zeile \d+$/],
	},
	verfahrensdokumentation: {
		n8n: ['Published workflows'],
		mail: ['Send it'],
		from: 'Start',
		sends: [/^Verfahrensdokumentation, Entwurf vom /],
	},
	watchdog: {
		n8n: ['Payments workflow', 'Last event', 'E-mail workflow', 'Last e-mail'],
		gateway: ['Credits', 'Bank transactions'],
		mail: ['Canary', 'Tell the admin'],
		from: 'Start',
		sends: [/^n8n und Gateway: bitte ansehen$/],
	},
};

let rig: Rig;
let mail: Mail;
let editor: Editor;
/** The names of credentials. */
let credentials: Record<'gateway' | 'mail' | 'n8n' | 'approver', string>;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	const suffix = ' (import)';
	await storeMailCredentials(rig.client, mail, suffix);
	await storeN8nKey(rig.client, suffix, rig.client);
	await rig.client.importCredential({ name: `Approver${suffix}`, type: 'httpBasicAuth', data: APPROVER });
	credentials = {
		gateway: rig.credential.name,
		mail: `Outgoing e-mail${suffix}`,
		n8n: `This n8n${suffix}`,
		approver: `Approver${suffix}`,
	};
});
afterAll(async () => {
	await rig?.stop();
	await mail?.stop();
});

// A page that has shown some thirty workflows may crash.
beforeEach(async () => {
	editor = await Editor.open(rig.n8nUrl);
});
afterEach(async () => {
	await editor.close();
});

it.runIf(NIGHTLY).each(NAMES)('the Import of the example %s: all of its nodes are there', async (name) => {
	const file = join(WORKFLOWS, `${name}.json`);
	const { nodes } = JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
	await editor.importWorkflow(file);
	const wanted = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').map((node) => node.name);
	await expect.poll(async () => (await editor.nodeNames()).sort()).toEqual(wanted.sort());
});

describe('imported and changed as its note says', () => {
	const [first, ...others] = Object.keys(RUNS);
	it.each([first, ...(NIGHTLY ? others : [])])('%s runs, and sends its e-mails', async (name) => {
		const { from, sends, arrive = {}, ...nodes } = RUNS[name];
		const before = mail.emails.length;
		rig.sandbox.store.reset();
		await editor.importWorkflow(join(WORKFLOWS, `${name}.json`));
		for (const [kind, names] of Object.entries(nodes) as Array<[keyof typeof credentials, string[]]>) {
			for (const node of names) {
				await editor.openNode(node);
				await editor.chooseCredential(credentials[kind]);
				await editor.closeNode();
			}
		}
		await editor.executeWorkflow(from);
		await expect
			.poll(() => mail.emails.slice(before).map(({ subject }) => subject))
			.toEqual(sends.map((subject) => expect.stringMatching(subject) as string));
		for (const [list, count] of Object.entries(arrive))
			expect(rig.sandbox.store.list(list), list).toHaveLength(count);
	});
});
