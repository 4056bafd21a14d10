import type { IDataObject } from 'n8n-workflow';

import { PRESENT, flat, sameText } from '../../shared/answer';
import type { RecordKind } from '../../shared/answer';
import { both } from '../../shared/values';

export const TRANSACTION: RecordKind = {
	name: both('a transaction', 'eines Umsatzes'),
	fields: { id: sameText, account_id: sameText, made_on: PRESENT, amount: PRESENT, description: PRESENT },
};
/** Day, amount, payee and purpose (Verwendungszweck) come first. */
export const TRANSACTION_COLUMNS = [
	'made_on',
	'amount',
	'currency_code',
	'payee',
	'svwz',
	'description',
	'payer',
	'duplicated',
	'payment_id',
	'id',
];

/** A bank transaction as a row for a spreadsheet: the parts of its text and what the bank sent along are columns, too. */
export const transactionRow = (transaction: IDataObject): IDataObject =>
	flat(transaction, ['description_parsed', 'extra']);
