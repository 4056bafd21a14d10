/** Reads the closings of cash registers from their exports (DSFinV-K): ZIP archives, or tables as files. */
import { groupBy, map, uniq } from 'lodash';

import { piecesOf, Turn } from '../turn';
import type { AccountRow } from './accounts';
import { bookingOf } from './booking';
import type { Booking } from './booking';
import { amountText, Closing } from './closing';
import { ExportError, readTable, TABLE_NAMES, tableOf } from './tables';
import type { Budget, Row, TableName } from './tables';
import { filesIn, isZip, ZipError } from './zip';
import type { Source } from './zip';

/** The largest files that are read, together. A year of a busy register has less. */
export const MAX_EXPORT_BYTES = 128 * 1024 * 1024;
/** What the sums of all closings may be. */
const SUMS: Readonly<Budget> = { bytes: 64 * 1024 * 1024, rows: 500_000 };
/** The receipts are only read for their type. */
const RECEIPTS: Readonly<Budget> = { bytes: MAX_EXPORT_BYTES, rows: 5_000_000 };
const MAX_CLOSINGS = 20_000;
/** A closing that was split has a few parts; each is compared with the others. */
const MAX_PARTS = 20;

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
		const limits: Limits = { sums: { ...SUMS }, receipts: { ...RECEIPTS }, turn: new Turn() };
		const found: Closing[] = [];
		for (const [source, tables] of exportsIn(files).entries())
			found.push(...(await closingsIn(tables, source, limits)));
		if (found.length === 0) return { problem: 'There is no closing in it (cashpointclosing.csv).' };
		return { closings: await booked(found, limits.turn, own, chart) };
	} catch (error) {
		if (error instanceof ExportError || error instanceof ZipError) return { problem: error.message };
		return { problem: "The export is damaged and can't be read: export it again." };
	}
}

/** The remaining limits for all exports of an item. */
interface Limits {
	sums: Budget;
	receipts: Budget;
	turn: Turn;
}

type Tables = Array<Source & { table: TableName; sha256?: string }>;

/** The tables of each export: a folder of an archive is one, and all tables that are files themselves are one. */
function exportsIn(files: ExportFile[]): Tables[] {
	const exports = new Map<string, Tables>();
	const add = (of: string, source: Source, sha256?: string) => {
		const table = tableOf(source);
		if (!table) return;
		const tables = exports.get(of) ?? [];
		exports.set(of, tables);
		tables.push({ ...source, table, sha256 });
	};
	files.forEach(({ name, bytes, sha256 }, i) => {
		if (!isZip(bytes))
			return add(
				'',
				{
					name,
					open: async function* () {
						yield* piecesOf(bytes);
					},
				},
				sha256,
			);
		for (const file of filesIn(bytes)) {
			const { name } = file;
			const folder = name.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
			add(`${i} ${folder}`, file, sha256);
		}
	});
	return [...exports.values()];
}

async function closingsIn(
	tables: Tables,
	source: number,
	{ sums, receipts, turn }: Limits,
): Promise<Closing[]> {
	const closings = new Map<string, Closing>();
	const byNumber = new Map<string, Closing[]>();
	/**
	 * The closings that a row belongs to: one, unless its time is written differently and several closings have the
	 * number.
	 */
	let latest: { key: string[]; found: Closing[] } | undefined;
	const about = (row: Row): Closing[] => {
		// Rows of a closing mostly follow one another.
		const key = [row('Z_KASSE_ID'), row('Z_ERSTELLUNG'), row('Z_NR')];
		if (!latest || latest.key.some((part, i) => part !== key[i])) latest = { key, found: lookUp(row) };
		return latest.found;
	};
	const lookUp = (row: Row): Closing[] => {
		const exact = closings.get(keyOf(row, true));
		return exact ? [exact] : (byNumber.get(keyOf(row, false)) ?? []);
	};
	const withOne = (row: Row, use: (closing: Closing) => void) => {
		const [closing, ...others] = about(row);
		if (closing && others.length === 0) use(closing);
		for (const one of others.length > 0 ? [closing, ...others] : []) {
			one.problems.add(
				"Several closings have this number, and the export doesn't say which one its sums belong to.",
			);
		}
	};
	const addRow: Record<TableName, (row: Row, sha256?: string) => void> = {
		closings: (row, sha256) => {
			const known = closings.get(keyOf(row, true));
			const parts = byNumber.get(keyOf(row, false)) ?? [];
			if (known || parts.length >= MAX_PARTS) return void ((known ?? parts[0]).isRepeated = true);
			if (closings.size >= MAX_CLOSINGS)
				throw new ExportError('The export has too many closings: export a shorter period.');
			const closing = new Closing(row, source, sha256);
			closings.set(keyOf(row, true), closing);
			byNumber.set(keyOf(row, false), [...parts, closing]);
		},
		registers: (row) =>
			withOne(
				row,
				({ currencies }) =>
					row('KASSE_BASISWAEH_CODE') && currencies.add(row('KASSE_BASISWAEH_CODE').toUpperCase()),
			),
		rates: (row) => withOne(row, (closing) => closing.addRate(row)),
		cases: (row) => withOne(row, (closing) => closing.addCase(row)),
		payments: (row) => withOne(row, (closing) => closing.addPayment(row)),
		cash: (row) => withOne(row, (closing) => closing.addCash(row)),
		receipts: (row) => {
			for (const { receiptTypes } of about(row))
				receiptTypes.add(row('BON_TYP') === 'AVTraining' ? 'AVTraining' : 'Beleg');
		},
	};
	const unchecked = (error: unknown) => {
		if (!(error instanceof ExportError)) throw error;
		const said =
			"Whether its receipts are for training wasn't checked, because they can't be read (transactions.csv).";
		closings.forEach(({ warnings }) => warnings.add(said));
	};
	for (const name of TABLE_NAMES) {
		for (const table of tables.filter((one) => one.table === name)) {
			const read = readTable(name, table, name === 'receipts' ? receipts : sums, turn, (row) =>
				addRow[name](row, table.sha256),
			);
			await (name === 'receipts' ? read.catch(unchecked) : read);
		}
	}
	return [...closings.values()];
}

