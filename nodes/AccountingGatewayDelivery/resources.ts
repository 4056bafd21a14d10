import type { Resource } from '../shared/operation';
import { getAll as getCashBooks } from './cashBook/getAll';
import { create } from './cashBookEntry/create';
import { createAdvanced } from './cashBookEntry/createAdvanced';
import { getAll as getConnections } from './connection/getAll';
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
	{ value: 'connection', name: 'Connection (Verbindung)', operations: [getConnections] },
	{ value: 'document', name: 'Document (Beleg)', operations: [uploadDuo, uploadRewe] },
	{ value: 'documentType', name: 'Document Type (Belegtyp)', operations: [getAllDuo, getAllRewe] },
];
