/** The examples' files in the editor, through its own *Import*: whole, and one as its note says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { type Mail, startMail } from '../../host/mailbox.mjs';
import type { WorkflowFile } from '../../host/client.mjs';
import { storeMailCredentials } from '../../scripts/start/demo.mjs';
import { readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { NIGHTLY } from '../support/extent.mjs';
import { Rig } from '../support/rig.mjs';

const NAMES = (await readExamples()).map(({ name }) => name);

let rig: Rig;
let mail: Mail;
let editor: Editor;

beforeAll(async () => {
	rig = await Rig.join();
	mail = await startMail();
	editor = await Editor.open(rig.n8nUrl);
});
afterAll(async () => {
	await editor?.close();
	await rig?.stop();
	await mail?.stop();
});

it.runIf(NIGHTLY).each(NAMES)('the Import of the example %s: all of its nodes are there', async (name) => {
	const file = join(WORKFLOWS, `${name}.json`);
	const { nodes } = JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
	await editor.importWorkflow(file);
	const wanted = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').map((node) => node.name);
	await expect.poll(async () => (await editor.nodeNames()).sort()).toEqual(wanted.sort());
});

it('the example cash register export: imported and changed as its note says, it books and sends its e-mail', async () => {
	await storeMailCredentials(rig.client, mail, ' (import)');
	await editor.importWorkflow(join(WORKFLOWS, 'cash-register-export.json'));
	await editor.openNode('Book closing');
	await editor.chooseCredential(rig.credential.name);
	await editor.choose('connectionId', 'Bäckerei Sonnenschein – duo');
	await editor.closeNode();
	await editor.openNode('Send for review');
	await editor.chooseCredential('Outgoing e-mail (import)');
	await editor.closeNode();
	await editor.executeWorkflow();
	await expect
		.poll(() => mail.emails.map(({ subject }) => subject))
		.toEqual(['Kassenexport: bitte ansehen (3)']);
	expect(rig.sandbox.store.list('entries')).toHaveLength(4);
});
