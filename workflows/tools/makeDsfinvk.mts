/**
 * Made the sample export of a cash register, once: `npx tsx workflows/tools/makeDsfinvk.mts`. The layout is that of DSFinV-K 2.3:
 * the tables of the closings (Anhang F, Z_… and Stamm_…), UTF-8 with BOM, semicolons, decimal commas. The records of single
 * receipts (transactions.csv, lines.csv, …), of which a real export has many more, are left out: the example doesn't read them.
 * Company and figures are invented.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { Big } from 'big.js';
import escape from 'lodash/escape.js';

type Row = Record<string, string>;
/** A column's name, with its decimals if it is a number. */
type Column = [name: string, decimals?: number];

/** `UST_SCHLUESSEL` and rate: 1 standard, 2 reduced, 5 not taxable. */
const VAT: Record<number, [rate: string, text: string]> = {
	1: ['19.00', 'Allgemeiner Steuersatz (§ 12 Abs. 1 UStG)'],
	2: ['7.00', 'Ermäßigter Steuersatz (§ 12 Abs. 2 UStG)'],
	5: ['0.00', 'Nicht steuerbar'],
};

interface Closing {
	number: number;
	created: string;
	/** Where it isn't the day of `created`. */
	bookingDay?: string;
	cases: Array<[type: string, key: number, gross: string, name?: string]>;
	/** Without cash, which is the rest. */
	payments: Array<[type: string, name: string, amount: string]>;
}

/** Number 314 is missing: its export was lost. */
const CLOSINGS: Closing[] = [
	{
		number: 311,
		created: '2026-11-16T18:42:10+01:00',
		cases: [
			['Anfangsbestand', 5, '300.00'],
			['Umsatz', 1, '412.30'],
			['Umsatz', 2, '968.70'],
			['TrinkgeldAN', 5, '12.00', 'mit Karte gegeben'],
			['TrinkgeldAN', 5, '-12.00', 'an Mitarbeiter ausgezahlt'],
			['Geldtransit', 5, '-900.00', 'Einzahlung Bank'],
		],
		payments: [['ECKarte', 'girocard', '453.00']],
	},
	{
		number: 312,
		created: '2026-11-17T18:39:55+01:00',
		cases: [
			['Anfangsbestand', 5, '328.00'],
			['Umsatz', 1, '388.10'],
			['Umsatz', 2, '1012.45'],
			['MehrzweckgutscheinKauf', 5, '50.00'],
			['Rabatt', 2, '-8.40', 'Mitarbeiterrabatt'],
			['DifferenzSollIst', 5, '-3.20'],
			['Geldtransit', 5, '-850.00', 'Einzahlung Bank'],
		],
		payments: [
			['ECKarte', 'girocard', '402.60'],
			['Kreditkarte', 'Visa', '61.00'],
		],
	},
	{
		number: 313,
		created: '2026-11-18T18:44:31+01:00',
		cases: [
			['Anfangsbestand', 5, '453.35'],
			['Umsatz', 1, '295.60'],
			['Umsatz', 2, '874.05'],
			['MehrzweckgutscheinEinloesung', 5, '-25.00'],
			['TrinkgeldAG', 1, '5.00'],
			['Geldtransit', 5, '-900.00', 'Einzahlung Bank'],
		],
		payments: [['ECKarte', 'girocard', '380.00']],
	},
	{
		number: 315,
		created: '2026-11-20T18:40:02+01:00',
		cases: [
			['Anfangsbestand', 5, '310.00'],
			['Umsatz', 1, '520.20'],
			['Umsatz', 2, '1108.80'],
			['DifferenzSollIst', 5, '0.50'],
			['Geldtransit', 5, '-700.00', 'Einzahlung Bank'],
		],
		payments: [['ECKarte', 'girocard', '512.25']],
	},
	{
		number: 316,
		created: '2026-11-22T00:15:03+01:00',
		bookingDay: '2026-11-21',
		cases: [
			['Anfangsbestand', 5, '727.25'],
			['Umsatz', 1, '188.40'],
			['Umsatz', 2, '640.35'],
			['Auszahlung', 5, '-18.90', 'Blumen für den Laden'],
		],
		payments: [['ECKarte', 'girocard', '203.10']],
	},
];

