import { sameText } from '../../shared/answer';
import type { Same } from '../../shared/answer';

const withoutZeros = (number: unknown) =>
	typeof number === 'string' ? number.trim().replace(/^0+(?=\d)/, '') : number;

/** Compares the numbers of ledger accounts, without their leading zeros. */
export const sameAccountNumber: Same = (sent, received, record) =>
	sameText(withoutZeros(sent), withoutZeros(received), record);
