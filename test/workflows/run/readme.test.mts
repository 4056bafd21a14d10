/** The README's first workflow, copied from the page. */
import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { beforeEach, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { WORKFLOWS } from '../../../demo/examples.mjs';
import { useExamples } from '../../support/exampleRun.mjs';
import { useFolder } from '../../support/useFolder.mjs';
import { connectionOf } from '../../../host/workflows.mjs';

const rig = useExamples();
const folder = useFolder('readme');
beforeEach(async () => {
	const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
	const [, json] = /```json\n(.*?)```/s.exec(readme)!;
	const workflow = JSON.parse(json) as WorkflowFile;
	// What n8n asks for first.
	workflow.nodes[2].credentials = { accountingGatewayApi: { id: '1', name: 'Gateway' } };
	await writeFile(folder('first.json'), JSON.stringify(workflow));
});

/** What n8n asks for then. */
const chosen = () => ({
	connectionId: connectionOf(rig.sandbox, 'duo'),
	kassenname: { __rl: true, mode: 'list', value: 'Hauptkasse' },
});
const run = async (change = {}) =>
	await rig.run(relative(WORKFLOWS, folder('first')), { from: 'Start', change: { 'Book it': { ...chosen(), ...change } } });
const entries = () => rig.sandbox.store.list('entries');

it('shows what would be booked', async () => {
	const { error, items } = await run();
	expect(error).toBeUndefined();
	expect(items('Book it')).toMatchObject([{ dryRun: true, summary: { en: expect.stringMatching(/^Would book an expense of 19\.00 EUR/) as string } }]);
	expect(entries()).toEqual([]);
});

it('books it without Dry Run, once a day', async () => {
	await run({ options: {} });
	const { items } = await run({ options: {} });
	expect(entries()).toMatchObject([{ fields: { belegtext: 'Briefmarken', betrag: 19, bewegung: 'AUSGABE', steuersatz: 0 } }]);
	expect(items('Book it')).toMatchObject([{ alreadyExisted: true }]);
});

it('asks for connection and cash book, and for nothing else', async () => {
	const unchanged = rig.run(relative(WORKFLOWS, folder('first')), { from: 'Start' });
	await expect(unchanged).rejects.toThrow(
		/has issues:\n- Parameter "Connection" is required\.\n- Parameter "Cash Book \(Kassenbuch\)" is required\.$/,
	);
});