const KEY: Column[] = [['Z_KASSE_ID'], ['Z_ERSTELLUNG'], ['Z_NR', 0]];
const TABLES: Record<string, { name: string; columns: Column[] }> = {
	'cashpointclosing.csv': {
		name: 'Stamm_Abschluss',
		columns: [
			['Z_BUCHUNGSTAG'],
			['TAXONOMIE_VERSION'],
			['Z_START_ID'],
			['Z_ENDE_ID'],
			['NAME'],
			['STRASSE'],
			['PLZ'],
			['ORT'],
			['LAND'],
			['STNR'],
			['USTID'],
			['Z_SE_ZAHLUNGEN', 2],
			['Z_SE_BARZAHLUNGEN', 2],
		],
	},
	'location.csv': {
		name: 'Stamm_Orte',
		columns: [['LOC_NAME'], ['LOC_STRASSE'], ['LOC_PLZ'], ['LOC_ORT'], ['LOC_LAND'], ['LOC_USTID']],
	},
	'cashregister.csv': {
		name: 'Stamm_Kassen',
		columns: [
			['KASSE_BRAND'],
			['KASSE_MODELL'],
			['KASSE_SERIENNR'],
			['KASSE_SW_BRAND'],
			['KASSE_SW_VERSION'],
			['KASSE_BASISWAEH_CODE'],
			['KEINE_UST_ZUORDNUNG', 0],
		],
	},
	'vat.csv': { name: 'Stamm_USt', columns: [['UST_SCHLUESSEL', 0], ['UST_SATZ', 2], ['UST_BESCHR']] },
	'businesscases.csv': {
		name: 'Z_GV_Typ',
		columns: [
			['GV_TYP'],
			['GV_NAME'],
			['AGENTUR_ID', 0],
			['UST_SCHLUESSEL', 0],
			['Z_UMS_BRUTTO', 5],
			['Z_UMS_NETTO', 5],
			['Z_UST', 5],
		],
	},
	'payment.csv': { name: 'Z_Zahlart', columns: [['ZAHLART_TYP'], ['ZAHLART_NAME'], ['Z_ZAHLART_BETRAG', 2]] },
	'cash_per_currency.csv': { name: 'Z_Waehrungen', columns: [['ZAHLART_WAEH'], ['ZAHLART_BETRAG_WAEH', 2]] },
};

const sum = (amounts: string[]) => amounts.reduce((total, amount) => total.plus(amount), new Big(0));

/** The rows of a closing, by table. */
function rowsOf({ number, created, bookingDay = '', cases, payments }: Closing): Record<string, Row[]> {
	const total = sum(cases.map(([, , gross]) => gross));
	const cash = total.minus(sum(payments.map(([, , amount]) => amount))).toFixed(2);
	const key = { Z_KASSE_ID: 'KASSE-1', Z_ERSTELLUNG: created, Z_NR: String(number) };
	const all = payments.map(([type, name, amount]) => ({ ZAHLART_TYP: type, ZAHLART_NAME: name, Z_ZAHLART_BETRAG: amount }));
	const address = { STRASSE: 'Marktplatz 4', PLZ: '04177', ORT: 'Leipzig', LAND: 'DEU' };
	const tables: Record<string, Row[]> = {
		'cashpointclosing.csv': [
			{
				Z_BUCHUNGSTAG: bookingDay,
				TAXONOMIE_VERSION: '2.3',
				Z_START_ID: `${number}-1`,
				Z_ENDE_ID: `${number}-184`,
				NAME: 'Bäckerei Sonnenschein GmbH',
				...address,
				STNR: '231/456/78901',
				USTID: 'DE999999999',
				Z_SE_ZAHLUNGEN: total.toFixed(2),
				Z_SE_BARZAHLUNGEN: cash,
			},
		],
		'location.csv': [
			{ LOC_NAME: 'Laden Marktplatz', LOC_STRASSE: 'Marktplatz 4', LOC_PLZ: '04177', LOC_ORT: 'Leipzig', LOC_LAND: 'DEU' },
		],
		'cashregister.csv': [
			{
				KASSE_BRAND: 'Kassenwerk',
				KASSE_MODELL: 'K3',
				KASSE_SERIENNR: 'KW3-0004711',
				KASSE_SW_BRAND: 'Kassenwerk',
				KASSE_SW_VERSION: '8.2',
				KASSE_BASISWAEH_CODE: 'EUR',
				KEINE_UST_ZUORDNUNG: '0',
			},
		],
		'vat.csv': Object.entries(VAT).map(([id, [rate, text]]) => ({
			UST_SCHLUESSEL: id,
			UST_SATZ: rate,
			UST_BESCHR: text,
		})),
		'businesscases.csv': cases.map(([type, vat, gross, name = '']) => {
			const net = new Big(gross).div(new Big(VAT[vat][0]).div(100).plus(1)).round(5);
			return {
				GV_TYP: type,
				GV_NAME: name,
				AGENTUR_ID: '0',
				UST_SCHLUESSEL: String(vat),
				Z_UMS_BRUTTO: gross,
				Z_UMS_NETTO: net.toFixed(5),
				Z_UST: new Big(gross).minus(net).toFixed(5),
			};
		}),
		'payment.csv': [{ ZAHLART_TYP: 'Bar', ZAHLART_NAME: 'Bar', Z_ZAHLART_BETRAG: cash }, ...all],
		'cash_per_currency.csv': [{ ZAHLART_WAEH: 'EUR', ZAHLART_BETRAG_WAEH: cash }],
	};
	for (const rows of Object.values(tables)) for (const row of rows) Object.assign(row, key);
	return tables;
}

