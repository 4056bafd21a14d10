/** An office of many clients: `--clients 80`. */
import uniq from 'lodash/uniq.js';
import { describe, expect, it } from 'vitest';

import { Ledger } from '../../sandbox/accounting/ledger.mjs';
import { fiscalYearDetail, openItems, trialBalance } from '../../sandbox/accounting/books/reports.mjs';
import { Store } from '../../sandbox/store.mjs';
import { useSandbox } from './client.mjs';

const NOW = new Date('2026-11-20');
const office = (clients: number, seed = 1) => {
	const store = new Store({ now: NOW, clients, seed });
	return { store, ledger: new Ledger(store) };
};

describe('an office of 80 clients', () => {
	const { store, ledger } = office(80);
	const reports = store.companies.map(({ id }) => {
		const books = ledger.books(id);
		return { year: books.years[1], books, balances: trialBalance(books, books.years[1]) };
	});

	it('has a client for each number, with a name and connections of its own', () => {
		expect(uniq(store.companies.map(({ name }) => name))).toHaveLength(80);
		expect(store.companies.map(({ clientNumber }) => clientNumber)).toEqual(
			Array.from({ length: 80 }, (_, i) => 10001 + i),
		);
		const { connections } = store.accounts[0];
		for (const { id } of store.companies.slice(2))
			expect(
				connections.filter(({ companyIds }) => companyIds.includes(id)).map(({ module }) => module),
			).toEqual(['duo', 'rewe', 'rewe-read']);
	});

	it('has books of both charts, in four to six digits, whose numbers fit', () => {
		const charts = reports.map(({ books, year, balances }) => {
			const { kontenrahmen, kontonummernLaenge } = fiscalYearDetail(books.chart, year);
			expect(
				uniq(balances.map(({ kontonummer }) => kontonummer.length)).filter(
					(one) => ![kontonummernLaenge!, kontonummernLaenge! + 1].includes(one),
				),
			).toEqual([]);
			const bank = (kontenrahmen === 'SKR04' ? '1800' : '1200').padEnd(kontonummernLaenge!, '0');
			expect(balances.find(({ kontonummer }) => kontonummer === bank)).toMatchObject({
				kontobeschriftung: 'Bank',
			});
			return `${kontenrahmen} ${kontonummernLaenge}`;
		});
		expect(uniq(charts).sort()).toEqual(['SKR03 4', 'SKR03 5', 'SKR03 6', 'SKR04 4', 'SKR04 5', 'SKR04 6']);
	});

	it('has no two clients with the same figures', () => {
		expect(
			uniq(reports.map(({ balances }) => JSON.stringify(balances.map(({ saldo }) => saldo.betrag).sort()))),
		).toHaveLength(80);
		expect(
			uniq(
				reports.map(
					({ books }) =>
						openItems(books, { stichtag: '2026-11-20', filter: 'all', eb: 'reconcile' }).sumDebitoren,
				),
			),
		).toHaveLength(80);
	});

	it('is the same for the same seed, and begins with the bakery and the café as they are without the others', () => {
		const again = office(80);
		for (const id of ['29098-10001', '29098-10002', '29098-10055'])
			expect(again.ledger.books(id)).toEqual(ledger.books(id));
		expect(again.store.accounts).toEqual(store.accounts);
		const two = office(2);
		expect(two.ledger.books('29098-10001')).toEqual(ledger.books('29098-10001'));
		expect(store.accounts[0].connections.slice(0, 8)).toEqual(two.store.accounts[0].connections);
		expect(office(80, 2).ledger.books('29098-10055')).not.toEqual(ledger.books('29098-10055'));
	});
});

describe('over HTTP', () => {
	const client = useSandbox({ clients: 6 });
	const connection = (name: string) =>
		client.sandbox.store.accounts[0].connections.find((one) => one.name.startsWith(name))!.id;

	it('a client without a subscription, and one whose connections no longer work, are refused, each with a reason of its own', async () => {
		const [, , , broken] = client.sandbox.store.companies;
		const read = async (connectionId: string) =>
			await client.http.get('/v2/acct-rewe-read/geschaeftsjahre', { params: { connectionId } });
		expect((await read(connection('Café Morgenrot – rewe-read'))).status).toBe(403);
		for (const module of ['duo', 'rewe', 'rewe-read']) {
			const answer = await client.http.get('/v2/acct/companies', {
				params: { connectionId: connection(`${broken.name} – ${module}`) },
			});
			expect([answer.status, answer.data.error.code]).toEqual([424, 'authorization']);
		}
	});

	it('an entry is booked into its own client’s books, in its chart, and into no other’s', async () => {
		const [, , , , , client6] = client.sandbox.store.companies;
		expect(client6.chart).toEqual({ kontenrahmen: 'SKR04', digits: 6 });
		const cash = () =>
			client.sandbox.store.companies.map(({ id }) =>
				client.sandbox.services.ledger
					.books(id)
					.bookings.filter(({ text }) => text === 'Porto')
					.map(({ lines }) => lines.map(({ account }) => account)),
			);
		const body = {
			kassenname: 'Kasse',
			belegnummer: 'K-1',
			bewegung: 'AUSGABE',
			betrag: 5,
			waehrung: 'EUR',
			steuersatz: 0,
			transaktionsdatum: '2026-03-02T12:00:00+01:00',
			belegtext: 'Porto',
		};
		const book = async (gegenkonto: string) =>
			await client.http.post(
				'/v2/acct-duo/kassenbuch-einfach',
				{ ...body, gegenkonto },
				{ params: { connectionId: connection(`${client6.name} – duo`) } },
			);
		const refused = await book('6800');
		expect([refused.status, refused.data.error.field]).toEqual([422, 'gegenkonto']);
		expect((await book('680000')).status).toBe(200);
		expect(cash()).toEqual([[], [], [], [], [], [['680000', '160000']]]);
	});
});
