/** Exports that somebody has made to harm: none costs time or memory without bounds, or is read in another way than it says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readExport } from '../../../../nodes/AccountingGatewayFiles/cashRegisterExport/readExport.js';
import { IS_THOROUGH } from '../../../../scripts/base/extent.mjs';
import { tablesOf, zip, zipOf } from '../../../support/cashExport.mjs';
import type { ClosingSpec, ZipOptions } from '../../../support/cashExport.mjs';
import { processorTime, watched } from '../../../support/timing.mjs';

const read = async (bytes: Uint8Array) =>
	await readExport([{ name: 'Export.zip', bytes }], { own: [], chart: 'SKR03' });
/** A sentence for a person that has this in English. */
const said = (text: string) => expect.objectContaining({ en: expect.stringContaining(text) }) as object;
const tables = () => tablesOf([{}]);
const withCases = (table: string | Buffer) =>
	zip({ ...tables(), 'businesscases.csv': Buffer.from(table as string) });
const bomb = (name: string, bytes: number) =>
	zip({ ...tables(), [name]: Buffer.alloc(bytes, 'KASSE-1;2026-11-16;311;Umsatz;;0;1;1,00;0;0\n') });

describe('An archive with an export of a cash register', () => {
	it.each<[string, ZipOptions]>([
		['whose content has another checksum', { checksum: 1 }],
		['whose content is shorter than it says', { size: 1_000_000 }],
		['whose content is longer than it says', { size: 10 }],
		['whose stored content has another checksum', { stored: true, checksum: 1 }],
		['whose stored content is shorter than it says', { stored: true, size: 1_000_000 }],
		['whose content lies outside of it', { header: 0xfffffff0 }],
		['whose content is in its directory', { header: 5_000 }],
	])('%s is damaged', async (_, options) => {
		expect(await read(zip(tables(), options))).toMatchObject({ problem: said('damaged') });
	});

	it.each<[string, ZipOptions]>([
		['password', { flags: 1 }],
		['unusual', { method: 12 }],
		['too large', { size: 0xffffffff }],
	])('that can’t be read says why: %s', async (why, options) => {
		expect(await read(zip(tables(), options))).toMatchObject({ problem: said(why) });
	});

	it('is read in the format for very large archives (ZIP64), too, which some programs use for all', async () => {
		const bytes = await readFile(join(import.meta.dirname, 'samples/zip64.zip'));
		expect(await read(bytes)).toMatchObject({ closings: [{ gain: 100, problems: [] }] });
		const damaged = (signature: string, field: number) => {
			const at = bytes.indexOf(signature, 0, 'latin1') + field;
			return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(8, 0xff), bytes.subarray(at + 8)]);
		};
		// Where the end is, and where the directory begins.
		expect(await read(damaged('PK\x06\x07', 8))).toMatchObject({ problem: said('damaged') });
		expect(await read(damaged('PK\x06\x06', 48))).toMatchObject({ problem: said('damaged') });
	});

	it('is read however it is stored, with a comment, paths that lead elsewhere, and what macOS adds', async () => {
		expect(await read(zip(tables(), { stored: true, comment: 'PK\x05\x06 Kasse' }))).toHaveProperty(
			'closings',
		);
		const elsewhere = Object.fromEntries(
			Object.entries(tables()).map(([name, content]) => [`../../etc/${name}`, content]),
		);
		elsewhere['__MACOSX/._cashpointclosing.csv'] = Buffer.from([0, 5, 0x16, 7]);
		expect(await read(zip(elsewhere))).toHaveProperty('closings');
	});

	it('that unpacks to far more than a register writes is not read to its end', async () => {
		const took = await processorTime(async () => {
			const found = await read(bomb('x/businesscases.csv', 100_000_000));
			expect(found).toMatchObject({ problem: said('too') });
		});
		expect(took).toBeLessThan(3000);
	});

	it('that unpacks to far more than it says is unpacked no further', async () => {
		const bytes = zip({ 'cashpointclosing.csv': Buffer.alloc(200_000_000) }, { size: 10 });
		const took = await processorTime(async () =>
			expect(await read(bytes)).toMatchObject({ problem: said('damaged') }),
		);
		// To unpack all of it takes several times as long.
		expect(took).toBeLessThan(100);
	});

	it('that is packed in far more bytes than it unpacks to is not unpacked', async () => {
		const table = Buffer.from('Z_NR\n');
		const packed = (emptyBlocks: number) => zip({ 'vat.csv': table }, { emptyBlocks });
		expect(await read(packed(10))).toMatchObject({ problem: said('no closing') });
		expect(await read(packed(14_000_000))).toMatchObject({ problem: said('too large') });
	});

	it('with any byte changed never throws', async () => {
		for (let i = 0; i < 40; i++) {
			const bytes = Buffer.from(zipOf([{}]));
			for (let at = i * 7; at < bytes.length; at += 280) bytes[at] ^= 0x55;
			const found = await read(bytes);
			expect(
				'problem' in found ? found.problem.de : found.closings,
				'closings, or what is wrong',
			).not.toHaveLength(0);
		}
	});
});

