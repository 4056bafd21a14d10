/** What a list proves: which forms are read, what each refusal says, and that nothing comes out that isn't proved. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { watched } from '../../../support/timing.mjs';
import { readList } from '../../../support/cashList.mjs';
import type { Listed } from '../../../support/cashList.mjs';

const read = async (list: string, own: INodeParameters): Promise<Listed[]> => {
	const { main, error } = await readList(list, own);
	expect(error).toBeUndefined();
	return main[0].map(({ json }) => json as Listed);
};
const from = (before: string, after?: string, additionalFields: INodeParameters = {}): INodeParameters => ({
	kassenbestandVorher: before,
	...(after !== undefined && { kassenbestandNachher: after }),
	additionalFields,
});
const total = (listTotal: string, additionalFields: INodeParameters = {}): INodeParameters => ({
	provedBy: 'total',
	listTotal,
	additionalFields,
});
/** `2: +119`, or `2: ?` of a row with a problem. */
const amounts = (listed: Listed[]) =>
	listed.map(({ row, bewegung, betrag, problem }) =>
		row === null
			? problem?.en
			: `${row}: ${problem ? '?' : `${bewegung === 'EINNAHME' ? '+' : '-'}${betrag}`}`,
	);
const refusal = async (list: string, own: INodeParameters) => {
	const listed = await read(list, own);
	expect(listed.map(({ row, betrag }) => [row, betrag])).toEqual([[null, null]]);
	return listed[0].problem!;
};

const HEAD = 'Datum;Text;Steuersatz;';
const list = (head: string, ...rows: string[]) => [HEAD + head, ...rows].join('\n');

describe('The amount may be', () => {
	it.each<[form: string, list: string, INodeParameters]>([
		[
			'an amount with a movement',
			list('Vorgang;Betrag', '1.11.2026;A;19;Einnahme;12,50', '2.11.2026;B;7;AUSGABE;2,50'),
			from('0', '10'),
		],
		[
			'the same, called otherwise',
			list('Typ;Brutto', '1.11.2026;A;19;E;12,50', '2.11.2026;B;7;A;2,50'),
			from('0', '10'),
		],
		[
			'with debit and credit as the movement',
			list('Soll/Haben;Umsatz', '1.11.2026;A;19;S;12,50', '2.11.2026;B;7;H;2,50'),
			from('0', '10'),
		],
		[
			'with its sign beside the movement',
			list('Buchungstyp;Betrag', '1.11.2026;A;19;Einnahme;12,50', '2.11.2026;B;7;Ausgabe;-2,50'),
			from('0', '10'),
		],
		[
			'income and expense',
			list('Einnahme;Ausgabe', '1.11.2026;A;19;12,50;', '2.11.2026;B;7;0,00;2,50'),
			from('0', '10'),
		],
		[
			'debit and credit',
			list('Soll;Haben', '1.11.2026;A;19;12,50;-', '2.11.2026;B;7;;2,50'),
			from('0', '10'),
		],
		['signed', list('VorzBetrag', '1.11.2026;A;19;+12,50', '2.11.2026;B;7;2,50-'), from('0', '10')],
		[
			'signed, with a column Art that is something else',
			list('Art;Betrag', '1.11.2026;A;19;Bar;12,50', '2.11.2026;B;7;Bar;-2,50'),
			from('0', '10'),
		],
		[
			'in columns that are named',
			list('Rein;Raus', '1.11.2026;A;19;12,50;', '2.11.2026;B;7;;2,50'),
			from('0', '10', { einnahme: 'Rein', ausgabe: 'Raus' }),
		],
		[
			'proved by each balance',
			list('Betrag;Saldo', '1.11.2026;A;19;12,50;12,50', '2.11.2026;B;7;-2,50;10,00'),
			from('0'),
		],
		[
			'proved from the newest row on',
			list('Betrag;Bestand', '2.11.2026;B;7;-2,50;10,00', '1.11.2026;A;19;12,50;12,50').replace(
				/(2\..*)\n(1\..*)/,
				'$1\n$2',
			),
			from('0'),
		],
		[
			'proved by the balance at the end of a day',
			list('Betrag;Kassenbestand', '1.11.2026;A;19;12,50;', '1.11.2026;B;7;-2,50;10,00'),
			from('0'),
		],
		[
			'proved by the total, with a movement',
			list('Vorgang;Betrag', '1.11.2026;A;19;Einnahme;12,50', '2.11.2026;B;7;Ausgabe;2,50'),
			total('10'),
		],
		[
			'proved by the total, income and expense',
			list('Einnahme;Ausgabe', '1.11.2026;A;19;12,50;', '2.11.2026;B;7;;2,50'),
			total('10'),
		],
		[
			'proved by the total, in columns that are named',
			list('Soll;Haben', '2.11.2026;B;7;2,50;', '1.11.2026;A;19;;12,50'),
			total('10', { einnahme: 'Haben', ausgabe: 'Soll' }),
		],
	])('%s', async (_, text, own) => {
		const listed = await read(text, own);
		expect(
			listed
				.map(({ bewegung, betrag, steuersatz, belegtext }) => [belegtext, bewegung, betrag, steuersatz])
				.sort(),
		).toEqual([
			['A', 'EINNAHME', 12.5, 19],
			['B', 'AUSGABE', 2.5, 7],
		]);
		expect(listed[0].proof).toMatchObject({ rows: 2, income: 12.5, expense: 2.5 });
		expect(listed[1].proof).toBeNull();
	});

	it.each([
		['Einnahme', '0', '15', '+12.5'],
		['Ausgabe', '100', '85', '-12.5'],
	])('%s alone', async (head, before, after, first) => {
		const text = list(head, '1.11.2026;A;19;12,50', '2.11.2026;B;7;2,50');
		expect(amounts(await read(text, from(before, after)))[0]).toBe(`2: ${first}`);
		expect(amounts(await read(text, total(head === 'Einnahme' ? '15' : '-15')))).toHaveLength(2);
	});

	it('signed, with a total that is negative, as more went out', async () => {
		const text = list('Betrag', '1.11.2026;A;19;-12,50', '2.11.2026;B;7;2,50');
		expect(amounts(await read(text, total('-10')))).toEqual(['2: -12.5', '3: +2.5']);
	});

	it('says on the first row what was proved', async () => {
		const [first] = await read(
			list('Betrag', '1.11.2026;A;19;12,50', '2.11.2026;B;7;-2,50'),
			from('200', '210'),
		);
		expect(first.proof).toEqual({ rows: 2, income: 12.5, expense: 2.5, cashBefore: 200, cashAfter: 210 });
	});
});

