import { cutLine } from '../../../shared/errors';
import { damaged, TableError } from './table';

/** Characters of a sheet's name; Excel allows 31. And how many names a sentence lists. */
const MAX_SHEET_NAME = 60;
const MAX_SHEET_NAMES = 15;
/** Sheets of a file whose names are kept. */
export const MAX_SHEETS = 1_000;

const shown = (name: string) => cutLine(name, MAX_SHEET_NAME).trim();

/** Compares names of sheets as people type them. */
export const isSheet = (name: string, other: string): boolean =>
	name.trim().toLowerCase() === other.trim().toLowerCase();

/** What a table says about the sheets of its file. @param index of the one that is read, or -1 */
export function named(
	names: readonly string[],
	index: number,
	wanted = '',
): { sheet: string; otherSheets: string[] } {
	const otherSheets = names
		.filter((_, i) => i !== index)
		.map(shown)
		.slice(0, MAX_SHEET_NAMES);
	if (index >= 0) return { sheet: shown(names[index]), otherSheets };
	if (wanted === '') throw damaged();
	throw new TableError({
		en: `The file has no sheet "${shown(wanted)}". It has: ${otherSheets.join(', ')}.`,
		de: `Die Datei hat kein Tabellenblatt „${shown(wanted)}“. Sie hat: ${otherSheets.join(', ')}.`,
	});
}
