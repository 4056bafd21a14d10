/** What a report of open items (`getOpenItems`) holds, whatever is made of it. */
import type { IDataObject } from 'n8n-workflow';
import { reject, sumBy } from 'lodash';

import { date } from '../../shared/parameters';
import { PRESENT, listOf, oneOf, recordOf, rowsOf, sameTime, warningAbout } from '../../shared/answer';
import type { ExpectedAnswer, RecordKind } from '../../shared/answer';
import type { Bilingual, SentenceEnd } from '../../shared/values';
import { both, centsOf, isObject, objectsIn, sum } from '../../shared/values';

const ACCOUNTS_WITH_ITEMS: RecordKind = {
	name: both('accounts', 'der Konten'),
	fields: { kontonummer: PRESENT, bezeichnung: PRESENT, totalSaldo: PRESENT, posten: PRESENT },
};

const REPORT = oneOf({
	name: both('a report of open items', 'eines Berichts der offenen Posten'),
	fields: { stichtag: sameTime, konten: PRESENT, sumDebitoren: PRESENT, sumKreditoren: PRESENT },
	lists: { konten: ACCOUNTS_WITH_ITEMS },
});

export const stichtag = date({
	displayName: 'Key Date',
	description: 'Only items up to this document date (stichtag, Stichtag); default: today',
});

const NO_ACCOUNTS = both('has no list of accounts (konten)', 'hat keine Liste der Konten (konten)');

/** @returns what is wrong with a report without a list of accounts; where its sums are 0, there are none */
function withoutAccounts({ konten, sumDebitoren, sumKreditoren }: IDataObject): SentenceEnd | undefined {
	const isEmpty =
		konten === null && [sumDebitoren, sumKreditoren].every((total) => Number(total ?? NaN) === 0);
	return Array.isArray(konten) || isEmpty ? undefined : NO_ACCOUNTS;
}

export const accountsIn = (answer: unknown) => (recordOf(answer).konten ?? []) as unknown[];

/** A report, with its list of accounts. */
export const OPEN_ITEMS: ExpectedAnswer = {
	names: REPORT.names,
	problem: (answer, sent) => REPORT.problem(answer, sent) ?? withoutAccounts(recordOf(answer)),
};

/** A number or name of the gateway's; nothing for another kind of value, which may have no text. */
export const scalarText = (value: unknown): string =>
	['string', 'number'].includes(typeof value) ? String(value) : '';

/** An amount in cents; `NaN` for a text that is none. */
export const centsIn = (amount: unknown): number => centsOf(Number(scalarText(amount)));

/** Entries of the list that are no accounts. */
export const strangeAccounts = (accounts: unknown[]) => listOf(ACCOUNTS_WITH_ITEMS).strange?.(accounts);

/**
 * Accounts whose items don't add up to their balance.
 * @param eb of raw opening balances, it is open whether they count: then only accounts without any items
 */
export function withOtherItems(accounts: unknown[], eb?: string): Bilingual | undefined {
	const numbers = accounts.flatMap((account) => {
		const { kontonummer, totalSaldo, posten } = Object(account) as IDataObject;
		const items = objectsIn(posten);
		// A balance that isn't there, or is no number, contradicts nothing.
		const rest =
			scalarText(totalSaldo) && centsIn(totalSaldo) - sumBy(items, ({ saldo }) => centsIn(saldo) || 0);
		return rest && (eb !== 'raw' || items.length === 0) ? [scalarText(kontonummer)] : [];
	});
	return warningAbout(numbers, {
		en: 'the items of these accounts don\'t add up to their balance, so some are missing or wrong ("Open Item: Get Many", Output "Accounts", has them):',
		de: 'Bei diesen Konten ergeben die Posten nicht den Saldo, also fehlen welche, oder sie sind falsch („Open Item: Get Many“, Ausgabe „Accounts“, hat sie):',
	});
}

/** Whether an account is a customer's, by what the gateway says or else by its number, as its filter does. */
export const isDebtor = ({ isDebitor, kontonummer }: IDataObject): boolean =>
	typeof isDebitor === 'boolean' ? isDebitor : /^[1-6]/.test(scalarText(kontonummer));

/**
 * Tells invoices from credit notes. What a customer owes is positive. The contract doesn't say which sign a supplier's
 * invoice has: it is that of most suppliers' items, whatever their amounts; negative if there are as many of both.
 * @returns an amount as what is owed: positive for an invoice, negative for a credit note
 */
export function owedIn(accounts: IDataObject[]): (account: IDataObject, saldo: number) => number {
	const sign = majorityIn(itemsOfSuppliers(accounts)) > 0 ? 1 : -1;
	return (account, saldo) => (isDebtor(account) ? saldo : sign * saldo);
}

const itemsOfSuppliers = (accounts: IDataObject[]) =>
	rowsOf(reject(accounts, isDebtor), 'posten').map(({ saldo }) => centsIn(saldo) || 0);
const majorityIn = (items: number[]) => sumBy(items, Math.sign);

const UNCERTAIN_SIGN = both(
	"which of the suppliers' items are invoices isn't certain: their number and their sum contradict each other. Those of the commoner sign count as invoices, the negative ones if there are as many of both",
	'Welche Posten der Lieferanten Rechnungen sind, ist nicht sicher: Anzahl und Summe widersprechen sich. Als Rechnungen gelten die mit dem häufigeren Vorzeichen, bei gleicher Anzahl die negativen.',
);

/** That the sign of suppliers' invoices isn't certain: most items have one, and their sum has another, or one of the two has none. */
export function uncertainSign(accounts: unknown[]): Bilingual | undefined {
	const items = itemsOfSuppliers(accounts.filter(isObject));
	const isEmpty = items.every((cents) => cents === 0);
	return isEmpty || majorityIn(items) * sum(items) > 0 ? undefined : UNCERTAIN_SIGN;
}
