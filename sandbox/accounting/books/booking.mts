import { Big } from 'big.js';

/** One side of a booking. */
export interface Line {
	/** Account number: four digits for a ledger account, five for a customer or supplier account. */
	account: string;
	/** Integer cents: debit (Soll) is positive, credit (Haben) is negative. */
	cents: number;
	kost1?: string;
	kost2?: string;
	/** DATEV tax key (BU-Schlüssel); accounts that imply their tax have none. */
	taxKey?: string;
}

/** A double-entry booking: its lines add up to zero. */
export interface Booking {
	/** Document date, YYYY-MM-DD. */
	date: string;
	text: string;
	/** ISO 4217. */
	currency: string;
	/** Document number; on a customer or supplier account, it identifies the open item. `0` for opening balances. */
	document: string;
	lines: Line[];
	/** Set for the opening balances of a fiscal year. */
	opening?: true;
}

/** Integer cents from an amount in the currency's unit, half a cent rounded away from zero. */
export const toCents = (amount: number | Big): number =>
	// Adding 0 turns -0 into 0.
	new Big(amount).times(100).round(0, Big.roundHalfUp).toNumber() + 0;

/** The amount as in the gateway's JSON: in the currency's unit, exact to the cent. */
export const toAmount = (cents: number): number => cents / 100;

export const sumOf = (lines: readonly Pick<Line, 'cents'>[]): number =>
	lines.reduce((sum, { cents }) => sum + cents, 0);
