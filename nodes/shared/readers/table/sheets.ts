import { cutLine } from '../../errors';
import { TableError } from './table';

export interface Sheet {
	name: string;
	isHidden: boolean;
}

/** Characters of a sheet's name; Excel allows 31. And how many names a sentence lists. */
const MAX_NAME = 60;
const MAX_NAMES = 15;

const shown = (name: string) => cutLine(name, MAX_NAME).trim();

/**
 * The sheet to read: the first one that a person sees, or the one of that name.
 * @returns with the names of the others that a person sees
 */
export function chosenSheet<S extends Sheet>(sheets: S[], wanted = ''): { sheet: S; others: string[] } {
	const visible = sheets.filter(({ isHidden }) => !isHidden);
	const isWanted = ({ name }: Sheet) => name.trim().toLowerCase() === wanted.trim().toLowerCase();
	const sheet = wanted.trim() === '' ? (visible[0] ?? sheets[0]) : sheets.find(isWanted);
	const others = visible.filter((one) => one !== sheet).map(({ name }) => shown(name));
	if (sheet) return { sheet, others: others.slice(0, MAX_NAMES) };
	const names = others.slice(0, MAX_NAMES).join(', ');
	throw new TableError({
		en: `The file has no sheet "${shown(wanted)}". It has: ${names}.`,
		de: `Die Datei hat kein Tabellenblatt „${shown(wanted)}“. Sie hat: ${names}.`,
	});
}
