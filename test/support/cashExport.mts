/** Makes exports of cash registers (DSFinV-K) by the official description, in the dialects that registers write. */
import { crc32, deflateRawSync } from 'node:zlib';

import { sum } from '../../nodes/shared/values/money.js';

/** The official columns of the tables, by file name. */
const COLUMNS = {
	'cashpointclosing.csv':
		'Z_BUCHUNGSTAG TAXONOMIE_VERSION Z_START_ID Z_ENDE_ID NAME STRASSE PLZ ORT LAND STNR USTID Z_SE_ZAHLUNGEN Z_SE_BARZAHLUNGEN',
	'cashregister.csv':
		'KASSE_BRAND KASSE_MODELL KASSE_SERIENNR KASSE_SW_BRAND KASSE_SW_VERSION KASSE_BASISWAEH_CODE KEINE_UST_ZUORDNUNG',
	'vat.csv': 'UST_SCHLUESSEL UST_SATZ UST_BESCHR',
	'businesscases.csv': 'GV_TYP GV_NAME AGENTUR_ID UST_SCHLUESSEL Z_UMS_BRUTTO Z_UMS_NETTO Z_UST',
	'payment.csv': 'ZAHLART_TYP ZAHLART_NAME Z_ZAHLART_BETRAG',
	'cash_per_currency.csv': 'ZAHLART_WAEH ZAHLART_BETRAG_WAEH',
} as const;
type Table = keyof typeof COLUMNS;

/** How a register writes its tables. */
export interface Dialect {
	delimiter?: string;
	/** The decimal sign. */
	decimal?: ',' | '.';
	/** The sign between thousands. */
	group?: string;
	quotes?: boolean;
	newline?: string;
	encoding?: 'utf8' | 'bom' | 'latin1' | 'utf16le';
	/** Decimals of business cases; the description allows five. */
	decimals?: number;
	version?: string;
	/** In the archive. */
	folder?: string;
}

/** A closing: business cases `[type, tax key, amount, name, agency]`, payments `[type, amount, name]`, cash `[currency, amount]`. */
export interface ClosingSpec {
	register?: string;
	number?: number | string;
	time?: string;
	day?: string;
	currency?: string;
	/** What has several rows may be a text: `Umsatz 1 119 Speisen; Pfand 1 2.5`, `Bar 200; ECKarte 29.7`, `EUR 200`, `1 19.00`. */
	cases?:
		| string
		| Array<[type: string, vat: string, amount: number | string, name?: string, agency?: string]>;
	payments?: string | Array<[type: string, amount: number | string, name?: string]>;
	cash?: string | Array<[currency: string, amount: number]>;
	rates?: string | Array<[key: string, rate: string, description?: string]>;
	/** Net amounts and taxes of the business cases, in their order; by default, what follows from key and rate. */
	taxes?: Array<[net: number | string, tax: number | string] | undefined>;
	/** Z_SE_ZAHLUNGEN and Z_SE_BARZAHLUNGEN; by default, the sums of the payments. */
	totals?: [payments: number | string, inCash: number | string];
	/** NAME, STNR and USTID: what the export says of the company. */
	company?: [name: string, taxNumber?: string, vatId?: string];
}

/** Sales of 119.00 at 19 % and 10.70 at 7 %, 29.70 of them by card; 100.00 in the drawer before. */
export const CLOSING = {
	register: 'KASSE-1',
	number: 311,
	time: '2026-11-16T18:42:10+01:00',
	cases: [
		['Anfangsbestand', '5', 100],
		['Umsatz', '1', 119],
		['Umsatz', '2', 10.7],
	],
	payments: [
		['Bar', 200],
		['ECKarte', 29.7],
	],
	cash: [['EUR', 200]],
	company: ['Bäckerei "Sonnenschein" GmbH'],
} satisfies ClosingSpec;

export const RATES: Array<[string, string, string?]> = [
	['1', '19.00'],
	['2', '7.00'],
	['5', '0.00'],
	['6', '0.00'],
	['7', '0.00'],
];

/** Rows that are given as a text. @param before how many words come before the value; those behind it are one */
function rowsOf<Row extends unknown[]>(given: string | Row[], before: number, isText = false): Row[] {
	if (typeof given !== 'string') return given;
	return given.split('; ').map((row) => {
		const words = row.split(' ');
		const name = words.slice(before + 1).join(' ');
		const value = isText ? words[before] : Number(words[before]);
		// The compiler doesn't know how many words a text has.
		return [...words.slice(0, before), value, ...(name ? [name] : [])] as unknown as Row;
	});
}

