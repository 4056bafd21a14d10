import { defineRead } from '../../shared/operation';
import { additionalFields, choice, connectionId } from '../../shared/parameters';
import { companyId } from '../company/companyId';
import { germanHeadings, output } from '../../shared/form';
import { recordOf, recordsOf, rowsOf } from '../../shared/answer';
import { isObject } from '../../shared/values';
import { explainCompany } from '../exportSubscription';
import { AGING_COLUMNS, agingOf, withoutDay } from './aging';
import { accountsIn, OPEN_ITEMS, stichtag, strangeAccounts, uncertainSign, withOtherItems } from './report';

const COLUMNS_BY_OUTPUT = {
	aging: AGING_COLUMNS,
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

const filter = choice({
	displayName: 'Accounts',
	description: 'Which accounts to include (filter)',
	choices: [
		{ name: 'All', value: 'all' },
		{ name: 'Creditors', value: 'creditors', description: 'First digit 7 to 9 (Kreditoren)' },
		{ name: 'Debtors', value: 'debitors', description: 'First digit 1 to 6 (Debitoren)' },
	],
});

const eb = choice({
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
});

/** `getOpenItems` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many open items (OPOS)',
	description: 'Get the open items of debtors and creditors (OPOS, offene Posten)',
	endpoint: 'GET /v2/acct-rewe-read/opos',
	parameters: {
		connectionId: connectionId('ReweRead'),
		companyId,
		output: output([
			['rows', 'Rows', 'One item per open item (Posten), with the fields of its account'],
			['accounts', 'Accounts', 'One item per account (Konto), with its open items'],
			[
				'aging',
				'Aging',
				'One item per account: total, and what is 0–30, 31–60, 61–90 and more days old (Altersstruktur)',
			],
			['report', 'Report', 'The whole report as one item, with its totals'],
		]),
		additionalFields: additionalFields({ filter, stichtag, eb }),
	},
	options: { germanHeadings },
	singleOutputs: ['report'],
	request: ({ connectionId, companyId, additionalFields: { stichtag, filter, eb } }) => ({
		query: { connectionId, companyId, stichtag, filter, eb },
	}),
	readFrom: ({ companyId }) => ({ companyId }),
	explain: explainCompany,
	expects: OPEN_ITEMS,
	mustAgree: ({ query: { stichtag } }) => ({ stichtag }),
	omissions(answer, { output, additionalFields: { eb } }) {
		if (output === 'report') return [];
		const accounts = accountsIn(answer);
		const missing = {
			accounts: () => [],
			aging: () => [withOtherItems(accounts, eb), uncertainSign(accounts), withoutDay(accounts)],
			rows: () => [withOtherItems(accounts, eb)],
		};
		return [strangeAccounts(accounts), ...missing[output ?? 'rows']()];
	},
	columns: ({ output = 'rows' }) => COLUMNS_BY_OUTPUT[output],
	records(answer, { output }) {
		if (output === 'report') return recordsOf(answer);
		if (output === 'aging') return agingOf(answer);
		// The report's totals don't belong to any account. A row that isn't an account makes no row; a warning names it.
		const { stichtag } = recordOf(answer);
		const accounts = rowsOf([{ stichtag, konten: accountsIn(answer).filter(isObject) }], 'konten');
		return output === 'accounts' ? accounts : rowsOf(accounts, 'posten');
	},
});
