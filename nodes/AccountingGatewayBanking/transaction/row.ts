import type { IDataObject } from 'n8n-workflow';

import { flat, withColumns } from '../../shared/transport/records';
import { sameId } from '../../shared/transport/same';
import { SHOWN } from '../../shared/transport/verify';
import type { RecordKind } from '../../shared/transport/verify';

export const TRANSACTION: RecordKind = {
	name: 'a transaction',
	fields: { id: sameId, account_id: sameId, made_on: SHOWN, amount: SHOWN, description: SHOWN },
};

const COLUMNS = ['id', 'account_id', 'payment_id', 'made_on', 'amount', 'currency_code', 'description'];

/**
 * A bank transaction as a row for a spreadsheet: the parts of its text and what the bank sent along are columns, too.
 * @param first columns that go before the transaction's own
 */
export const transactionRow = (transaction: IDataObject, first: string[] = []): IDataObject =>
	withColumns(flat(transaction, ['description_parsed', 'extra']), [...first, ...COLUMNS]);
