import { decoded } from '../text';
import { isZip } from '../zip';
import { Turn } from '../../../shared/values';
import { readDelimited } from './delimited';
import { Parts } from './parts';
import { unreadable, TableError, tooLarge } from './table';
import type { ReadTable, Table } from './table';
import { TABLE_LIMITS } from './limits';

/** Text has no zeros; markup and a PDF aren't lists. */
const NO_TEXT = /^\s*(?:<|%PDF-)|\0/;

/**
 * Reads the table of a file: .xlsx, .ods, CSV, text with tabs. Never throws: its sender chooses the file, and others should still be
 * read.
 * @param name of the file: what web programs name .xls may be anything
 * @param sheet the name of the one to read; by default, the one that the file opens on
 */
export async function readTable(bytes: Uint8Array, name: string, sheet?: string): Promise<ReadTable> {
	try {
		if (bytes.length > TABLE_LIMITS.bytes) throw tooLarge();
		if (/\.xls$/i.test(name)) throw unreadable();
		return await tableIn(bytes, new Turn(), sheet);
	} catch (error) {
		return { problem: (error instanceof TableError ? error : unreadable()).said };
	}
}

/** What reads workbooks is loaded with the first one: n8n's memory holds it from then on. */
async function tableIn(bytes: Uint8Array, turn: Turn, sheet?: string): Promise<Table> {
	if (isZip(bytes)) {
		const parts = new Parts(bytes, turn);
		if (parts.has('content.xml')) {
			const { readOds } = await import('./ods.js');
			return await readOds(parts, sheet);
		}
		if (!parts.has('[content_types].xml') || parts.has('xl/workbook.bin')) throw unreadable();
		const { readXlsx } = await import('./xlsx.js');
		return await readXlsx(parts, sheet);
	}
	// Workbooks of Excel 97 to 2003, and those with a password, begin so.
	if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw unreadable();
	const text = (await decoded(bytes, turn)).replace(/^\uFEFF/, '');
	if (NO_TEXT.test(text)) throw unreadable();
	return await readDelimited(text, turn);
}