const keyOf = (row: Row, withTime: boolean): string =>
	JSON.stringify([row('Z_KASSE_ID'), row('Z_NR').replace(/^0+(?=\d)/, ''), withTime && row('Z_ERSTELLUNG')]);

const compare = new Intl.Collator('de', { numeric: true }).compare;

/** The bookings, in the order of their registers and numbers, with what follows from the closing before. */
async function booked(
	found: Closing[],
	turn: Turn,
	own: readonly AccountRow[],
	chart?: string,
): Promise<ReadClosing[]> {
	const grouped = Object.values(groupBy(found, ({ register, number }) => JSON.stringify([register, number])));
	const read: ReadClosing[] = [];
	for (const parts of grouped) {
		await turn.yield();
		const { closing, warnings, problems } = whole(parts);
		const booking = bookingOf(closing, own, chart);
		read.push({
			closing,
			...booking,
			warnings: [...warnings, ...booking.warnings],
			problems: uniq([...problems, ...booking.problems]),
		});
	}
	read.sort(
		(a, b) => compare(a.closing.register, b.closing.register) || compare(a.closing.number, b.closing.number),
	);
	read.forEach((one, i) => {
		const before = read[i - 1];
		if (before?.closing.register === one.closing.register) one.warnings.unshift(...sinceLast(before, one));
	});
	return read;
}

/** Closings with the same register and number: parts of one that was split, the same one from two exports, or a mistake. */
function whole(all: Closing[]): { closing: Closing; warnings: string[]; problems: string[] } {
	const parts = all.filter(
		(one, i) => !all.slice(0, i).some((other) => other.time === one.time && other.content === one.content),
	);
	const [closing, ...others] = parts;
	const warnings = parts.length < all.length ? ['It is in several exports, and was read once.'] : [];
	const problems = all.some(({ isRepeated }) => isRepeated)
		? ['Its number is in the export twice: export it again.']
		: [];
	if (others.length === 0) return { closing, warnings, problems };
	const days = uniq(map(parts, ({ day }) => day.slice(0, 10)));
	if (uniq(map(parts, 'time')).length < parts.length)
		problems.push('Several exports say something different about it.');
	else if (days.length > 1)
		problems.push(
			`Its number was used on several days (${days.slice(0, 5).join(', ')}): was the register reset?`,
		);
	else {
		for (const part of others) closing.merge(part);
		warnings.push(
			`It was split into ${parts.length} parts (${map(parts, 'time').slice(0, 5).join(', ')}), which are one entry.`,
		);
	}
	return { closing, warnings, problems };
}

/** Warnings about the time since the closing before, from the numbers and the cash. */
function sinceLast(before: ReadClosing, { closing, opening, currency }: ReadClosing): string[] {
	const [last, number] = [Number(before.closing.number), Number(closing.number)];
	const missing = number - last - 1;
	if (missing > 0) {
		return [
			missing === 1
				? `Number ${last + 1} is missing before it.`
				: `Numbers ${last + 1} to ${number - 1} are missing before it.`,
		];
	}
	const { cashAtEnd } = before;
	if (opening === undefined || cashAtEnd === undefined || opening === cashAtEnd) return [];
	return [
		`Its opening balance is ${amountText(opening, currency)}, but the closing before ended with ${amountText(cashAtEnd, currency)}.`,
	];
}
