/** Every operation of the data node in n8n's engine, compared with what the sandbox answers to a plain client. */
import axios from 'axios';
import groupBy from 'lodash/groupBy.js';
import map from 'lodash/map.js';
import mapValues from 'lodash/mapValues.js';
import round from 'lodash/round.js';
import sumBy from 'lodash/sumBy.js';
import uniq from 'lodash/uniq.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { item, locator, openAccount, openItems, useDataNode } from '../../support/dataNode.mjs';

const { gateway, answers, ...data } = useDataNode();

const CAFE = '29098-10002';
const BAKERY = '29098-10001';

/** The path of each list; `year` for reports of one fiscal year. */
const OPERATIONS = {
	account: { path: '/v2/acct-rewe-read/kontenplan', year: true },
	company: { path: '/v2/acct/companies' },
	fiscalYear: { path: '/v2/acct-rewe-read/geschaeftsjahre' },
	journalBooking: { path: '/v2/acct-rewe-read/buchungsdaten', year: true },
	openItem: { path: '/v2/acct-rewe-read/opos' },
	paymentTerm: { path: '/v2/acct-rewe-read/zahlungsbedingungen', year: true },
	taxKey: { path: '/v2/acct-rewe/steuersaetze' },
	trialBalance: { path: '/v2/acct-rewe-read/susa', year: true },
} as const;
type Resource = keyof typeof OPERATIONS;
const resources = Object.keys(OPERATIONS) as Resource[];

const connectionOf = (resource: Resource) =>
	gateway.connectionId(resource === 'taxKey' ? 'rewe' : 'rewe-read');
/** The connection whose default company has no export subscription. */
const cafeConnection = () =>
	gateway.sandbox.store.accounts[0].connections.find((one) => one.defaultCompanyId === CAFE)!.id;

/** Runs an operation with all that it needs; each test changes what it is about. */
const run = async (resource: Resource, changes: INodeParameters = {}) =>
	await data.run(resource, {
		connectionId: locator(connectionOf(resource)),
		// What is no ID is given in a mode of its own.
		...('year' in OPERATIONS[resource] && { geschaeftsjahrStartDatum: locator('2026-01-01', 'value') }),
		...changes,
	});

/** The answer that a plain client gets. */
async function answer(resource: Resource): Promise<IDataObject> {
	const { path } = OPERATIONS[resource];
	const year = 'year' in OPERATIONS[resource] ? { geschaeftsjahrStartDatum: '2026-01-01' } : {};
	const { data } = await axios.get<IDataObject>(gateway.sandbox.url + path, {
		headers: { 'x-api-key': gateway.sandbox.apiKey },
		params: { connectionId: connectionOf(resource), ...year },
	});
	return data;
}
const dataOf = async (resource: Resource) => (await answer(resource)).data as IDataObject[];

const reshaped: Resource[] = ['company', 'journalBooking', 'openItem', 'paymentTerm', 'trialBalance'];

describe.each(resources.filter((resource) => !reshaped.includes(resource)))('A read of %s', (resource) => {
	it('gives one item for each record, unchanged', async () => {
		const { json, main, error } = await run(resource);
		expect(error).toBeUndefined();
		const records = await dataOf(resource);
		expect(json).toHaveLength(records.length);
		expect(json).toEqual(records.map((record) => expect.objectContaining(record)));
		expect(uniq(map(main[0], 'pairedItem.item'))).toEqual([0]);
	});
});

describe('A read that costs credits', () => {
	it('reports the balance, in each record if that is wanted', async () => {
		const { hints, json } = await run('taxKey', { options: { includeCredits: true } });
		expect(hints.map(({ message }) => message)).toContainEqual(expect.stringContaining('Credit balance'));
		expect(uniq(json.map(({ neuesGuthaben }) => typeof neuesGuthaben))).toEqual(['number']);
	});

	it('says that the balance is below the minimum even if nothing was left to read', async () => {
		const { hints } = await run('openItem', { options: { minimumCredits: 1_000_000 } });
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/ is below the minimum of 1000000 set in the node's options$/),
		);
	});
});

