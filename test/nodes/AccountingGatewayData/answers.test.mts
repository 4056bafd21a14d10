/** Which reports of open items are complete. Other answers: test/conformance/otherRecord.test.mts. */
import { describe, expect, it } from 'vitest';

import { resources } from '../../../nodes/AccountingGatewayData/resources.js';
import type { ReadOperation } from '../../../nodes/shared/operation.js';

const read = (value: string) =>
	resources
		.find((one) => one.value === 'openItem')!
		.operations.find((one) => one.value === value) as ReadOperation;

describe('A report of open items', () => {
	const report = (own: object = {}) => ({ stichtag: '2026-03-31', konten: [], ...own });

	it.each<[object, boolean]>([
		[{ konten: null, sumDebitoren: 0, sumKreditoren: '0.00' }, true],
		[{ konten: null, sumDebitoren: 5, sumKreditoren: 0 }, false],
		[{ konten: null, sumDebitoren: 0, sumKreditoren: null }, false],
		[{ konten: null, sumDebitoren: 0 }, false],
		[{ konten: undefined, sumDebitoren: 0, sumKreditoren: 0 }, false],
		[{ konten: {}, sumDebitoren: 0, sumKreditoren: 0 }, false],
	])('may do without accounts if its sums are 0: %o', (own, isEmpty) => {
		const problem = read('getAll').expects.problem(report(own), {});
		expect(problem).toBe(isEmpty ? undefined : 'has no list of accounts (konten)');
	});

	it.each<[string, Record<string, unknown>]>([
		['getAll', { output: 'rows' }],
		['getAll', { output: 'accounts' }],
		['getAll', { output: 'aging' }],
		['findForPayment', { amount: 7, currency: 'EUR', text: 'RE-1', direction: 'bySign' }],
	])('an account that is null makes no row of %s with %o', (value, values) => {
		const posten = [{ beleg: 'RE-1', belegdatum: '2026-03-01', saldo: 7 }];
		const accounts = [{ kontonummer: '10000', bezeichnung: 'A', totalSaldo: 7, isDebitor: true, posten }];
		const made = (konten: unknown[]) => [...read(value).records!(report({ konten }), values, {})];
		expect(made(accounts)).toHaveLength(1);
		expect(made([...accounts, null])).toEqual(made(accounts));
		const several = { data: [report({ konten: accounts }), report()] };
		expect([...read(value).records!(several, values, {})]).toEqual(made(accounts));
	});
});
