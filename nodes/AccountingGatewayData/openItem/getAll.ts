import type { IDataObject } from 'n8n-workflow';

import { defineOperation } from '../../shared/operation';
import { companyId, connectionId } from '../../shared/parameters/accounting';
import { choice } from '../../shared/parameters/choice';
import { additionalFields } from '../../shared/parameters/collection';
import { date } from '../../shared/parameters/date';
import { output } from '../../shared/parameters/options';
import { recordsOf, rowsOf, withColumns } from '../../shared/transport/records';
import { explainCompany } from '../parameters';

const ACCOUNT_COLUMNS = ['stichtag', 'kontonummer', 'bezeichnung', 'isDebitor', 'totalSaldo'];
const ITEM_COLUMNS = [...ACCOUNT_COLUMNS, 'beleg', 'belegdatum', 'buchungstext', 'saldo'];

/** `getOpenItems` */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many open items (OPOS)',
	description: 'Get the open items of debtors and creditors (OPOS, offene Posten)',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe-read/opos',
	sendsSource: true,
	parameters: {
		connectionId: connectionId('ReweRead'),
		output: output([
			['rows', 'Rows', 'One item per open item (Posten), with the fields of its account'],
			['accounts', 'Accounts', 'One item per account (Konto), with its open items'],
			['report', 'Report', 'The whole report as one item, with its totals'],
		]),
		additionalFields: additionalFields({
			filter: choice({
				displayName: 'Accounts',
				description: 'Whose items (filter)',
				choices: [
					{ name: 'All', value: 'all' },
					{ name: 'Creditors', value: 'creditors', description: 'First digit 7 to 9 (Kreditoren)' },
					{ name: 'Debtors', value: 'debitors', description: 'First digit 1 to 6 (Debitoren)' },
				],
			}),
			companyId,
			stichtag: date({
				displayName: 'Key Date',
				description: 'Only items up to this document date (stichtag, Stichtag); today when left out',
			}),
			eb: choice({
				displayName: 'Opening Balances',
				description: 'How opening balances appear (eb, EB-Werte)',
				choices: [
					{ name: 'Raw', value: 'raw', description: 'As regular items, with document number 0' },
					{
						name: 'Reconcile',
						value: 'reconcile',
						description: 'Netted against the items; what remains is an item EB-RESIDUAL',
					},
				],
				default: 'reconcile',
			}),
		}),
	},
	request: ({ connectionId, additionalFields: { companyId, stichtag, filter, eb } }, { quelle }) => ({
		query: { connectionId, companyId, stichtag, filter, eb, quelle },
	}),
	explain: explainCompany,
	records(answer, { output }) {
		const reports = recordsOf(answer);
		if (output === 'report') return reports;
		const accounts = rowsOf(
			// The report's totals don't belong to any account.
			reports.map(({ stichtag, konten }): IDataObject => ({ stichtag, konten })),
			'konten',
		);
		return output === 'accounts'
			? accounts.map((account) => withColumns(account, ACCOUNT_COLUMNS))
			: rowsOf(accounts, 'posten').map((item) => withColumns(item, ITEM_COLUMNS));
	},
});