describe.each(['fiscalYear', 'journalBooking', 'openItem'] as const)(
	'A read of %s of a company',
	(resource) => {
		const of = (companyId: unknown, connectionId = gateway.connectionId('rewe-read')): INodeParameters => ({
			connectionId: locator(connectionId),
			companyId: locator(companyId),
		});

		it('reads that of the chosen company', async () => {
			const { error, json } = await run(resource, of(BAKERY, cafeConnection()));
			expect(error).toBeUndefined();
			expect(json).toEqual((await run(resource)).json);
			expect((await gateway.requests())[0].query).toMatchObject({ companyId: BAKERY });
		});

		it('explains the export subscription when no company is chosen, and points to the field', async () => {
			const { error } = await run(resource, { connectionId: locator(cafeConnection()) });
			expect(error?.message).toContain(
				'The default company of this connection probably has no export subscription',
			);
			expect(error?.description).toContain('in the field "Company" (companyId)');
			expect(error?.message).toContain('Café Morgenrot e. K. has no export subscription');
		});

		it('says what may be wrong with the chosen company', async () => {
			const { error } = await run(resource, of(CAFE));
			expect(error?.message).toContain('no accounting data for this company (HTTP 403)');
			expect(error?.description).toContain('It may have no export subscription');
		});
	},
);

it('A 403 for a report that takes no company points to no field, and names the key, too', async () => {
	await gateway.fault({ kind: 'status', status: 403, body: { message: 'Invalid API key' } });
	const { error } = await run('trialBalance');
	expect(error?.message).toContain('probably has no export subscription (HTTP 403): “Invalid API key”');
	expect(error?.description).toContain('the API key may be wrong, or not allowed');
	expect(error?.description).not.toContain('the field "Company"');
});

describe('Fiscal Year: Get', () => {
	it('gives the year with all its details', async () => {
		const { json } = await run('fiscalYear', { operation: 'get', geschaeftsjahrId: locator('20260101') });
		expect(json).toEqual([
			{
				id: '20260101',
				startDatum: '2026-01-01',
				endDatum: '2026-12-31',
				kontonummernLaenge: 4,
				kontenrahmen: 'SKR03',
			},
		]);
	});
});

it("A fiscal year's ID that is none is refused before anything is sent", async () => {
	const { error } = await run('fiscalYear', { operation: 'get', geschaeftsjahrId: locator('..') });
	expect(error?.message).toMatch(/^Nothing was read: .* \(geschaeftsjahrId\)/);
});

describe('Company: Get Many', () => {
	it('gives number and name first, and the active services as a text', async () => {
		const { json } = await run('company');
		expect(Object.keys(json[0]).slice(0, 2)).toEqual(['id', 'name']);
		expect(json.map(({ subscription }) => subscription)).toEqual([
			'cashbook, documents, export',
			'cashbook, documents',
		]);
	});

	it.each([[null], [[]], [[null, {}, { active: true }, { name: 'Lohn', active: false }]]])(
		'has no active services in %o',
		async (subscription) => {
			await answers({ data: [{ id: '1-1', subscription }] });
			expect((await run('company')).json).toMatchObject([{ id: '1-1', name: null, subscription: '' }]);
		},
	);
});

describe('Payment Term: Get Many', () => {
	it('gives rows without the terms of single periods', async () => {
		const { json } = await run('paymentTerm');
		const columns = Object.keys(json[0]);
		expect(columns.slice(0, 3)).toEqual(['id', 'bezeichnung', 'nettoFrist']);
		const terms = await dataOf('paymentTerm');
		expect(json).toEqual(
			terms.map((term) => Object.fromEntries(columns.map((name) => [name, term[name] ?? null]))),
		);
	});
});

