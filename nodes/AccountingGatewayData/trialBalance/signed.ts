/** Turns an amount and its side into one signed amount: debit (SOLL) is positive, credit (HABEN) negative. */
import type { IDataObject } from 'n8n-workflow';
import { isPlainObject } from 'lodash';

import { negated } from '../../shared/values/money';

/** The fields of a row that hold an amount and its side. */
export const AMOUNTS = ['saldo', 'ebWert'];

/**
 * Makes such an amount one column: `saldoSigned`, and `ebWertSigned` for the opening balance. An amount with an unknown
 * side is a text that names both.
 */
export function signed(row: IDataObject): IDataObject {
	const columns = Object.entries(row).flatMap(([name, value]): Array<[string, unknown]> => {
		if (!AMOUNTS.includes(name)) return [[name, value]];
		return [[`${name}Signed`, value === null ? null : (signedAmount(value) ?? asText(value))]];
	});
	return Object.fromEntries(columns) as IDataObject;
}

/** An amount without a sign as text, so that nobody adds it up. */
const asText = (amount: unknown): string =>
	isPlainObject(amount) ? Object.values(amount as object).join(' ') : String(amount);

/** A number that JavaScript can't hold is a text, and stays one. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/** @returns `undefined` if it isn't an amount with its side */
export function signedAmount(value: unknown): number | string | undefined {
	const { betrag, sollHabenKennzeichen: side } = Object(value) as {
		betrag?: unknown;
		sollHabenKennzeichen?: unknown;
	};
	// 0 has no sign, and needs no side.
	if (betrag === 0) return 0;
	if (side !== 'SOLL' && side !== 'HABEN') return undefined;
	if (typeof betrag !== 'number' && (typeof betrag !== 'string' || !NUMBER.test(betrag))) return undefined;
	return side === 'SOLL' || Number(betrag) === 0 ? betrag : negated(betrag);
}
