/** What is open, as a payment may settle it: by document number, with whose claim it is and what it comes to. */
import type { IDataObject } from 'n8n-workflow';
import { groupBy, map, sumBy } from 'lodash';

import { rowsOf } from '../../shared/answer';
import { plainText } from '../../shared/values';
import type { Due } from './discount';
import { plainNumber } from './invoiceNumber';
import { centsIn, isDebtor, owedIn, scalarText } from './report';

export interface Payment {
	/** In cents: positive for money that came in. */
	cents: number;
	/** The bank's text. */
	text: string;
	/** The name of the payer or payee. */
	name: string;
	/** `YYYY-MM-DD` */
	day: string;
}

/** What an account has open under one document number; an item without one is alone. */
export interface Claim {
	number?: string;
	items: IDataObject[];
	/** Positive if it is settled by money that comes in. */
	cents: number;
	isCreditNote: boolean;
	name: string;
	/** Whose claim it is: the name, as a customer or supplier may have several accounts; without one, the account. */
	owner: string;
	/** Its items, with the sign of `cents`. */
	dues: Due[];
}

export const isPayable = ({ cents }: Claim, payment: Payment) => cents * payment.cents > 0;

/** The most characters of a name that are read. */
export const LONGEST_PARTNER_NAME = 200;

/** A name without spaces and punctuation. */
export const plainName = (name: unknown) =>
	plainText(scalarText(name), LONGEST_PARTNER_NAME).replace(/[^\p{L}\p{N}]/gu, '');

export function claimsIn(accounts: IDataObject[]): Claim[][] {
	const owed = owedIn(accounts);
	return accounts.map((account) => {
		const sign = isDebtor(account) ? 1 : -1;
		const name = plainName(account.bezeichnung);
		const open = rowsOf([account], 'posten').filter(({ saldo }) => centsIn(saldo));
		const numbered = open.map((item, i) => ({ item, number: plainNumber(scalarText(item.beleg)), i }));
		return Object.values(groupBy(numbered, ({ number, i }) => number ?? `#${i}`)).map((group): Claim => {
			const items = map(group, 'item');
			const owedFor = ({ saldo }: IDataObject) => sign * owed(account, centsIn(saldo));
			const cents = sumBy(items, owedFor);
			const isCreditNote = sign * cents < 0;
			const dues = items.map((item) => ({
				cents: owedFor(item),
				date: scalarText(item.belegdatum).slice(0, 10),
			}));
			const owner = name || scalarText(account.kontonummer).slice(0, LONGEST_PARTNER_NAME);
			return { number: group[0].number, items, cents, isCreditNote, name, owner, dues };
		});
	});
}
