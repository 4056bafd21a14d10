/** Turns an amount and its side into one signed amount: debit (SOLL) is positive, credit (HABEN) negative. */
import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

import { newRecord, setField } from '../shared/values';

/** The fields of a row that hold an amount and its side. */
export const AMOUNTS = ['saldo', 'ebWert'];

/**
 * Makes such an amount one column: `saldoSigned`, and `ebWertSigned` for the opening balance. An amount with an unknown
 * side is a text that names both.
 */
export function signed(row: IDataObject): IDataObject {
	const columns = newRecord();
	for (const name of Object.keys(row)) {
		const value = row[name];
		if (!AMOUNTS.includes(name)) setField(columns, name, value);
		else columns[`${name}Signed`] = value === null ? null : (signedAmount(value) ?? asText(value));
	}
	return columns;
}

/** An amount without a sign as text, so that nobody adds it up. */
export const asText = (amount: unknown): string =>
	isPlainObject(amount) ? Object.values(amount as object).join(' ') : String(amount);

/** A number as text, of no more digits than JavaScript holds. */
const NUMBER = /^-?(?=(?:\d\.?){1,15}$)\d+(?:\.\d+)?$/;

/** An amount, which may be a text. @returns `undefined` if it is none */
export function readAmount(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}

/** @returns `undefined` if it isn't an amount with its side */
export function signedAmount(value: unknown): number | undefined {
	const { betrag, sollHabenKennzeichen: side } = Object(value) as Record<string, unknown>;
	const amount = readAmount(betrag);
	return amount === undefined ? undefined : onSide(amount, side);
}

/** An amount with the sign of its side; `undefined` if that is unknown. 0 has no sign, and needs no side. */
export function onSide(amount: number, side: unknown): number | undefined {
	if (amount === 0 || side === 'SOLL') return amount;
	return side === 'HABEN' ? 0 - amount : undefined;
}
