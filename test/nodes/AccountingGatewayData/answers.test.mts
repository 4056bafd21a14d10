/** Which reports of open items are complete. Other answers: test/conformance/otherRecord.test.mts. */
import { describe, expect, it } from 'vitest';

import { resources } from '../../../nodes/AccountingGatewayData/resources.js';
import type { ReadOperation } from '../../../nodes/shared/operation.js';
import { partial } from '../../support/partial.mjs';

const read = (resource: string, value = 'getAll') =>
	resources
		.find((one) => one.value === resource)!
		.operations.find((one) => one.value === value) as ReadOperation;
type Request = Parameters<NonNullable<ReadOperation['sent']>>[0];
const request = (query: object = {}, path: object = {}) => partial<Request>({ path, query });
/** What is wrong with an answer. */
const problemIn = ({ answer: expected, sent }: ReadOperation, answer: unknown, of: Request) =>
	expected.problem(answer, sent?.(of) ?? {});
const problemOf = (resource: string, answer: unknown, query: object = {}) =>
	problemIn(read(resource), answer, request(query));
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
		expect(problemOf('openItem', report(own))).toBe(isEmpty ? undefined : 'has no list of accounts (konten)');
	});

	it.each<[string, Record<string, unknown>]>([
		['getAll', { output: 'rows' }],
		['getAll', { output: 'accounts' }],
		['getAll', { output: 'aging' }],
		['findForPayment', { amount: 7, currency: 'EUR', text: 'RE-1', direction: 'bySign' }],
	])('an account that is null makes no row of %s with %o', (value, values) => {
		const posten = [{ beleg: 'RE-1', belegdatum: '2026-03-01', saldo: 7 }];
		const accounts = [{ kontonummer: '10000', bezeichnung: 'A', totalSaldo: 7, isDebitor: true, posten }];
		const made = (all: unknown[]) => [
			...read('openItem', value).records!(report({ stichtag: '2026-03-31', konten: all }), values, {}),
		];
		expect(made(accounts)).toHaveLength(1);
		expect(made([...accounts, null])).toEqual(made(accounts));
	});
});