describe('A table in an export of a cash register', () => {
	const HEAD = 'Z_KASSE_ID;Z_ERSTELLUNG;Z_NR;GV_TYP;UST_SCHLUESSEL;Z_UMS_BRUTTO\n';
	it.each<[string, string]>([
		['with a quotation mark that is never closed', '"Z_KASSE_ID;Z_NR\nKASSE-1;311'],
		['without a list of its columns', 'KASSE-1;2026;311;Umsatz'],
		['with a line that is cut', `${HEAD}KASSE-1;2026;311;Umsatz`],
		['whose decimal comma is its delimiter', `${HEAD}KASSE-1;2026;311;Umsatz;1;119;00`.replaceAll(';', ',')],
	])('%s is damaged', async (_, text) => {
		expect(await read(withCases(text))).toMatchObject({ problem: said('damaged') });
	});

	it('that is there twice is not counted twice', async () => {
		const copied = ['businesscases', 'payment', 'cash_per_currency'];
		const copies = copied.map((name) => [`${name} (1).csv`, tables()[`${name}.csv`]]);
		expect(await read(zip({ ...tables(), ...Object.fromEntries(copies) }))).toMatchObject({
			closings: [{ problems: copied.map((name) => said(`${name}.csv and ${name} (1).csv`)) }],
		});
	});

	it('without a closing that others have, or with closings alone, loses none and takes none for empty', async () => {
		const { 'cashpointclosing.csv': listed, ...others } = tables();
		const missing = expect.arrayContaining([said('missing in the list')]) as object[];
		expect(
			await read(zip({ ...tablesOf([{}, { number: 312 }]), 'cashpointclosing.csv': listed })),
		).toMatchObject({
			closings: [{ problems: [] }, { closing: { number: '312' }, gain: 100, problems: missing }],
		});
		const elsewhere = Object.entries(others).map(([name, table]) => [`amounts/${name}`, table]);
		const empty = { problems: [said('Its business cases are missing (businesscases.csv).')] };
		const apart = zip({ 'cashpointclosing.csv': listed, ...Object.fromEntries(elsewhere) });
		expect(await read(apart)).toMatchObject({ closings: [empty, { problems: missing }] });
	});

	it('with very many different business cases is not booked', async () => {
		const rows = Array.from(
			{ length: 5_000 },
			(_, i) => `KASSE-1;2026-11-16T18:42:10+01:00;311;Umsatz;${i};0;1;0,01;0;0`,
		);
		const head =
			'Z_KASSE_ID;Z_ERSTELLUNG;Z_NR;GV_TYP;GV_NAME;AGENTUR_ID;UST_SCHLUESSEL;Z_UMS_BRUTTO;Z_UMS_NETTO;Z_UST';
		const took = await processorTime(async () => {
			const found = await read(withCases([head, ...rows].join('\n')));
			const problems = expect.arrayContaining([said('too many')]) as object[];
			expect(found).toMatchObject({ closings: [{ problems }] });
		});
		expect(took).toBeLessThan(2000);
	});

	it('with one line that is never over, or far more lines than a register writes, is not read for long', async () => {
		const one = 'KASSE-1;2026-11-16;311\n';
		const closings = Buffer.from(`Z_KASSE_ID;Z_ERSTELLUNG;Z_NR\n${one.repeat(300_000)}`);
		const took = await processorTime(async () => {
			expect(await read(withCases('Z_KASSE_ID;Z_NR;'.repeat(300_000)))).toMatchObject({
				problem: said('too many columns'),
			});
			for (const table of [closings, Buffer.alloc(300_000, '\n')]) {
				expect(await read(zip({ ...tables(), 'cashpointclosing.csv': table }))).toMatchObject({
					problem: said('too many rows'),
				});
			}
		});
		expect(took).toBeLessThan(5000);
	});
});

/** Of a table that means harm: as large as an export may be, or a fifth of that by day. */
const BYTES = IS_THOROUGH ? 30_000_000 : 6_000_000;