function cell(row: Row, [name, decimals]: Column): string {
	const value = row[name] ?? '';
	if (decimals === undefined) return value && `"${value.replaceAll('"', '""')}"`;
	return decimals === 0 || value === '' ? value : new Big(value).toFixed(decimals).replace('.', ',');
}

function csv(columns: Column[], rows: Row[]): string {
	const lines = rows.map((row) => columns.map((column) => cell(row, column)).join(';'));
	return `\uFEFF${[columns.map(([name]) => name).join(';'), ...lines, ''].join('\r\n')}`;
}

/** What describes the tables (GDPdU), with decimal sign and separators. */
function indexXml(): string {
	const tables = Object.entries(TABLES).map(([file, { name, columns }]) => {
		const described = [...KEY, ...columns].map(([column, decimals]) => {
			const type =
				decimals === undefined
					? '<AlphaNumeric />'
					: decimals === 0
						? '<Numeric />'
						: `<Numeric><Accuracy>${decimals}</Accuracy></Numeric>`;
			return `          <VariableColumn><Name>${column}</Name>${type}</VariableColumn>`;
		});
		return `    <Table>
      <URL>${file}</URL>
      <Name>${escape(name)}</Name>
      <UTF8 />
      <DecimalSymbol>,</DecimalSymbol>
      <DigitGroupingSymbol>.</DigitGroupingSymbol>
      <Range><From>2</From></Range>
      <VariableLength>
        <ColumnDelimiter>;</ColumnDelimiter>
        <RecordDelimiter>&#xD;&#xA;</RecordDelimiter>
        <TextEncapsulator>"</TextEncapsulator>
${described.join('\n')}
      </VariableLength>
    </Table>`;
	});
	return `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">
<DataSet>
  <Version>1.0</Version>
  <DataSupplier><Name>Bäckerei Sonnenschein GmbH</Name><Location>Leipzig</Location><Comment>DSFinV-K 2.3</Comment></DataSupplier>
  <Media>
    <Name>DSFinV-K</Name>
${tables.join('\n')}
  </Media>
</DataSet>
`;
}

/** A ZIP archive of files, all of the same time, so that the same files make the same archive. */
function zip(files: Record<string, string>): Buffer {
	const time = 0;
	// 1 January 2026, as MS-DOS counts.
	const date = ((2026 - 1980) << 9) | (1 << 5) | 1;
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, text] of Object.entries(files)) {
		const content = Buffer.from(text);
		const packed = deflateRawSync(content);
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		// The name is UTF-8; packed by deflate.
		common.writeUInt16LE(0x0800, 2);
		common.writeUInt16LE(8, 4);
		common.writeUInt16LE(time, 6);
		common.writeUInt16LE(date, 8);
		common.writeUInt32LE(crc32(content), 10);
		common.writeUInt32LE(packed.length, 14);
		common.writeUInt32LE(content.length, 18);
		common.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
		const rest = Buffer.alloc(14);
		rest.writeUInt32LE(offset, 10);
		directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name)]));
		parts.push(local);
		offset += local.length;
	}
	const size = directory.reduce((bytes, { length }) => bytes + length, 0);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(directory.length, 8);
	end.writeUInt16LE(directory.length, 10);
	end.writeUInt32LE(size, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...parts, ...directory, end]);
}

const closings = CLOSINGS.map(rowsOf);
const tables = Object.entries(TABLES).map(([file, { columns }]) => {
	const rows = closings.flatMap((of) => of[file]);
	return [file, csv([...KEY, ...columns], rows)];
});
const archive = zip({ 'index.xml': indexXml(), ...Object.fromEntries(tables) });
const path = '../cash-register-export/DSFinV-K KASSE-1 2026-11-16 bis 2026-11-21.zip';
await writeFile(fileURLToPath(new URL(path, import.meta.url)), archive);
