import { cutLine } from '../../../shared/errors';
import { damaged, TableError } from './table';

export interface Sheet {
	name: string;
	isHidden: boolean;
}

/** Characters of a sheet's name; Excel allows 31. And how many names a sentence lists. */
const MAX_SHEET_NAME = 60;
const MAX_SHEET_NAMES = 15;

const shown = (name: string) => cutLine(name, MAX_SHEET_NAME).trim();
const isSame = (name: string, other: string) => name.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * The sheet to read: the first one that a person sees, or the one of that name.
 * @returns with the names of the others that a person sees
 */
export function chosenSheet<S extends Sheet>(sheets: S[], wanted = ''): { sheet: S; others: string[] } {
	const visible = sheets.filter(({ isHidden }) => !isHidden);
	const sheet =
		wanted.trim() === '' ? (visible[0] ?? sheets[0]) : sheets.find(({ name }) => isSame(name, wanted));
	const others = visible.filter((one) => one !== sheet).map(({ name }) => shown(name));
	if (sheet) return { sheet, others: others.slice(0, MAX_SHEET_NAMES) };
	const names = others.slice(0, MAX_SHEET_NAMES).join(', ');
	throw new TableError({
		en: `The file has no sheet "${shown(wanted)}". It has: ${names}.`,
		de: `Die Datei hat kein Tabellenblatt „${shown(wanted)}“. Sie hat: ${names}.`,
	});
}

/** Sheets whose names are kept, where all of them are in one part of the file. */
const MAX_KEPT_SHEETS = 1_000;

/** The sheets of a file that has one after another: which one is read shows when it begins. */
export class SheetsInOrder {
	/** Whether the file is within the sheet that is read. */
	isHere = false;

	private readonly sheets: Sheet[] = [];
	private isFound = false;

	/** @param wanted the name of the sheet to read; empty for the first one */
	constructor(private readonly wanted: string) {}

	begin(name: string, isHidden = false): void {
		if (this.sheets.length < MAX_KEPT_SHEETS) this.sheets.push({ name, isHidden });
		const isMeant = this.wanted.trim() === '' ? !isHidden : isSame(name, this.wanted);
		this.isHere = !this.isFound && isMeant;
		this.isFound ||= this.isHere;
	}

	end(): void {
		this.isHere = false;
	}

	/** The names of the others, at the file's end. Throws `TableError` if the sheet to read isn't there. */
	others(): string[] {
		if (this.sheets.length === 0) throw damaged();
		return chosenSheet(this.sheets, this.wanted).others;
	}
}
