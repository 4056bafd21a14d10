/** Reads the closings of cash registers from their exports (DSFinV-K): ZIP archives, or tables as files. */
import { groupBy, uniqBy } from 'lodash';

import { cutLine } from '../../shared/errors';
import { ZipError, filesIn, isZip } from '../formats/zip';
import type { Source } from '../formats/zip';
import { parseDateTime, Turn } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { wholeNumber } from './accounts';
import type { Accounts } from './accounts';
import { bookingOf, CASES_MISSING } from './booking';
import type { Booking } from './booking';
import { amountText, Closing } from './closing';
import { readRows, TABLE_NAMES, tableOf, tooMuch } from './tables';
import type { Budget, Row, TableName } from './tables';
import { Unreadable } from './unreadable';
import { EXPORT_LIMITS } from './limits';

/** What the tables with the sums of all closings may be; those of the receipts, which are much larger, aren't read. */
const BUDGET: Readonly<Budget> = { bytes: 64 * 1024 * 1024, rows: 250_000, closings: 20_000 };

interface ExportFile {
	name: string;
	bytes: Uint8Array;
	sha256?: string;
}

export interface ReadClosing extends Booking {
	closing: Closing;
}

/** The result of reading: closings by register and number, or why there are none. */
type ReadExport = { closings: ReadClosing[] } | { problem: Bilingual };

/** Reads exports. Never throws: their maker chooses the files, and others should still be read. */
export async function readExport(
	files: ExportFile[],
	accounts: Accounts,
	smallDifference = 0,
): Promise<ReadExport> {
	try {
		const budget = { ...BUDGET };
		const turn = new Turn();
		const found: Closing[] = [];
		const { exports, archives } = exportsIn(files);
		for (const tables of exports) found.push(...(await closingsIn(tables, budget, turn)));
		const inner = archives
			.map((name) => name.slice(-EXPORT_LIMITS.archiveName))
			.slice(0, EXPORT_LIMITS.archives);
		if (found.length === 0) return { problem: cutSentence(NO_CLOSING(inner.join(', '))) };
		const closings = await booked(found, turn, accounts, smallDifference);
		if (inner.length > 0) closings[0].warnings.unshift(cutSentence(UNREAD(inner.join(', '))));
		return { closings };
	} catch (error) {
		return {
			problem:
				error instanceof Unreadable || error instanceof ZipError
					? cutSentence(error.sentence)
					: {
							en: "The export is damaged and can't be read: export it again.",
							de: 'Der Export ist beschädigt und nicht lesbar: Bitte erneut exportieren.',
						},
		};
	}
}

const NO_CLOSING = (archives: string): Bilingual =>
	archives === ''
		? {
				en: 'There is no closing in it (cashpointclosing.csv).',
				de: 'Es ist kein Kassenabschluss darin (cashpointclosing.csv).',
			}
		: {
				en: `There is no closing in it (cashpointclosing.csv), but another archive: ${archives}. Unpack the ZIP, and give that one.`,
				de: `Es ist kein Kassenabschluss darin (cashpointclosing.csv), aber ein weiteres Archiv: ${archives}. Bitte entpacken und dieses angeben.`,
			};
const UNREAD = (archives: string): Bilingual => ({
	en: `The export has another archive in it, which was not read: ${archives}.`,
	de: `Im Export ist ein weiteres Archiv, das nicht gelesen wurde: ${archives}.`,
});

type Table = Source & { table: TableName; sha256?: string };

/**
 * The tables of each export: a folder of an archive is one, and all tables that are files themselves are one.
 * @returns `archives`: the names of archives in an archive
 */
function exportsIn(files: ExportFile[]): { exports: Table[][]; archives: string[] } {
	const archives: string[] = [];
	const sources = files.flatMap(({ name, bytes, sha256 }, i) => {
		const contents = isZip(bytes) ? filesIn(bytes) : [{ name, size: bytes.length, bytes: async () => bytes }];
		return contents.flatMap((source) => {
			const table = tableOf(source);
			if (isZip(bytes) && source.name.toLowerCase().endsWith('.zip')) archives.push(source.name);
			const place = isZip(bytes) ? `${i} ${folderOf(source)}` : '';
			return table ? [{ ...source, table, sha256, place }] : [];
		});
	});
	return { exports: Object.values(groupBy(sources, 'place')), archives };
}

const folderOf = ({ name }: Source): string =>
	name.slice(0, Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);

