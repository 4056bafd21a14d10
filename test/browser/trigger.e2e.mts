/** The trigger in n8n's real editor: testing it ends by itself, with an event that is plainly an example. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Editor } from '../../host/editor.mjs';
import { PACKAGE } from '../../host/package.mjs';
import { EXAMPLE } from '../../nodes/AccountingGatewayBankingTrigger/event.js';
import { Rig } from '../support/rig.mjs';
import { nodeOf } from '../support/workflows.mjs';

let rig: Rig;
let editor: Editor;

beforeAll(async () => {
	rig = await Rig.join();
	const trigger = nodeOf(
		'Payment',
		`${PACKAGE}.accountingGatewayBankingTrigger`,
		{},
		{
			webhookId: randomUUID(),
			credentials: rig.credentials,
		},
	);
	const id = await rig.client.importWorkflow({
		name: 'When testing',
		nodes: [trigger],
		connections: {},
		settings: {},
	});
	editor = await Editor.open(rig.n8nUrl);
	await editor.openWorkflow(id);
	await editor.openNode('Payment');
});

afterAll(async () => {
	await editor?.close();
	await rig?.stop();
});

describe('the trigger, as dropped on the canvas', () => {
	it('outputs the example event on "Execute step", without calling the gateway', async () => {
		const { items, hints, error } = await editor.execute();
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ event: 'payment_update', example: 'true', quelle: 'When testing' }]);
		expect(items[0].data).toContain(EXAMPLE.data.payment_id);
		expect(hints).toEqual([expect.stringContaining('an invented example, not a payment')]);
		expect(rig.sandbox.log.entries.filter(({ method }) => method === 'PUT')).toEqual([]);
	});
});