describe('Journal Booking: Get Many', () => {
	it('gives bookings with their lines', async () => {
		const { json } = await run('journalBooking', { output: 'bookings' });
		expect(json).toEqual(await dataOf('journalBooking'));
		expect(Object.keys(json[0])[0]).toBe('buchungstext');
	});

	it('opens on lines, as self-contained rows, each with its own side', async () => {
		const { json } = await run('journalBooking');
		const bookings = await dataOf('journalBooking');
		expect(json).toEqual(
			bookings.flatMap(({ buchungszeilen, buchungstext, waehrung }, i) =>
				(buchungszeilen as IDataObject[]).map(({ kostenstellen, umsatz, ...line }) => ({
					bookingNumber: i + 1,
					buchungstext,
					waehrung,
					...line,
					...(kostenstellen as IDataObject),
					umsatz: Math.abs(Number(umsatz)),
					umsatzSigned: umsatz,
					sollHabenKennzeichen: umsatz === 0 ? null : Number(umsatz) > 0 ? 'SOLL' : 'HABEN',
				})),
			),
		);
		expect(uniq(map(json, 'kost1')), 'cost centers').not.toEqual([null]);
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['bookingNumber', 'kontonummer', 'buchungstext']);
		// The loan of the opening balance is a liability.
		expect(json.find(({ kontonummer }) => kontonummer === '0640')).toMatchObject({
			sollHabenKennzeichen: 'HABEN',
		});
		// The lines add up as the trial balance does.
		const sums = mapValues(groupBy(json, 'kontonummer'), (lines) => round(sumBy(lines, 'umsatzSigned'), 2));
		const accounts = (await run('trialBalance')).json;
		expect(accounts.length).toBeGreaterThan(20);
		expect(sums).toEqual(
			Object.fromEntries(accounts.map(({ kontonummer, saldoSigned }) => [kontonummer, saldoSigned])),
		);
	});

	const booking = (side: unknown, ...lines: Array<[string, unknown]>) => ({
		waehrung: 'EUR',
		buchungstext: 'Miete',
		sollHabenKennzeichen: side,
		buchungszeilen: lines.map(([kontonummer, umsatz]) => ({ kontonummer, umsatz })),
	});
	/** A rent of 50 is paid, and money of 70 comes in, as booked on the credit side of the customer. */
	const read = async (...data: object[]) => {
		await answers({ data });
		const { json, hints } = await run('journalBooking');
		const rows = json.map(({ kontonummer, umsatz, sollHabenKennzeichen: side, umsatzSigned }) => [
			kontonummer,
			umsatz,
			side,
			umsatzSigned,
		]);
		return { rows, said: hints.map(({ message }) => message).join() };
	};
	const RENT = [
		['4210', 50, 'SOLL', 50],
		['1200', 50, 'HABEN', -50],
	];
	const INCOME = [
		['10001', 70, 'HABEN', -70],
		['1200', 70, 'SOLL', 70],
	];

	it.each<[string, object[]]>([
		[
			'debit and credit',
			[booking('SOLL', ['4210', 50], ['1200', -50]), booking('HABEN', ['10001', -70], ['1200', 70])],
		],
		[
			'debit and credit',
			[booking('SOLL', ['4210', 50], ['1200', -50]), booking(null, ['10001', '-70'], ['1200', '70'])],
		],
		[
			'the side of the booking',
			[booking('SOLL', ['4210', 50], ['1200', -50]), booking('HABEN', ['10001', 70], ['1200', -70])],
		],
	])('has the side of each line where the signs mean %s', async (_, data) => {
		expect((await read(...data)).rows).toEqual([...RENT, ...INCOME]);
	});

	it('says that no side can be told where sides and signs contradict each other, or an amount is none', async () => {
		const both = [
			booking('HABEN', ['10001', -70], ['1200', 70]),
			booking('HABEN', ['10001', 60], ['1200', -60]),
		];
		const contradicting = await read(...both);
		expect(contradicting.rows[0]).toEqual(['10001', -70, null, null]);
		expect(contradicting.said).toContain('contradict each other');
		const odd = await read(booking('SOLL', ['4210', 'fünf'], ['1200', -50]));
		expect(odd.rows).toEqual([
			['4210', 'fünf', null, null],
			['1200', 50, 'HABEN', -50],
		]);
		expect(odd.said).toMatch(/side can’t be told.*: no\. 1 \(Miete\)/);
	});

	it.each(['lines', 'bookings'])(
		'gives the sheet of an account (Kontoblatt), and bookings with a text: %s',
		async (output) => {
			const whole = (await run('journalBooking')).json;
			const numbers = new Set(
				whole.filter(({ kontonummer }) => kontonummer === '0640').map((row) => row.bookingNumber),
			);
			const additionalFields = { kontonummer: locator('640', 'value') };
			const { json } = await run('journalBooking', { output, additionalFields });
			const expected = whole.filter(({ bookingNumber }) => numbers.has(bookingNumber));
			if (output === 'lines') expect(json).toEqual(expected);
			else expect(json).toHaveLength(numbers.size);
			expect(numbers.size).toBeGreaterThan(2);
			const said = (
				await run('journalBooking', { output, additionalFields: { ...additionalFields, text: ' TILGUNG ' } })
			).json;
			expect(said.length).toBeGreaterThan(1);
			expect(said.length).toBeLessThan(json.length);
			expect(map(said, 'buchungstext').filter((one) => !/tilgung/i.test(one as string))).toEqual([]);
			const none = await run('journalBooking', { output, additionalFields: { text: 'was es nicht gibt' } });
			expect([none.json, none.error]).toEqual([[], undefined]);
		},
	);
});

