/** Lists of cash income and expenses from which a wrong entry could come: what is booked of them, and what is said of the rest. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import type { Bilingual } from '../../../../nodes/shared/values/index.js';
import { bookingOfList, readList } from '../../../support/cashList.mjs';
import {
	dated,
	excel2003,
	htmlRow,
	ods,
	odsRow,
	row2003,
	xlsOf,
	xlsx,
} from '../../../support/spreadsheets.mjs';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway({ now: new Date('2026-11-27T09:00:00Z') });
const node = new AccountingGatewayDelivery();

const HEAD = 'Datum;Vorgang;Text;Betrag;Steuersatz';
const HEADINGS = HEAD.split(';');
const TWO = 'Datum;Text;Einnahme;Ausgabe;Steuersatz';
const X = '20.11.2026;Ausgabe;x;1,00;19';
const list = (...rows: string[]) => [HEAD, ...rows].join('\n');
const two = (...rows: string[]) => [TWO, ...rows].join('\n');
const withCommas = (...rows: string[]) => [HEAD.replaceAll(';', ','), ...rows].join('\n');

/** Reads a list and books it, as the example does: what was booked, and why the rest wasn't. */
async function book(content: Buffer | string) {
	const { main } = await readList(content);
	const listed = (main[0] ?? []).map(({ json }) => json);
	const problems = listed.flatMap(({ row, problem }) =>
		problem ? [`${JSON.stringify(row)}: ${(problem as Bilingual).en}`] : [],
	);
	for (const { problem, betrag } of listed) if (problem) expect(betrag).toBeNull();
	const { errors } = await gateway.run(node, bookingOfList(gateway.connectionId('duo')), {
		items: listed.filter(({ problem }) => !problem).map((json) => ({ json })),
		settings: { onError: 'continueErrorOutput' },
		workflowSettings: { timezone: 'Europe/Berlin' },
	});
	const entries = await gateway.list<{ fields: IDataObject }>('entries');
	return {
		booked: entries.map(
			({ fields: { belegtext, bewegung, betrag } }) =>
				`${belegtext as string} ${bewegung === 'AUSGABE' ? '-' : ''}${betrag as number}`,
		),
		said: [...problems, ...errors.map(({ error }) => error as string)].join('\n'),
	};
}

type Case = [content: Buffer | string, booked: string[], said: RegExp];
/** @param cases by what is odd in the list */
const check = (cases: Record<string, Case>) =>
	it.each(Object.entries(cases))('%s', async (_, [content, booked, said]) => {
		const result = await book(content);
		expect(result.booked).toEqual(booked);
		expect(result.said).toMatch(said);
	});

describe('A balance or a sum is no movement:', () => {
	const balances = [
		...[
			'Anfangsbestand',
			'Anfangsbestand Kasse Laden 2',
			'Kassenanfangsbestand 01.11.2026',
			'Übertrag aus Oktober',
		],
		...['Übertrag von Seite 1', 'Saldovortrag Vormonat', 'Bestandsvortrag', 'Bestand Vortag', 'EB-Wert'],
		...['Stand 01.11.2026', 'Summe November', 'Endbestand', 'Bestand zum Tagesende', 'Balance January'],
		'Opening balance',
	];
	check({
		'in a row with a day and a tax rate': [
			two(...balances.map((text) => `01.11.2026;${text};100,00;;0`), '20.11.2026;Torte;12,50;;7'),
			['Torte 12.5'],
			new RegExp(`^(?:\\d+: The text says that this is a balance.*\\n?){${balances.length}}$`),
		],
		'with a movement': [
			list('30.11.2026;Einnahme;Zwischensumme;12,50;19', X),
			['x -1'],
			/^2: .*balance or a sum/,
		],
		'but what was paid is': [
			two(
				'20.11.2026;Übertrag auf Bank;;100,00;0',
				'20.11.2026;Vortrag Dr. Meier;;80,00;19',
				'20.11.2026;Marktstand;50,00;;19',
				'20.11.2026;Tagessumme bar;60,00;;19',
				'20.11.2026;Total;;45,00;19',
			),
			['Übertrag auf Bank -100', 'Vortrag Dr. Meier -80', 'Marktstand 50', 'Tagessumme bar 60', 'Total -45'],
			/^$/,
		],
	});
});

