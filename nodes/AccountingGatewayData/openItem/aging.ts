/** Shows the age of each account's open items. */
import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { Unusable } from '../../shared/gateway';
import { recordOf, warningAbout } from '../../shared/answer';
import { both, isObject, objectsIn, sum } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { accountsIn, owedIn } from './report';

/** The columns of the items by their age in days, with the first day of the next one. */
const AGES = [
	['days0To30', 31],
	['days31To60', 61],
	['days61To90', 91],
	['over90Days', Infinity],
] as const;

export const AGING_COLUMNS = [
	'kontonummer',
	'bezeichnung',
	'totalSaldo',
	...AGES.map(([name]) => name),
	'creditNotes',
	'isDebitor',
	'stichtag',
];

const dayOf = (value: unknown) => DateTime.fromISO(String(value).slice(0, 10), { zone: 'utc' });

/** A row for each account: what is open in all, by age at the key date, and credit notes apart. */
export function agingOf(answer: unknown): IDataObject[] {
	const { stichtag } = recordOf(answer);
	const keyDate = dayOf(stichtag);
	if (!keyDate.isValid) {
		throw new Unusable(
			both(
				'has no key date (stichtag), so the age of its items is unknown',
				'hat keinen Stichtag (stichtag), darum ist das Alter ihrer Posten unbekannt',
			),
			both('Take the output "Rows".', 'Nehmen Sie die Ausgabe „Rows“.'),
		);
	}
	const accounts = accountsIn(answer).filter(isObject);
	const owed = owedIn(accounts);
	return accounts.map(({ posten, ...account }): IDataObject => {
		const amounts: Record<string, number[]> = { creditNotes: [] };
		for (const [name] of AGES) amounts[name] = [];
		for (const { saldo, belegdatum } of objectsIn(posten)) {
			const amount = Number(saldo) || 0;
			const days = keyDate.diff(dayOf(belegdatum), 'days').days;
			const age = AGES.find(([, end]) => days < end)?.[0];
			if (owed(account, amount) < 0) amounts.creditNotes.push(amount);
			else if (age) amounts[age].push(amount);
		}
		const sums = Object.entries(amounts).map(([name, all]) => [name, sum(all)]);
		return { ...account, stichtag, ...(Object.fromEntries(sums) as IDataObject) };
	});
}

/** Accounts with items whose age isn't known. */
export function withoutDay(accounts: unknown[]): Bilingual | undefined {
	const numbers = accounts
		.filter(isObject)
		.flatMap((account) =>
			objectsIn(account.posten).some(({ saldo, belegdatum }) => Number(saldo) && !dayOf(belegdatum).isValid)
				? [String(account.kontonummer)]
				: [],
		);
	return warningAbout(numbers, {
		en: 'items without a document date (belegdatum) are in the total, but in no column by age: accounts',
		de: 'Posten ohne Belegdatum zählen zur Summe, stehen aber in keiner Altersspalte: Konten',
	});
}