describe('A row', () => {
	const TAKES_BACK = (row: number) =>
		`Zeile ${row} hebt sie auf, also ist keine von beiden bewiesen: Bitte von Hand buchen, wenn Geld bewegt wurde.`;
	const WITH_BALANCE = (...rows: string[]) => list('Einnahme;Ausgabe;Bestand', ...rows);

	it('against the order of the days, such as a receipt found later, comes out where the other end proves each row', async () => {
		const rows = ['20.11.2026;A;19;;10,00;90,00', '5.11.2026;B;19;;20,00;70,00'];
		expect(amounts(await read(WITH_BALANCE(...rows), from('100')))).toEqual(['2: -10', '3: -20']);
	});

	it('without a day that has an amount is named where the list isn’t proved', async () => {
		const text = list('Einnahme', '20.11.2026;A;19;100,00', ';B;19;50,00', '30.11.2026;Ende;;');
		const [{ problem, warnings }] = await read(text, from('0', '150'));
		expect(problem?.de).toBe('Die Zeilen ergeben 100,00, gezählt sind 150,00: Differenz 50,00.');
		expect(warnings.map(({ de }) => de)).toEqual([expect.stringMatching(/^Übersprungen, .*: 3 \(B\)\.$/)]);
	});

	it('with a year or a month alone where others have a day is none, and needs no year', async () => {
		const text = list('Betrag', '20.11.2026;A;19;10', '2026;Summe;;10', '13.26;Summe;;0');
		expect((await read(text, from('0', '20')))[1].problem?.de).toContain(
			'Der Tag „2026“ ist nicht verwendbar',
		);
	});

	it.each([
		['2026-10-31T23:00:00.000Z', null],
		['2026-10-31T23:30:00.000+00:00', null],
		['2026-11-09 23:30:00.123+00', null],
		['8.11.2026, 23:30:00 UTC', null],
		['20.11.2026, 10:05:00 PM', null],
		['20.11.2026, 9:05', '2026-11-20T09:05:00'],
		['2026-11-20 10:05:33', '2026-11-20T10:05:33'],
		['50126', null],
		['71231', null],
	])(
		'has in its cell of the day %s, which is %s: a time of a zone may be of another day',
		async (cell, day) => {
			const [{ transaktionsdatum, problem }] = await read(list('Betrag', `${cell};A;19;10`), from('0', '10'));
			expect([transaktionsdatum, problem === null]).toEqual([day, day !== null]);
		},
	);

	it('that moves no cash is skipped by name, whatever it is called: an opening balance, a card payment, a sum', async () => {
		const listed = await read(
			WITH_BALANCE(
				'1.11.2026;Irgendwas;0;100,00;;100,00',
				'2.11.2026;Verkauf;19;50,00;;150,00',
				'2.11.2026;Karte;19;20,00;;150,00',
				'3.11.2026;Blumen;7;;12,50;137,50',
				';Ende;;50,00;12,50;',
				'30.11.2026;Ende;0;;137,50;137,50',
			),
			from('100'),
		);
		expect(amounts(listed)).toEqual(['3: +50', '5: -12.5']);
		expect(listed[0].warnings[0].de).toBe(
			'Übersprungen, weil keine Kasse bewegt wurde oder Tag oder Betrag fehlen: 2 (01.11.2026, Irgendwas), 4 (02.11.2026, Karte), 6 (Ende), 7 (30.11.2026, Ende).',
		);
	});

	it('that is a copy of the one before it moves no cash a second time', async () => {
		const copy = '20.11.2026;Verkauf;19;119,00;;119,00';
		expect(amounts(await read(WITH_BALANCE(copy, copy), from('0')))).toEqual(['2: +119']);
	});

	it('and the next one that takes it back are left to a person where only the sum is proved, as of a page that is carried over', async () => {
		const text = list(
			'Einnahme;Ausgabe',
			'20.11.2026;Verkauf;19;119,00;',
			'20.11.2026;Übertrag;0;;219,00',
			'21.11.2026;Übertrag;0;219,00;',
			'21.11.2026;Tanken;19;;60,00',
		);
		const listed = await read(text, from('100', '159'));
		expect(amounts(listed)).toEqual(['2: +119', '3: ?', '4: ?', '5: -60']);
		expect(listed[1].problem?.de).toBe(TAKES_BACK(4));
	});

	describe('without a balance', () => {
		const CANCEL = (from_: number, to: number) =>
			`Die Zeilen ${from_} bis ${to} ergeben zusammen 0,00, der Bestand beweist also keine davon: Bitte von Hand buchen, wenn Geld bewegt wurde.`;
		const problems = (listed: Listed[]) => listed.map(({ problem }) => problem?.de);

		it('and the next one that takes it back are left to a person, whatever balance follows', async () => {
			const listed = await read(
				WITH_BALANCE(
					'20.11.2026;Verkauf;19;119,00;;',
					'20.11.2026;Übertrag;0;;219,00;',
					'20.11.2026;Übertrag;0;219,00;;',
					'20.11.2026;Papier;19;;10,00;209,00',
					'21.11.2026;Verkauf;19;20,00;;229,00',
				),
				from('100'),
			);
			expect(amounts(listed)).toEqual(['2: +119', '3: ?', '4: ?', '5: -10', '6: +20']);
			expect(problems(listed).slice(1, 3)).toEqual([TAKES_BACK(4), TAKES_BACK(3)]);
		});

		it('and others that are 0 with it are, too, as the next row explains its balance alone', async () => {
			const listed = await read(
				WITH_BALANCE(
					'20.11.2026;Karte;19;50,00;;',
					'20.11.2026;Karte;19;30,00;;',
					'20.11.2026;Abrechnung;0;;80,00;',
					'20.11.2026;Verkauf;19;20,00;;120,00',
				),
				from('100'),
			);
			expect(amounts(listed)).toEqual(['2: ?', '3: ?', '4: ?', '5: +20']);
			expect(problems(listed)).toEqual([CANCEL(2, 4), CANCEL(2, 4), CANCEL(2, 4), undefined]);
		});

		it('and a balance that is the one before prove nothing', async () => {
			const listed = await read(
				WITH_BALANCE(
					'20.11.2026;Karte;19;50,00;;',
					'20.11.2026;Karte;19;30,00;;',
					'20.11.2026;Abrechnung;0;;80,00;100,00',
					'21.11.2026;Verkauf;19;20,00;;120,00',
				),
				from('100'),
			);
			expect(amounts(listed)).toEqual(['2: ?', '3: ?', '4: ?', '5: +20']);
		});

		it('and the next ones that only the counted cash proves are a sum', async () => {
			const listed = await read(
				WITH_BALANCE(
					'20.11.2026;Verkauf;19;20,00;;120,00',
					'20.11.2026;Übertrag;0;;219,00;',
					'20.11.2026;Übertrag;0;219,00;;',
				),
				from('100', '120'),
			);
			expect(amounts(listed)).toEqual(['2: +20', '3: ?', '4: ?']);
		});
	});

	it('that takes out all of the cash, and the next one that brings it back, are left to a person: any formula makes their balances', async () => {
		const listed = await read(
			WITH_BALANCE(
				'20.11.2026;Verkauf;19;119,00;;219,00',
				'20.11.2026;Übertrag;0;;219,00;0,00',
				'21.11.2026;Übertrag;0;219,00;;219,00',
				'21.11.2026;Tanken;19;;60,00;159,00',
				'22.11.2026;Verkauf;19;50,00;;209,00',
				'22.11.2026;Bank;0;;50,00;159,00',
			),
			from('100'),
		);
		expect(amounts(listed)).toEqual(['2: +119', '3: ?', '4: ?', '5: -60', '6: +50', '7: -50']);
		expect(listed[1].problem?.de).toBe(TAKES_BACK(4));
	});

	it('without a movement doesn’t decide whether amounts beside a movement are signed', async () => {
		const rows = ['20.11.2026;A;19;Einnahme;119,00', '20.11.2026;B;19;Ausgabe;-19,00', ';Summe;;;100,00'];
		expect(amounts(await read(list('Buchungstyp;Betrag', ...rows), from('0', '100')))).toEqual([
			'2: +119',
			'3: -19',
		]);
	});

	it('called a sum is a movement if the balance says so', async () => {
		expect(
			amounts(await read(WITH_BALANCE('1.11.2026;Summe Tageslosung;19;50,00;;50,00'), from('0'))),
		).toEqual(['2: +50']);
	});

	it('whose day or rate can’t be used has a problem of its own, and the others come out', async () => {
		const listed = await read(
			list(
				'Betrag',
				'31.11.2026;A;19;10',
				'2.11.26;B;19;20',
				'x3;C;19;30',
				'4.11.2026;D;;40',
				'5.11.2026;E;0,19;50',
				'6.11.2026;F;7;60',
			),
			from('0', '210'),
		);
		expect(amounts(listed)).toEqual(['2: ?', '3: ?', '4: ?', '5: ?', '6: ?', '7: +60']);
		expect(listed.map(({ problem }) => problem?.de)).toEqual([
			'Der Tag „31.11.2026“ ist nicht verwendbar: Schreiben Sie ihn wie 20.11.2026.',
			'Der Tag „2.11.26“ ist nicht verwendbar: Schreiben Sie ihn wie 20.11.2026.',
			'Der Tag „x3“ ist nicht verwendbar: Schreiben Sie ihn wie 20.11.2026.',
			'Der Steuersatz ist leer, was nicht als 0 zählt.',
			expect.stringMatching(/^Der Steuersatz ist kleiner als 1/),
			undefined,
		]);
		expect(listed.map(({ betrag, bewegung }) => [betrag, bewegung])[0]).toEqual([null, null]);
	});

	it('that takes an entry back, or is income and expense at once, is left to a person', async () => {
		const listed = await read(
			WITH_BALANCE(
				'1.11.2026;A;19;100,00;;100,00',
				'1.11.2026;A;19;-20,00;;80,00',
				'2.11.2026;B;19;30,00;10,00;100,00',
			),
			from('0'),
		);
		expect(amounts(listed)).toEqual(['2: +100', '3: ?', '4: ?']);
	});

	it.each([
		['of two, the one that differs', '1000;8400', '1000;4930', {}, ['8400', '4930']],
		['the one that isn’t empty', ';8400', ';8400', {}, ['8400', '8400']],
		['one that is named', '8400;1000', '4930;1000', { gegenkonto: 'Konto' }, ['8400', '4930']],
	])('has as its contra account %s', async (_, first, second, own, accounts) => {
		const text = list(
			'Konto;Gegenkonto;Betrag',
			`20.11.2026;A;7;${first};10`,
			`20.11.2026;B;7;${second};5`,
			'30.11.2026;;;9;9;',
		);
		const listed = await read(text, from('0', '15', own));
		expect(listed.map(({ gegenkonto }) => gegenkonto)).toEqual(accounts);
	});

	it('has the text of Vorgang where no other column has one', async () => {
		const [row] = await read(
			'Datum;Vorgang;Einnahme;Ausgabe;USt %\n1.11.2026;Verkauf;10;;19',
			from('0', '10'),
		);
		expect(row).toMatchObject({ belegtext: 'Verkauf', bewegung: 'EINNAHME', steuersatz: 19 });
	});

	it.each([
		['MwSt', ['19', '7', '0'], [19, 7, 0]],
		['USt', ['19 %', '7 %', ''], [19, 7, null]],
		['Steuersatz', ['19,0', '7,8', '0'], [19, 7.8, 0]],
	])('has its rate in a column %s, if its cells are rates', async (head, [a, b, c], rates) => {
		const listed = await read(
			`Datum;Text;Betrag;${head}\n1.11.2026;A;119;${a}\n1.11.2026;B;21,40;${b}\n1.11.2026;C;100;${c}`,
			from('0', '240,40'),
		);
		expect(listed.map(({ steuersatz }) => steuersatz)).toEqual(rates);
	});
});

