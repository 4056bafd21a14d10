/** What an accountant looks at first, with the values by hand. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { amount, balanceOf, locator, useDataNode } from '../../../support/dataNode.mjs';

const { gateway, run, answers } = useDataNode();

/** An account with a balance at the end of January, and another one at the end of February. */
const account = (kontonummer: string, january: number, february: number) =>
	balanceOf(kontonummer, 0, { 1: january, 2: february - january }, february);

/** The books of a year, and what the gateway says of their chart. */
async function books(
	accounts: IDataObject[],
	kontenrahmen: unknown = 'SKR03',
	kontonummernLaenge: unknown = 4,
) {
	await answers({ data: accounts }, { operationId: 'listTrialBalance', contains: '2026-01-01' });
	await answers({ data: [{ id: 'y26', startDatum: '2026-01-01' }] }, { operationId: 'listFiscalYears' });
	const year = {
		id: 'y26',
		startDatum: '2026-01-01',
		endDatum: '2026-12-31',
		kontenrahmen,
		kontonummernLaenge,
	};
	await answers({ data: year }, { operationId: 'getFiscalYear' });
}

async function review(accounts: IDataObject[], changes: INodeParameters = {}, chart: unknown[] = []) {
	await books(accounts, ...chart);
	const geschaeftsjahrStartDatum = locator('2026-01-01', 'value');
	const wanted = { geschaeftsjahrStartDatum, asOf: 'period', bisPeriode: 2, output: 'review', ...changes };
	const { json, error } = await run('trialBalance', wanted);
	const findings = json.map(({ kontonummer, finding }) => [kontonummer, (finding as IDataObject)?.de]);
	return { findings, json, error };
}

