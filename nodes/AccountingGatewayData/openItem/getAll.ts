import type { IDataObject } from 'n8n-workflow';

import { defineRead } from '../../shared/operation';
import { companyId, connectionId } from '../../shared/parameters/accounting';
import { choice } from '../../shared/parameters/choice';
import { additionalFields } from '../../shared/parameters/collection';
import { date } from '../../shared/parameters/date';
import { output } from '../../shared/form/options';
import { isEmptyList, recordOf, recordsOf, rowsOf } from '../../shared/gateway/records';
import { sameDate } from '../../shared/gateway/same';
import { listed, SHOWN, strangeEntries, verifyRecord } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';
import { explainCompany } from '../parameters';

const COLUMNS = {
	rows: [
		'kontonummer',
		'bezeichnung',
		'beleg',
		'belegdatum',
		'buchungstext',
		'saldo',
		'totalSaldo',
		'isDebitor',
		'stichtag',
	],
	accounts: ['kontonummer', 'bezeichnung', 'totalSaldo', 'isDebitor', 'stichtag', 'posten'],
	report: ['stichtag', 'sumDebitoren', 'sumKreditoren', 'konten'],
};

const ACCOUNTS: RecordKind = {
	name: 'accounts',
	fields: { kontonummer: SHOWN, bezeichnung: SHOWN, totalSaldo: SHOWN, posten: SHOWN },
};

const REPORT: RecordKind = {
	name: 'a report of open items',
	fields: { stichtag: sameDate, konten: SHOWN, sumDebitoren: SHOWN, sumKreditoren: SHOWN },
	lists: { konten: ACCOUNTS },
};

/** @returns what is wrong with a report without a list of accounts; where its sums are 0, there are none */
function withoutAccounts({ konten, sumDebitoren, sumKreditoren }: IDataObject): string | undefined {
	const isEmpty =
		konten === null && [sumDebitoren, sumKreditoren].every((total) => Number(total ?? NaN) === 0);
	return Array.isArray(konten) || isEmpty ? undefined : 'has no list of accounts (konten)';
}

/** Accounts with a balance, but without items. */
function withoutItems(accounts: unknown[]): string | undefined {
	const numbers = (accounts as IDataObject[]).flatMap(({ kontonummer, totalSaldo, posten }) =>
		isEmptyList(posten) && Boolean(Number(totalSaldo)) ? [String(kontonummer)] : [],
	);
	return numbers.length > 0
		? `accounts with a balance, but without items, have no row (Output "Accounts" has them): ${listed(numbers)}`
		: undefined;
}

/** `getOpenItems` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many open items (OPOS)',
	description: 'Get the open items of debtors and creditors (OPOS, offene Posten)',
	endpoint: 'GET /v2/acct-rewe-read/opos',
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
				description: 'Which accounts to include (filter)',
				choices: [
					{ name: 'All', value: 'all' },
					{ name: 'Creditors', value: 'creditors', description: 'First digit 7 to 9 (Kreditoren)' },
					{ name: 'Debtors', value: 'debitors', description: 'First digit 1 to 6 (Debitoren)' },
				],
			}),
			companyId,
			stichtag: date({
				displayName: 'Key Date',
				description: 'Only items up to this document date (stichtag, Stichtag); default: today',
			}),
			eb: choice({
				displayName: 'Opening Balances',
				description: 'How opening balances appear (eb, EB-Werte)',
				choices: [
					{ name: 'Raw', value: 'raw', description: 'As regular items, with document number 0' },
					{
						name: 'Reconcile',
						value: 'reconcile',
						description: 'Offset against the items; the rest is an item EB-RESIDUAL',
					},
				],
				default: 'reconcile',
			}),
		}),
	},
	request: ({ connectionId, additionalFields: { companyId, stichtag, filter, eb } }) => ({
		query: { connectionId, companyId, stichtag, filter, eb },
	}),
	companyOf: ({ additionalFields }) => additionalFields.companyId,
	explain: explainCompany,
	verifyResponse: (answer, { query: { stichtag } }) =>
		verifyRecord(answer, REPORT, { stichtag }) ?? withoutAccounts(recordOf(answer)),
	omissions(answer, { output }) {
		const accounts = (recordOf(answer).konten ?? []) as unknown[];
		return output === 'report'
			? []
			: [strangeEntries(accounts, ACCOUNTS), output === 'rows' ? withoutItems(accounts) : undefined];
	},
	columns: ({ output = 'rows' }) => COLUMNS[output],
	records(answer, { output }) {
		const reports = recordsOf(answer);
		if (output === 'report') return reports;
		const accounts = rowsOf(
			// The report's totals don't belong to any account.
			reports.map(({ stichtag, konten }): IDataObject => ({ stichtag, konten })),
			'konten',
		);
		return output === 'accounts' ? accounts : rowsOf(accounts, 'posten');
	},
});