/** The tables of an export, by file name. */
export function tablesOf(closings: ClosingSpec[], dialect: Dialect = {}): Record<string, Buffer> {
	const { delimiter = ';', decimal = ',', group = '', newline = '\r\n', decimals = 5 } = dialect;
	const rows: Partial<Record<Table, string[][]>> = {};
	const money = (amount: number | string, places = decimals) => {
		if (typeof amount === 'string') return amount;
		const [whole, fraction = ''] = Math.abs(amount).toFixed(places).split('.');
		const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
		return `${amount < 0 ? '-' : ''}${grouped}${fraction && decimal}${fraction}`;
	};
	for (const given of closings) {
		const spec = { ...CLOSING, rates: RATES, currency: 'EUR', day: '', ...given };
		const one = {
			...spec,
			cases: rowsOf(spec.cases, 2),
			payments: rowsOf(spec.payments, 1),
			cash: rowsOf(spec.cash, 1),
			rates: rowsOf(spec.rates, 1, true),
		};
		const add = (table: Table, values: Record<string, string>) =>
			(rows[table] ??= []).push([
				one.register,
				one.time,
				String(one.number),
				...COLUMNS[table].split(' ').map((column) => values[column] ?? ''),
			]);
		const paid = (isCounted: (type: string) => boolean) =>
			one.payments.some(([, amount]) => typeof amount === 'string')
				? ''
				: sum(one.payments.map(([type, amount]) => (isCounted(type) ? Number(amount) : 0)));
		const [payments, inCash] = one.totals ?? [paid(() => true), paid((type) => type === 'Bar')];
		const [name, taxNumber = '', vatId = ''] = one.company;
		add('cashpointclosing.csv', {
			Z_BUCHUNGSTAG: one.day,
			TAXONOMIE_VERSION: dialect.version ?? '2.3',
			NAME: name,
			STNR: taxNumber,
			USTID: vatId,
			Z_SE_ZAHLUNGEN: money(payments, 2),
			Z_SE_BARZAHLUNGEN: money(inCash, 2),
		});
		add('cashregister.csv', { KASSE_BRAND: 'Müller & Söhne', KASSE_BASISWAEH_CODE: one.currency });
		for (const [key, rate, description = ''] of one.rates)
			add('vat.csv', {
				UST_SCHLUESSEL: key,
				UST_SATZ: rate.replace('.', decimal),
				UST_BESCHR: description,
			});
		one.cases.forEach(([type, vat, amount, name = '', agency = '0'], i) => {
			const rate = Number(one.rates.find(([key]) => key === vat)?.[1]);
			const tax = (Number(amount) * rate) / (100 + rate);
			const [net, ofIt] =
				one.taxes?.[i] ?? (Number.isFinite(tax) && rate >= 0 ? [Number(amount) - tax, tax] : ['', '']);
			add('businesscases.csv', {
				GV_TYP: type,
				GV_NAME: name,
				AGENTUR_ID: agency,
				UST_SCHLUESSEL: vat,
				Z_UMS_BRUTTO: money(amount),
				Z_UMS_NETTO: money(net),
				Z_UST: money(ofIt),
			});
		});
		for (const [type, amount, name = ''] of one.payments)
			add('payment.csv', { ZAHLART_TYP: type, ZAHLART_NAME: name, Z_ZAHLART_BETRAG: money(amount, 2) });
		for (const [currency, amount] of one.cash)
			add('cash_per_currency.csv', { ZAHLART_WAEH: currency, ZAHLART_BETRAG_WAEH: money(amount, 2) });
	}
	const quoted = (text: string) =>
		dialect.quotes || text.includes(delimiter) || text.includes('"')
			? `"${text.replaceAll('"', '""')}"`
			: text;
	return Object.fromEntries(
		Object.entries(COLUMNS).map(([name, columns]) => {
			const records = rows[name as Table] ?? [];
			const head = ['Z_KASSE_ID', 'Z_ERSTELLUNG', 'Z_NR', ...columns.split(' ')];
			const text = [head, ...records].map((record) => record.map(quoted).join(delimiter) + newline).join('');
			return [name, encoded(text, dialect.encoding)];
		}),
	);
}

function encoded(text: string, encoding: Dialect['encoding'] = 'utf8'): Buffer {
	if (encoding === 'bom') return Buffer.from(`\ufeff${text}`);
	if (encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
	return Buffer.from(text, encoding);
}

/** An export as a register makes it. */
export const zipOf = (closings: ClosingSpec[], dialect: Dialect = {}): Buffer =>
	zip(
		Object.fromEntries([
			...Object.entries(tablesOf(closings, dialect)).map(([name, content]) => [
				`${dialect.folder ?? ''}${name}`,
				content,
			]),
			[`${dialect.folder ?? ''}index.xml`, Buffer.from('<?xml version="1.0"?><DataSet/>')],
		]),
	);

/** What is wrong with an archive, or unusual. */
export interface ZipOptions {
	stored?: boolean;
	/** How many deflated blocks of nothing go before the content; each takes 5 bytes. */
	emptyBlocks?: number;
	/** As the archive's directory has it. */
	size?: number;
	checksum?: number;
	flags?: number;
	method?: number;
	header?: number;
	comment?: string;
}

const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff]);

/** An archive, as ZIP programs make it. */
export function zip(files: Record<string, Buffer>, options: ZipOptions = {}): Buffer {
	const locals: Buffer[] = [];
	const directory: Buffer[] = [];
	let at = 0;
	for (const [name, content] of Object.entries(files)) {
		const packed = options.stored
			? content
			: Buffer.concat([Buffer.alloc(5 * (options.emptyBlocks ?? 0), EMPTY_BLOCK), deflateRawSync(content)]);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(options.flags ?? 0, 2);
		fields.writeUInt16LE(options.method ?? (options.stored ? 0 : 8), 4);
		fields.writeUInt32LE(options.checksum ?? crc32(content), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(options.size ?? content.length, 18);
		fields.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
		const end = Buffer.alloc(14);
		end.writeUInt32LE(options.header ?? at, 10);
		directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, end, Buffer.from(name)]));
		locals.push(local);
		at += local.length;
	}
	const list = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 0, 'latin1');
	end.writeUInt16LE(directory.length, 8);
	end.writeUInt16LE(directory.length, 10);
	end.writeUInt32LE(list.length, 12);
	end.writeUInt32LE(at, 16);
	const comment = Buffer.from(options.comment ?? '');
	end.writeUInt16LE(comment.length, 20);
	return Buffer.concat([...locals, list, end, comment]);
}
