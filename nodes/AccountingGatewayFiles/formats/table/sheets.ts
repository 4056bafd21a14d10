import { cutLine } from '../../../shared/errors';
import { unreadable, TableError } from './table';
import { TABLE_LIMITS } from './limits';

const shown = (name: string) => cutLine(name, TABLE_LIMITS.sheetName).trim();

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
		.slice(0, TABLE_LIMITS.sheetNames);
	if (index >= 0) return { sheet: shown(names[index]), otherSheets };
	if (wanted === '') throw unreadable();
	throw new TableError({
		en: `The file has no sheet "${shown(wanted)}". It has: ${otherSheets.join(', ')}.`,
		de: `Die Datei hat kein Tabellenblatt „${shown(wanted)}“. Sie hat: ${otherSheets.join(', ')}.`,
	});
}
