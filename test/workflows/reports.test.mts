/** The example workflows that make files of accounting data: what they are expected to make is what the books say. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import sumBy from 'lodash/sumBy.js';
import { expect, it } from 'vitest';
import { toCents } from '../../sandbox/accounting/books/booking.mjs';
import { openItems } from '../../sandbox/accounting/books/reports.mjs';
import { Ledger } from '../../sandbox/accounting/ledger.mjs';
import { Bank } from '../../sandbox/banking/bank.mjs';
import { Store } from '../../sandbox/store.mjs';
import { readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { parametersOf } from '../support/exampleNode.mjs';

const KEY_DATE = '2026-11-20';
const DAYS_TO_PAY = 30;

it('overdue debtors: customers with what they owe, the largest sum first, and a total', async () => {
	const file = join(WORKFLOWS, `overdue-debtors/Überfällige Debitoren ${KEY_DATE}.csv`);
	const lines: string[][] = parse(await readFile(file), { bom: true, delimiter: ';', from: 2 });
	const ledger = new Ledger(new Store({ now: new Date(`${KEY_DATE}T12:00:00Z`) }));
	const { konten } = openItems(ledger.books('29098-10001'), {
		stichtag: KEY_DATE,
		filter: 'debitors',
		eb: 'reconcile',
	});
	const daysOverdue = (belegdatum: string) =>
		DateTime.fromISO(KEY_DATE).diff(DateTime.fromISO(belegdatum), 'days').days - DAYS_TO_PAY;
	const expected = konten
		.map(({ kontonummer, bezeichnung, posten }) => {
			const overdue = posten.filter(({ belegdatum }) => daysOverdue(belegdatum) > 0);
			const days = Math.max(...overdue.map(({ belegdatum }) => daysOverdue(belegdatum)));
			const cents = sumBy(overdue, ({ saldo }) => toCents(saldo));
			return { kontonummer, bezeichnung, count: overdue.length, days, cents };
		})
		.filter(({ cents }) => cents > 0)
		.sort((a, b) => b.cents - a.cents);
	const euros = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');
	const total = [
		sumBy(expected, 'count'),
		Math.max(...expected.map(({ days }) => days)),
		euros(sumBy(expected, 'cents')),
	];
	expect(expected.length).toBeGreaterThan(3);
	expect(lines).toEqual([
		...expected.map(({ kontonummer, bezeichnung, count, days, cents }) => [
			kontonummer,
			bezeichnung,
			String(count),
			String(days),
			euros(cents),
		]),
		['Summe', '', ...total.map(String)],
	]);
});

it('overdue debtors: the key date and the time to pay are in the settings', async () => {
	const example = (await readExamples()).find(({ name }) => name === 'overdue-debtors');
	const settings = example?.workflow.nodes.find(({ name }) => name === 'Settings');
	expect(settings?.parameters.assignments).toMatchObject({
		assignments: [
			{ name: 'stichtag', value: KEY_DATE },
			{ name: 'zahlungsziel', value: DAYS_TO_PAY },
		],
	});
});

it('open items and the bank: what is paid, what has to be checked, what is overdue', async () => {
	const file = join(WORKFLOWS, `open-items-bank/Offene Posten ${KEY_DATE}.csv`);
	const lines: Array<Record<string, string>> = parse(await readFile(file), {
		bom: true,
		columns: true,
		delimiter: ';',
	});
	const store = new Store({ now: new Date(`${KEY_DATE}T12:00:00Z`) });
	const { konten } = openItems(new Ledger(store).books('29098-10001'), {
		stichtag: KEY_DATE,
		filter: 'all',
		eb: 'reconcile',
	});
	const bank = new Bank(store);
	const from = DateTime.fromISO(KEY_DATE).minus({ days: 7 }).toISODate()!;
	const transactions = bank
		.days(bank.account('demo', 'acc-giro')!, [])
		.filter(({ date }) => date >= from && date <= KEY_DATE)
		.flatMap((day) => day.transactions);
	const expected = konten.flatMap(({ kontonummer, isDebitor, posten }) =>
		posten.map(({ beleg, belegdatum, saldo }) => {
			const sameNumber = transactions.filter(({ description }) => description.includes(beleg));
			const sameAmount = transactions.filter(({ amount }) => toCents(amount) === toCents(saldo));
			const isOverdue =
				DateTime.fromISO(KEY_DATE) > DateTime.fromISO(belegdatum).plus({ days: DAYS_TO_PAY });
			const status = () => {
				if (sameNumber.some((one) => sameAmount.includes(one))) return 'bezahlt';
				if (sameNumber.length + sameAmount.length > 0) return 'prüfen';
				if (isDebitor === saldo < 0) return 'Guthaben';
				return isOverdue ? 'überfällig' : 'offen';
			};
			return { Konto: kontonummer, Beleg: beleg, Offen: saldo.toFixed(2).replace('.', ','), Status: status() };
		}),
	);
	expect(lines).toHaveLength(expected.length);
	expect(lines).toEqual(expect.arrayContaining(expected.map((line) => expect.objectContaining(line) as object)));
	// The list begins with what has been paid, and each kind occurs.
	expect([...new Set(lines.map(({ Status }) => Status))]).toEqual([
		'bezahlt',
		'prüfen',
		'überfällig',
		'Guthaben',
		'offen',
	]);
});

// Without a period, the report would be that of the whole year.
it.each([
	['trial-balance', 'day'],
	['close-month', 'monatsende'],
])('%s: a month that was entered in another way is refused, not left out', async (example, field) => {
	const periodOf = async (day: string) => {
		const given = { json: { [field]: day, verbindung: 'v' } };
		const { additionalFields } = (await parametersOf(example, 'Trial balance', given)) as {
			additionalFields: { bisPeriode: unknown };
		};
		return additionalFields.bisPeriode;
	};
	expect(await periodOf('2026-03-31')).toBe(3);
	expect(await periodOf('31.03.2026')).toBe('31.03.2026');
});
