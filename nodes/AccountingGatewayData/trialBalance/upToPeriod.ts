/**
 * Balances at the end of a period. The contract doesn't say whether an account's `periodenwerte` are the movements of its
 * periods or the balances at their ends; the year's balance (`saldo`) tells.
 */
import type { IDataObject } from 'n8n-workflow';
import { isNil, sortBy, uniq } from 'lodash';

import { oncePerAnswer } from '../../shared/answer';
import { Unusable } from '../../shared/gateway';
import { both, listed, sum } from '../../shared/values';
import { readAmount, signedAmount } from '../signed';

/** The meaning of the periods' values. */
type Habit = 'movements' | 'balances';

/** The last period that an account's balance may be asked for: twelve months, and some that close the year. */
export const LAST_PERIOD = 16;

/** Whether it is the number of a period. A gateway that counts otherwise, as in 202603, may mean another month by 3, or none. */
export const isPeriod = (number: unknown): boolean =>
	Number.isInteger(number) && (number as number) <= LAST_PERIOD;

/** Amounts this close are equal: a gateway that adds up floating-point numbers produces noise. */
const SUMS_NOISE = 1e-5;
const isSame = (one: number, other: number) => Math.abs(difference(one, other)) < SUMS_NOISE;
const difference = (one: number, other: number) => sum([one, 0 - other]);

/** An account's amounts, signed, and its periods in their order. */
interface Account {
	opening: number;
	closing: number;
	periods: Array<{ period: number; amount: number }>;
}

/** The rows of accounts, and those whose periods don't tell: their rows have no balance. */
interface AtEnd {
	rows: IDataObject[];
	unclear: string[];
}

/** `atEndOf`, for a read that is about this period. @throws if no account tells its balance */
export function upToPeriod(accounts: IDataObject[], period: number): AtEnd {
	const result = atEndOf(accounts, period);
	const { unclear } = result;
	if (unclear.length > 0 && unclear.length === accounts.length) throw notTold(unclear, period);
	return result;
}

/** The accounts' rows at the end of a period: opening balance, what was added since (`umsatzSigned`), and balance. */
export function atEndOf(accounts: IDataObject[], period: number): AtEnd {
	const read = accounts.map(readOnce);
	// If an account's values fit both, the other accounts decide: a gateway has only one habit.
	const known = uniq(read.flatMap(({ habits }) => (habits.length === 1 ? habits : [])));
	const unclear: string[] = [];
	const rows = read.map(({ account, habits }, i): IDataObject => {
		const { kontonummer, kontobeschriftung } = accounts[i];
		const fitting = habits.length > 1 && known.length === 1 ? known : habits;
		const balances = account ? fitting.map((habit) => balanceAt(account, period, habit)) : [];
		if (!account || balances.length === 0 || balances.some((balance) => !isSame(balance, balances[0]))) {
			unclear.push(String(kontonummer ?? `no. ${i + 1}`));
			const none = { umsatzSoll: null, umsatzHaben: null, umsatzSigned: null, saldoSigned: null };
			const ebWertSigned = account?.opening ?? null;
			return { kontonummer, kontobeschriftung, periode: period, ebWertSigned, ...none };
		}
		const [saldoSigned] = balances;
		const umsatzSigned = difference(saldoSigned, account.opening);
		return {
			kontonummer,
			kontobeschriftung,
			periode: period,
			ebWertSigned: account.opening,
			...turnover(accounts[i], account, period, umsatzSigned),
			umsatzSigned,
			saldoSigned,
		};
	});
	return { rows, unclear };
}

/**
 * The turnover of each side: that of the year if no later period has a value; otherwise a period has one amount, and
 * nobody can tell. `null` also where the sides don't give what was added.
 */
