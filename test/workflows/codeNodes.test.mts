/** The Code nodes of the examples. */
import type { INodeExecutionData } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { runCode } from '../support/exampleNode.mjs';

const items = (records: object[], item = 0): INodeExecutionData[] =>
	records.map((json) => ({ json: { ...json }, pairedItem: { item } }));

describe('the Verfahrensdokumentation', () => {
	const node = (changes: object) => ({
		id: '1',
		name: 'Book',
		type: 'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
		typeVersion: 1,
		position: [0, 0],
		parameters: { operation: 'create', connectionId: { __rl: true, value: 'id', cachedResultName: 'Bäckerei' } },
		credentials: { accountingGatewayApi: { id: 'secret-id', name: 'Gateway' } },
		...changes,
	});
	const workflow = (changes: object) => ({ id: 'w1', name: 'W', versionId: 'v1', nodes: [node({})], ...changes });
	const document = async (workflows: object[]) =>
		(await runCode('verfahrensdokumentation', 'Chapters', {}, items(workflows)))[0].json as {
			workflows: string[];
			chapters: string;
		};

	it('has a chapter for each workflow that uses the gateway, with its nodes, versions and settings', async () => {
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content: 'Why' } });
		const other = workflow({ name: 'Other', nodes: [node({ type: 'n8n-nodes-base.set' })] });
		const { workflows, chapters } = await document([
			workflow({ name: 'Z' }),
			other,
			workflow({ name: 'A', nodes: [node({ onError: 'continueErrorOutput' }), note], settings: { timezone: 'Europe/Berlin' } }),
		]);
		expect(workflows).toEqual(['A', 'Z']);
		for (const text of ['2.1 A', '2.2 Z', 'Version v1', 'Bäckerei', 'Gateway', 'Europe/Berlin', 'Why', 'Weiter am Fehlerausgang']) {
			expect(chapters).toContain(text);
		}
	});

	it('has one for what such a workflow calls, too, such as the audit log', async () => {
		const call = node({ type: 'n8n-nodes-base.executeWorkflow', parameters: { workflowId: { __rl: true, value: 'log' } } });
		const log = workflow({ id: 'log', name: 'Audit log', nodes: [node({ type: 'n8n-nodes-base.dataTable' })] });
		const other = workflow({ id: 'other', name: 'Other', nodes: [node({ type: 'n8n-nodes-base.set' })] });
		expect((await document([workflow({ nodes: [node({}), call] }), log, other])).workflows).toEqual(['Audit log', 'W']);
	});

	it('shows a note as n8n does: in paragraphs, and without the signs of Markdown', async () => {
		const content = '### 1 · The **entries**\nSmall images (*.png*), `npm start`, 2 * 3 & <b>\n\nEnd';
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content } });
		const { chapters } = await document([workflow({ nodes: [note, node({})] })]);
		expect(chapters).toContain(
			'<p>1 · The entries</p><p>Small images (.png), npm start, 2 * 3 &#38; &#60;b&#62;</p><p>End</p>',
		);
	});

	it('shows parameters of this package’s nodes only, and no credential’s ID', async () => {
		const http = node({ name: 'HTTP', type: 'n8n-nodes-base.httpRequest', parameters: { header: 'Bearer topsecret' } });
		const { chapters } = await document([workflow({ nodes: [node({}), http] })]);
		expect(chapters).toContain('n8n-nodes-base.httpRequest');
		expect(chapters).not.toContain('topsecret');
		expect(chapters).not.toContain('secret-id');
	});

	it('shows what people wrote as text', async () => {
		const evil = '<img src=x onerror="alert(1)">&\'';
		const note = node({ type: 'n8n-nodes-base.stickyNote', parameters: { content: evil } });
		const { chapters } = await document([
			workflow({ id: evil, name: evil, versionId: evil, updatedAt: evil, settings: { [evil]: evil }, nodes: [
				note,
				node({ name: evil, onError: evil, parameters: { [evil]: evil, other: { deep: evil } }, credentials: { a: { name: evil } } }),
			] }),
		]);
		expect(chapters).not.toMatch(/<img|onerror="/);
	});

	it('is made where no workflow is published', async () => {
		expect(await document([{}])).toEqual({ workflows: [], chapters: '' });
	});
});
