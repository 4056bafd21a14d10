/** The output "Aging" of "Open Item: Get Many". */
import { expect, it } from 'vitest';

import { item, openAccount, openItems, useDataNode } from '../../../support/dataNode.mjs';

const { run, answers } = useDataNode();

/** An account with a balance, and what is open: `[day, amount]`. */
const account = (kontonummer: string, totalSaldo: number, ...open: Array<[string | null, number]>) => ({
	...openAccount(kontonummer, 'Konto', ...open.map(([day, saldo]) => item('1', saldo, day))),
	totalSaldo,
});

it('The output “Aging” sorts what is open by age at the key date, to the day, with credit notes apart', async () => {
	const konten = [
		account(
			'10001',
			111,
			['2026-11-30', 1],
			['2026-10-31', 2],
			['2026-10-30', 4],
			['2026-10-01', 8],
			['2026-09-30', 16],
			['2026-09-01', 32],
			['2026-08-31', 64],
			['2026-11-01', -20],
			[null, 4],
		),
		account('70001', -0.3, ['2026-11-29', -0.1], ['2026-11-28', -0.2]),
		account('70002', -5, ['2020-01-01', -10], ['2026-11-28', 5]),
		// A prepayment that is more than all invoices.
		account('70003', 5000, ['2026-11-28', 5000]),
		// The gateway doesn't say whose it is: the number does.
		{ ...account('60001', 6, ['2026-11-28', 10], ['2026-11-28', -4]), isDebitor: null },
	];
	await answers(openItems(konten, '2026-11-30'), { operationId: 'getOpenItems' });
	const additionalFields = { stichtag: '2026-11-30' };
	const { json, hints, error } = await run('openItem', { output: 'aging', additionalFields });
	expect(error).toBeUndefined();
	expect(
		json.map((row) => [row.days0To30, row.days31To60, row.days61To90, row.over90Days, row.creditNotes]),
	).toEqual([
		[3, 12, 48, 64, -20],
		[-0.3, 0, 0, 0, 0],
		[0, 0, 0, -10, 5],
		[0, 0, 0, 0, 5000],
		[10, 0, 0, 0, -4],
	]);
	expect(json.map(({ totalSaldo, stichtag }) => [totalSaldo, stichtag])).toEqual(
		[111, -0.3, -5, 5000, 6].map((total) => [total, '2026-11-30']),
	);
	expect(JSON.stringify(hints)).toContain('10001');
});

it.each<[what: string, isCertain: boolean, ...items: number[]]>([
	['an invoice, or several', true, -1000, -50],
	['an invoice, with the sign that customers’ have', true, 1000],
	['more and larger ones than credit notes', true, -1000, -500, 100],
	['one invoice, and two that were paid in advance', false, -1000, 50, 60],
	['an invoice and a credit note', false, 1000, -100],
	['a prepayment that is more than all invoices', false, -10, -20, 5000],
	['nothing that is open', true, 0],
])(
	'Which items of suppliers are invoices is certain, or a warning says so: %s',
	async (_, isCertain, ...items) => {
		const konten = [account('70001', 0, ...items.map((saldo): [string, number] => ['2026-11-28', saldo]))];
		await answers(openItems(konten, '2026-11-30'), { operationId: 'getOpenItems' });
		const { hints } = await run('openItem', { output: 'aging' });
		expect(/isn't certain/.test(JSON.stringify(hints))).toBe(!isCertain);
	},
);
