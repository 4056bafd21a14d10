/** A report as an Excel file of a real n8n. Which columns it has, and that none holds an object: test/nodes. */
import isNull from 'lodash/isNull.js';
import omitBy from 'lodash/omitBy.js';
import { DateTime } from 'luxon';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { itemsOf, readExample } from '../../../demo/examples.mjs';
import { Rig } from '../../support/rig.mjs';
import { nodeOf, to } from '../../../host/workflows.mjs';

let rig: Rig;

beforeAll(async () => void (rig = await Rig.join()));
afterAll(async () => await rig?.stop());

it('the Excel file of the example holds the whole trial balance at the end of last month', async () => {
	const { workflow } = await readExample('trial-balance');
	const readBack = nodeOf(
		'Read back',
		'n8n-nodes-base.extractFromFile',
		{ operation: 'xlsx' },
		{ typeVersion: 1.1 },
	);
	const longer: WorkflowFile = {
		...workflow,
		name: 'Trial balance, read back',
		nodes: [...workflow.nodes, readBack].map((node) =>
			node.credentials ? { ...node, credentials: rig.credentials } : node,
		),
		connections: {
			...workflow.connections,
			'Excel file': to('Read back'),
		},
		settings: { timezone: 'Europe/Berlin' },
	};
	const execution = await rig.client.run(await rig.client.importWorkflow(longer));
	expect(execution.status).toBe('success');
	const accounts = itemsOf(execution, 'Trial balance');
	const { month } = DateTime.now().setZone('Europe/Berlin').minus({ months: 1 });
	expect(accounts.length).toBeGreaterThan(40);
	for (const { Periode } of accounts) expect(Periode).toBe(month);
	// An empty cell isn't read back.
	expect(itemsOf(execution, 'Read back')).toEqual(accounts.map((row) => omitBy(row, isNull)));
});
