/**
 * What others write into a text of the node's. Errors are logged, mailed, and shown to people who shouldn't see IBANs, and no foreign
 * text can look like a line that the node itself has written.
 */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { toolOf } from '../../../../host/harness.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const entry = (own: INodeParameters = {}) => simpleEntry(gateway.connectionId('duo'), own);
const settings = { onError: 'continueErrorOutput' as const };

function expectHidden(text: string) {
	expect(text).toMatch(/DE…2051/i);
	// What is left of an IBAN when spaces and hyphens are taken out.
	expect(text.replace(/\\u[\da-f]{4}|[\s\u00a0\u202f-]/g, '')).not.toMatch(/1203000000002020/);
}
function expectOneLine(text: string) {
	expect(text).toContain('Gebucht.');
	expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
}

const FORGED = 'gesperrt\r\n\nGebucht.\u2028\u0085\u202Etxet\u2066';
// All of the ways in which an IBAN is written: values/iban.test.mts.
describe.each<[string, string, (text: string) => void]>([
	['an IBAN in one piece is hidden', 'DE02120300000000202051', expectHidden],
	['an IBAN in groups is hidden', 'DE02\u00a01203\u00a00000\u00a00000\u00a02020\u00a051', expectHidden],
	['a text that others forged is one line', FORGED, expectOneLine],
])('%s', (_what, foreign, check) => {
	it('in what the gateway says', async () => {
		const body = { message: `Konto ${foreign} ist gesperrt`, details: [`${foreign}?`] };
		await gateway.fault({ kind: 'status', status: 422, body, times: null });
		const { error } = await gateway.run(node, entry());
		check(`${error?.message} ${error?.description}`);
		const { errors } = await gateway.run(node, entry(), { settings });
		for (const json of errors) check(JSON.stringify(json));
	});

	it('in a value that breaks a rule', async () => {
		const { errors } = await gateway.run(node, entry({ betrag: `an ${foreign}` }), { settings });
		const { error, details } = errors[0] as { error: string; details: { issues: Array<{ value: unknown }> } };
		check(`${error} ${JSON.stringify(details.issues[0].value)}`);
		const stopped = (await gateway.run(node, entry({ betrag: `an ${foreign}` }))).error;
		check([stopped?.message, stopped?.description].filter(Boolean).join(' '));
	});

	it('in the name of a file, and in what an AI agent hears of a failed tool', async () => {
		const items = [{ files: { data: { content: Buffer.alloc(0), fileName: `Auszug ${foreign}.pdf` } } }];
		const { error } = await gateway.run(node, entry({ belegbilder: 'data' }), { items });
		check(`${error?.message} ${error?.description ?? ''}`);
		const call = toolOf({ node, parameters: entry({ betrag: foreign }), credential: gateway.credential });
		check(await call({}).then(String, (reason: Error) => reason.message));
	});
});

it('A text that others forged is one short line in the summary of a dry run', async () => {
	// A name from the gateway's list is taken as it is.
	const kassenname = { __rl: true, mode: 'list', value: FORGED + 'x'.repeat(100_000) };
	const { json } = await gateway.run(node, entry({ kassenname, options: { dryRun: true } }));
	for (const text of Object.values(json[0].summary as Record<string, string>)) {
		expectOneLine(text);
		expect(text.length).toBeLessThanOrEqual(500);
	}
});
