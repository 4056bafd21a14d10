import { decoded, isZip } from '../formats';
import { Turn } from '../../values';
import type { Bilingual } from '../../values';
import { readDelimited } from './delimited';
import { isHtml, readHtml } from './html';
import { readOds } from './ods';
import { Parts } from './parts';
import { damaged, MAX_BYTES, TableError, tooLarge } from './table';
import type { ReadTable, Table } from './table';
import { readXlsx } from './xlsx';

/** How the containers of Excel's older files begin; newer ones that are protected by a password are in one, too. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

const OLD_EXCEL: Bilingual = {
	en: 'The file is an Excel workbook of 2003 or older (.xls), or protected by a password: open it in Excel, save it without a password as .xlsx, and send that.',
	de: 'Die Datei ist eine Excel-Mappe von 2003 oder älter (.xls) oder mit einem Kennwort geschützt: Öffnen Sie sie in Excel, speichern Sie sie ohne Kennwort als .xlsx, und senden Sie diese.',
};
const NO_LIST: Bilingual = {
	en: 'The file is no list: an Excel workbook (.xlsx), an OpenDocument spreadsheet (.ods) or a text file (.csv) is needed.',
	de: 'Die Datei ist keine Liste: Gebraucht wird eine Excel-Mappe (.xlsx), eine OpenDocument-Tabelle (.ods) oder eine Textdatei (.csv).',
};

/**
 * Reads the table of a file: .xlsx, .ods, CSV, text with tabs, HTML. What a file is, its content says: web programs name all of them
 * .xls. Never throws: its sender chooses the file, and others should still be read.
 * @param sheet the name of the one to read; by default, the first one that a person sees
 */
export async function readTable(bytes: Uint8Array, sheet?: string): Promise<ReadTable> {
	try {
		if (bytes.length > MAX_BYTES) throw tooLarge();
		return await tableIn(bytes, new Turn(), sheet);
	} catch (error) {
		return { problem: (error instanceof TableError ? error : damaged()).said };
	}
}

async function tableIn(bytes: Uint8Array, turn: Turn, sheet?: string): Promise<Table> {
	if (COMPOUND.every((byte, i) => bytes[i] === byte)) throw new TableError(OLD_EXCEL);
	if (isZip(bytes)) {
		const parts = new Parts(bytes, turn);
		if (parts.has('xl/workbook.bin')) throw new TableError(OLD_EXCEL);
		if (parts.has('content.xml')) return await readOds(parts, sheet);
		if (parts.has('[content_types].xml')) return await readXlsx(parts, sheet);
		throw new TableError(NO_LIST);
	}
	const text = (await decoded(bytes, turn)).replace(/^\uFEFF/, '');
	if (isHtml(text)) return await readHtml(text, turn);
	// Text has no zeros; XML without a table, and a PDF, are something else.
	if (text.includes('\0') || /^\s*(?:<|%PDF-)/.test(text)) throw new TableError(NO_LIST);
	return await readDelimited(text, turn);
}
