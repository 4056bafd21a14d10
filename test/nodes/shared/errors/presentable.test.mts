/** What others write into a text of the node's: it can't look like a line that the node itself has written. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../../tools/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const entry = (own: INodeParameters = {}) => simpleEntry(gateway.connectionId('duo'), own);
const FORGED = 'gesperrt\r\n\nGebucht.\u2028\u0085\u202Etxet\u2066';

const expectOneLine = (texts: Array<string | null | undefined>) => {
	const all = texts.filter((text) => text).join(' ');
	expect(all).toContain('Gebucht.');
	expect(all).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
};

it('a text that others forged is one line in what the gateway says', async () => {
	await gateway.fault({ kind: 'status', status: 422, body: { message: FORGED }, times: null });
	const { error } = await gateway.run(node, entry());
	expectOneLine([error?.message, error?.description]);
	const { errors } = await gateway.run(node, entry(), { settings: { onError: 'continueErrorOutput' } });
	expectOneLine(errors.map(({ error: text }) => text as string));
});

it('a text that others forged is one line in a value that breaks a rule', async () => {
	const { errors } = await gateway.run(node, entry({ betrag: FORGED }), {
		settings: { onError: 'continueErrorOutput' },
	});
	const { error, details } = errors[0] as { error: string; details: { issues: Array<{ value: string }> } };
	expectOneLine([error, details.issues[0].value]);
});

it('a text that others forged is one short line in the summary of a dry run', async () => {
	// A name from the gateway's list is taken as it is.
	const kassenname = { __rl: true, mode: 'list', value: FORGED + 'x'.repeat(100_000) };
	const { json } = await gateway.run(node, entry({ kassenname, options: { dryRun: true } }));
	const summary = json[0].summary as Record<string, string>;
	for (const text of Object.values(summary)) {
		expectOneLine([text]);
		expect(text.length).toBeLessThanOrEqual(500);
	}
});