describe('Trial Balance: Get Many', () => {
	const signed = (amount: unknown) => {
		const { betrag, sollHabenKennzeichen } = amount as IDataObject;
		return (sollHabenKennzeichen === 'SOLL' ? 1 : -1) * (betrag as number) + 0;
	};

	it('gives rows for a spreadsheet: number before name, one signed amount for each amount with its side', async () => {
		const { json } = await run('trialBalance');
		const rows = (await dataOf('trialBalance')).map((account) => [
			['kontonummer', account.kontonummer],
			['kontobeschriftung', account.kontobeschriftung],
			['ebWertSigned', signed(account.ebWert)],
			['umsatzSoll', account.umsatzSoll],
			['umsatzHaben', account.umsatzHaben],
			['saldoSigned', signed(account.saldo)],
		]);
		expect(json.map(Object.entries)).toEqual(rows);
		expect(json.map(({ saldoSigned }) => Math.sign(saldoSigned as number))).toEqual(
			expect.arrayContaining([1, -1]),
		);
		const total = json.reduce((sum, { saldoSigned }) => sum + Math.round((saldoSigned as number) * 100), 0);
		expect(total).toBe(0);
	});

	it('gives periods as self-contained rows', async () => {
		const { json } = await run('trialBalance', { output: 'periods' });
		const rows = (await dataOf('trialBalance')).flatMap(({ kontonummer, kontobeschriftung, periodenwerte }) =>
			(periodenwerte as IDataObject[]).map(({ periode, saldo }) => [
				['kontonummer', kontonummer],
				['kontobeschriftung', kontobeschriftung],
				['periode', periode],
				['saldoSigned', signed(saldo)],
			]),
		);
		expect(json.map(Object.entries)).toEqual(rows);
	});
});

describe('Open Item: Get Many', () => {
	interface Report extends IDataObject {
		stichtag: string;
		konten: IDataObject[];
	}
	const report = async () => (await answer('openItem')).data as Report;
	const accountsOf = ({ stichtag, konten }: Report) => konten.map((account) => ({ stichtag, ...account }));
	const rowsOf = (from: Report) =>
		accountsOf(from).flatMap(({ posten, ...account }: IDataObject) =>
			(posten as IDataObject[]).map((item) => ({ ...account, ...item })),
		);

	it('gives one self-contained row for each item by default', async () => {
		const { json, main } = await run('openItem');
		expect(json).toEqual(rowsOf(await report()));
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['kontonummer', 'bezeichnung', 'beleg']);
		expect(uniq(map(main[0], 'pairedItem.item'))).toEqual([0]);
	});

	it('gives accounts with their items, or the whole report', async () => {
		const { json: accounts } = await run('openItem', { output: 'accounts' });
		expect(accounts).toEqual(accountsOf(await report()));
		const { json: whole } = await run('openItem', { output: 'report' });
		expect(whole).toEqual([await report()]);
	});
});