describe('A column MwSt is the rate’s, if some cells are rates and none is the tax of its row:', () => {
	const of = (...rates: string[]) =>
		[
			'Datum;Text;Einnahme;Ausgabe;MwSt',
			...rates.map((rate, i) => `${20 + i}.11.2026;A;11,90;;${rate}`),
		].join('\n');
	const NO_RATE =
		'„16“ ist kein Steuersatz dieses Tages. Wenn er stimmt, geben Sie diese Spalte als die des Steuersatzes an (Additional Fields, Heading of Tax Rate).';
	it.each<[string, cells: string[], rates: Array<number | null>, problems: Array<string | RegExp>]>([
		['a word', ['19%', 'steuerfrei', '7 %'], [19, null, 7], [/^Der Steuersatz muss eine Zahl/]],
		['a dash', ['19%', '-', '7 %'], [19, null, 7], [/^Der Steuersatz muss eine Zahl/]],
		['a rate of another day', ['16', '19'], [16, 19], [NO_RATE]],
		['the number of a percent cell', ['0,19', '19'], [null, 19], [/^Der Steuersatz ist kleiner als 1/]],
	])('%s is a problem of its row', async (_, cells, rates, problems) => {
		const listed = await read(of(...cells), from('0', (11.9 * cells.length).toFixed(2)));
		expect(listed.map(({ steuersatz }) => steuersatz)).toEqual(rates);
		const said = listed.flatMap(({ problem }) => problem?.de ?? []);
		expect(said).toEqual(
			problems.map((one) => (typeof one === 'string' ? one : (expect.stringMatching(one) as string))),
		);
	});

	it('a rate of another day counts in a column that a person names', async () => {
		const listed = await read(of('16', '19'), from('0', '23,80', { steuersatz: 'MwSt' }));
		expect(listed.map(({ steuersatz, problem }) => [steuersatz, problem])).toEqual([
			[16, null],
			[19, null],
		]);
	});

	const AMOUNTS = 'Die Spalte „MwSt“ enthält Steuerbeträge, keine Sätze';
	it.each([
		['the tax of its row', of('19', '1,90'), `${AMOUNTS} (Zeile 3: „1,90“).`],
		[
			'the tax of an expense',
			'Datum;Text;Einnahme;Ausgabe;MwSt\n20.11.2026;A;;43,84;7,00\n20.11.2026;B;10,00;;19',
			`${AMOUNTS} (Zeile 2: „7,00“).`,
		],
		['a tax that isn’t of one rate', of('19', '1,23'), `${AMOUNTS} (Zeile 3: „1,23“).`],
		['a tax that is taken back', of('19', '-5,00'), `${AMOUNTS} (Zeile 3: „-5,00“).`],
		['a tax that is more than all', of('19', '190,00'), `${AMOUNTS} (Zeile 3: „190,00“).`],
		[
			'no rate at all',
			of('', 'steuerfrei'),
			'Die Spalte „MwSt“ enthält keine Sätze (Zeile 3: „steuerfrei“).',
		],
	])('but for %s, the list is refused', async (_, text, problem) => {
		const { de } = await refusal(text, from('100', '123,80'));
		expect(de).toBe(
			`${problem} Gebraucht wird eine Spalte mit den Sätzen, etwa 19, 7 oder 0 (Steuersatz); sind es doch Sätze, geben Sie diese an (Additional Fields, Heading of Tax Rate).`,
		);
	});
});