describe('A cash register’s export doesn’t stop n8n', () => {
	it('by a table with very many columns', async () => {
		const withColumns = (columns: number) =>
			withCases(`Z_NR${';a'.repeat(columns)}\n${`${';'.repeat(columns)}\n`.repeat((2 * BYTES) / columns)}`);
		expect(await read(withColumns(45_000))).toMatchObject({ problem: said('too many columns') });
		const most = withColumns(900);
		const { memory } = await watched(async () => await read(most));
		expect(memory).toBeLessThan(200);
	});

	it.each<[string, Buffer]>([
		['quotation marks alone', Buffer.alloc(BYTES, '"')],
		['quoted fields in one line', Buffer.from('a;"b""c";'.repeat(BYTES / 10))],
		['one field', Buffer.alloc(BYTES, 'x')],
		['letters that only Windows knows', Buffer.alloc(BYTES, 0xe9)],
	])('by a table of %s', async (_, table) => {
		const bytes = withCases(table);
		const { blocked } = await watched(async () => await read(bytes));
		expect(blocked).toBeLessThan(500);
	});

	it('by very many closings, in however many folders', async () => {
		const rows = Array.from({ length: 15_000 }, (_, i) => `K;2026-11-16T10:00:00;${i}\n`);
		const closings = Buffer.from(`Z_KASSE_ID;Z_ERSTELLUNG;Z_NR\n${rows.join('')}`);
		const bytes = zip({ '1/cashpointclosing.csv': closings, '2/cashpointclosing.csv': closings });
		expect(await read(bytes)).toMatchObject({ problem: said('too many closings') });
	});

	it.each<[string, () => Uint8Array]>([
		[
			'folders with very long names',
			() => {
				const folder = (i: number) => `${i}${'f'.repeat(16_400)}`;
				const names = Array.from({ length: 4_000 }, (_, i) => `${folder(i)}/vat.csv`);
				return zip(Object.fromEntries(names.map((name) => [name, Buffer.from('Z_NR\n')])));
			},
		],
		...['Z_KASSE_ID', 'Z_NR'].map((column): [string, () => Uint8Array] => [
			`very many digits in ${column}`,
			() => {
				const rows = Array.from({ length: 15_000 }, (_, i) => {
					const digits = '7'.repeat(980) + String((i * 7_919) % 15_000).padStart(6, '0');
					return column === 'Z_NR' ? `K;2026-11-16T10:00:00;${digits}` : `${digits};2026-11-16T10:00:00;1`;
				});
				const table = `Z_KASSE_ID;Z_ERSTELLUNG;Z_NR\n${rows.join('\n')}`;
				return zip({ ...tables(), 'cashpointclosing.csv': Buffer.from(table) });
			},
		]),
		[
			'very many currencies',
			() => {
				const rows = Array.from({ length: 60_000 }, (_, i) => `KASSE-1;;311;${i}${'\u00ad,'.repeat(300)}`);
				const table = `Z_KASSE_ID;Z_ERSTELLUNG;Z_NR;KASSE_BASISWAEH_CODE\n${rows.join('\n')}`;
				return zip({ ...tables(), 'cashregister.csv': Buffer.from(table) });
			},
		],
	])('by %s', async (_, make) => {
		const bytes = make();
		const { result, blocked, memory } = await watched(async () => await read(bytes));
		expect(blocked).toBeLessThan(500);
		expect(memory).toBeLessThan(200);
		// An execution's data holds what is said.
		expect(JSON.stringify(result).length).toBeLessThan(10_000_000);
	});

	it('nor has a register’s ID or a text two lines, or another order than that of its letters', async () => {
		const name = 'Lunch\u202e\nDinner';
		const found = await read(
			zipOf([{ register: 'K\r\n1\u202e2', number: '3\u200b1', cases: [['Umsatz', '1', 119, name]] }], {
				quotes: true,
			}),
		);
		expect(JSON.stringify(found)).toContain('K 1 2');
		expect(JSON.stringify(found)).not.toMatch(/\\[nr]|[\u200b\u202e]/);
	});

	it('by names of any length, which no sentence repeats as a whole', async () => {
		const name = 'n'.repeat(60_000);
		const cases: Array<[string, string, number, string, string]> = [[name, '1', 10, name, name]];
		const found = await read(zipOf([{ cases, currency: name }]));
		expect(JSON.stringify('closings' in found && found.closings[0].problems).length).toBeLessThan(5_000);
		const damaged = await read(zip({ [`${'f/'.repeat(20_000)}vat.csv`]: Buffer.from('"') }));
		expect('problem' in damaged && damaged.problem.en.length).toBeLessThan(400);
	});
});

describe('A cash register’s sales are not booked', () => {
	const sold = (vat: string): ClosingSpec => ({ cases: [['Umsatz', vat, 10]], payments: 'Bar 10' });

	it.each<[string, string, ClosingSpec]>([
		...['Infinity', '0x13', '1e1', '-19'].map((rate): [string, string, ClosingSpec] => [
			`at a rate of ${rate}`,
			'1',
			{ ...sold('1'), rates: [['1', rate]] },
		]),
		...['constructor', '__proto__', 'toString'].map((vat): [string, string, ClosingSpec] => [
			`with the tax key ${vat}`,
			vat,
			sold(vat),
		]),
	])('%s', async (_how, vat, spec) => {
		const own = [{ vorgang: 'Umsatz', gegenkonto: '8400' }];
		expect(await readExport([{ name: 'Export.zip', bytes: zipOf([spec]) }], { own })).toMatchObject({
			closings: [{ lines: [], problems: [said(`UST_SCHLUESSEL ${vat}`)] }],
		});
	});
});