describe('An amount that is the sum of those above is no payment, whatever its text,', () => {
	const SUM = 'The amount is the sum of the';
	const spent = ['12,50', '7,00', '3,49'].map((amount, i) => `20.11.2026;${'abc'[i]};;${amount};19`);
	const EACH = ['a -12.5', 'b -7', 'c -3.49'];
	const rest = (...rows: string[]) => two(...spent, ...rows);
	check({
		'in a list of expenses': [rest('30.11.2026;Ergebnis;;22,99;19'), EACH, new RegExp(`^5: ${SUM} 3 `)],
		'of each page, and of all of them': [
			rest(
				'30.11.2026;Seite;;22,99;0',
				...spent.map((row) => row.replace('20.11.', '21.11.')),
				'30.11.2026;Seite;;22,99;0',
				'30.11.2026;Beide;;45,98;0',
			),
			[...EACH, ...EACH],
			new RegExp(`^5: ${SUM} 3 .*\n9: ${SUM} 3 .*\n10: ${SUM} 6 .*$`),
		],
		'behind a row that is skipped as a sum': [
			rest(
				';Summe;;22,99;',
				...spent.map((row) => row.replace('20.11.', '21.11.')),
				'30.11.2026;Ergebnis;;22,99;0',
			),
			[...EACH, ...EACH],
			new RegExp(`^9: ${SUM} 3 `),
		],
		'with a movement': [
			list(
				...['12,50', '7,00', '3,49', '22,99'].map(
					(amount, i) => `20.11.2026;Einnahme;${'abcd'[i]};${amount};19`,
				),
				'20.11.2026;Ausgabe;e;22,99;19',
			),
			['a 12.5', 'b 7', 'c 3.49', 'e -22.99'],
			new RegExp(`^5: ${SUM} 3 `),
		],
		'but for one on the other side': [rest('30.11.2026;Bank;22,99;;0'), [...EACH, 'Bank 22.99'], /^$/],
		'but for two amounts': [
			two(...spent.slice(0, 2), '30.11.2026;x;;19,50;19'),
			['a -12.5', 'b -7', 'x -19.5'],
			/^$/,
		],
		'but where the row has a receipt’s number or an account': [
			`${TWO};Beleg-Nr.;Konto\n${[...spent, '30.11.2026;x;;22,99;19'].map((row, i) => `${row};;${i === 3 ? '4930' : ''}`).join('\n')}\n30.11.2026;y;;45,98;19;17;`,
			[...EACH, 'x -22.99', 'y -45.98'],
			/^$/,
		],
	});
});

describe('A row with another number of fields than the headings has no amount:', () => {
	const optional = (...rows: string[]) => [`${HEAD};Konto;Belegnummer`, ...rows].join('\n');
	check({
		'where commas separate, and a decimal comma fills the place of a missing text': [
			withCommas('20.11.2026,Ausgabe,12,50,19'),
			[],
			/^2: .*no amount has decimals behind a point/,
		],
		'of a missing rate': [withCommas('20.11.2026,Ausgabe,Porto,12,50'), [], /^2: /],
		'of a missing rate, behind a currency': [
			withCommas('20.11.2026,Ausgabe,Porto,€ 12,50', '20.11.2026,Ausgabe,Briefe,EUR 12,50'),
			[],
			/^2: .*\n3: /,
		],
		'of a missing rate, among amounts in quotation marks': [
			withCommas('20.11.2026,Ausgabe,Porto,"12,50",19', '20.11.2026,Ausgabe,Briefe,12,50'),
			['Porto -12.5'],
			/^3: /,
		],
		'where commas part thousands, and fill the place of a missing text or rate': [
			withCommas(
				'20.11.2026,Ausgabe,1,250.40,19',
				'20.11.2026,Ausgabe,Miete,1,050.40',
				'20.11.2026,Ausgabe,Porto,12.50,19',
			),
			['Porto -12.5'],
			/^2: .*may be one amount like 1,250\.40.*\n3: /,
		],
		'but for whole amounts beside others with points': [
			withCommas('20.11.2026,Ausgabe,Porto,12,19', '20.11.2026,Ausgabe,Briefe,12.50,19'),
			['Porto -12', 'Briefe -12.5'],
			/^$/,
		],
		'where a semicolon is missing': [
			optional('20.11.2026;Ausgabe;12,50;19;7', X),
			['x -1'],
			/^2: The row has 5 columns, the headings have 7/,
		],
		'where a semicolon stands in the text, and others are missing at the end': [
			optional('20.11.2026;Ausgabe;Kaffee; 3;12,50;19'),
			[],
			/^2: The row has 6 columns/,
		],
		'where a semicolon stands in the text of a whole row': [
			optional('20.11.2026;Ausgabe;Blumen;rot;12,50;19;;'),
			[],
			/^2: The row has 8 columns, the headings have 7/,
		],
		'where nobody knows which of two amounts it has': [
			'Datum;Text;Steuersatz;Einnahme;Ausgabe\n20.11.2026;Porto;0;19,00',
			[],
			/^2: The row has 4 columns/,
		],
		'but where only empty cells are left out': [
			optional(X, '20.11.2026;Ausgabe;y;2,00;7,0;4910'),
			['x -1', 'y -2'],
			/^$/,
		],
	});
});

