/** A tax rate that Germany doesn't have on the day of an entry, and one that contradicts its tax key: sent with a warning. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { simpleEntry } from '../../../host/workflows.mjs';
import { useGateway } from '../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();

/** The warnings about a rate, of a dry run: the sandbox has no books of most years. */
async function warningsOf(day: string, own: INodeParameters): Promise<string[]> {
	const { error, hints } = await gateway.run(
		node,
		simpleEntry(gateway.connectionId('duo'), {
			transaktionsdatum: day,
			options: { dryRun: true, earlierYears: true },
			...own,
		}),
	);
	expect(error).toBeUndefined();
	return hints
		.map(({ message }) => message)
		.filter((message) => message.includes('Tax Rate'))
		.map((message) => message.replace('Item 1, “K-10”: ', '').replace('Item 1: ', ''));
}

const RATES = ['0', '5', '5,5', '7', '7,8', '8,4', '9', '9,5', '10,7', '16', '19'];

/**
 * Standard and reduced rate, § 12 UStG: 16 and 7 from April 1998, 19 and 7 from 2007 (BMF, 11 August 2006, on Art. 4 of the
 * Haushaltsbegleitgesetz 2006), 16 and 5 from 1 July to 31 December 2020 (§ 28 (1) to (3) UStG). Farmers, § 24 (1) UStG: 5 and 9
 * until 2006 (the same letter), then 5.5 and 10.7; the latter is 9.5 in 2022, 9 from 2023, 8.4 from 6 December 2024 (the day after
 * BGBl. 2024 I Nr. 387), 7.8 from 2025 (Haufe, "Land- und Forstwirtschaft: Durchschnittssteuersätze", HI2745538).
 */
it.each([
	['28.11.2026', '0 5,5 7 7,8 19'],
	['01.01.2025', '0 5,5 7 7,8 19'],
	['31.12.2024', '0 5,5 7 8,4 19'],
	['06.12.2024', '0 5,5 7 8,4 19'],
	['05.12.2024', '0 5,5 7 9 19'],
	['01.01.2023', '0 5,5 7 9 19'],
	['31.12.2022', '0 5,5 7 9,5 19'],
	['31.12.2021', '0 5,5 7 10,7 19'],
	['01.01.2021', '0 5,5 7 10,7 19'],
	['31.12.2020', '0 5 5,5 10,7 16'],
	['01.07.2020', '0 5 5,5 10,7 16'],
	['30.06.2020', '0 5,5 7 10,7 19'],
	['01.01.2007', '0 5,5 7 10,7 19'],
	['31.12.2006', '0 5 7 9 16'],
])('On %s, Germany has the rates %s', async (day, rates) => {
	const found = [];
	for (const steuersatz of RATES)
		if ((await warningsOf(day, { steuersatz })).length === 0) found.push(steuersatz);
	expect(found.join(' ')).toBe(rates);
});

const line = (fields: INodeParameters): INodeParameters => ({
	operation: 'createAdvanced',
	bewegung: 'AUSGABE',
	betrag: '',
	belegzeilen: {
		belegzeile: [
			{ betrag: '1', prozent: '19' },
			{ betrag: '10', ...fields },
		],
	},
});

it.each<[INodeParameters, string]>([
	[
		{ steuersatz: '91' },
		'Tax Rate (%) (steuersatz) 91 is no German rate of 2026-03-02 (0, 7 and 19; farmers 5.5 and 7.8)',
	],
	// With two decimals, a rate can be sent (1.05); it may be an amount of tax.
	[
		{ steuersatz: '1,05' },
		'Tax Rate (%) (steuersatz) 1.05 is no German rate of 2026-03-02 (0, 7 and 19; farmers 5.5 and 7.8)',
	],
	[
		line({ prozent: '16' }),
		'Tax Rate (%) (belegzeilen[2].prozent) 16 is no German rate of 2026-03-02 (0, 7 and 19; farmers 5.5 and 7.8)',
	],
	[
		line({ prozent: '7', buSchluessel: '9' }),
		'Tax Rate (%) (belegzeilen[2].prozent) 7 contradicts its tax key 9, which stands for 19 %',
	],
	[
		{
			operation: 'createAdvanced',
			betrag: '',
			bewegung: '',
			belegzeilenFrom: 'json',
			belegzeilenJson: '[{ "betrag": 1, "prozent": 0, "buSchluessel": "08" }]',
		},
		'Tax Rate (%) (belegzeilenJson[1].prozent) 0 contradicts its tax key 08, which stands for 7 %',
	],
])('A rate of %j is sent with a warning', async (own, warning) => {
	expect(await warningsOf('2026-03-02', own)).toEqual([warning]);
	await gateway.run(node, simpleEntry(gateway.connectionId('duo'), own));
	expect(await gateway.requests()).toHaveLength(1);
});

/**
 * DATEV's keys: 2 and 3 are output tax of the reduced and the standard rate, 8 and 9 input tax; from July to December 2020, of the
 * lowered rates (Lexware, "DATEV-Steuerschlüssel hinterlegen", FAQ 000002619). What other keys stand for isn't judged: 5 and 7 were 16 %
 * before that time and 19 % in it, and offices have keys of their own.
 */
it.each([
	['2026-03-02', '7', '2', '3 9'],
	['2026-03-02', '19', '3', '2 8'],
	['2026-03-02', '7', '8', '3 9'],
	['2026-03-02', '19', '9', '2 8'],
	['2020-08-01', '5', '8', '3 9'],
	['2020-08-01', '16', '9', '2 8'],
])(
	'On %s, the rate %s agrees with the tax key %s, and contradicts %s',
	async (day, prozent, agrees, contradict) => {
		const keys = (some: string) => some.split(' ');
		for (const buSchluessel of [...keys(agrees), '1', '5', '7', '40', '94', '401', ''])
			expect(await warningsOf(day, line({ prozent, buSchluessel }))).toEqual(
				day.startsWith('2020') ? [expect.stringContaining('[1].prozent) 19 is no')] : [],
			);
		for (const buSchluessel of keys(contradict))
			expect((await warningsOf(day, line({ prozent, buSchluessel }))).at(-1)).toContain(
				`contradicts its tax key`,
			);
	},
);

it('A rate without a day that can be read, and a key without a rate, are not judged', async () => {
	expect(await warningsOf('2026-03-02', line({ prozent: '', buSchluessel: '9' }))).toEqual([]);
	const { error } = await gateway.run(
		node,
		simpleEntry(gateway.connectionId('duo'), { transaktionsdatum: 'gestern', steuersatz: '91' }),
	);
	expect(error?.message).toContain('(transaktionsdatum) "gestern"');
});
