import type { Resource } from '../shared/operation';
import { getAll as getCashBooks } from './cashBook/getAll';
import { create } from './cashBookEntry/create';
import { createAdvanced } from './cashBookEntry/createAdvanced';
import { getAll as getConnections } from './connection/getAll';
import { readEInvoice } from './document/readEInvoice';
import { uploadDuo } from './document/uploadDuo';
import { uploadRewe } from './document/uploadRewe';
import { getAllDuo, getAllRewe } from './documentType/getAll';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{ value: 'cashBook', name: 'Cash Book (Kassenbuch)', operations: [getCashBooks] },
	{
		value: 'cashBookEntry',
		name: 'Cash Book Entry (Kassenbucheintrag)',
		operations: [create, createAdvanced],
	},
	{ value: 'connection', name: 'Connection', operations: [getConnections] },
	{ value: 'document', name: 'Document (Beleg)', operations: [uploadDuo, uploadRewe, readEInvoice] },
	{ value: 'documentType', name: 'Document Type (Belegtyp)', operations: [getAllDuo, getAllRewe] },
];
