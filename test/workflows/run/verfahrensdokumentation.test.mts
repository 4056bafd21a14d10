/** The example "Verfahrensdokumentation" as a whole. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { useExamples } from '../../support/exampleRun.mjs';

const rig = useExamples();
const OWN = 'n8n-nodes-accounting-gateway.accountingGatewayDelivery';
const node = (changes: object): object => ({
	id: '1',
	name: 'Book',
	type: OWN,
	typeVersion: 1,
	parameters: { operation: 'create' },
	credentials: { accountingGatewayApi: { id: 'secret-id', name: 'Gateway' } },
	...changes,
});
const workflow = (changes: object): IDataObject => ({
	name: 'W',
	versionId: 'v1',
	updatedAt: '2026-11-20T10:00:00.000Z',
	settings: { timezone: 'Europe/Berlin' },
	nodes: [node({})],
	...changes,
});
async function rowsOf(...published: IDataObject[]) {
	const { error, items } = await rig.run('verfahrensdokumentation', {
		from: 'Every quarter',
		pinned: { 'Published workflows': published.length > 0 ? published : [{}] },
	});
	expect(error).toBeUndefined();
	expect(rig.emails.at(-1)?.attachments).toHaveLength(2);
	return items('Row');
}

it('lists each step of what uses the gateway, with its version, settings and notes, and of what Settings name', async () => {
	const note = node({ name: 'Note', type: 'n8n-nodes-base.stickyNote', credentials: undefined, parameters: { content: '## Warum\nDarum' } });
	const rows = await rowsOf(
		workflow({ name: 'Z', nodes: [node({ onError: 'continueErrorOutput' }), note] }),
		workflow({ name: 'Other', nodes: [node({ type: 'n8n-nodes-base.set' })] }),
		workflow({ name: 'Audit log (hash chain)', nodes: [node({ type: 'n8n-nodes-base.dataTable', name: 'Table' })] }),
	);
	expect(rows.map(({ Workflow, Schritt }) => [Workflow, Schritt])).toEqual([['Z', 'Book'], ['Z', 'Note'], ['Audit log (hash chain)', 'Table']]);
	expect(rows[0]).toMatchObject({
		Version: 'v1',
		'Geändert am': '2026-11-20T10:00:00.000Z',
		Node: OWN,
		'Bei Fehlern (leer: hält an)': 'continueErrorOutput',
		'Zugang (Credential)': 'Gateway',
		Einstellungen: '{"operation":"create"}',
		'Einstellungen des Workflows': '{"timezone":"Europe/Berlin"}',
	});
	expect(rows[1]).toMatchObject({ Notiz: '## Warum\nDarum', Einstellungen: '' });
});

it('shows settings of this package’s nodes only, no credential’s ID, and cuts what Excel can’t hold', async () => {
	const http = node({ name: 'HTTP', type: 'n8n-nodes-base.httpRequest', parameters: { header: 'Bearer topsecret', content: 'topsecret' } });
	const text = JSON.stringify(await rowsOf(workflow({ nodes: [node({}), http, node({ parameters: { long: 'x'.repeat(100_000) } })] })));
	expect(text).toContain('n8n-nodes-base.httpRequest');
	expect(text).not.toMatch(/topsecret|secret-id/);
	expect(text.length).toBeLessThan(40_000);
});

it('is made where no workflow is published', async () => {
	expect(await rowsOf()).toHaveLength(1);
});
