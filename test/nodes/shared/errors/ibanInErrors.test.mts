/** Errors are logged, mailed, and shown to people who shouldn't see IBANs. */
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { toolOf } from '../../../../tools/harness.mjs';
import { simpleEntry } from '../../../../tools/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const entry = (own: INodeParameters = {}) => simpleEntry(gateway.connectionId('duo'), own);

/** In one piece and in groups; all of the ways in which it is written: values/iban.test.mts. */
const WRITTEN = ['DE02120300000000202051', 'DE02\u00a01203\u00a00000\u00a00000\u00a02020\u00a051'];
/** What is left of it when spaces and hyphens are taken out. */
const ACCOUNT = /1203000000002020/;

const compact = (text: string) => text.replace(/\\u[\da-f]{4}|[\s\u00a0\u202f-]/g, '');

describe.each(WRITTEN)('an IBAN written as %j', (iban) => {
	const expectHidden = (texts: Array<string | null | undefined>) => {
		const all = texts.join(' ');
		expect(all).toMatch(/DE…2051/i);
		expect(compact(all)).not.toMatch(ACCOUNT);
	};

	it('is hidden in what the gateway says', async () => {
		const body = { message: `Konto ${iban} ist gesperrt`, details: [`${iban}?`] };
		await gateway.fault({ kind: 'status', status: 422, body, times: null });
		const { error } = await gateway.run(node, entry());
		expectHidden([error?.message, error?.description]);
		const settings = { onError: 'continueErrorOutput' as const };
		expectHidden((await gateway.run(node, entry(), { settings })).errors.map((json) => JSON.stringify(json)));
	});

	it('is hidden in a value that breaks a rule, and in the name of a file', async () => {
		const { error } = await gateway.run(node, entry({ betrag: `an ${iban}` }));
		expectHidden([error?.message, error?.description]);
		const items = [{ files: { data: { content: Buffer.alloc(0), fileName: `Auszug ${iban}.pdf` } } }];
		const files = await gateway.run(node, entry({ belegbilder: 'data' }), { items });
		expectHidden([files.error?.message, files.error?.description]);
	});

	it('is hidden from an AI agent in what a failed tool says', async () => {
		const call = toolOf({ node, parameters: entry({ betrag: iban }), credential: gateway.credential });
		expectHidden([await call({}).then(String, (error: Error) => error.message)]);
	});
});
