/** The output "Aging" of "Open Item: Get Many". */
import { expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway({ now: new Date('2026-11-20T09:00:00Z') });

const item = (belegdatum: string | null, saldo: number) => ({
	beleg: '1',
	belegdatum,
	buchungstext: '',
	saldo,
});
const account = (kontonummer: string, totalSaldo: number, ...posten: object[]) => ({
	kontonummer,
	bezeichnung: 'Konto',
	isDebitor: kontonummer.startsWith('1'),
	totalSaldo,
	posten,
});

it('The output “Aging” sorts what is open by age at the key date, to the day, with credit notes apart', async () => {
	const konten = [
		account(
			'10001',
			111,
			item('2026-11-30', 1),
			item('2026-10-31', 2),
			item('2026-10-30', 4),
			item('2026-10-01', 8),
			item('2026-09-30', 16),
			item('2026-09-01', 32),
			item('2026-08-31', 64),
			item('2026-11-01', -20),
			item(null, 4),
		),
		account('70001', -0.3, item('2026-11-29', -0.1), item('2026-11-28', -0.2)),
		account('70002', -5, item('2020-01-01', -10), item('2026-11-28', 5)),
		// A prepayment that is more than all invoices.
		account('70003', 5000, item('2026-11-28', 5000)),
		// The gateway doesn't say whose it is: the number does.
		{ ...account('60001', 6, item('2026-11-28', 10), item('2026-11-28', -4)), isDebitor: null },
	];
	const body = { data: { stichtag: '2026-11-30', konten, sumDebitoren: 0, sumKreditoren: 0 } };
	await gateway.fault({ kind: 'status', status: 200, body, operationId: 'getOpenItems' });
	const { json, hints, error } = await gateway.run(new AccountingGatewayData(), {
		resource: 'openItem',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('rewe-read') },
		output: 'aging',
		additionalFields: { stichtag: '2026-11-30' },
	});
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
	expect(json.map(({ totalSaldo, stichtag }) => [totalSaldo, stichtag])).toEqual([
		[111, '2026-11-30'],
		[-0.3, '2026-11-30'],
		[-5, '2026-11-30'],
		[5000, '2026-11-30'],
		[6, '2026-11-30'],
	]);
	expect(JSON.stringify(hints)).toContain('10001');
});