describe('A column of tax rates may hold amounts of tax. Then nothing is read, and the reason names a row:', () => {
	const rows = (...pairs: string[]) =>
		list(...pairs.map((pair, i) => `20.11.2026;Ausgabe;${'abcdef'[i]};${pair}`));
	const sheetOf = (amount: number, tax: number) =>
		xlsx({ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', 'a', amount, tax] });
	const refused = (row: number, rate: string) =>
		new RegExp(`^null: Row ${row} has ${rate} in the column "Steuersatz"[^\\n]*$`);
	check({
		'in cents': [rows('119,00;19,00', '12,50 €;2,00', '12,45;1,99'), [], refused(3, '2,00')],
		'one of them in cents': [rows('12,50;19', '12,50;7', '12,45;1,99'), [], refused(4, '1,99')],
		'by a formula, which shows two decimals': [sheetOf(12.5, (12.5 * 19) / 119), [], refused(2, '2\\.00')],
		'all of them without cents': [
			rows('12,50;2,00', '11,90;1,90', '5,00;0', '107,00;7,00'),
			[],
			refused(2, '2,00'),
		],
		'one below 1': [rows('2,00;0,32', '12,50;2,00'), [], refused(2, '0,32')],
		'but rates are rates': [
			rows('12,50;19,00', '12,50;7,0', '12,50;7.8', '12,50;10,7', '12,50;5.5 %'),
			['a -12.5', 'b -12.5', 'c -12.5', 'd -12.5', 'e -12.5'],
			/^$/,
		],
		'even where they equal the tax': [
			rows('119,00;19', '43,84;7', '107,00;7'),
			['a -119', 'b -43.84', 'c -107'],
			/^$/,
		],
		'or one among others does': [rows('12,50;2', '12,50;19'), ['a -12.5', 'b -12.5'], /^$/],
		'or has a percent sign': [rows('12,50;2 %'), ['a -12.5'], /^$/],
		'and percent cells without their sign are refused row by row': [
			rows('12,50;0,19', '12,50;7'),
			['b -12.5'],
			/^[^\n]*percent cell[^\n]*$/,
		],
	});
});

describe('A quotation mark that a later row closes keeps the list from being read,', () => {
	const closed = /^null: In row 2, a quotation mark is closed only by one of a later row/;
	check({
		'as the end of the same column': [
			list('20.11.2026;Ausgabe;"Blumen;12,50;19', '21.11.2026;Ausgabe;Porto";1,00;19', X),
			[],
			closed,
		],
		'after several rows': [
			list('20.11.2026;Ausgabe;"Blumen;12,50;19', X, X, '21.11.2026;Ausgabe;Porto";1,00;19'),
			[],
			closed,
		],
		'as the inch of another column': [
			`${HEAD};Konto\n20.11.2026;Ausgabe;x;1,00;19;"4930\n21.11.2026;Ausgabe;Rohr 3/4";1,00;19;`,
			[],
			closed,
		],
		'in the first column': [
			list('"20.11.2026;Ausgabe;x;1,00;19', '21.11.2026";Ausgabe;y;1,00;19', X),
			[],
			closed,
		],
		'where commas separate': [
			withCommas('20.11.2026,Ausgabe,"Blumen,12.50,19', '21.11.2026,Ausgabe,Porto",1.00,19'),
			[],
			closed,
		],
		'but a text of several lines does not': [
			withCommas('20.11.2026,Ausgabe,"Blumen, rot\nund gelb, für den Laden",12.50,19'),
			['Blumen, rot und gelb, für den Laden -12.5'],
			/^$/,
		],
	});
});

describe('A program’s export may have', () => {
	check({
		'rows that it has canceled': [
			`${HEAD};Status\n20.11.2026;Ausgabe;a;12,50;19;storniert\n20.11.2026;Ausgabe;b;12,50;19;gebucht`,
			['b -12.5'],
			/^2: The row is marked as canceled/,
		],
		'a column for what is canceled': [
			`${HEAD};Storno\n20.11.2026;Ausgabe;a;1,00;19;ja\n20.11.2026;Ausgabe;b;2,00;19;nein\n20.11.2026;Ausgabe;c;3,00;19;x\n20.11.2026;Ausgabe;d;4,00;19;`,
			['b -2', 'd -4'],
			/^2: .*canceled.*\n4: .*canceled/,
		],
		'the word in the text; a reversal is an entry': [
			list('20.11.2026;Ausgabe;STORNIERT Porto;12,50;19', '20.11.2026;Einnahme;Storno Porto;12,50;19'),
			['Storno Porto 12.5'],
			/^2: .*canceled/,
		],
		'the balance in a column for the cash': [
			`${HEAD};Kasse;Storno\n${X};88,00;0,00\n${X.replace(';x', ';y')};87,00;-`,
			['x -1', 'y -1'],
			/^$/,
		],
		'several cash books': [
			`${HEAD};Kasse\n20.11.2026;Ausgabe;a;12,50;19;Kasse 1\n20.11.2026;Ausgabe;b;12,50;19;Kasse 2`,
			[],
			/^2: The list has rows of several cash books \(Kasse 1, Kasse 2\).*\n3: /,
		],
		'one cash book': [
			`${HEAD};Kasse\n${X};Kasse 1\n${X.replace(';x', ';y')};Kasse 1`,
			['x -1', 'y -1'],
			/^$/,
		],
		'a movement that its columns contradict': [
			'Datum;Vorgang;Text;Einnahme;Ausgabe;Steuersatz\n20.11.2026;Ausgabe;a;12,50;;19\n20.11.2026;Einnahmen;b;;12,50;19\n20.11.2026;Ausgabe;c;;12,50;19',
			['c -12.5'],
			/^2: The amount stands in the column for income.*\n3: /,
		],
		'a second table with other columns': [
			two(
				'20.11.2026;Torte;12,50;;7',
				'',
				'Bank',
				'Datum;Text;Ausgang;Eingang;Steuersatz',
				'20.11.2026;Lastschrift;99,00;;19',
			),
			['Torte 12.5'],
			/^6: It stands below other headings \(row 5\)/,
		],
		'a place for a signature, which is no table': [list(X, 'Datum;;;Unterschrift;', ''), ['x -1'], /^$/],
		'net amounts beside gross ones': [
			'Datum;Text;Einnahmen;;Ausgaben;;USt %\n;;netto;brutto;netto;brutto;\n20.11.2026;Torte;100,00;119,00;;;19',
			[],
			/^3: It stands below other headings \(row 2\)/,
		],
		'amounts in dollars, by the heading': [
			list(X).replace('Betrag', 'Betrag ($)'),
			[],
			/^null: The headings weren't found/,
		],
		'net amounts, by a title': [`Alle Beträge (netto)\n${list(X)}`, [], /^3: .*say that the amounts are net/],
		'amounts in euros, by the heading': [list(X).replace('Betrag', 'Betrag (€)'), ['x -1'], /^$/],
		'francs, by a title': [
			`Kassenbuch;;;;\nWährung: CHF;;;;\n${list(X)}`,
			[],
			/is in CHF, but the currency is EUR/,
		],
		'francs, by a title in two cells': [
			`Währung;CHF;;;\n${list(X)}`,
			[],
			/is in CHF, but the currency is EUR/,
		],
		'euros, by a title': [`Alle Beträge in EUR;;;;\n${list(X)}`, ['x -1'], /^$/],
		'the days of DATEV': [list('40126;Ausgabe;x;12,50;19'), [], /"40126" must be a date/],
	});
});

describe('A spreadsheet may show', () => {
	const styled = (code: string, value: number) =>
		xlsx(
			{ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', 'x', { xml: `<c s="2"><v>${value}</v></c>` }, 19] },
			{
				more: {
					'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/><numFmt numFmtId="165" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
				},
			},
		);
	const shared = (strings: string, at: 'text' | 'amount') => {
		const cell = { xml: '<c t="s"><v>0</v></c>' };
		const [text, amount] = at === 'text' ? [cell, 12.5] : ['x', cell];
		return xlsx({ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', text, amount, 19] }, { strings });
	};
	const run = (properties: string, text: string) => `<r><rPr>${properties}</rPr><t>${text}</t></r>`;
	const page = (...rows: string[]) => `<table>${htmlRow(HEADINGS)}${rows.join('')}</table>`;
	const textsOf = (text: string, amount: string) => ['20.11.2026', 'Ausgabe', text, amount, '19'];
	const row = (amount: string, attributes?: string) => htmlRow(textsOf('x', amount), attributes);
	const STRUCK = /^2: The row is struck out/;
	/** A row of LibreOffice, or a part of its text, with this line through it, above another row. */
	const odsOf = (line: string, family: 'text' | 'table-cell') => {
		const isPart = family === 'text';
		const text = isPart ? '<text:span text:style-name="a">x</text:span>' : 'x';
		const first = odsRow(textsOf(text, '12,50'), { cell: isPart ? '' : 'table:style-name="a"' });
		const before = `<styles xmlns:style="s"><style:style style:name="a" style:family="${family}"><style:text-properties style:text-line-through-style="${line}"/></style:style></styles>`;
		return ods(odsRow(HEADINGS) + first + odsRow(textsOf('y', '1,00')), { before });
	};
	/** A number that LibreOffice shows in a format: 12500 as 12,50. */
	const odsIn = (format: string, cell = ' table:style-name="c"', column = '') => {
		const amount = `<table:table-cell${cell} office:value-type="float" office:value="12500"><text:p>12,50</text:p></table:table-cell>`;
		const styles = `<styles xmlns:style="s" xmlns:number="n">${format}<style:style style:name="c" style:family="table-cell" style:data-style-name="N1"/></styles>`;
		const columns = `<table:table-column table:number-columns-repeated="3"/><table:table-column${column}/>`;
		const below = odsRow(['20.11.2026', 'Ausgabe', 'x', { xml: amount }, '19']);
		return ods(columns + odsRow(HEADINGS) + below, { before: styles });
	};
	const numberStyle = (content: string, name = 'N1') =>
		`<number:number-style style:name="${name}">${content}</number:number-style>`;
	const number = (own = '', inside = '') =>
		`<number:number number:decimal-places="2"${own}>${inside}</number:number>`;
	const map = (condition: string) => `<style:map style:condition="${condition}" style:apply-style-name="P"/>`;
	const IN_THOUSANDS = numberStyle(number(' number:display-factor="1000"'));
	const ODD = /"12500 12,50" must be a number/;
	/** A row of LibreOffice whose amount has a style by name, which the file keeps apart, or one that is made of it. */
	const odsNamed = (name: string, own = '', value = 'office:value-type="string"') => {
		const amount = `<table:table-cell table:style-name="${name}" ${value}><text:p>12,50</text:p></table:table-cell>`;
		const below = odsRow(['20.11.2026', 'Ausgabe', 'x', { xml: amount }, '19']);
		const line = (text: string) => `<style:text-properties style:text-line-through-style="${text}"/>`;
		return ods(odsRow(HEADINGS) + below, {
			before: `<styles xmlns:style="s"><style:style style:name="own" style:parent-style-name="Gestrichen">${own && line(own)}</style:style></styles>`,
			styles: `${IN_THOUSANDS}<style:style style:name="Gestrichen">${line('solid')}</style:style><style:style style:name="Tausend" style:data-style-name="N1"/>`,
		});
	};
	const xml = (data: string) => excel2003(row2003(HEADINGS) + row2003(textsOf('x', data)));
	const STYLES =
		'<Styles><Style ss:ID="a"><Font ss:StrikeThrough="1"/></Style><Style ss:ID="b"><Font/></Style></Styles>';
	/** An amount of 12,500 that a style of Excel 2003 shows in thousands. @param of attributes: of the cell, of its row and column */
	const scaled2003 = (of: { cell?: string; row?: string; column?: string }) =>
		excel2003(
			`<Column ss:Span="2"/><Column ${of.column ?? ''}/>${row2003(HEADINGS)}${row2003(textsOf('x', '1,00'), {
				row: of.row,
			}).replace(
				'<Cell ><Data ss:Type="String">1,00',
				`<Cell ${of.cell ?? ''}><Data ss:Type="Number">12500`,
			)}`,
			'<Styles><Style ss:ID="p"><NumberFormat ss:Format="#,##0.00,"/></Style><Style ss:ID="c" ss:Parent="p"/></Styles>',
		);
	const STYLED = 'ss:StyleID="c"';
	const SCALED_2003 = /"12500 #,##0\.00," must be a number/;
	const styled2003 = (text: string, style: string) =>
		row2003(textsOf(text, '1,00'), { cell: `ss:StyleID="${style}"` });
	/** A list of Excel whose second row is struck out, as is a cell behind the row below. @param heading of the cell behind */
	const struckOf = (heading: string) => {
		const cells = (text: string, style: number) =>
			textsOf(text, '1,00').map((one) => ({
				xml: `<c s="${style}" t="inlineStr"><is><t>${one}</t></is></c>`,
			}));
		const styles =
			'<styleSheet><fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs></styleSheet>';
		const behind = [...textsOf('z', '1,00'), cells('x', 1)[0]];
		const rows = { 1: [...HEADINGS, heading], 2: cells('x', 1), 3: cells('y', 2), 4: behind };
		return xlsx(rows, { more: { 'xl/styles.xml': styles } });
	};
	const amountOf = (cell: string) =>
		xlsx({ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', 'x', { xml: cell }, 19] });
	check({
		thousands: [styled('#,##0.00,', 12500), [], /"12500 #,##0\.00," must be a number/],
		'cents behind a comma of its own': [styled('0","00', 1250), [], /"1250 0","00" must be a number/],
		'a minus for what is positive': [styled('0.00\\-', 12.5), [], /must be a number/],
		'what the cell has': [styled('_-* #,##0.00\\ "€"_-;-#,##0.00', 12.5), ['x -12.5'], /^$/],
		'what the cell has, as a minus only of what is negative': [
			styled('#,##0.00;[Red]-#,##0.00', 12.5),
			['x -12.5'],
			/^$/,
		],
		'a part of a text that is struck out': [
			shared(`<si>${run('<strike/>', 'Blumen')}</si>`, 'text'),
			[],
			STRUCK,
		],
		'a part that isn’t': [
			shared(`<si>${run('<strike val="0"/>', 'Blumen')}</si>`, 'text'),
			['Blumen -12.5'],
			/^$/,
		],
		'raised cents': [
			shared(`<si><r><t>12</t></r>${run('<vertAlign val="superscript"/>', '50')}</si>`, 'amount'),
			[],
			/"12 50" must be a number/,
		],
		'a part that is struck out in LibreOffice': [odsOf('solid', 'text'), ['y -1'], STRUCK],
		'a part that isn’t, in LibreOffice': [odsOf('none', 'text'), ['x -12.5', 'y -1'], /^$/],
		'a row that is struck out in LibreOffice': [odsOf('solid', 'table-cell'), ['y -1'], STRUCK],
		'a row that isn’t, in LibreOffice': [odsOf('none', 'table-cell'), ['x -12.5', 'y -1'], /^$/],
		'rows with struck-out cells in Excel': [struckOf('Konto'), ['y -1'], /^2: .*struck out.*\n4: /],
		'such a cell of a column that isn’t read': [struckOf('Notiz'), ['y -1', 'z -1'], STRUCK],
		'a row that is struck out in Excel 97': [xlsOf([HEADINGS, textsOf('x', '1,00')], [], true), [], STRUCK],
		'a row that is struck out in Excel 2003': [
			excel2003(row2003(HEADINGS) + styled2003('x', 'a') + styled2003('y', 'b'), STYLES),
			['y -1'],
			STRUCK,
		],
		'rows and cells that are struck out on a page': [
			page(
				htmlRow(textsOf('x', '1,00').map((text) => `<s>${text}</s>`)),
				row('1,00', ' style="text-decoration:line-through"'),
				htmlRow(textsOf('y', '1,00')),
				htmlRow(textsOf('<span style="text-decoration: line-through">x</span>', '1,00')),
				htmlRow(textsOf('z', '1,00')),
			),
			['y -1', 'z -1'],
			/^2: .*struck out.*\n3: .*struck out.*\n5: .*struck out/,
		],
		'a formula without a result': [
			amountOf('<c><f>A1*2</f></c>'),
			[],
			/^2: .*"Amount" is a formula without a result/,
		],
		'an error': [
			amountOf('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
			[],
			/^2: .*"Amount" is an error of the spreadsheet \(#DIV\/0!\)/,
		],
		'a part that is struck out in Excel 97': [
			xlsOf([
				HEADINGS,
				['20.11.2026', 'Ausgabe', { struck: 'Brot' }, '12,50', '19'],
				['20.11.2026', 'Ausgabe', 'x', '1,00', '19'],
			]),
			['x -1'],
			STRUCK,
		],
		'a part that is struck out in Excel 2003': [xml('<S>12,50</S>'), [], STRUCK],
		'thousands in LibreOffice': [odsIn(IN_THOUSANDS), [], ODD],
		'thousands by a style of LibreOffice': [
			odsNamed('Tausend', '', 'office:value-type="float" office:value="12500"'),
			[],
			ODD,
		],
		'a style of LibreOffice that strikes out': [odsNamed('Gestrichen'), [], STRUCK],
		'a style that is made of one': [odsNamed('own'), [], STRUCK],
		'a style that is made of one, without its line': [odsNamed('own', 'none'), ['x -12.5'], /^$/],
		'thousands by the style of the column': [
			odsIn(IN_THOUSANDS, '', ' table:default-cell-style-name="c"'),
			[],
			ODD,
		],
		'thousands of what is positive in LibreOffice': [
			odsIn(
				numberStyle(number(' number:display-factor="1000"'), 'P') +
					numberStyle(`<number:text>-</number:text>${number()}${map('value()&gt;=0')}`),
			),
			[],
			ODD,
		],
		'cents behind a comma of its own in LibreOffice': [
			odsIn(numberStyle(number('', '<number:embedded-text number:position="2">,</number:embedded-text>'))),
			[],
			ODD,
		],
		'a minus for what is positive in LibreOffice': [
			odsIn(numberStyle(`${number()}<number:text>-</number:text>`)),
			[],
			ODD,
		],
		'what the cell has, as a minus only of what is negative in LibreOffice': [
			odsIn(
				numberStyle(`<number:text>-</number:text>${number()}`, 'P') +
					numberStyle(
						`${number(' number:display-factor="1"')}<number:text> €</number:text>${map('value()&lt;0')}`,
					),
			),
			['x -12500'],
			/^$/,
		],
		'thousands by the style of a style in Excel 2003': [scaled2003({ cell: STYLED }), [], SCALED_2003],
		'thousands by the style of the row': [scaled2003({ row: STYLED }), [], SCALED_2003],
		'thousands by the style of the column in Excel 2003': [scaled2003({ column: STYLED }), [], SCALED_2003],
		'a style that strikes out in Excel 2003, as that of another one, which may lift it': [
			excel2003(
				row2003(HEADINGS) + styled2003('x', 'c') + styled2003('y', 'd'),
				STYLES.replace(
					'</Styles>',
					'<Style ss:ID="c" ss:Parent="a"/><Style ss:ID="d" ss:Parent="a"><Font ss:StrikeThrough="0"/></Style></Styles>',
				),
			),
			['y -1'],
			STRUCK,
		],
		'raised cents in Excel 2003': [xml('12<Sup>50</Sup>'), [], /"12 50" must be a number/],
		'lines of a page': [page(row('<p>12</p><p>50</p>')), [], /"12 50" must be a number/],
		'blocks of a page': [page(row('<div>12</div><div>50</div>')), [], /"12 50" must be a number/],
		'raised cents of a page': [page(row('12<sup>50</sup>')), [], /"12 50" must be a number/],
		'a block around an amount': [page(row('<div> 12,50 </div>')), ['x -12.5'], /^$/],
		'nothing in a cell of a page that keeps its place': [
			page(row('99,00').replace('<td>99,00', '<td style="visibility: hidden">99,00'), row('1,00')),
			['x -1'],
			/^$/,
		],
		'no cell in the place of one that a page leaves out': [
			page('<tr><td>20.11.2026<td>Ausgabe<td>x<td style="display:none">99,00<td>12,50<td>19'),
			['x -12.5'],
			/^$/,
		],
	});
});

describe('What offices write otherwise is refused, with the reason, or read right:', () => {
	const amount = (text: string) => list(X.replace('1,00', text));
	const day = (text: string) => list(X.replace('20.11.2026', text));
	const rate = (text: string) => list(X.replace(/19$/, text));
	const movement = (text: string) => list(X.replace('Ausgabe', text));
	const NEGATIVE = /is negative/;
	const NO_NUMBER = /must be a number/;
	const NO_DATE = /must be a date/;
	const NOT_FOUND = /^null: The headings weren't found/;
	check({
		'U+2212': [amount('\u221212,50'), [], NEGATIVE],
		'a minus behind': [amount('12,50-'), [], NEGATIVE],
		'a minus in the column for expenses': [two('20.11.2026;x;;-12,50;19'), [], NEGATIVE],
		S: [amount('12,50 S'), [], NO_NUMBER],
		H: [amount('12,50H'), [], NO_NUMBER],
		parentheses: [amount('(12,50)'), [], NO_NUMBER],
		'a dash for cents': [amount('12,-'), [], NO_NUMBER],
		'the euro as a word': [amount('12,50 Euro'), [], NO_NUMBER],
		'two amounts': [amount('12,50 / 3,00'), [], NO_NUMBER],
		thousands: [amount('1.250'), [], /is ambiguous/],
		'thousands with a space': [amount('1 250,40'), ['x -1250.4'], /^$/],
		'a day without a year': [day('20.11.'), [], NO_DATE],
		'a year of two digits': [day('20.11.26'), [], /four-digit year/],
		'a day in English': [day('Nov 20, 2026'), [], NO_DATE],
		'a day in America': [day('11/20/2026'), [], NO_DATE],
		'a month as a word': [day('20. November 2026'), [], NO_DATE],
		'a weekday': [day('Fr, 20.11.2026'), [], NO_DATE],
		'a period': [day('01.11.2026 - 20.11.2026'), [], NO_DATE],
		'day and month of DATEV': [day('2011'), [], NO_DATE],
		'a key for the rate': [rate('V19'), [], NO_NUMBER],
		'two rates': [rate('7/19'), [], NO_NUMBER],
		'no tax, as a word': [rate('steuerfrei'), [], NO_NUMBER],
		'a letter for the movement': [movement('A'), [], /must be AUSGABE or EINNAHME/],
		'a movement that was canceled': [movement('Einnahme (storniert)'), [], /must be AUSGABE or EINNAHME/],
		Lexware: [
			'Datum;Belegnr.;Buchungstext;Einnahme;Ausgabe;Saldo;USt-Satz\n20.11.2026;1;Porto;;12,50;87,50;0',
			['Porto -12.5'],
			/^$/,
		],
		'DATEV Kassenbuch': [
			'Belegdatum;Beleg-Nr.;Einnahmen;Ausgaben;Buchungstext;Gegenkonto;USt %;Bestand\n20.11.2026;12;119,00;;Tageseinnahme;8400;19;619,00',
			['Tageseinnahme 119'],
			/^$/,
		],
		'DATEV’s batch of bookings': [
			'"EXTF";700;21;"Buchungsstapel";12\nUmsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;Buchungstext\n12,50;"S";1000;4910;2011;"Porto"',
			[],
			NOT_FOUND,
		],
		'debit and credit': ['Datum;Text;Soll;Haben;Steuersatz\n20.11.2026;x;12,50;;19', [], NOT_FOUND],
		'an amount with its sign alone': ['Datum;Text;Betrag;Steuersatz\n20.11.2026;x;-12,50;0', [], NOT_FOUND],
		'thousands of euros': [list(X).replace('Betrag', 'Betrag (TEUR)'), [], NOT_FOUND],
		'net amounts': [list(X).replace('Betrag', 'Betrag (netto)'), [], NOT_FOUND],
		'a formula that gives more decimals than it shows': [
			xlsx({ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', 'x', 14.875, 19] }),
			[],
			/has 3 decimals/,
		],
		'a date that is merged over two rows': [
			xlsx({ 1: HEADINGS, 2: [dated(46346), 'Ausgabe', 'x', 1, 19], 3: ['', 'Ausgabe', 'y', 2, 19] }),
			['x -1'],
			/Transaction Date .* is required/,
		],
		'a count of coins below': [
			list(X, 'Kassensturz', '50;3;;150,00;'),
			['x -1'],
			/must be AUSGABE or EINNAHME/,
		],
		'a sum with a rate': [list(X, 'Summe 19 %;;;1,00;19'), ['x -1'], /is required/],
	});
});
