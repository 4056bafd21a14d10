/** Which taxes of a closing fit its amounts. */
import { describe, expect, it } from 'vitest';

import { readExport } from '../../../../nodes/AccountingGatewayFiles/cashRegisterExport/readExport.js';
import { sum } from '../../../../nodes/shared/values/money.js';
import { zipOf } from '../../../support/cashExport.mjs';
import type { ClosingSpec } from '../../../support/cashExport.mjs';

interface Sold {
	/** The rate of the key. */
	rate: number;
	gross: number;
	tax: number;
	net?: number;
}

/** @returns for each of these closings whether its tax is a problem */
async function areWrong(sold: Sold[]): Promise<boolean[]> {
	const closings = sold.map(
		({ rate, gross, tax, net = sum([gross, 0 - tax]) }, i): ClosingSpec => ({
			number: i + 1,
			cases: [['Umsatz', '1', gross]],
			payments: [['Bar', gross]],
			cash: [['EUR', gross]],
			rates: [['1', rate.toFixed(2)]],
			taxes: [[net, tax]],
		}),
	);
	const found = await readExport([{ name: 'Export.zip', bytes: zipOf(closings) }], {
		own: [],
		chart: 'SKR03',
	});
	if (!('closings' in found)) throw new Error(found.problem.en);
	return found.closings.map(({ problems }) =>
		problems.some(({ en }) => en.startsWith('The tax of Umsatz doesn')),
	);
}

const inCents = (value: number) => Math.round(value * 100) / 100;
const taxOf = (gross: number, rate: number) => inCents((gross * rate) / (100 + rate));
const between = (least: number, most: number) => inCents(least + Math.random() * (most - least));
const none = (sold: Sold[]) => sold.map(() => false);

describe('The tax of a closing', () => {
	it('fits its rate on a day of 800 receipts, each of which was rounded', async () => {
		expect(await areWrong([{ rate: 7, gross: 2833.59, tax: 185.35 }])).toEqual([false]);
	});

	it('fits its rate on any busy day', async () => {
		const days = [19, 7].flatMap((rate) =>
			Array.from({ length: 25 }, (): Sold => {
				const receipts = Array.from({ length: 100 + Math.random() * 1500 }, () => between(0.5, 6.5));
				return { rate, gross: sum(receipts), tax: sum(receipts.map((gross) => taxOf(gross, rate))) };
			}),
		);
		expect(await areWrong(days)).toEqual(none(days));
	});

	it('doesn’t fit any rate but its own, from 7 EUR on, of what is sold or taken back', async () => {
		const rates = [19, 16, 10.7, 9.5, 9, 8.4, 7.8, 7, 5.5, 5, 0];
		const pairs = rates.flatMap((rate) => rates.map((own) => [rate, own]));
		for (const [least, most] of [
			[7, 10],
			[10, 50_000],
			[-50_000, -7],
		]) {
			const sold = pairs.map(([rate, own]): Sold => {
				const gross = between(least, most);
				return { rate, gross, tax: taxOf(gross, own) };
			});
			expect(await areWrong(sold), JSON.stringify(sold)).toEqual(pairs.map(([rate, own]) => rate !== own));
		}
	});

	it('and its net amount are its gross amount, to a cent a row', async () => {
		const nets = [84.03, 84.04, 84.02, 84.05, 84.01];
		const sold = nets.map((net): Sold => ({ rate: 19, gross: 100, tax: 15.97, net }));
		expect(await areWrong(sold)).toEqual([false, false, false, true, true]);
	});
});
