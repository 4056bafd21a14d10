/** Reads the closings of cash registers from their exports (DSFinV-K): ZIP archives, or tables as files. */
import { groupBy, uniq } from 'lodash';

import { cut, oneLine } from '../errors/presentable';
import { filesIn, isZip, ZipError } from '../readers/formats';
import type { Source } from '../readers/formats';
import { Turn } from '../turn';
import type { AccountRow } from './accounts';
import { bookingOf } from './booking';
import type { Booking } from './booking';
import { amountText, Closing, withoutZeros } from './closing';
import { ExportError, readTable, TABLE_NAMES, tableOf } from './tables';
import type { Budget, Row, TableName } from './tables';

/** The largest files that are read, together. A year of a busy register has less. */
export const MAX_EXPORT_BYTES = 128 * 1024 * 1024;
/** What the tables with the sums of all closings may be; those of the receipts, which are much larger, aren't read. */
const BUDGET: Readonly<Budget> = { bytes: 64 * 1024 * 1024, rows: 250_000, closings: 20_000 };

export interface ExportFile {
	name: string;
	bytes: Uint8Array;
	sha256?: string;
}

/** A closing and its booking. */
export interface ReadClosing extends Booking {
	closing: Closing;
}

/** The result of reading: closings by register and number, or why there are none. */
export type ReadExport = { closings: ReadClosing[] } | { problem: string };

/**
 * Reads exports. Never throws: their maker chooses the files, and others should still be read.
 * @param own see `bookingOf`
 */
export async function readExport(
	files: ExportFile[],
	own: readonly AccountRow[],
	chart?: string,
): Promise<ReadExport> {
	try {
		const budget = { ...BUDGET };
		const turn = new Turn();
		const found: Closing[] = [];
		for (const tables of exportsIn(files)) found.push(...(await closingsIn(tables, budget, turn)));
		if (found.length === 0) return { problem: 'There is no closing in it (cashpointclosing.csv).' };
		return { closings: await booked(found, turn, own, chart) };
	} catch (error) {
		if (error instanceof ExportError || error instanceof ZipError)
			return { problem: sentence(error.message) };
		return { problem: "The export is damaged and can't be read: export it again." };
	}
}

type Table = Source & { table: TableName; sha256?: string };

/** The tables of each export: a folder of an archive is one, and all tables that are files themselves are one. */
function exportsIn(files: ExportFile[]): Table[][] {
	const sources = files.flatMap(({ name, bytes, sha256 }, i) => {
		const contents = isZip(bytes) ? filesIn(bytes) : [{ name, size: bytes.length, bytes: async () => bytes }];
		return contents.flatMap((source) => {
			const table = tableOf(source);
			const place = isZip(bytes) ? `${i} ${folderOf(source)}` : '';
			return table ? [{ ...source, table, sha256, place }] : [];
		});
	});
	return Object.values(groupBy(sources, 'place'));
}

const folderOf = ({ name }: Source): string =>
	name.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

/** The closings of one export. Their rows are known by register and number. */
async function closingsIn(tables: Table[], budget: Budget, turn: Turn): Promise<Closing[]> {
	const closings = new Map<string, Closing>();
	const add = (name: TableName, row: Row, table: Table) => {
		let closing = closings.get(keyOf(row));
		if (closing && name === 'closings')
			closing.addProblem(
				`Its number is in the export twice (${closing.time}, ${row('Z_ERSTELLUNG')}): it was split, or the register was reset. Book it by hand, from the register's own report (Z-Bon).`,
			);
		if (!closing) {
			// These say nothing about amounts.
			if (name === 'registers' || name === 'rates') return;
			if (--budget.closings < 0)
				throw new ExportError('The export has too many closings: export a shorter period.');
			closing = new Closing(row, table.sha256);
			closings.set(keyOf(row), closing);
			if (name !== 'closings')
				closing.addProblem('It is missing in the list of closings (cashpointclosing.csv): export it again.');
		}
		if (name !== 'closings') closing.add(name, row, table);
	};
	for (const name of TABLE_NAMES) {
		for (const table of tables.filter((one) => one.table === name)) {
			await readTable(table, budget, turn, (row) => add(name, row, table));
		}
	}
	if (!tables.some(({ table }) => table === 'cases'))
		closings.forEach((closing) => closing.addProblem('Its business cases are missing (businesscases.csv).'));
	return [...closings.values()];
}

const keyOf = (row: Row): string => JSON.stringify([row('Z_KASSE_ID'), withoutZeros(row('Z_NR'))]);

/** The longest sentence about an export. */
const MAX_SENTENCE = 300;
/** A sentence that may have names from the export. */
const sentence = (text: string): string => cut(oneLine(text), MAX_SENTENCE);

const compare = new Intl.Collator('de', { numeric: true }).compare;

/** The bookings, in the order of their registers and numbers, with what follows from the closing before. */
async function booked(
	found: Closing[],
	turn: Turn,
	own: readonly AccountRow[],
	chart?: string,
): Promise<ReadClosing[]> {
	const read: ReadClosing[] = [];
	for (const closing of found) {
		await turn.yield();
		const booking = bookingOf(closing, own, chart);
		read.push({
			closing,
			...booking,
			warnings: booking.warnings.map(sentence),
			problems: uniq(booking.problems.map(sentence)),
		});
	}
	read.sort(({ closing: a }, { closing: b }) => {
		// "1" and "01" are two registers, but equal in the first order.
		const plain = a.register < b.register ? -1 : Number(a.register > b.register);
		return compare(a.register, b.register) || plain || compare(a.number, b.number);
	});
	read.forEach((one, i) => {
		const before = read[i - 1];
		if (before?.closing.register === one.closing.register) one.warnings.unshift(...sinceLast(before, one));
	});
	return read;
}

/** Warnings about the time since the closing before, from the numbers and the cash. */
function sinceLast(before: ReadClosing, { closing, opening, currency }: ReadClosing): string[] {
	const [last, number] = [Number(before.closing.number), Number(closing.number)];
	if (number === last + 2) return [`Number ${last + 1} is missing before it.`];
	if (number > last + 1) return [`Numbers ${last + 1} to ${number - 1} are missing before it.`];
	const { cashAtEnd } = before;
	if (number === last || opening === undefined || cashAtEnd === undefined || opening === cashAtEnd) return [];
	return [
		`Its opening balance is ${amountText(opening, currency)}, but the closing before ended with ${amountText(cashAtEnd, currency)}.`,
	];
}