describe('A list that names its cash book', () => {
	const of = (heading: string, ...names: string[]) =>
		list(`Betrag;${heading}`, ...names.map((name) => `20.11.2026;A;19;10,00;${name}`));
	const chosen = (kassenname: string, more: INodeParameters = {}) => from('0', '20', { kassenname, ...more });

	it.each([
		['Kasse', 'Nebenkasse', 'Nebenkasse'],
		['Kassenbuch', 'Hauptkasse', 'Nebenkasse'],
	])(
		'in the column %s is refused with both names if it is another one than the chosen',
		async (heading, ...names) => {
			const row = names.indexOf('Nebenkasse') + 2;
			expect(await refusal(of(heading, ...names), chosen('Hauptkasse'))).toEqual({
				en: `Row ${row} (2026-11-20, A) is of the cash book "Nebenkasse", chosen is "Hauptkasse".`,
				de: `Zeile ${row} (20.11.2026, A) gehört zum Kassenbuch „Nebenkasse“, gewählt ist „Hauptkasse“.`,
			});
		},
	);

	it.each([
		['is read if it is the chosen one, however it is written', 'kasse  SÜD', 'Kasse Süd'],
		['is read if nothing is chosen', 'Nebenkasse', ''],
	])('%s', async (_, name, kassenname) => {
		const listed = await read(of('Kasse', name, ''), chosen(kassenname));
		expect(listed.map((row) => [row.betrag, row.kassenname])).toEqual([
			[10, name],
			[10, null],
		]);
	});

	it('may have rows of another one that a person leaves out', async () => {
		const only = { onlyColumn: 'Kasse', onlyValue: 'Süd' };
		expect(await read(of('Kasse', 'Süd', 'Nord', 'Süd'), chosen('Süd', only))).toHaveLength(2);
	});
});

