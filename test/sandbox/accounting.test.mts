/** The operations that read accounting data: whose books, which year, what the parameters select. */
import { describe, expect, it } from 'vitest';
import { useSandbox } from './client.mjs';

const client = useSandbox();

const CAFE = '29098-10002';
const OF_YEAR = ['listJournalBookings', 'listTrialBalance', 'listPaymentTerms', 'listAccounts'];
const EXPORTS = ['listFiscalYears', 'getFiscalYear', 'getOpenItems', ...OF_YEAR];

/** The connection whose default company has no export subscription. */
const cafeConnection = () =>
	client.sandbox.store.accounts[0].connections.find(
		({ module, defaultCompanyId }) => module === 'rewe-read' && defaultCompanyId === CAFE,
	)!.id;

/** Asks with a conforming request and other query parameters. */
async function get(id: string, query: Record<string, string> = {}) {
	const request = client.request(id);
	const path = request.path.replace('abc-1', '20260101');
	return await client.send({ ...request, path, query: { ...request.query, ...query } });
}

async function expectRefusal(answer: ReturnType<typeof get>, status: number, field: string) {
	const { status: got, data } = await answer;
	expect([got, data.error.field]).toEqual([status, field]);
}

const cents = (amount: number) => Math.round(amount * 100);

describe.each(EXPORTS)('the sandbox’s %s', (id) => {
	it('answers for the default company, and costs a credit', async () => {
		const { status, data } = await get(id);
		expect([status, data.svc]).toEqual([200, { neuesGuthaben: 999 }]);
	});

	it('answers 403 when the default company has no export subscription', async () => {
		const answer = get(id, { connectionId: cafeConnection() });
		await expectRefusal(answer, 403, 'companyId');
		expect((await answer).data.error.message).toContain('Café Morgenrot e. K. has no export subscription');
		expect(client.sandbox.store.accounts[0].credits).toBe(1000);
	});
});

it.each(OF_YEAR)('the sandbox’s %s refuses a date on which no year begins', async (id) => {
	const geschaeftsjahrStartDatum = '2026-01-02';
	await expectRefusal(get(id, { geschaeftsjahrStartDatum }), 404, 'geschaeftsjahrStartDatum');
});

it('the sandbox’s getFiscalYear refuses a year before its books', async () => {
	const request = client.request('getFiscalYear');
	const answer = await client.send({ ...request, path: request.path.replace('abc-1', '20240101') });
	expect([answer.status, answer.data.error.field]).toEqual([404, 'geschaeftsjahrId']);
});

it('the sandbox’s listTrialBalance takes the whole account number, not its beginning', async () => {
	expect((await get('listTrialBalance', { kontonummer: '100' })).data.data).toEqual([]);
});

describe('the sandbox’s getOpenItems', () => {
	it('covers today, all accounts, reconciled, by default', async () => {
		const report = (await get('getOpenItems')).data.data;
		expect(report).toEqual(
			(await get('getOpenItems', { stichtag: '2026-03-02', filter: 'all', eb: 'reconcile' })).data.data,
		);
		expect(report.stichtag).toBe('2026-03-02');
		await client.control.post('clock', { now: '2026-03-31T22:30:00Z' });
		expect((await get('getOpenItems')).data.data.stichtag).toBe('2026-04-01');
	});
});

