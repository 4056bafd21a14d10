/**
 * Lists whose sender means harm: n8n goes on while they are read, and what is said is short. With `HOSTILE_BYTES=45000000` (the nightly
 * run), they are as large as a file may be.
 */
import { describe, expect, it, vi } from 'vitest';

import { readTable } from '../../../../../nodes/AccountingGatewayFiles/formats/table/read.js';
import { zip } from '../../../../support/cashExport.mjs';
import { ods, sheetXml, xlsx } from '../../../../support/spreadsheets.mjs';
import { watched } from '../../../../support/timing.mjs';
import { TABLE_LIMITS } from '../../../../../nodes/AccountingGatewayFiles/formats/table/limits.js';

/** Milliseconds for which n8n may stand still, and of processor time; and megabytes that may be taken. */
const MAX_BLOCK = 500;
const MAX_PROCESSOR = 15_000;
const MAX_MEMORY = 200;

const SIZE = Number(process.env.HOSTILE_BYTES ?? 1_000_000);
const full = (text: string, bytes = Math.min(SIZE, TABLE_LIMITS.bytes - 1000)) =>
	text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
/** At most as large as a part may be once it is unpacked. */
const PART = Math.min(SIZE, 30_000_000);
const inSheet = (content: string) => xlsx(`<worksheet><sheetData><row r="1"><c r="A1">${content}`);
const cell = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>';

const ROW = { 1: ['Datum', 'Text', 'Einnahme'], 2: ['01.02.2026', 'x', 5] };
/** A workbook of 3,000 rows whose cells are merged again and again. */
const merging = (ref: string, columns = 20) =>
	xlsx(
		`<worksheet><sheetData>${`<row>${'<c><v>1</v></c>'.repeat(columns)}</row>`.repeat(3000)}</sheetData><mergeCells>${`<mergeCell ref="${ref}"/>`.repeat(PART / 40)}</mergeCells></worksheet>`,
	);
/** A workbook with 5,000 styles that refer to these formats in turn. */
const styled = (codes: string[]) =>
	xlsx(ROW, {
		more: {
			'xl/styles.xml': `<styleSheet><numFmts>${codes.map((code, n) => `<numFmt numFmtId="${200 + n}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs>${Array.from({ length: 5000 }, (_, n) => `<xf numFmtId="${200 + (n % codes.length)}"/>`).join('')}</cellXfs></styleSheet>`,
		},
	});