describe('Nothing is booked, and one sentence says why:', () => {
	const PLUS = (...amounts_: string[]) =>
		list('Betrag', ...amounts_.map((one, i) => `${20 + i}.11.2026;T${i};19;${one}`));
	it.each<[why: string, list: string, INodeParameters, problem: string | RegExp]>([
		[
			'a balance that moves by another amount',
			list(
				'Ausgabe;Bestand',
				'20.11.2026;Blumen;7;10,00;90,00',
				'20.11.2026;Putzmittel;19;16,44;74,56',
				'21.11.2026;X;19;1;1',
			),
			from('100'),
			'Zeile 3 (20.11.2026, Putzmittel): Der Bestand ändert sich um 15,44, der Betrag ist 16,44.',
		],
		[
			'the other direction',
			list('Einnahme;Bestand', '20.11.2026;A;7;10,00;90,00'),
			from('100'),
			'Zeile 2 (20.11.2026, A): Der Bestand ändert sich um −10,00, der Betrag ist 10,00.',
		],
		[
			'rows without a balance that the next one contradicts',
			list('Ausgabe;Bestand', '20.11.2026;A;7;10,00;', '20.11.2026;B;19;5,00;80,00'),
			from('100'),
			'Zeilen 2 (20.11.2026, A) bis 3 (20.11.2026, B): Der Bestand ändert sich um −20,00, die Beträge ergeben −15,00.'.replaceAll(
				'−',
				'',
			),
		],
		[
			'rows that no balance proves',
			list('Ausgabe;Bestand', '20.11.2026;A;7;10,00;90,00', '20.11.2026;B;19;5,00;'),
			from('100'),
			'Zeile 3 (20.11.2026, B): Kein Bestand beweist das: Geben Sie den Bestand danach an (Cash Balance After).',
		],
		[
			'two rows, either of which explains the next balance: a card payment and a sale in cash',
			list(
				'Einnahme;Ausgabe;Bestand',
				'20.11.2026;Müller EC-Karte;7;50,00;;',
				'20.11.2026;Schmidt bar;19;50,00;;150,00',
				'21.11.2026;Porto;0;;8,00;142,00',
			),
			from('100'),
			'Zeilen 2 (20.11.2026, Müller EC-Karte) bis 3 (20.11.2026, Schmidt bar): Der Bestand ändert sich um 50,00, die Beträge ergeben 100,00.',
		],
		[
			'two rows before one that has their sum',
			list(
				'Betrag;Bestand',
				'20.11.2026;Karte 1;19;30,00;',
				'20.11.2026;Karte 2;19;20,00;',
				'20.11.2026;Bar;7;50,00;50,00',
			),
			from('0'),
			/^Zeilen 2 \(.*\) bis 4 \(.*\): Der Bestand ändert sich um 50,00, die Beträge ergeben 100,00\.$/,
		],
		[
			'rows without a day that the balance allows as well as their absence',
			list(
				'Einnahme;Ausgabe;Bestand',
				'20.11.2026;A;19;10,00;;',
				';B;19;20,00;;',
				';C;19;;20,00;10,00',
				'21.11.2026;D;7;5,00;;15,00',
			),
			from('0'),
			'Zeilen 3 (B) bis 4 (C): Der Bestand beweist nicht, ob hier Geld bewegt wurde, und der Tag fehlt: Tragen Sie ihn ein, oder löschen Sie den Betrag.',
		],
		[
			'the same, of which none has a balance',
			list(
				'Einnahme;Ausgabe;Bestand',
				';B;19;20,00;;',
				';C;19;;20,00;',
				'21.11.2026;D;7;5,00;;5,00',
				'22.11.2026;E;7;5,00;;10,00',
			),
			from('0'),
			/^Zeilen 2 \(B\) bis 3 \(C\): Der Bestand beweist nicht, /,
		],
		[
			'another balance before',
			list('Ausgabe;Bestand', '1.11.2026;Vortrag;;;100,00', '20.11.2026;B;19;5,00;95'),
			from('0'),
			'Zeile 2 (01.11.2026, Vortrag): Die Liste beginnt mit dem Bestand 100,00, angegeben ist 0,00.',
		],
		[
			'another balance after',
			list('Ausgabe;Bestand', '20.11.2026;B;19;5,00;95'),
			from('100', '90'),
			'Die Zeilen ergeben 95,00, gezählt sind 90,00: Differenz 5,00.',
		],
		[
			'a sum that isn’t the difference',
			PLUS('1250,40', '45', '60'),
			from('0', '1310,40'),
			'Die Zeilen ergeben 1.355,40, gezählt sind 1.310,40: Differenz 45,00. Nur Zeile 3 (21.11.2026, T1) hat diesen Betrag.',
		],
		[
			'the same, of which several rows have the amount',
			PLUS('1250,40', '45', '45'),
			from('0', '1295,40'),
			'Die Zeilen ergeben 1.340,40, gezählt sind 1.295,40: Differenz 45,00.',
		],
		[
			'another total',
			list('Ausgabe', '20.11.2026;A;7;10,00'),
			total('10'),
			'Die Zeilen ergeben −10,00, die Summe ist 10,00: Differenz 20,00.',
		],
		[
			'a total of amounts without a direction',
			PLUS('10', '20'),
			total('30'),
			/^Nichts sagt, ob diese Beträge Einnahmen oder Ausgaben sind/,
		],
		...(
			[
				['a credit note with a minus', 'Betrag', '100,00', '50,00', '-5,00'],
				['a plus', 'Betrag', '100,00', '40,00', '+5,00'],
				['debit and credit', 'Soll;Haben', '150,00;', ';5,00'],
				['debit and credit of which one is there', 'Debit', '145,00'],
				['debit and credit as the movement', 'Soll/Haben;Betrag', 'S;150,00', 'H;5,00'],
				['signs as the movement', 'Vorgang;Betrag', '+;150,00', '-;5,00'],
				['a movement that says so only of one row', 'Vorgang;Betrag', 'Einnahme;140,00', 'S;5,00'],
			] as const
		).map(([why, head, ...rows]): [string, string, INodeParameters, RegExp] => [
			`the total of a list of expenses with ${why}`,
			list(head, ...rows.map((row, i) => `${20 + i}.11.2026;Hotel;7;${row}`)),
			total('145'),
			/^Nichts sagt, ob diese Beträge Einnahmen oder Ausgaben sind, denn Vorzeichen, Soll und Haben können beides bedeuten: /,
		]),
		['no balances', PLUS('10'), from('0'), /^Die Liste nennt keinen Bestand: .*\(Cash Balance After\)\.$/],
		[
			'an amount that can’t be read',
			PLUS('10', '1.234'),
			from('0', '1244'),
			/^Zeile 3 \(21\.11\.2026, T1\): Betrag „1\.234“ ist mehrdeutig: /,
		],
		['another currency', PLUS('10', '12,50 CHF'), from('0', '22,50'), /^Zeile 3 .* ist in CHF/],
		[
			'a column of another currency',
			list('Betrag;Währung', '20.11.2026;A;7;10,00;CHF'),
			from('0', '10'),
			'Zeile 2 (20.11.2026, A): die Währung ist CHF.',
		],
		[
			'a movement that is neither',
			list('Vorgang;Betrag', '20.11.2026;A;7;Einnahme;10', '20.11.2026;B;7;Privat;10'),
			from('0', '10'),
			'Zeile 3 (20.11.2026, B): „Privat“ ist weder Einnahme noch Ausgabe.',
		],
		[
			'cash below 0 at the end of a day',
			list('Betrag', '20.11.2026;A;7;-10', '21.11.2026;B;7;20'),
			from('5', '15'),
			/^Am Ende des 20\.11\.2026 wären −5,00 in der Kasse/,
		],
		[
			'a day that is a month off',
			list('Betrag', '1.11.2026;A;7;10', '20.12.2026;B;7;10', '5.11.2026;C;7;10', '6.11.2026;D;7;10'),
			from('0', '40'),
			/^Zeile 4 \(05\.11\.2026, C\) liegt mehr als einen Monat vor Zeile 3/,
		],
		[
			'a sum at its end that the other end proves in place of the row, against the days',
			list(
				'Ausgabe;Bestand',
				'2.11.2026;Porto;0;20,00;80,00',
				'30.11.2026;Endbestand;;;80,00',
				'30.11.2026;Summe;0;20,00;',
			),
			from('100'),
			'Zeile 4 (30.11.2026, Summe): Kein Bestand beweist das: Geben Sie den Bestand danach an (Cash Balance After).',
		],
		[
			'days that go back where the balances go forward',
			list('Ausgabe;Bestand', '30.10.;A;19;10,00;90,00', '05.02.;B;19;20,00;70,00'),
			from('100', undefined, { year: '2026' }),
			/^Zeile 3 \(05\.02\.2026, B\) liegt mehr als einen Monat vor Zeile 2/,
		],
		[
			'two ends that prove different rows',
			list('Betrag;Bestand', '20.11.2026;Tageslosung;19;500,00;700,00', '20.11.2026;Bank;0;-500,00;200,00'),
			from('200'),
			/sortieren|Cash Balance After/i,
		],
		[
			'a balance that can’t be read',
			list('Betrag;Saldo', '20.11.2026;A;7;10,00;500,00 S'),
			from('490'),
			/^Zeile 2 \(20\.11\.2026, A\): Bestand „500,00 S“ /,
		],
		[
			'two accounts, each the same throughout, as one may be that of the cash',
			list('Konto;Gegenkonto;Betrag', '20.11.2026;A;7;8400;1000;10', '21.11.2026;B;7;8400;1000;5'),
			from('0', '15'),
			/Konto.*Gegenkonto|Gegenkonto.*Konto/,
		],
		[
			'days without a year',
			list('Betrag', '2011;A;7;10'),
			from('0', '10'),
			'Der Tag in Zeile 2 (A) hat kein Jahr: Geben Sie das Jahr an (Additional Fields, Year).',
		],
		[
			'a turn of the year, which one year can’t complete',
			list('Betrag', '31.12.;A;7;10', '02.01.;B;7;10'),
			from('0', '20', { year: '2026' }),
			'Zwischen Zeile 2 (31.12.2026, A) und Zeile 3 (02.01.2026, B) wechselt das Jahr: Schreiben Sie die Tage der Liste mit dem Jahr.',
		],
		[
			'the same from the newest row on',
			list('Betrag', '0301;C;7;10', '0201;B;7;10', ';X;;', '3112;A;7;10', '3012;A;7;10'),
			from('0', '40', { year: '2027' }),
			/^Zwischen Zeile 3 \(02\.01\.2027, B\) und Zeile 5 \(31\.12\.2027, A\) wechselt das Jahr: /,
		],
		[
			'two columns for the amount',
			list('Betrag;Brutto', '20.11.2026;A;7;10;11'),
			from('0', '10'),
			/^Zwei Spalten kommen für Betrag in Frage: „Betrag“ und „Brutto“/,
		],
		[
			'an amount beside income',
			list('Betrag;Einnahme', '20.11.2026;A;7;10;11'),
			from('0', '10'),
			/^Zwei Spalten kommen für Betrag in Frage/,
		],
		[
			'two columns for the account, the first of which has one value throughout: that of the cash',
			list(
				'Konto;Gegenkonto;Betrag',
				'20.11.2026;A;7;8400;1000;10',
				'20.11.2026;B;7;4930;1000;-5',
				'21.11.2026;C;7;;;5',
			),
			from('0', '10'),
			'Zwei Spalten kommen für Konto in Frage: „Gegenkonto“ und „Konto“. Geben Sie die Überschrift der richtigen an (Additional Fields), oder benennen Sie die andere in der Liste um.',
		],
		[
			'two days',
			list('Buchungsdatum;Betrag', '20.11.2026;A;7;20.11.2026;11'),
			from('0', '11'),
			/^Zwei Spalten kommen für Datum in Frage/,
		],
		[
			'amounts of tax',
			'Datum;Text;Betrag;MwSt\n20.11.2026;A;119,00;19,00\n20.11.2026;B;11,90;1,90',
			from('0', '130,90'),
			/^Die Spalte „MwSt“ enthält Steuerbeträge, keine Sätze/,
		],
		[
			'a tax that looks like a rate',
			'Datum;Text;Betrag;MwSt\n20.11.2026;A;43,84;7,00',
			from('0', '43,84'),
			/enthält Steuerbeträge/,
		],
		[
			'no headings',
			'a;b\n1;2',
			from('0', '10'),
			/^Die Überschriften wurden in den ersten Zeilen nicht gefunden.*Es fehlt: Datum, Betrag, Text, Steuersatz\.$/,
		],
		['a heading that isn’t there', PLUS('10'), from('0', '10', { betrag: 'Summe' }), /Es fehlt: Summe\.$/],
		[
			'a column that isn’t there',
			PLUS('10'),
			from('0', '10', { onlyColumn: 'Zahlungsart', onlyValue: 'Bar' }),
			'Die Liste hat keine Spalte „Zahlungsart“.',
		],
		[
			'no movement',
			list('Betrag;Bestand', '20.11.2026;Karte;7;10;100'),
			from('100'),
			/^Keine Zeile unter den Überschriften bewegt die Kasse/,
		],
		['an empty list', list('Betrag;Bestand'), from('100', '100'), /^Keine Zeile/],
	])('%s', async (_, text, own, problem) => {
		const { de } = await refusal(text, own);
		if (typeof problem === 'string') expect(de).toBe(problem);
		else expect(de).toMatch(problem);
	});

	it('but not for days that have their year, however far apart', async () => {
		const text = list('Betrag', '01.01.2026;A;7;10', '31.12.2026;B;7;10', '0201;C;x');
		expect(amounts(await read(text, from('0', '20', { year: '2027' })))).toEqual(['2: +10', '3: +10']);
	});

	it('either end may be the older one', async () => {
		const text = list('Betrag;Bestand', '20.11.2026;A;7;-10;0', '20.11.2026;B;7;10;10');
		expect((await refusal(text, from('0'))).de).toMatch(/^Beide Enden der Liste/);
		// The newest row shows what is counted.
		expect(amounts(await read(text, from('0', '0')))).toEqual(['2: -10', '3: +10']);
	});

	it.each([
		[from('-1', '0'), 'kassenbestandVorher'],
		[from('1,005', '0'), 'kassenbestandVorher'],
		[from('={{ "" }}', '1'), 'kassenbestandVorher'],
		[total('={{ "" }}'), 'listTotal'],
		[from('0', '0', { onlyColumn: 'Zahlungsart' }), 'onlyValue'],
		[from('0', '0', { year: '26' }), 'Year (year)'],
	] as Array<[INodeParameters, string]>)('parameters %o are refused: %s', async (own, field) => {
		const { error } = await readList(PLUS('10'), own);
		expect(JSON.stringify(error)).toContain(field);
	});
});

