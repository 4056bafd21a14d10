/** What n8n's list of executions finds: the numbers and IDs of the written records, in the execution's custom data. */
import { expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { RunOptions, RunResult } from '../../../../../host/harness.mjs';
import { useGateway } from '../../../../support/useSandbox.mjs';
import { simpleEntry } from '../../../../../host/workflows.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const noted = ({ run }: RunResult) => run.data.resultData.metadata ?? {};
const book = async (numbers: string[], options = {}, own: Partial<RunOptions> = {}) => {
	const parameters = simpleEntry(gateway.connectionId('duo'), {
		belegnummer: '={{ $json.number }}',
		options,
	});
	return await gateway.run(node, parameters, {
		items: numbers.map((number) => ({ json: { number } })),
		...own,
	});
};

it('are those of the records that were written', async () => {
	expect(noted(await book(['R-17', 'R-18']))).toEqual({ belegnummer: 'R-17, R-18' });
});

it('are also those of which nobody knows whether they were written, and of a run that failed later', async () => {
	await gateway.fault({ kind: 'drop', contains: '"R-2"' });
	const result = await book(['R-1', 'R-2', 'R-3']);
	expect(result.error?.description).toContain('Unknown: item 2.');
	expect(noted(result)).toEqual({ belegnummer: 'R-1, R-2' });
});

it('aren’t those that were refused, existed already, or would only be sent', async () => {
	await gateway.fault({ kind: 'status', status: 422, contains: '"R-4"' });
	await book(['R-5']);
	const options = { alreadyBooked: true };
	const result = await book(['R-4', 'R-5', 'R-6'], options, { settings: { onError: 'continueErrorOutput' } });
	expect(noted(result)).toEqual({ belegnummer: 'R-6' });
	expect(noted(await book(['R-7'], { dryRun: true }))).toEqual({});
});

it('are the ID of a document, and the made number of an entry without one', async () => {
	const parameters = {
		resource: 'document',
		operation: 'uploadDuo',
		connectionId: gateway.connectionId('duo'),
		belegtyp: { __rl: true, mode: 'value', value: 'Rechnungseingang' },
		datei: '*',
	};
	const files = { data: { content: Buffer.from('%PDF-1.4'), fileName: 'a.pdf' } };
	const uploaded = await gateway.run(node, parameters, { items: [{ files }] });
	expect(noted(uploaded)).toEqual({ id: uploaded.json[0].id });
	const made = await book(['']);
	expect(noted(made)).toEqual({ belegnummer: made.json[0].belegnummer });
});

it('fit into what n8n keeps, and leave some of it to other nodes', async () => {
	const numbers = Array.from({ length: 60 }, (_, i) => `Kassenbuch-2026-November-${1000 + i}`);
	const { belegnummer, ...others } = noted(await book(numbers));
	expect(belegnummer.split(', ').slice(0, 2)).toEqual(numbers.slice(0, 2));
	expect(Object.keys(others)).toEqual(['belegnummer_2', 'belegnummer_3', 'belegnummer_4']);
	for (const text of [belegnummer, ...Object.values(others)]) {
		expect(text.length).toBeLessThanOrEqual(255);
		// A number is whole, or it isn't there.
		for (const number of text.split(', ')) expect(numbers).toContain(number);
	}
});

it('add to what the workflow’s earlier nodes and runs have noted', async () => {
	const result = await book(['R-9'], {}, { runs: 2, items: [{ json: { number: 'R-9' } }] });
	expect(noted(result)).toEqual({ belegnummer: 'R-9' });
});

it('aren’t noted of what was read', async () => {
	const parameters = {
		resource: 'company',
		operation: 'getAll',
		connectionId: gateway.connectionId('rewe-read'),
	};
	expect(noted(await gateway.run(new AccountingGatewayData(), parameters))).toEqual({});
});
