import type { Resource } from '../shared/operation';
import { read as readList } from './cashBookList/read';
import { read as readExport } from './cashRegisterExport/read';
import { read as readEInvoice } from './eInvoice/read';

/** What the node offers, in the order of its lists. */
export const resources: Resource[] = [
	{ value: 'cashBookList', name: 'Cash Book List (Kassenliste)', operations: [readList] },
	{ value: 'cashRegisterExport', name: 'Cash Register Export (DSFinV-K)', operations: [readExport] },
	{ value: 'eInvoice', name: 'E-Invoice (E-Rechnung)', operations: [readEInvoice] },
];
