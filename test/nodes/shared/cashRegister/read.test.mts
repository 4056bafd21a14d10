/** Exports that somebody has made to harm: none costs time or memory without bounds, or is read in another way than it says. */
import { describe, expect, it } from 'vitest';

import { readExport } from '../../../../nodes/shared/cashRegister/read.js';
import { tablesOf, zip, zipOf } from '../../../support/cashExport.mjs';
import type { ZipOptions } from '../../../support/cashExport.mjs';

const read = async (bytes: Uint8Array) => await readExport([{ name: 'Export.zip', bytes }], [], 'SKR03');
const tables = () => tablesOf([{}]);
const bomb = (name: string, bytes: number) =>
	zip({ ...tables(), [name]: Buffer.alloc(bytes, 'KASSE-1;2026-11-16;311;Umsatz;;0;1;1,00;0;0\n') });

describe('An archive with an export of a cash register', () => {
	it.each<[string, ZipOptions]>([
		['whose content has another checksum', { checksum: 1 }],
		['whose content is shorter than it says', { size: 1_000_000 }],
		['whose content is longer than it says', { size: 10 }],
		['whose stored content is shorter than it says', { stored: true, size: 1_000_000 }],
		['whose content lies outside of it', { header: 0xfffffff0 }],
		['whose content is in its directory', { header: 5_000 }],
	])('%s is damaged', async (_, options) => {
		expect(await read(zip(tables(), options))).toMatchObject({ problem: expect.stringContaining('damaged') });
	});

	it('with a password, or an unusual method, says so', async () => {
		expect(await read(zip(tables(), { flags: 1 }))).toMatchObject({
			problem: expect.stringContaining('password'),
		});
		expect(await read(zip(tables(), { method: 12 }))).toMatchObject({
			problem: expect.stringContaining('unusual'),
		});
	});

	it('is read however it is stored, with a comment, and paths that lead elsewhere', async () => {
		expect(await read(zip(tables(), { stored: true, comment: 'PK\x05\x06 Kasse' }))).toHaveProperty(
			'closings',
		);
		const elsewhere = Object.fromEntries(
			Object.entries(tables()).map(([name, content]) => [`../../etc/${name}`, content]),
		);
		expect(await read(zip(elsewhere))).toHaveProperty('closings');
	});

	it('that unpacks to far more than a register writes is not read to its end', async () => {
		const started = process.cpuUsage();
		expect(await read(bomb('x/businesscases.csv', 100_000_000))).toMatchObject({
			problem: expect.stringContaining('too'),
		});
		expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
	});

	it('with any byte changed never throws', async () => {
		for (let i = 0; i < 40; i++) {
			const bytes = Buffer.from(zipOf([{}]));
			for (let at = i * 7; at < bytes.length; at += 280) bytes[at] ^= 0x55;
			const found = await read(bytes);
			expect('problem' in found ? found.problem : found.closings.length).toBeTruthy();
		}
	});
});

describe('A table in an export of a cash register', () => {
	const withCases = (text: string) => zip({ ...tables(), 'businesscases.csv': Buffer.from(text) });

	it.each<[string, string]>([
		['with a quotation mark that is never closed', '"Z_KASSE_ID;Z_NR\nKASSE-1;311'],
		['without a list of its columns', 'KASSE-1;2026;311;Umsatz'],
		[
			'with a line that is cut',
			'Z_KASSE_ID;Z_ERSTELLUNG;Z_NR;GV_TYP;UST_SCHLUESSEL;Z_UMS_BRUTTO\nKASSE-1;2026;311;Umsatz',
		],
		[
			'whose decimal comma is its delimiter',
			'Z_KASSE_ID,Z_ERSTELLUNG,Z_NR,GV_TYP,UST_SCHLUESSEL,Z_UMS_BRUTTO\nKASSE-1,2026,311,Umsatz,1,119,00',
		],
	])('%s is damaged', async (_, text) => {
		expect(await read(withCases(text))).toMatchObject({ problem: expect.stringContaining('damaged') });
	});

	it('with very many different business cases is not booked', async () => {
		const rows = Array.from(
			{ length: 5_000 },
			(_, i) => `KASSE-1;2026-11-16T18:42:10+01:00;311;Umsatz;${i};0;1;0,01;0;0`,
		);
		const started = process.cpuUsage();
		const head =
			'Z_KASSE_ID;Z_ERSTELLUNG;Z_NR;GV_TYP;GV_NAME;AGENTUR_ID;UST_SCHLUESSEL;Z_UMS_BRUTTO;Z_UMS_NETTO;Z_UST';
		const found = await read(withCases([head, ...rows].join('\n')));
		expect(found).toMatchObject({
			closings: [{ problems: expect.arrayContaining([expect.stringContaining('too many')]) }],
		});
		expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
	});

	it('with one line that is never over, or far more lines than a register writes, is not read for long', async () => {
		const started = process.cpuUsage();
		expect(await read(withCases('Z_KASSE_ID;Z_NR;'.repeat(300_000)))).toHaveProperty('closings');
		const one = 'KASSE-1;2026-11-16;311\n';
		const closings = Buffer.from(`Z_KASSE_ID;Z_ERSTELLUNG;Z_NR\n${one.repeat(300_000)}`);
		expect(await read(zip({ ...tables(), 'cashpointclosing.csv': closings }))).toMatchObject({
			problem: expect.stringContaining('too many rows'),
		});
		expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
	});
});
