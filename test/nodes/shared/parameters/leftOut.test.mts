/** An optional field whose expression returns no value, most often because a name in it is misspelled. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { toolOf } from '../../../../host/harness.mjs';
import { simpleEntry } from '../../../../host/workflows.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const LEFT_OUT = 'was left out: there is no value for it; check the column or field that it comes from';
const CONTRA = `Contra Account (gegenkonto) ${LEFT_OUT}`;

const entry = (own: INodeParameters) => simpleEntry(gateway.connectionId('duo'), own);
const withContra = (gegenkonto: string, own: INodeParameters = {}) =>
	entry({ additionalFields: { gegenkonto }, ...own });

/** Runs the node on items. @returns the warnings of the run */
async function warningsOf(parameters: INodeParameters, items: IDataObject[] = [{}]) {
	const given = items.map((json) => ({ json }));
	const { hints, error } = await gateway.run(node, parameters, { items: given });
	expect(error).toBeUndefined();
	return hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
}

describe('A field that is left out because its expression returned no value', () => {
	it('is named, with the items, and the rest is booked', async () => {
		const items = [{ gegenkonto: '4930' }, {}, { gegenkonto: null }, { other: 1 }];
		expect(await warningsOf(withContra('={{ $json.gegenkonto }}'), items)).toEqual([`Items 2–4: ${CONTRA}`]);
		const bodies = (await gateway.requests()).map(({ body }) => body as { gegenkonto?: string });
		expect(bodies.map(({ gegenkonto }) => gegenkonto)).toEqual(['4930', undefined, undefined, undefined]);
	});

	it.each([
		['={{ $json.misspelled }}'],
		// n8n makes a text of what has something around it.
		['={{ $json.misspelled }} '],
		['={{ $json.a }}{{ $json.b }}'],
	])('is named for %j', async (expression) => {
		expect(await warningsOf(withContra(expression))).toEqual([`Item 1: ${CONTRA}`]);
	});

	it.each([
		['a field that was emptied', '', {}],
		['an empty cell', '={{ $json.gegenkonto }}', { gegenkonto: '' }],
		['an expression that may be empty', "={{ $json.misspelled ?? '' }}", {}],
		['a field with a value', '={{ $json.gegenkonto }}', { gegenkonto: 4930 }],
		['a field with a value among spaces', '={{ $json.gegenkonto }} ', { gegenkonto: 4930 }],
	])('is not named for %s', async (_what, expression, json) => {
		expect(await warningsOf(withContra(expression), [json])).toEqual([]);
	});

	it('is told to an AI agent, which gets no hints', async () => {
		const call = toolOf({
			node,
			parameters: withContra('={{ $json.misspelled }}'),
			credential: gateway.credential,
		});
		const heard = JSON.stringify(await call({}));
		expect(heard).toContain(CONTRA);
		const other = toolOf({
			node,
			parameters: withContra('4930', { belegnummer: 'K-1-other' }),
			credential: gateway.credential,
		});
		expect(JSON.stringify(await other({}))).not.toContain('warnings');
	});

	it.each<[string, string, INodeParameters]>([
		['of files', 'Receipts (belegbilder)', { belegbilder: '={{ $json.misspelled }}' }],
		['of the options', 'Timeout (timeout)', { options: { timeout: '={{ $json.misspelled }}' } }],
	])('may be one %s', async (_what, field, own) => {
		expect(await warningsOf(entry(own))).toEqual([`Item 1: ${field} ${LEFT_OUT}`]);
	});

	it.each<[string, string, INodeParameters]>([
		['a dry run into a booking', 'dryRun', {}],
		['an entry that is booked once into one that is booked again', 'alreadyBooked', {}],
		['a document that is uploaded once into another', 'idFromContent', { operation: 'uploadDuo' }],
	])('must not turn %s', async (_what, option, { operation = 'create' }) => {
		const lines = { belegzeile: [{ betrag: '10' }] };
		const upload = { resource: 'document', belegtyp: 'Rechnungseingang', belegdatum: '2026-03-02' };
		const parameters = entry({
			operation,
			belegzeilen: lines,
			...(option === 'idFromContent' && upload),
			options: { [option]: '={{ $json.misspelled }}' },
		});
		const items = [{ files: { data: { content: Buffer.from('x') } } }];
		const { error } = await gateway.run(node, parameters, { items });
		expect(error?.message).toMatch(
			new RegExp(
				`^Nothing was sent: .* \\(${option}\\) is empty: there is no value for it; .* if it may be empty, end its expression with`,
			),
		);
		expect(await gateway.requests()).toEqual([]);
	});

	it('is told in an accountant’s words, without expressions, in German, too', async () => {
		const { main } = await gateway.run(node, withContra('={{ $json.misspelled }}'));
		expect(main[0][0].json.warnings).toEqual([
			{
				en: CONTRA,
				de: 'Gegenkonto wurde weggelassen: Dafür gibt es keinen Wert; prüfen Sie die Spalte oder das Feld, aus dem er kommt.',
			},
		]);
	});

	it('and is required, is called empty in German: an accountant has a cell there, no expression', async () => {
		const parameters = entry({ belegtext: '={{ $json.text }}', steuersatz: '={{ $json.rate }}' });
		const items = [{ json: { text: null, rate: null } }];
		const { main } = await gateway.run(node, parameters, {
			items,
			settings: { onError: 'continueRegularOutput' },
		});
		expect(main[0][0].json).toMatchObject({
			details: { reason: { de: 'Steuersatz ist nötig, aber leer; Text ist nötig, aber leer.' } },
		});
	});

	it('may be one of a line', async () => {
		const line = (betrag: string, gegenkonto: string) => ({ betrag, gegenkonto });
		const parameters = entry({
			operation: 'createAdvanced',
			belegzeilen: { belegzeile: [line('4', '4930'), line('6', '={{ $json.misspelled }}'), line('0', '')] },
		});
		expect(await warningsOf(parameters)).toContain(
			`Item 1: Contra Account (belegzeilen[2].gegenkonto) ${LEFT_OUT}`,
		);
	});

	const trialBalance = (own: INodeParameters): INodeParameters => ({
		resource: 'trialBalance',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('rewe-read') },
		geschaeftsjahrStartDatum: { __rl: true, mode: 'value', value: '2026-01-01' },
		...own,
	});
	const misspelled = (mode: string) => ({ __rl: true, mode, value: '={{ $json.misspelled }}' });

	it('may be one that is chosen from a list', async () => {
		const parameters = trialBalance({ additionalFields: { kontonummer: misspelled('value') } });
		const { hints, error } = await gateway.run(new AccountingGatewayData(), parameters);
		expect(error).toBeUndefined();
		expect(hints.map(({ message }) => message)).toContain(`Item 1: Account (kontonummer) ${LEFT_OUT}`);
	});

	it('may be a day, for which today is taken', async () => {
		const parameters = trialBalance({ geschaeftsjahrStartDatum: misspelled('day') });
		const { hints } = await gateway.run(new AccountingGatewayData(), parameters);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(
				/^Item 1: .* \(geschaeftsjahrStartDatum\) is the current one, as no day is given; check the column/,
			),
		);
	});
});
