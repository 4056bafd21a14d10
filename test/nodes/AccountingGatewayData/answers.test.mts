/** What each operation makes of an answer: whether it is what was asked for, what of it makes no row, and which columns it has. */
import type { IDataObject } from 'n8n-workflow';
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
/** The warnings about an answer. */
const omitted = (resource: string, answer: unknown, values: Record<string, unknown> = {}) => {
	const { answer: expected, omissions } = read(resource);
	return [expected.strange?.(answer), ...(omissions?.(answer, values) ?? [])].filter(
		(text) => text !== undefined,
	);
};
const columnsOf = (resource: string, values: Record<string, unknown>) => {
	const { columns } = read(resource);
	return typeof columns === 'function' ? columns(values) : columns;
};

const NAMES: Record<string, string> = {
	account: 'accounts',
	company: 'companies',
	fiscalYear: 'fiscal years',
	journalBooking: 'bookings',
	paymentTerm: 'payment terms',
	taxKey: 'tax keys',
	trialBalance: 'accounts',
};
const SHOWN: Record<string, string[]> = {
	account: ['kontonummer', 'kontobeschriftung'],
	company: ['id', 'name', 'client_number', 'consultant_number'],
	fiscalYear: ['id', 'startDatum'],
	journalBooking: ['id', 'buchungstext', 'waehrung', 'buchungszeilen', 'sollHabenKennzeichen'],
	paymentTerm: ['id', 'bezeichnung', 'faelligkeitsart'],
	taxKey: ['buSchluessel', 'beschreibung', 'prozentsatz'],
	trialBalance: ['kontonummer', 'kontobeschriftung', 'saldo', 'ebWert', 'umsatzSoll', 'umsatzHaben'],
};

describe.each(Object.entries(NAMES))('an answer to the list of %s', (resource, name) => {
	it('has the list, which may be empty', () => {
		expect(problemOf(resource, { data: [] })).toBeUndefined();
		expect(problemOf(resource, { message: 'OK' })).toBe(`holds no list of ${name}, but says “OK”`);
		expect(problemOf(resource, [{ other: 1 }])).toBe(`has a list without any ${name}`);
	});

	it.each(SHOWN[resource])('has entries that show themselves by %s', (field) => {
		expect(problemOf(resource, [{ [field]: 'x' }])).toBeUndefined();
	});

	it('names the entries that are none', () => {
		const entry = { [SHOWN[resource][0]]: 'x', buchungszeilen: [{}] };
		expect(omitted(resource, [entry, { other: 1 }, null])).toEqual([
			`the gateway's list of ${name} has invalid entries: no. 2, no. 3`,
		]);
		expect(omitted(resource, [entry])).toEqual([]);
	});
});

it('a fiscal year is the one that was asked for', () => {
	const get = read('fiscalYear', 'get');
	const problem = (answer: unknown) => problemIn(get, answer, request({}, { geschaeftsjahrId: '20260101' }));
	expect(problem({ data: { id: '20260101' } })).toBeUndefined();
	expect(problem({ id: '20250101' })).toBe('has the id "20250101" instead of "20260101"');
	expect(problem({ message: 'OK' })).toBe('has none of the fields of a fiscal year, but says “OK”');
	for (const field of ['startDatum', 'endDatum', 'kontenrahmen']) {
		expect(problem({ [field]: 'x' })).toBeUndefined();
	}
});

it('a trial balance is that of the account that was asked for, whatever zeros it begins with', () => {
	const asked = { kontonummer: '1000' };
	expect(problemOf('trialBalance', [{ kontonummer: '01000' }], asked)).toBeUndefined();
	expect(problemOf('trialBalance', [{ kontonummer: '1200' }], asked)).toContain('instead of');
	expect(problemOf('trialBalance', [{ kontonummer: '1200' }])).toBeUndefined();
});