describe('The findings in a trial balance', () => {
	/**
	 * Without its place in the charts, each has the same balances. Clearing accounts, by DATEV's charts of 2026: in SKR03 1360
	 * Geldtransit (with 1361 to 1369, which offices add), 1590 Durchlaufende Posten, 1755 Lohn- und Gehaltsverrechnung; in SKR04
	 * 1460 (to 1469), 1370 and 3790. The other chart's numbers are others there: 1460 in SKR03 is Zweifelhafte Forderungen, 1360
	 * in SKR04 Darlehen.
	 */
	const BOOKS = ([cash, bank, transit, card, passing, wages, noClearing]: string[], person: string) => [
		account(cash, 10, -5.5),
		account(bank, 0, -1200),
		account(transit, 250, 250),
		account(card, 0, -12),
		account(passing, 3, 0),
		account(wages, 0, 900),
		account(noClearing, 0, 77),
		account(person, 0, 99),
	];
	const FOUND = ([cash, bank, transit, card, , wages]: string[]) => [
		[cash, 'Die Kasse ist im Minus: -5,50 EUR'],
		[bank, 'Das Bankkonto ist im Minus: -1.200,00 EUR'],
		[transit, 'Das Verrechnungskonto ist nicht ausgeglichen: 250,00 EUR'],
		[card, 'Das Verrechnungskonto ist nicht ausgeglichen: -12,00 EUR'],
		[wages, 'Das Verrechnungskonto ist nicht ausgeglichen: 900,00 EUR'],
	];
	const OF_SKR03 = ['1000', '1200', '1360', '1369', '1590', '1755', '1460'];
	const OF_SKR04 = ['1600', '1800', '1460', '1461', '1370', '3790', '1360'];
	const longer = (accounts: string[], digits: number) => accounts.map((one) => one.padEnd(digits, '0'));

	it.each<[chart: string, digits: unknown, accounts: string[]]>([
		['SKR03', 4, OF_SKR03],
		['SKR03', 5, longer(OF_SKR03, 5)],
		['SKR04', 4, OF_SKR04],
		['skr04', '6', longer(OF_SKR04, 6)],
		['SKR04', 8, longer(OF_SKR04, 8)],
	])(
		'are cash and bank below 0, and clearing accounts that are not, by the chart that the books name: %s, %s digits',
		async (chart, digits, accounts) => {
			const person = '1'.padEnd(Number(digits) + 1, '0');
			const { findings, json } = await review(BOOKS(accounts, person), {}, [chart, digits]);
			expect(findings).toEqual(FOUND(accounts));
			expect(json[0]).toMatchObject({ finding: { en: 'Cash is below 0: -5.50 EUR' }, saldoSigned: -5.5 });
		},
	);

	const NO_CASH = (chart: string) =>
		`Kein Kassen- oder Bankkonto des Kontenrahmens (${chart}) ist unter den Konten: Beides wurde nicht geprüft`;
	const UNKNOWN = (chart: string, digits: string) =>
		`Kasse, Bank, Verrechnungskonten, Personenkonten und Veränderungen wurden nicht geprüft: das Geschäftsjahr hat den Kontenrahmen „${chart}“ und Sachkonten mit „${digits}“ Stellen; bekannt sind SKR03 und SKR04 mit 4 bis 8`;
	it.each<[chart: unknown, digits: unknown, said: string]>([
		['SKR03', 4, NO_CASH('SKR03, 4 Stellen')],
		['SKR04', 5, NO_CASH('SKR04, 5 Stellen')],
		['SKR49', 4, UNKNOWN('SKR49', '4')],
		['SKR04', 9, UNKNOWN('SKR04', '9')],
		['SKR04', null, UNKNOWN('SKR04', '–')],
	])(
		'say what nobody looked at, instead of that nothing stands out: %s, %s digits',
		async (chart, digits, said) => {
			const accounts = [account('1600', 0, -50), account('4400', 0, -90)];
			const { findings } = await review(accounts, {}, [chart, digits]);
			expect(findings).toEqual([[null, said]]);
			const { json } = await review(accounts, { output: 'reviewText' }, [chart, digits]);
			expect(json).toMatchObject([{ findings: 1, text: { de: `${said}\nHaben ist negativ.` } }]);
		},
	);

	it('come from one question about the fiscal year for all items of a connection', async () => {
		const accounts = [account('1000', 0, -5)];
		await answers({ data: accounts }, { operationId: 'listTrialBalance' });
		await books(accounts);
		const parameters = { geschaeftsjahrStartDatum: locator('2026-03-01', 'day'), output: 'review' };
		const { json } = await run('trialBalance', parameters, { items: [{ json: {} }, { json: {} }] });
		expect(json).toHaveLength(2);
		const asked = (await gateway.requests()).map(({ path }) => path.split('acct-rewe-read/')[1]);
		expect(asked.filter((path) => path.startsWith('geschaeftsjahre'))).toEqual([
			'geschaeftsjahre',
			'geschaeftsjahre/y26',
		]);
	});

	it('are refused where the answer about the fiscal year is about another one', async () => {
		await answers({ data: { id: 'y25', kontenrahmen: 'SKR04' } }, { operationId: 'getFiscalYear' });
		await books([account('1000', 0, -5)]);
		const { error } = await run('trialBalance', {
			geschaeftsjahrStartDatum: locator('2026-01-01', 'value'),
			output: 'review',
		});
		expect(error?.message).toContain('is about another fiscal year');
	});

	it('are the office’s own clearing accounts, too', async () => {
		const accounts = [account('1200', 0, 1), account('1371', 0, 8), account('1792', 0, 9)];
		const own = { additionalFields: { clearingAccounts: '1371; 01792' } };
		expect((await review(accounts, own)).findings).toEqual([
			['1371', 'Das Verrechnungskonto ist nicht ausgeglichen: 8,00 EUR'],
			['1792', 'Das Verrechnungskonto ist nicht ausgeglichen: 9,00 EUR'],
		]);
		const { error } = await review(accounts, { additionalFields: { clearingAccounts: 'Bank' } });
		expect(error?.message).toContain('must be account numbers');
	});

	it('are customers in credit and suppliers in debit, the largest first, of many the first ten', async () => {
		const accounts = [
			account('1200', 0, 1),
			account('10001', 0, 119),
			account('10002', 0, -20),
			account('69999', 0, -0.5),
			account('70001', 0, -300),
			account('70002', 0, 45),
			account('4000', 0, -9),
		];
		const { findings, json } = await review(accounts);
		expect(findings).toEqual([
			['70002', 'Der Lieferant steht im Soll: 45,00 EUR'],
			['10002', 'Der Kunde hat ein Guthaben: -20,00 EUR'],
			['69999', 'Der Kunde hat ein Guthaben: -0,50 EUR'],
		]);
		expect(json[0].finding).toMatchObject({ en: 'The supplier is in debit: 45.00 EUR' });
		const many = Array.from({ length: 12 }, (_, i) => account(`${10_001 + i}`, 0, -12 + i));
		const ofMany = (await review([account('1200', 0, 1), ...many])).findings;
		expect(ofMany).toHaveLength(11);
		expect(ofMany.at(-1)).toEqual([
			null,
			'2 weitere Kunden mit Guthaben oder Lieferanten im Soll, zusammen 3,00 EUR',
		]);
	});

	it('are the bank’s own balance against its account, to the cent', async () => {
		const accounts = [account('1200', 0, 815.5), account('1210', 0, 70), account('1220', 0, 5)];
		const bankBalances = JSON.stringify([
			{ kontonummer: '1200', eod: 815.5 },
			{ kontonummer: 1210, eod: '70.01' },
			{ kontonummer: '1220', eod: null },
			{ kontonummer: '1230', eod: 2 },
		]);
		expect((await review(accounts, { additionalFields: { bankBalances } })).findings).toEqual([
			['1210', 'Buchhaltung 70,00 EUR, Kontoauszug 70,01 EUR: Differenz -0,01 EUR'],
			['1220', 'Der Saldo der Bank konnte nicht abgerufen werden'],
			['1230', 'Buchhaltung 0,00 EUR, Kontoauszug 2,00 EUR: Differenz -2,00 EUR'],
		]);
		const { error } = await review(accounts, { additionalFields: { bankBalances: '[{"eod": 1}]' } });
		expect(error?.message).toContain('Bank Balances (bankBalances)');
	});

	it('are accounts whose balance the books don’t tell: nobody says that it is 0', async () => {
		const unclear = (kontonummer: string) => ({ ...account(kontonummer, 1, 2), saldo: amount(3) });
		const accounts = [account('1000', 0, 5), ...['1010', '1200', '1590', '0420', '4100'].map(unclear)];
		const bankBalances = JSON.stringify([
			{ kontonummer: '1200', eod: 815.5 },
			{ kontonummer: '0420', eod: 1 },
		]);
		const said = 'Der Saldo der Buchhaltung ist nicht bekannt';
		expect((await review(accounts, { additionalFields: { bankBalances } })).findings).toEqual([
			['1010', said],
			['1200', said],
			['1590', said],
			['0420', said],
		]);
	});

	it('are the five largest changes, of no person', async () => {
		const accounts = [1, 2, 3, 4, 5, 6].map((n) => account(`0${n}00`, 10, 10 + n * (n % 2 ? 1 : -1)));
		const { findings } = await review([account('70001', -900, 0), account('1200', 1, 1), ...accounts], {
			compareWith: 'monthBefore',
		});
		expect(findings).toEqual([
			['0600', 'Veränderung um -6,00 EUR, von 10,00 EUR auf 4,00 EUR'],
			['0500', 'Veränderung um 5,00 EUR, von 10,00 EUR auf 15,00 EUR'],
			['0400', 'Veränderung um -4,00 EUR, von 10,00 EUR auf 6,00 EUR'],
			['0300', 'Veränderung um 3,00 EUR, von 10,00 EUR auf 13,00 EUR'],
			['0200', 'Veränderung um -2,00 EUR, von 10,00 EUR auf 8,00 EUR'],
		]);
	});

	/** What a month changes is its sales against those of the month before, not what they add up to. */
	it.each([
		['SKR03', '1200', '8400', '4120', '3400', '3980'],
		['SKR04', '1800', '4400', '6020', '5400', '1140'],
	])(
		'compare the month of income and expenses with the month before: %s',
		async (chart, bank, sales, wages, goods, stock) => {
			const accounts = [
				account(bank, 5000, 5000),
				account(sales, -12_000, -21_000),
				account(wages, 3000, 6000),
				account(goods, 0, 500),
				account(stock, 800, 1000),
			];
			const { findings } = await review(accounts, { compareWith: 'monthBefore' }, [chart]);
			expect(findings).toEqual([
				[sales, 'Im Monat -9.000,00 EUR, davor -12.000,00 EUR: Veränderung um 3.000,00 EUR'],
				[goods, 'Im Monat 500,00 EUR, davor 0,00 EUR: Veränderung um 500,00 EUR'],
				[stock, 'Veränderung um 200,00 EUR, von 800,00 EUR auf 1.000,00 EUR'],
			]);
		},
	);

	it('are one text for an e-mail', async () => {
		const text = async (accounts: IDataObject[]) =>
			(await review(accounts, { asOf: 'yearEnd', output: 'reviewText' })).json;
		expect(await text([account('1000', 0, -5.5), account('1360', 0, 250)])).toEqual([
			{
				findings: 2,
				text: {
					en: "1000 Konto 1000: Cash is below 0: -5.50 EUR\n1360 Konto 1360: The clearing account isn't 0: 250.00 EUR\nCredit is negative.",
					de: '1000 Konto 1000: Die Kasse ist im Minus: -5,50 EUR\n1360 Konto 1360: Das Verrechnungskonto ist nicht ausgeglichen: 250,00 EUR\nHaben ist negativ.',
				},
			},
		]);
		expect(await text([account('1000', 0, 5)])).toMatchObject([
			{ findings: 0, text: { de: 'Keine Auffälligkeiten' } },
		]);
	});

	it('are none where nothing is to be looked at', async () => {
		expect((await review([account('1000', 10, 12), account('1360', 5, 0)])).findings).toEqual([]);
	});
});