describe('a cash-book entry in the sandbox’s books', () => {
	const entry = {
		waehrung: 'EUR',
		kassenname: 'Hauptkasse',
		belegtext: 'Büromaterial Schreibwaren Lenz',
		betrag: 23.8,
		transaktionsdatum: '2026-02-28T23:30:00+01:00',
		belegnummer: 'KB-4711',
		steuersatz: 19,
		bewegung: 'AUSGABE',
		gegenkonto: '4930',
	};
	type Item = { beleg: string; saldo: number };
	type Line = { kontonummer: string; umsatz: number };
	const journal = async () =>
		(await get('listJournalBookings')).data.data as { buchungstext: string; buchungszeilen: Line[] }[];
	const bookingsOf = async (text: string) =>
		(await journal()).filter(({ buchungstext }) => buchungstext === text);
	const balance = async (kontonummer: string) => {
		const [account] = (await get('listTrialBalance', { kontonummer })).data.data;
		const { betrag, sollHabenKennzeichen } = account?.saldo ?? { betrag: 0 };
		return cents(sollHabenKennzeichen === 'HABEN' ? -betrag : betrag);
	};
	const line = (kontonummer: string, umsatz: number, buSchluessel: string | null = null, kost1?: string) => ({
		kontonummer,
		umsatz,
		buSchluessel,
		kostenstellen: { kost1: kost1 ?? null, kost2: null },
	});

	it('appears in the trial balance, in the period of its own day', async () => {
		const before = { cash: await balance('1000'), office: await balance('4930') };
		expect((await client.post('createCashBookEntry', entry)).status).toBe(200);
		expect((await balance('1000')) - before.cash).toBe(-2380);
		expect((await balance('4930')) - before.office).toBe(2000);
		const [account] = (await get('listTrialBalance', { kontonummer: '4930' })).data.data;
		expect(account.periodenwerte).toEqual([
			{ periode: 2, saldo: { betrag: 20, sollHabenKennzeichen: 'SOLL' } },
		]);
	});

	it('appears in the journal with one booking for each line of an advanced one, with cost centers and tax keys', async () => {
		const advanced = {
			waehrung: 'EUR',
			kassenname: 'Kasse Filiale Süd',
			betrag: 22.6,
			transaktionsdatum: '2026-03-01T10:00:00+01:00',
			belegzeilen: [
				{ belegtext: 'Kuchen', betrag: 10.7, steuersatz: { prozent: 7 }, kostenstelle1: '210' },
				{ belegtext: 'Kaffee', betrag: 11.9, steuersatz: { buSchluessel: '3' }, gegenkonto: '8200' },
			],
		};
		await client.post('createAdvancedCashBookEntry', advanced);
		expect((await bookingsOf('Kuchen'))[0].buchungszeilen).toEqual([
			line('8300', -10, null, '210'),
			line('1771', -0.7),
			line('1010', 10.7),
		]);
		expect((await bookingsOf('Kaffee'))[0].buchungszeilen).toEqual([
			line('8200', -10, '3'),
			line('1776', -1.9),
			line('1010', 11.9),
		]);
		for (const steuersatz of [{ buSchluessel: '94' }, { buSchluessel: '8', prozent: 19 }]) {
			const belegzeilen = [{ betrag: 22.6, steuersatz }];
			const { status, data } = await client.post('createAdvancedCashBookEntry', { ...advanced, belegzeilen });
			expect([status, data.error?.field]).toEqual([422, 'belegzeilen/0/steuersatz/buSchluessel']);
		}
	});

	it('settles an open item', async () => {
		const items = async () => {
			const { konten } = (await get('getOpenItems', { filter: 'debitors' })).data.data;
			return konten.flatMap(({ kontonummer, posten }: { kontonummer: string; posten: Item[] }) =>
				posten.map((one) => ({ kontonummer, ...one })),
			) as (Item & { kontonummer: string })[];
		};
		const { kontonummer, beleg, saldo } = (await items()).find(
			(one) => one.saldo > 100 && one.beleg.startsWith('RE-'),
		)!;
		const payment = { ...entry, bewegung: 'EINNAHME', gegenkonto: kontonummer, belegNummer: beleg };
		await client.post('createCashBookEntry', { ...payment, betrag: 100, belegnummer: 'KB-1' });
		const open = async () =>
			(await items()).filter((one) => one.beleg === beleg).map((one) => cents(one.saldo));
		expect(await open()).toEqual([cents(saldo) - 10_000]);
		await client.post('createCashBookEntry', {
			...payment,
			betrag: (cents(saldo) - 10_000) / 100,
			belegnummer: 'KB-2',
		});
		expect(await open()).toEqual([]);
	});

	it.each([
		['a day before the books', { transaktionsdatum: '2024-12-31T23:59:59+01:00' }, 'transaktionsdatum'],
		['a day after the last year', { transaktionsdatum: '2027-01-01T00:00:00+01:00' }, 'transaktionsdatum'],
		['a contra account of three digits', { gegenkonto: '493' }, 'gegenkonto'],
		['a person account that begins with 0', { gegenkonto: '01234' }, 'gegenkonto'],
		["the cash book's own account as contra account", { gegenkonto: '1000' }, 'gegenkonto'],
		['a tax rate above 100 %', { steuersatz: 119 }, 'steuersatz'],
		['a negative tax rate', { steuersatz: -19 }, 'steuersatz'],
		['an amount beyond all bounds', { betrag: 1e300 }, 'betrag'],
	])('is refused without a trace for %s', async (_, change, field) => {
		await client.refuses(() => client.post('createCashBookEntry', { ...entry, ...change }), 422, field);
	});
});