const FILES: Record<string, () => Buffer | string> = {
	'one line': () => full('x'),
	'empty lines': () => full('\n'),
	separators: () => full(';'),
	'quotation marks': () => full('"'),
	'quotation marks that are never closed': () => full('"a\n'),
	'quoted fields': () => full('"a";"b"\n'),
	rows: () => full('1;2;3;4;5\n'),
	'invalid UTF-8': () => Buffer.alloc(Math.min(SIZE, TABLE_LIMITS.bytes - 1000), 0xff),
	'a bomb': () => xlsx(sheetXml({}), { more: { 'xl/worksheets/sheet1.xml': full(' ', 4.5 * SIZE) } }),
	'a bomb that says that it is small': () =>
		zip(
			{ '[Content_Types].xml': Buffer.from('x'), '_rels/.rels': Buffer.from(full('<a/>', PART)) },
			{ size: 100 },
		),
	'a section of brackets': () => inSheet(`<![CDATA[${full(']', PART)}`),
	'a comment of hyphens': () => inSheet(`<!--${full('-a', PART)}`),
	'an instruction of question marks': () => inSheet(`<?x ${full('?', PART)}`),
	'an endless name': () => inSheet(`<${full('a', PART)}`),
	'an endless attribute': () => inSheet(`<a b="${full('a', PART)}`),
	attributes: () => inSheet(`<a ${full('b="" ', PART)}`),
	'elements within elements': () => inSheet(full('<a>', PART)),
	references: () => inSheet(`<v>${full('&amp;', PART)}`),
	'a document type with entities': () => xlsx(`<!DOCTYPE x [<!ENTITY a "ha">]><worksheet>&a;</worksheet>`),
	'empty cells': () => inSheet(full('<c/>', PART)),
	'small rows': () => xlsx(`<worksheet><sheetData>${full('<row><c><v>1</v></c></row>', PART)}`),
	'long rows': () =>
		xlsx(`<worksheet><sheetData>${full(`<row>${'<c><v>1</v></c>'.repeat(500)}</row>`, PART)}`),
	'cells that are merged': () => merging('A1:XFD1048576', 100),
	'cells that are merged one by one': () => merging('B2:C3'),
	'columns without cells that are merged': () => merging('XFD9:XFD1048576'),
	'shared texts': () => xlsx({ 1: ['x'] }, { strings: full('<si><t>a</t></si>', PART) }),
	'a shared text for each cell': () =>
		xlsx(`<worksheet><sheetData>${full(`<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`, PART)}`, {
			strings: `<si><t>${'x'.repeat(30_000)}</t></si>`,
		}),
	'rows without end': () => xlsx({ 99_999_999: ['x'] }),
	'repeated rows': () =>
		ods(`<table:table-row table:number-rows-repeated="9999999">${cell}</table:table-row>`),
	'repeated empty rows': () =>
		ods(full('<table:table-row table:number-rows-repeated="9999999"/>', 1_000_000)),
	'repeated cells': () =>
		ods(
			full(
				`<table:table-row>${cell.replace('<table:table-cell', '<table:table-cell table:number-columns-repeated="9999999"')}</table:table-row>`,
				PART,
			),
		),
	'repeated spaces': () =>
		ods(`<table:table-row><table:table-cell><text:p>${full('<text:s text:c="9999999"/>', PART)}`),
	'formats of numbers': () =>
		xlsx(sheetXml({}), {
			more: {
				'xl/styles.xml': `<styleSheet><numFmts>${full(`<numFmt numFmtId="200" formatCode="${'[$'.repeat(120)}"/>`, PART)}`,
			},
		}),
	// 6 kB that took a minute: a format that is read again for each style that has it.
	'styles that have one long format': () => xlsx(ROW, { formats: Array(9000).fill('[$'.repeat(120)) }),
	'styles that share an endless format': () => styled(['[$'.repeat(90_000)]),
	'styles that share long formats, each a little different': () =>
		styled(Array.from({ length: 90 }, (_, n) => `${'0'.repeat(100_000)}${100 + n}`)),
	'many paragraphs in a cell': () =>
		ods(
			`<table:table-row><table:table-cell office:value-type="string">${'<text:p>x</text:p>'.repeat(1_000_000)}</table:table-cell></table:table-row>`,
		),
	'a long text, repeated': () =>
		ods(
			`<table:table-row table:number-rows-repeated="9999"><table:table-cell table:number-columns-repeated="200"><text:p>${'x'.repeat(30_000)}</text:p></table:table-cell></table:table-row>`,
		),
	'a shared text of escapes for each cell': () =>
		xlsx(
			`<worksheet><sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`.repeat(5000)}</sheetData></worksheet>`,
			{ strings: `<si><t>${'_x000D_'.repeat(4000)}</t></si>` },
		),
	sheets: () => ods(`</table:table>${full('<table:table table:name="x"></table:table>', PART)}<table:table>`),
};

describe('n8n goes on while it reads a list of nothing but', () => {
	it.each(Object.entries(FILES))(
		'%s',
		async (_, make) => {
			const bytes = Buffer.from(make());
			const { result, ...took } = await watched(async () => await readTable(bytes, 'Liste'));
			expect(took.blocked).toBeLessThan(MAX_BLOCK);
			expect(took.processor).toBeLessThan(MAX_PROCESSOR);
			expect(took.memory).toBeLessThan(MAX_MEMORY);
			if ('problem' in result) expect(JSON.stringify(result).length).toBeLessThan(2_000);
			else expect(result.rows.length).toBeLessThanOrEqual(50_000);
		},
		120_000,
	);

	it('names of prototypes, and reads it', async () => {
		const book = xlsx({ 1: ['__proto__', 'constructor', 'x'] }, { more: { __proto__: 'x' } });
		const read = await readTable(book, 'Liste');
		expect(read).toMatchObject({ rows: [{ number: 1, cells: ['__proto__', 'constructor', 'x'] }] });
	});

	it('long formats, and keeps none of them as the key of a Map: V8 hashes nothing beyond 16,383 characters, but compares all of it', async () => {
		const codes = Array.from({ length: 90 }, (_, n) => `${'0'.repeat(20_000)}${100 + n}`);
		const keys = vi.spyOn(Map.prototype, 'get');
		const longest = await readTable(styled(codes), 'Liste').then(() =>
			Math.max(...keys.mock.calls.map(([key]) => (typeof key === 'string' ? key.length : 0))),
		);
		keys.mockRestore();
		expect(longest).toBe(255);
	});
});
