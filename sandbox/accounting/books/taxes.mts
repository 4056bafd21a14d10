import { Big } from 'big.js';
import type { components } from '../../../api/gateway.js';
import type { Line } from './booking.mjs';

/**
 * The standard DATEV tax keys (BU-Schlüssel) that a small company uses, without those of both input and output tax (18, 19,
 * 94): their tax is no part of the amount paid.
 */
export const TAX_KEYS: components['schemas']['TaxKey'][] = [
	['1', 'Umsatzsteuerfrei (mit Vorsteuerabzug)', 0, 'Umsatzsteuer'],
	['2', 'Umsatzsteuer 7 %', 7, 'Umsatzsteuer'],
	['3', 'Umsatzsteuer 19 %', 19, 'Umsatzsteuer'],
	['8', 'Vorsteuer 7 %', 7, 'Vorsteuer'],
	['9', 'Vorsteuer 19 %', 19, 'Vorsteuer'],
	['11', 'Steuerfreie innergemeinschaftliche Lieferung', 0, 'Umsatzsteuer'],
	['40', 'Aufhebung der Automatik', 0, 'Ohne Steuer'],
].map(([buSchluessel, beschreibung, prozentsatz, verwendung]) => ({
	buSchluessel: buSchluessel as string,
	beschreibung: beschreibung as string,
	prozentsatz: prozentsatz as number,
	verwendung: verwendung as string,
}));

/** Tax accounts, by rate in percent; other rates use the account without a rate. */
const TAXES = {
	input: { accounts: { 7: '1571', 19: '1576' }, other: '1570', keys: { 7: '8', 19: '9' } },
	output: { accounts: { 7: '1771', 19: '1776' }, other: '1770', keys: { 7: '2', 19: '3' } },
} as const;

/** Accounts that imply their tax (Automatikkonten): their lines carry no tax key. */
const AUTOMATIC = new Set(['3300', '3400', '3731', '3736', '8300', '8400', '8731', '8736']);

/** Assets and expenses (classes 0, 2, 3, 4) carry input tax, revenue (class 8) output tax, all others none. */
function taxesOf(account: string): (typeof TAXES)['input' | 'output'] | undefined {
	if (account.length !== 4) return undefined;
	if (account.startsWith('8')) return TAXES.output;
	return '0234'.includes(account[0]) ? TAXES.input : undefined;
}

/**
 * Splits a gross amount on an account into lines for net amount and tax.
 * @param gross cents, debit positive
 * @param rate in percent; ignored where the account carries no tax
 */
export function withTax(
	account: string,
	gross: number,
	rate: number,
	details: Pick<Line, 'kost1' | 'kost2' | 'taxKey'> = {},
): Line[] {
	const taxes = taxesOf(account);
	if (!taxes || rate === 0) return [{ account, cents: gross, ...details }];
	const tax =
		new Big(gross).times(rate).div(new Big(rate).plus(100)).round(0, Big.roundHalfUp).toNumber() + 0;
	const known = rate as keyof typeof taxes.keys;
	const taxKey = details.taxKey ?? (AUTOMATIC.has(account) ? undefined : taxes.keys[known]);
	return [
		{ account, cents: gross - tax, ...details, taxKey },
		{ account: taxes.accounts[known] ?? taxes.other, cents: tax },
	];
}

/** The tax rate of a tax key, in percent. */
export const rateOf = (key: string): number | undefined =>
	TAX_KEYS.find(({ buSchluessel }) => buSchluessel === key)?.prozentsatz;