describe('From a gateway of another vendor,', () => {
	it('unknown fields are in the untouched answer, and in no table', async () => {
		const tables = await Promise.all(resources.map(async (resource) => (await run(resource)).json));
		await gateway.variant({ extraFields: true });
		for (const [i, resource] of resources.entries()) {
			expect((await run(resource)).json).toEqual(tables[i]);
			// Where a record has two fields, there is nothing to simplify.
			if (['account', 'fiscalYear'].includes(resource)) continue;
			expect(JSON.stringify((await run(resource, { simple: false })).json)).toContain('zusatzfeld');
		}
	});

	const trialBalanceOf = async (account: IDataObject) => {
		await answers({ data: [account] });
		return (await run('trialBalance')).json;
	};
	const EMPTY_ROW = {
		kontonummer: '1',
		kontobeschriftung: null,
		ebWertSigned: null,
		umsatzSoll: null,
		umsatzHaben: null,
		saldoSigned: null,
	};

	it.each([
		['12.50', 'HABEN', -12.5],
		['123456789012.34', 'SOLL', 123456789012.34],
		['12345678901234567.89', 'HABEN', '12345678901234567.89 HABEN'],
		['0.00', 'HABEN', 0],
	])(
		'%o %s is %o, a text only where JavaScript can not hold it',
		async (betrag, sollHabenKennzeichen, signedAmount) => {
			const saldo = { betrag, sollHabenKennzeichen };
			const [row] = await trialBalanceOf({ kontonummer: '1', saldo });
			expect(row).toEqual({ ...EMPTY_ROW, saldoSigned: signedAmount });
		},
	);

	describe('what no row can be made of is a warning that names it', () => {
		const warned = async (resource: Resource, data: unknown, changes: INodeParameters = {}) => {
			await answers({ data });
			const { json, hints, error } = await run(resource, changes);
			expect(error).toBeUndefined();
			return {
				json,
				said: hints.flatMap(({ type, message }) => (type === 'warning' ? message : [])).join(' '),
			};
		};
		const account = (kontonummer: string, own: object = {}) => ({
			kontonummer,
			kontobeschriftung: 'Kasse',
			saldo: { betrag: 5, sollHabenKennzeichen: 'SOLL' },
			ebWert: { betrag: 0, sollHabenKennzeichen: null },
			umsatzSoll: 5,
			umsatzHaben: 0,
			periodenwerte: [{ periode: 1, saldo: { betrag: 5, sollHabenKennzeichen: 'SOLL' } }],
			...own,
		});

		it('an amount with an unknown side', async () => {
			const strange = account('1200', { saldo: { betrag: 5, sollHabenKennzeichen: 'H' } });
			const { json, said } = await warned('trialBalance', [account('1000'), strange]);
			expect(json).toMatchObject([{ saldoSigned: 5, ebWertSigned: 0 }, { saldoSigned: '5 H' }]);
			expect(said).toContain('without a readable number or a side (SOLL or HABEN)');
			expect(said).toContain('1200 (saldo, 5 H)');
			expect(said).not.toContain('1000');
			expect((await warned('trialBalance', [strange], { simple: false })).said).toBe('');
		});

		it('an amount of a period with an unknown side', async () => {
			const periodenwerte = [{ periode: 3, saldo: { betrag: 5, sollHabenKennzeichen: 'X' } }];
			const ebWert = { betrag: 1, sollHabenKennzeichen: 'S' };
			const { said } = await warned('trialBalance', [account('1200', { periodenwerte, ebWert })], {
				output: 'periods',
			});
			expect(said).toContain('1200 (saldo, periode 3, 5 X)');
			// The rows have no opening balance.
			expect(said).not.toContain('ebWert');
		});

		it('no later period than wanted', async () => {
			const periodenwerte = [{ periode: 3, saldo: { betrag: 5, sollHabenKennzeichen: 'X' } }];
			const changes = { output: 'periods', asOf: 'period', bisPeriode: 2 };
			expect((await warned('trialBalance', [account('1200', { periodenwerte })], changes)).said).toBe('');
		});

		it('an account without periods, unless there is nothing on it', async () => {
			const data = [
				account('1000'),
				account('1200', { periodenwerte: [] }),
				account('1300', { periodenwerte: null }),
				account('1400', { periodenwerte: [], saldo: { betrag: 0 }, umsatzSoll: 0 }),
			];
			const { json, said } = await warned('trialBalance', data, { output: 'periods' });
			expect(json).toHaveLength(1);
			expect(said).toContain('1200, 1300');
			expect(said).not.toContain('1400');
		});

		it('a booking without lines', async () => {
			const booking = (buchungstext: string, lines: unknown) => ({
				id: null,
				waehrung: 'EUR',
				buchungstext,
				sollHabenKennzeichen: 'SOLL',
				buchungszeilen: lines,
			});
			const data = [
				booking('Miete', [{ kontonummer: '1000', umsatz: 1 }]),
				booking('Porto', []),
				booking('Tee', 7),
			];
			// An expression that gives nothing means the default, the lines.
			const { json, said } = await warned('journalBooking', data, { output: '={{ $json.missing }}' });
			expect(json).toHaveLength(1);
			expect(said).toContain('no. 2 (Porto), 3 (Tee)');
		});

		it('an account with a balance, but without items', async () => {
			const posten = [{ beleg: 'RE-1', saldo: 1 }];
			const konten = [
				{ kontonummer: '10000', totalSaldo: 1, posten },
				{ kontonummer: '10001', totalSaldo: 7, posten: [] },
				{ kontonummer: '10002', totalSaldo: -7, posten: null },
				{ kontonummer: '10003', totalSaldo: 0, posten: [] },
			];
			const { json, said } = await warned('openItem', { stichtag: '2026-11-20', konten }, { output: 'rows' });
			expect(json).toHaveLength(1);
			expect(said).toContain('10001, 10002');
			expect(said).not.toContain('10003');
		});

		it.each<[INodeParameters, string]>([
			[{ output: 'rows' }, '10001, 10002, 10003'],
			[{ output: 'aging' }, '10001, 10002, 10003'],
			[{ operation: 'findForPayment', amount: 7, text: 'RE-1', day: '2026-11-20' }, '10001, 10002, 10003'],
			// Whether raw opening balances add up isn't known.
			[{ output: 'rows', additionalFields: { eb: 'raw' } }, '10003'],
			[{ output: 'accounts' }, ''],
		])('accounts whose items don’t add up to their balance: %o', async (changes, numbers) => {
			const konto = (kontonummer: string, totalSaldo: unknown, ...saldi: unknown[]) => ({
				kontonummer,
				totalSaldo,
				posten: saldi.map((saldo) => ({ beleg: 'RE-1', belegdatum: '2026-11-10', saldo })),
			});
			const konten = [
				konto('10000', 0.3, 0.1, '0.20', null),
				konto('10001', 300, 100),
				konto('10002', '0.00', 0.01),
				konto('10003', 5),
				konto('10004', undefined, 7),
				konto('10005', 'sieben', 7),
			];
			const { said } = await warned('openItem', { stichtag: '2026-11-20', konten }, changes);
			expect(/add up to their balance.*: ([\d, ]+)$/.exec(said)?.[1] ?? '').toBe(numbers);
		});

		it('an entry of a list that is no record', async () => {
			const { said } = await warned('account', [{ kontonummer: '1000' }, null, { kontonummer: '1200' }, 'x']);
			expect(said).toContain('has invalid entries: no. 2, 4');
		});

		it('and nothing where all is there', async () => {
			expect((await warned('trialBalance', [account('1000')])).said).toBe('');
		});
	});

	it.each<[object, boolean]>([
		[{ konten: null, sumDebitoren: 0, sumKreditoren: '0.00' }, true],
		[{ konten: null, sumDebitoren: 5, sumKreditoren: 0 }, false],
		[{ konten: null, sumDebitoren: 0, sumKreditoren: null }, false],
		[{ konten: null, sumDebitoren: 0 }, false],
		[{ sumDebitoren: 0, sumKreditoren: 0 }, false],
		[{ konten: {}, sumDebitoren: 0, sumKreditoren: 0 }, false],
	])('open items may lack their accounts if the sums are 0: %o', async (own, isEmpty) => {
		await answers({ data: { stichtag: '2026-11-20', ...own } });
		const { json, error } = await run('openItem');
		const problem = /has no list of accounts \(konten\)/.exec(error?.message ?? '');
		expect([json, problem === null]).toEqual([[], isEmpty]);
	});

	it.each<INodeParameters>([
		{ output: 'rows' },
		{ output: 'accounts' },
		{ output: 'aging' },
		{ operation: 'findForPayment', amount: 7, text: 'RE-1', day: '2026-11-20' },
	])('an account that is null makes no row of open items: %o', async (parameters) => {
		const account = openAccount('10000', 'A', item('RE-1', 7));
		const rowsOf = async (body: object) => {
			await answers(body, { operationId: 'getOpenItems' });
			return (await run('openItem', parameters)).json;
		};
		const rows = await rowsOf(openItems([account]));
		expect(rows).toHaveLength(1);
		// An account that the contract does not know.
		expect(await rowsOf(openItems([account, null as never]))).toEqual(rows);
		const reports = [openItems([account]).data, openItems([]).data];
		expect(await rowsOf({ data: reports })).toEqual(rows);
	});
});

describe.each([true, false])('A report with Simplify %o', (simple) => {
	it('has every number as the gateway wrote it', async () => {
		const body =
			'{"data":[{"buSchluessel":12345678901234567890,"beschreibung":"Vorsteuer","prozentsatz":1234567890123.567891,"satz":1.50,"viel":1e400}],"svc":{"neuesGuthaben":1e999}}';
		await answers(body);
		const { json, error, hints } = await run('taxKey', { simple });
		expect(error).toBeUndefined();
		const row = {
			buSchluessel: '12345678901234567890',
			beschreibung: 'Vorsteuer',
			prozentsatz: '1234567890123.567891',
			satz: 1.5,
			viel: '1e400',
		};
		const { buSchluessel, beschreibung, prozentsatz } = row;
		expect(json).toEqual(
			simple
				? [{ buSchluessel, beschreibung, prozentsatz, verwendung: null }]
				: [{ data: [row], svc: { neuesGuthaben: '1e999' } }],
		);
		// A balance that can't be counted with is none.
		expect(hints).toEqual([]);
	});
});