/** The closings of one export. Their rows are known by register and number. */
async function closingsIn(tables: Table[], budget: Budget, turn: Turn): Promise<Closing[]> {
	const closings = new Map<string, Closing>();
	const add = (name: TableName, row: Row, table: Table) => {
		let closing = closings.get(closingKey(row));
		if (closing && name === 'closings')
			closing.addProblem({
				en: `Its number is in the export twice (${closing.time}, ${row('Z_ERSTELLUNG')}): it was split, or the register was reset. Book it by hand, from the register's own report (Z-Bon).`,
				de: `Die Nummer ist zweimal im Export (${closing.time}, ${row('Z_ERSTELLUNG')}): Er wurde geteilt, oder die Kasse wurde zurückgesetzt. Bitte von Hand buchen, nach dem Z-Bon der Kasse.`,
			});
		if (!closing) {
			// These say nothing about amounts.
			if (name === 'registers' || name === 'rates') return;
			if (--budget.closings < 0)
				throw tooMuch({ en: 'has too many closings', de: 'hat zu viele Kassenabschlüsse' });
			closing = new Closing(row, table.sha256);
			closings.set(closingKey(row), closing);
			if (name !== 'closings')
				closing.addProblem({
					en: 'It is missing in the list of closings (cashpointclosing.csv): export it again.',
					de: 'Er fehlt in der Liste der Abschlüsse (cashpointclosing.csv): Bitte erneut exportieren.',
				});
		}
		if (name !== 'closings') closing.add(name, row, table);
	};
	for (const name of TABLE_NAMES) {
		for (const table of tables.filter((one) => one.table === name)) {
			await readRows(table, budget, turn, (row) => add(name, row, table));
		}
	}
	if (!tables.some(({ table }) => table === 'cases'))
		closings.forEach((closing) => closing.addProblem(CASES_MISSING));
	return [...closings.values()];
}

const closingKey = (row: Row): string => JSON.stringify([row('Z_KASSE_ID'), wholeNumber(row('Z_NR'))]);

const cutSentence = ({ en, de }: Bilingual): Bilingual => ({
	en: cutLine(en, EXPORT_LIMITS.sentence),
	de: cutLine(de, EXPORT_LIMITS.sentence),
});

const compare = new Intl.Collator('de', { numeric: true }).compare;

/** The bookings, in the order of their registers and numbers, with what follows from the closing before. */
async function booked(
	found: Closing[],
	turn: Turn,
	accounts: Accounts,
	smallDifference: number,
): Promise<ReadClosing[]> {
	const read: ReadClosing[] = [];
	const when = new Map<Closing, string>();
	for (const closing of found) {
		await turn.yield();
		const booking = bookingOf(closing, accounts, smallDifference);
		when.set(closing, whenOf(closing));
		read.push({
			closing,
			...booking,
			warnings: booking.warnings.map(cutSentence),
			problems: uniqBy(booking.problems.map(cutSentence), 'en'),
		});
	}
	read.sort(({ closing: a }, { closing: b }) => {
		// "1" and "01" are two registers, but equal in the first order.
		const plain = a.register < b.register ? -1 : Number(a.register > b.register);
		return compare(a.register, b.register) || plain || compare(a.number, b.number);
	});
	read.forEach((one, i) => {
		const before = read[i - 1];
		if (before?.closing.register === one.closing.register)
			one.warnings.unshift(
				...sinceLast(before, one),
				...backInTime(before.closing.number, when.get(before.closing)!, when.get(one.closing)!),
			);
	});
	return read;
}

/** The moment or day for which a closing is booked; both sort as text where their lengths are the same. */
const whenOf = ({ day }: Closing): string => {
	const at = parseDateTime(day, 'UTC');
	if ('rule' in at) return '';
	return at.value.slice(0, day.includes(':') ? 'YYYY-MM-DDTHH:mm:ss'.length : 'YYYY-MM-DD'.length);
};

/** @param number of the closing before @param from when that was, and when this one is */
function backInTime(number: string, from: string, to: string): Bilingual[] {
	const length = Math.min(from.length, to.length);
	if (to.slice(0, length) >= from.slice(0, length)) return [];
	return [
		{
			en: `It goes back in time: to ${to}, from ${from} of number ${number}.`,
			de: `Er geht in der Zeit zurück: auf ${to}, von ${from} der Nummer ${number}.`,
		},
	];
}

/** Warnings about the time since the closing before, from the numbers and the cash. */
function sinceLast(before: ReadClosing, { closing, opening, currency }: ReadClosing): Bilingual[] {
	const [last, number] = [Number(before.closing.number), Number(closing.number)];
	if (number === last + 2)
		return [{ en: `Number ${last + 1} is missing before it.`, de: `Davor fehlt die Nummer ${last + 1}.` }];
	if (number > last + 1)
		return [
			{
				en: `Numbers ${last + 1} to ${number - 1} are missing before it.`,
				de: `Davor fehlen die Nummern ${last + 1} bis ${number - 1}.`,
			},
		];
	const { cashAtEnd } = before;
	if (number === last || opening === undefined || cashAtEnd === undefined || opening === cashAtEnd) return [];
	const [from, to] = [amountText(opening, currency), amountText(cashAtEnd, currency)];
	return [
		{
			en: `Its opening balance is ${from.en}, but the closing before ended with ${to.en}.`,
			de: `Der Anfangsbestand ist ${from.de}, der Abschluss davor endete aber mit ${to.de}.`,
		},
	];
}