describe('a report of open items', () => {
	const report = (own: object = {}) => ({ stichtag: '2026-03-31', konten: [], ...own });

	it('is that of its day, with a list of accounts', () => {
		expect(problemOf('openItem', report(), { stichtag: '2026-03-31' })).toBeUndefined();
		expect(problemOf('openItem', report(), { stichtag: '2026-04-30' })).toContain('has the stichtag');
		expect(problemOf('openItem', { message: 'OK' })).toBe(
			'has none of the fields of a report of open items, but says “OK”',
		);
		expect(problemOf('openItem', report({ konten: [{}] }))).toBe('has a list without any accounts');
	});

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

	const konten = [
		{ kontonummer: '10000', totalSaldo: 7, posten: [] },
		{ kontonummer: '10001', totalSaldo: '0.00', posten: null },
		{ kontonummer: '10002', totalSaldo: 7, posten: [{}] },
		{},
		null,
	];
	const STRANGE = "the gateway's list of accounts has invalid entries: no. 4, no. 5";
	const EMPTY = 'accounts with a balance, but without items, have no row (Output "Accounts" has them): 10000';

	it.each([
		['rows', [STRANGE, EMPTY]],
		['accounts', [STRANGE]],
		['report', []],
	])('as %s leaves out: %j', (output, warnings) => {
		expect(omitted('openItem', report({ konten }), { output })).toEqual(warnings);
		expect([...read('openItem').records!(report({ konten }), { output }, {})]).not.toContain(null);
		expect(omitted('openItem', report({ konten: null }), { output })).toEqual([]);
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

describe('a journal', () => {
	const bookings = [
		{ id: 'a', buchungstext: 'Miete', buchungszeilen: [{}] },
		{ id: 'b', buchungstext: 'Porto', buchungszeilen: [] },
	];

	it('of lines leaves out bookings that have none', () => {
		expect(omitted('journalBooking', bookings, { output: 'lines' })).toEqual([
			'bookings without lines have no row (Output "Bookings" has them): no. 2 (Porto)',
		]);
		expect(omitted('journalBooking', bookings.slice(0, 1), { output: 'lines' })).toEqual([]);
		expect(omitted('journalBooking', bookings, { output: 'bookings' })).toEqual([]);
	});
});

describe('a trial balance', () => {
	const SOLL = { betrag: 5, sollHabenKennzeichen: 'SOLL' };
	const account = (own: IDataObject = {}) => ({ kontonummer: '1000', saldo: SOLL, ebWert: null, ...own });

	it('of accounts has amounts without a sign where their side is unknown', () => {
		const odd = { betrag: 5, sollHabenKennzeichen: 'H' };
		const data = [account({ saldo: odd, ebWert: { betrag: 5 } }), account(), account({ saldo: null })];
		const SIGN =
			"amounts whose side (sollHabenKennzeichen) isn't SOLL or HABEN have no sign; the row shows them as text: ";
		expect(omitted('trialBalance', data)).toEqual([`${SIGN}1000 (saldo, "H"), 1000 (ebWert, null)`]);
		const periodenwerte = [{ periode: 3, saldo: odd, ebWert: odd }];
		expect(omitted('trialBalance', [account({ periodenwerte })], { output: 'periods' })).toEqual([
			`${SIGN}1000 (saldo of period 3, "H"), 1000 (ebWert, "H")`,
		]);
	});

	it.each<[IDataObject, boolean]>([
		[{ periodenwerte: [] }, true],
		[{ periodenwerte: null, saldo: null, umsatzSoll: 5 }, true],
		[{ saldo: null, umsatzHaben: '5.00' }, true],
		[{ saldo: { betrag: 0 }, umsatzSoll: 0, umsatzHaben: '0.00' }, false],
		[{ periodenwerte: [{ periode: 1, saldo: SOLL }] }, false],
	])('of periods leaves out accounts that have none, but a balance: %o', (own, isOmitted) => {
		const warnings = [
			'accounts with a balance, but without periods, have no row (Output "Accounts" has them): 1000',
		];
		expect(omitted('trialBalance', [account(own)], { output: 'periods' })).toEqual(isOmitted ? warnings : []);
		expect(omitted('trialBalance', [account(own)], { output: 'accounts' })).toEqual([]);
	});
});

describe('the columns', () => {
	it.each<[string, Record<string, unknown>, string[]]>([
		['trialBalance', {}, ['kontonummer', 'kontobeschriftung', 'ebWertSigned', 'umsatzSoll']],
		[
			'trialBalance',
			{ output: 'accounts', asOf: { at: 'period' }, bisPeriode: 3 },
			['kontonummer', 'kontobeschriftung', 'periode', 'ebWertSigned', 'umsatzSoll'],
		],
		[
			'trialBalance',
			{ output: 'periods', asOf: { at: 'period' }, bisPeriode: 3 },
			['kontonummer', 'kontobeschriftung', 'periode', 'saldoSigned'],
		],
		['journalBooking', {}, ['bookingNumber', 'kontonummer']],
		['journalBooking', { output: 'bookings' }, ['buchungstext', 'waehrung']],
		['openItem', {}, ['kontonummer', 'bezeichnung', 'beleg']],
		['openItem', { output: 'accounts' }, ['kontonummer', 'bezeichnung', 'totalSaldo']],
		['openItem', { output: 'report' }, ['stichtag', 'sumDebitoren']],
	])('of %s with %o begin with %j', (resource, values, first) => {
		expect(columnsOf(resource, values)!.slice(0, first.length)).toEqual(first);
	});
});

describe('the company', () => {
	const TAKE_ONE = ['fiscalYear', 'journalBooking', 'openItem'];
	const of = (companyId?: string) => ({ companyId });

	it.each(TAKE_ONE)('of %s may be chosen', (resource) => {
		const operation = read(resource);
		expect([operation.companyOf!(of('1-1')), operation.companyOf!(of())]).toEqual(['1-1', undefined]);
		expect(operation.explain!(of('1-1'))(403)?.advice).toContain('choose another one in the field "Company"');
		expect(operation.explain!(of())(403)?.advice).toContain('Choose a company with an export subscription');
		expect(operation.explain!(of())(404)).toBeUndefined();
	});

	it.each([
		['account', 'getAll'],
		['fiscalYear', 'get'],
		['paymentTerm', 'getAll'],
		['trialBalance', 'getAll'],
	])('of %s (%s) is the default one', (resource, value) => {
		const operation = read(resource, value);
		expect(operation.companyOf!(of('1-1'))).toBeUndefined();
		expect(operation.explain!(of('1-1'))(403)?.advice).toContain('takes no companyId');
	});
});