it('proves 5,000 rows in 0.3 s', async () => {
	let cash = 0;
	const rows = Array.from({ length: 5_000 }, (_, i) => {
		cash += 119;
		return `${1 + (i % 28)}.11.2026;Verkauf ${i};19;1,19;${(cash / 100).toFixed(2).replace('.', ',')}`;
	});
	const text = list('Betrag;Bestand', ...rows);
	const own = from('0');
	const { result, processor } = await watched(async () => await readList(text, own));
	expect(result.main[0]).toHaveLength(5_000);
	// Of which the proof takes 0.2 s, and n8n's engine and its expressions the rest.
	expect(processor).toBeLessThan(1_500);
});

describe('Whatever else stands in a list', () => {
	const euros = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');
	const LIST = fc.record({
		// Each amount occurs once, so that a row is known by it.
		movements: fc.uniqueArray(fc.integer({ min: -50_000, max: 50_000 }), {
			minLength: 1,
			maxLength: 12,
			selector: Math.abs,
		}),
		before: fc.integer({ min: 700_000, max: 900_000 }),
		/** How far the person is off. */
		error: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5_000 })),
		hasBalances: fc.boolean(),
		isNewestFirst: fc.boolean(),
		form: fc.constantFrom('signed', 'movement', 'columns'),
		decoys: fc.array(
			fc.record({
				kind: fc.constantFrom(
					'opening',
					'sum',
					'part',
					'card',
					'copy',
					'copy without a balance',
					'other table',
					'headings',
					'title',
					'silent',
				),
				at: fc.nat(12),
				amount: fc.integer({ min: 1, max: 60_000 }),
			}),
			{ maxLength: 3 },
		),
	});
	type Row = { day: string; text: string; amount?: number; balance?: number; raw?: string };

	it('no entry comes out that the proof doesn’t cover', async () => {
		let proved = 0;
		await fc.assert(
			fc.asyncProperty(
				LIST,
				async ({ movements, before, error, hasBalances, isNewestFirst, form, decoys }) => {
					let cash = before;
					const rows: Row[] = movements
						.filter((amount) => amount !== 0)
						.map((amount, i) => {
							cash += amount;
							return {
								day: `${String(i + 1).padStart(2, '0')}.11.2026`,
								text: `M${i}`,
								amount,
								balance: cash,
							};
						});
					for (const { kind, at, amount } of decoys) {
						const place = Math.min(at, rows.length);
						const beside = rows[place - 1] ?? { day: '01.11.2026', balance: before };
						const shown = { day: beside.day, balance: beside.balance };
						const next = rows[place] ?? shown;
						const made: Record<typeof kind, Row> = {
							opening: { ...shown, text: 'X', amount: before },
							sum: { ...shown, text: 'X', amount: rows.reduce((sum, row) => sum + (row.amount ?? 0), 0) },
							part: { ...shown, text: 'X', amount, balance: undefined },
							card: { ...shown, text: 'X', amount },
							copy: { ...shown, text: 'X', amount: beside.amount },
							'copy without a balance': { day: next.day, text: 'X', amount: next.amount },
							'other table': { day: beside.day, text: 'X', amount, balance: amount },
							headings: { day: '', text: '', raw: '' },
							title: { day: '', text: 'November' },
							silent: { day: '', text: 'X', amount },
						};
						rows.splice(place, 0, made[kind]);
					}
					const head = `Datum;Text;Steuersatz;${{ signed: 'Betrag', movement: 'Vorgang;Betrag', columns: 'Einnahme;Ausgabe' }[form]}${hasBalances ? ';Bestand' : ''}`;
					const lines = rows.map(({ day, text, amount, balance, raw }) => {
						if (raw !== undefined) return head;
						const said = amount === undefined ? '' : euros(Math.abs(amount));
						const isIn = (amount ?? 0) > 0;
						const cells = {
							signed: amount === undefined ? '' : euros(amount),
							movement: `${amount === undefined ? '' : isIn ? 'Einnahme' : 'Ausgabe'};${said}`,
							columns: isIn ? `${said};` : `;${said}`,
						}[form];
						return `${day};${text};19;${cells}${hasBalances ? `;${balance === undefined ? '' : euros(balance)}` : ''}`;
					});
					const text = [head, ...(isNewestFirst ? lines.reverse() : lines)].join('\n');
					const own = from(euros(before + error), hasBalances ? undefined : euros(cash + error));
					const listed = await read(text, own);
					if (listed[0].row === null) return;
					proved++;
					// Rows that take each other back are left to a person.
					const booked = listed.filter(({ problem }) => problem === null);
					const sum = booked.reduce(
						(all, { betrag, bewegung }) =>
							all + Math.round(betrag! * 100) * (bewegung === 'EINNAHME' ? 1 : -1),
						0,
					);
					// What came out is what the cash has changed by.
					if (booked.length === listed.length) expect(sum).toBe(cash - before);
					if (!hasBalances) {
						// A sum alone can't tell a row from another; but none that has day and amount is left out.
						const dated = rows.filter(({ day, amount }) => day !== '' && amount);
						expect(listed).toHaveLength(dated.length);
						return;
					}
					expect(error).toBe(0);
					expect(booked.map(({ belegtext }) => belegtext).filter((one) => one === 'X')).toEqual([]);
				},
			),
			{ numRuns: 250 },
		);
		expect(proved).toBeGreaterThan(20);
	}, 120_000);
});
