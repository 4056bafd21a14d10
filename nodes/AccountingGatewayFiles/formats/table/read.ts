import { decoded, isZip } from '../../formats';
import { Turn } from '../../../shared/values';
import type { Bilingual } from '../../../shared/values';
import { CompoundFile, isCompound } from './compound';
import { readDelimited } from './delimited';
import { isHtmlTable, readHtml } from './html';
import { Parts } from './parts';
import { damaged, MAX_TABLE_BYTES, TableError, tooLarge } from './table';
import type { ReadTable, Table } from './table';
import { isSpreadsheetMl, readSpreadsheetMl } from './spreadsheetMl';

const BINARY: Bilingual = {
	en: 'The file is a binary workbook (.xlsb): save it in Excel as .xlsx, and send that.',
	de: 'Die Datei ist eine binäre Arbeitsmappe (.xlsb): Speichern Sie sie in Excel als .xlsx, und senden Sie diese.',
};
const NO_LIST: Bilingual = {
	en: 'The file is no list: an Excel workbook (.xlsx), an OpenDocument spreadsheet (.ods) or a text file (.csv) is needed.',
	de: 'Die Datei ist keine Liste: Gebraucht wird eine Excel-Mappe (.xlsx), eine OpenDocument-Tabelle (.ods) oder eine Textdatei (.csv).',
};

/**
 * Reads the table of a file: .xlsx, .xls, .ods, CSV, text with tabs, HTML, the XML of Excel 2003. What a file is, its content says: web programs name all of them
 * .xls. Never throws: its sender chooses the file, and others should still be read.
 * @param sheet the name of the one to read; by default, the first one that a person sees
 */
export async function readTable(bytes: Uint8Array, sheet?: string): Promise<ReadTable> {
	try {
		if (bytes.length > MAX_TABLE_BYTES) throw tooLarge();
		return await tableIn(bytes, new Turn(), sheet);
	} catch (error) {
		return { problem: (error instanceof TableError ? error : damaged()).said };
	}
}

/** What reads workbooks is loaded with the first one: n8n's memory holds it from then on. */
async function tableIn(bytes: Uint8Array, turn: Turn, sheet?: string): Promise<Table> {
	if (isCompound(bytes)) {
		const { readXls } = await import('./xls.js');
		return await readXls(new CompoundFile(bytes), turn, sheet);
	}
	if (isZip(bytes)) {
		const parts = new Parts(bytes, turn);
		if (parts.has('xl/workbook.bin')) throw new TableError(BINARY);
		if (parts.has('content.xml')) {
			const { readOds } = await import('./ods.js');
			return await readOds(parts, sheet);
		}
		if (parts.has('[content_types].xml')) {
			const { readXlsx } = await import('./xlsx.js');
			return await readXlsx(parts, sheet);
		}
		throw new TableError(NO_LIST);
	}
	const text = (await decoded(bytes, turn)).replace(/^\uFEFF/, '');
	if (isSpreadsheetMl(text)) return await readSpreadsheetMl(text, turn, sheet);
	if (isHtmlTable(text)) return await readHtml(text, turn);
	// Text has no zeros; XML without a table, and a PDF, are something else.
	if (text.includes('\0') || /^\s*(?:<|%PDF-)/.test(text)) throw new TableError(NO_LIST);
	return await readDelimited(text, turn);
}
