/** What an accountant looks at first, with the values by hand. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { amount, balanceOf, locator, useDataNode } from '../../../support/dataNode.mjs';

const { run, answers } = useDataNode();

/** An account with a balance at the end of January, and another one at the end of February. */
const account = (kontonummer: string, january: number, february: number) =>
	balanceOf(kontonummer, 0, { 1: january, 2: february - january }, february);

async function review(accounts: IDataObject[], changes: INodeParameters = {}) {
	await answers({ data: accounts });
	const geschaeftsjahrStartDatum = locator('2026-01-01', 'value');
	const wanted = { geschaeftsjahrStartDatum, asOf: 'period', bisPeriode: 2, output: 'review', ...changes };
	const { json, error } = await run('trialBalance', wanted);
	const findings = json.map(({ kontonummer, finding }) => [kontonummer, (finding as IDataObject)?.de]);
	return { findings, json, error };
}

describe('The findings in a trial balance', () => {
	/** Without its place in the charts, each has the same balances. */
	const BOOKS = (cash: string, bank: string, transit: string, passing: string) => [
		account(cash, 10, -5.5),
		account(bank, 0, -1200),
		account(transit, 250, 250),
		account(passing, 3, 0),
		account('10000', 0, -99),
	];
	const FOUND = (cash: string, bank: string, transit: string) => [
		[cash, 'Die Kasse ist im Minus: -5,50 EUR'],
		[bank, 'Das Bankkonto ist im Minus: -1.200,00 EUR'],
		[transit, 'Das Verrechnungskonto ist nicht ausgeglichen: 250,00 EUR'],
	];

	it.each<[string, string[], INodeParameters]>([
		['SKR03', ['1000', '1200', '1360', '1590'], {}],
		['SKR04', ['1600', '1800', '1460', '1370'], { kontenrahmen: 'SKR04' }],
		[
			'SKR04 with six digits',
			['160000', '180000', '146000', '137000'],
			{ kontenrahmen: 'SKR04', kontonummernLaenge: 6 },
		],
	])(
		'are cash and bank below 0, and clearing accounts that are not: %s',
		async (_, [cash, bank, transit, passing], parameters) => {
			const { findings, json } = await review(BOOKS(cash, bank, transit, passing), parameters);
			expect(findings).toEqual(FOUND(cash, bank, transit));
			expect(json[0]).toMatchObject({ finding: { en: 'Cash is below 0: -5.50 EUR' }, saldoSigned: -5.5 });
		},
	);

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
		const accounts = [1, 2, 3, 4, 5, 6].map((n) => account(`4${n}00`, 10, 10 + n * (n % 2 ? 1 : -1)));
		const { findings } = await review([account('70001', 0, 900), ...accounts], {
			compareWith: 'monthBefore',
		});
		expect(findings).toEqual([
			['4600', 'Veränderung um -6,00 EUR, von 10,00 EUR auf 4,00 EUR'],
			['4500', 'Veränderung um 5,00 EUR, von 10,00 EUR auf 15,00 EUR'],
			['4400', 'Veränderung um -4,00 EUR, von 10,00 EUR auf 6,00 EUR'],
			['4300', 'Veränderung um 3,00 EUR, von 10,00 EUR auf 13,00 EUR'],
			['4200', 'Veränderung um -2,00 EUR, von 10,00 EUR auf 8,00 EUR'],
		]);
	});

	it('are one text for an e-mail', async () => {
		const text = async (accounts: IDataObject[]) =>
			(await review(accounts, { asOf: 'yearEnd', output: 'reviewText' })).json;
		expect(await text([account('1000', 0, -5.5), account('1360', 0, 250)])).toEqual([
			{
				findings: 2,
				text: {
					en: "1000 Konto 1000: Cash is below 0: -5.50 EUR\n1360 Konto 1360: The clearing account isn't 0: 250.00 EUR",
					de: '1000 Konto 1000: Die Kasse ist im Minus: -5,50 EUR\n1360 Konto 1360: Das Verrechnungskonto ist nicht ausgeglichen: 250,00 EUR',
				},
			},
		]);
		expect(await text([])).toMatchObject([{ findings: 0, text: { de: 'Keine Auffälligkeiten' } }]);
	});

	it('are none where nothing is to be looked at', async () => {
		expect((await review([account('1000', 10, 12), account('1360', 5, 0)])).findings).toEqual([]);
	});
});
