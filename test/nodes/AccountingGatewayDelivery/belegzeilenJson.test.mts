/** The lines of an advanced entry from data. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

const run = async (json: IDataObject, own: INodeParameters = {}) => {
	const parameters = simpleEntry(gateway.connectionId('duo'), {
		operation: 'createAdvanced',
		bewegung: '',
		betrag: '',
		belegzeilenFrom: 'json',
		...own,
	});
	return await gateway.run(node, parameters, { items: [{ json }] });
};
const sent = async () =>
	(await gateway.list<{ fields: IDataObject }>('entries')).map(({ fields }) => [
		fields.betrag,
		fields.belegzeilen,
	]);

const LINES = [
	{ betrag: '10,70', prozent: '7 %', belegtext: 'Brot', gegenkonto: 8300 },
	{
		betrag: 35.28,
		prozent: 19,
		buSchluessel: '9',
		belegNummer: 'RE-1',
		kostenstelle1: 'LADEN',
		kostenstelle2: null,
	},
];
const BODY = [
	45.98,
	[
		{ betrag: 10.7, belegtext: 'Brot', gegenkonto: '8300', steuersatz: { prozent: 7 } },
		{
			betrag: 35.28,
			belegNummer: 'RE-1',
			kostenstelle1: 'LADEN',
			steuersatz: { prozent: 19, buSchluessel: '9' },
		},
	],
];

describe('Lines of an entry from data', () => {
	it.each<[string, IDataObject, INodeParameters]>([
		["the item's field of that name", { belegzeilen: LINES }, {}],
		['another expression', { lines: LINES }, { belegzeilenJson: '={{ $json.lines }}' }],
		['JSON text', { belegzeilen: JSON.stringify(LINES) }, {}],
		['JSON in the form', {}, { belegzeilenJson: JSON.stringify(LINES) }],
	])('come from %s', async (_where, json, own) => {
		const { error } = await run(json, own);
		expect(error).toBeUndefined();
		expect(await sent()).toEqual([BODY]);
	});

	it.each<[string, unknown, string]>([
		['nothing', undefined, 'Lines (JSON) (belegzeilenJson) is required, but empty: there is no value for it'],
		[
			"the gateway's own shape",
			[{ betrag: 1, steuersatz: { prozent: 7 } }],
			'has no field "steuersatz"; its fields are betrag, prozent,',
		],
		[
			'a column that does not exist',
			[{ betrag: 1 }, { betrag: 1, prozent: undefined }],
			'has no value for [2].prozent',
		],
		['an ambiguous amount', [{ betrag: '1.234' }], 'Amount (belegzeilenJson[1].betrag) "1.234" is ambiguous'],
	])('are refused where they are %s', async (_what, belegzeilen, message) => {
		const { error } = await run({ belegzeilen } as IDataObject);
		expect(error?.message).toContain(message);
		expect(await gateway.requests()).toEqual([]);
	});

	it('must add up to the amount, where it is given', async () => {
		const { error } = await run({ belegzeilen: LINES }, { betrag: '45,99' });
		expect(error?.message).toContain(
			'Amount (betrag) "45.99" must equal the sum of the lines, which is 45.98',
		);
		expect((await run({ belegzeilen: LINES }, { betrag: '45,98' })).error).toBeUndefined();
	});
});