function turnover(
	{ umsatzSoll, umsatzHaben }: IDataObject,
	{ periods }: Account,
	last: number,
	umsatzSigned: number,
): IDataObject {
	const isAll = periods.every(({ period }) => period <= last);
	const [debit, credit] = [readAmount(umsatzSoll), readAmount(umsatzHaben)];
	const isKnown = isAll && debit !== undefined && credit !== undefined;
	return isKnown && isSame(difference(debit, credit), umsatzSigned)
		? { umsatzSoll: debit, umsatzHaben: credit }
		: { umsatzSoll: null, umsatzHaben: null };
}

export const notTold = (accounts: string[], period: number) =>
	new Unusable(
		both(
			`doesn't tell the balance at the end of period ${period} of account${accounts.length > 1 ? 's' : ''} ${listed(accounts, 'en')}`,
			`sagt nicht, welchen Saldo am Ende der Periode ${period} ${accounts.length > 1 ? 'die Konten' : 'das Konto'} ${listed(accounts, 'de')} ${accounts.length > 1 ? 'haben' : 'hat'}`,
		),
		both(
			'Whether the values of the periods (periodenwerte) are movements or balances follows from the balance of the year (saldo): ' +
				'the opening balance (ebWert) and all movements add up to it, or it is the last balance. Here, neither fits, or both fit ' +
				'with different results. Output "Periods" as of the end of the fiscal year shows the values; ask the provider of the gateway.',
			'Ob die Periodenwerte (periodenwerte) Bewegungen oder Salden sind, folgt aus dem Saldo des Jahres (saldo): EB-Wert (ebWert) und ' +
				'alle Bewegungen ergeben ihn, oder er ist der letzte Saldo. Hier passt beides nicht, oder beides mit verschiedenen Ergebnissen. Die ' +
				'Ausgabe „Periods“ zum Ende des Geschäftsjahres zeigt die Werte; fragen Sie den Anbieter des Gateways.',
		),
	);

/** What an account's amounts are, and the possible meanings of its periods: once, though a comparison looks at several periods. */
const readOnce = oncePerAnswer((given) => {
	const account = readAccount(given as IDataObject);
	return { account, habits: account ? habitsOf(account) : [] };
});

/** @returns `undefined` if an amount or the number of a period isn't known */
function readAccount({ ebWert, saldo, periodenwerte }: IDataObject): Account | undefined {
	const opening = isNil(ebWert) ? 0 : signedAmount(ebWert);
	const closing = signedAmount(saldo);
	const values = isNil(periodenwerte) ? [] : periodenwerte;
	if (opening === undefined || closing === undefined || !Array.isArray(values)) return undefined;
	const periods: Account['periods'] = [];
	for (const one of values) {
		const { periode, saldo: value } = Object(one) as IDataObject;
		const amount = signedAmount(value);
		if (!isPeriod(periode) || amount === undefined) return undefined;
		periods.push({ period: periode as number, amount });
	}
	const account = { opening, closing, periods: sortBy(periods, 'period') };
	// Some gateways list the opening balance as period 0 as well.
	const isOpening = ({ period, amount }: Account['periods'][number]) =>
		period === 0 && isSame(amount, opening);
	const without = { ...account, periods: account.periods.filter((one) => !isOpening(one)) };
	return habitsOf(without).length > 0 ? without : account;
}

/** The possible meanings of the values of an account's periods. */
function habitsOf(account: Account): Habit[] {
	const { closing, periods } = account;
	const fits = (habit: Habit) => isSame(balanceAt(account, Infinity, habit), closing);
	// If a period has two balances, nobody knows which one is its last.
	const areBalances = uniq(periods.map(({ period }) => period)).length === periods.length;
	return (areBalances ? (['movements', 'balances'] as const) : (['movements'] as const)).filter(fits);
}

/** A period without a value has no movement. */
function balanceAt({ opening, periods }: Account, last: number, habit: Habit): number {
	const amounts = periods.filter(({ period }) => period <= last).map(({ amount }) => amount);
	return habit === 'movements' ? sum([opening, ...amounts]) : (amounts.at(-1) ?? opening);
}
