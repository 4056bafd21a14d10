import type { Resource } from '../shared/operation';
import { getAll as getCashBooks } from './cashBook/getAll';
import { read as readList } from './cashBookList/read';
import { create } from './cashBookEntry/create';
import { createAdvanced } from './cashBookEntry/createAdvanced';
import { read as readExport } from './cashRegisterExport/read';
import { getAll as getConnections } from './connection/getAll';
import { readEInvoice } from './document/readEInvoice';
import { uploadDuo, uploadRewe } from './document/upload';
import { getAllDuo, getAllRewe } from './documentType/getAll';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{ value: 'cashBook', name: 'Cash Book (Kassenbuch)', operations: [getCashBooks] },
	{
		value: 'cashBookEntry',
		name: 'Cash Book Entry (Kassenbucheintrag)',
		operations: [create, createAdvanced],
	},
	{ value: 'cashBookList', name: 'Cash Book List (Kassenliste)', operations: [readList] },
	{
		value: 'cashRegisterExport',
		name: 'Cash Register Export (DSFinV-K)',
		operations: [readExport],
	},
	{ value: 'connection', name: 'Connection (Verbindung)', operations: [getConnections] },
	{ value: 'document', name: 'Document (Beleg)', operations: [uploadDuo, uploadRewe, readEInvoice] },
	{ value: 'documentType', name: 'Document Type (Belegtyp)', operations: [getAllDuo, getAllRewe] },
];
