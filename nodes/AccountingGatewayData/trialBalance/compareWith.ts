/** The balances that a trial balance is compared with: of the month before, or of the same month a year before. */
import type { IDataObject } from 'n8n-workflow';

import { listIn, recordsOf } from '../../shared/answer';
import { gatewayRequest } from '../../shared/gateway';
import type { Ask } from '../../shared/operation';
import { choice, shownFor } from '../../shared/parameters';
import { both, isObject, sum } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { explainFixedCompany } from '../exportSubscription';
import { allYearsIn, fiscalYearsRequest } from '../fiscalYear/list';
import { yearQuery } from '../parameters';
import { signedAmount } from '../signed';
import { upToPeriod } from './upToPeriod';

const comparison = choice({
	displayName: 'Compare With',
	description:
		'Adds the balance of another time, and the change since then (Vergleich): the month before, or the same month a year before, which needs two more requests',
	choices: [
		{
			name: 'Month Before',
			value: 'monthBefore',
			description: 'Vormonat; in January, the opening balance (EB-Wert)',
		},
		{ name: 'Nothing', value: 'nothing', description: 'Kein Vergleich' },
		{
			name: 'Year Before',
			value: 'yearBefore',
			description: 'Vorjahresmonat, or the end of the fiscal year before',
		},
	],
	default: 'nothing',
});

export const compareWith = shownFor('output', ['accounts', 'review', 'reviewText'], comparison);

/** The trial balance of the fiscal year before, which began on the same day of the year; `undefined` if there is none. */
export async function accountsBefore(
	ask: Ask,
	{
		connectionId,
		geschaeftsjahrStartDatum: chosen,
		additionalFields: { kontonummer },
	}: {
		connectionId: string;
		geschaeftsjahrStartDatum: string;
		additionalFields: { kontonummer?: string };
	},
): Promise<IDataObject[] | undefined> {
	const years = await ask(fiscalYearsRequest({ connectionId }), allYearsIn);
	const wanted = `${Number(chosen.slice(0, 4)) - 1}${chosen.slice(4)}`;
	if (!years.some(({ first }) => first === wanted)) return undefined;
	const query = { ...yearQuery({ connectionId, geschaeftsjahrStartDatum: wanted }), kontonummer };
	const request = gatewayRequest('GET /v2/acct-rewe-read/susa', { query }, explainFixedCompany);
	return await ask(request, (body) =>
		listIn(body) ? { value: recordsOf(body).filter(isObject) } : { problem: 'holds no list of accounts' },
	);
}

interface Compared {
	compareWith?: 'nothing' | 'monthBefore' | 'yearBefore';
	accountsBefore?: IDataObject[];
}

export const isCompared = ({ compareWith = 'nothing' }: Compared): boolean => compareWith !== 'nothing';

/** The signed balances of accounts at the end of a period, or of the year. */
const balancesOf = (accounts: IDataObject[], period: number | undefined): IDataObject[] =>
	period === undefined
		? accounts.map((account) => ({ ...account, saldoSigned: signedAmount(account.saldo) ?? null }))
		: upToPeriod(accounts, period).rows;

/**
 * Adds `saldoBefore` and `change` to the rows of a trial balance. An account that only the other time has is a row with the balance 0.
 * @param accounts of the year that the rows are of
 */
export function compared(
	rows: IDataObject[],
	accounts: IDataObject[],
	period: number | undefined,
	{ compareWith, accountsBefore }: Compared,
): IDataObject[] {
	const isMonthBefore = compareWith === 'monthBefore' && period !== undefined;
	const before = isMonthBefore ? balancesOf(accounts, period - 1) : balancesOf(accountsBefore ?? [], period);
	const isKnown = isMonthBefore || accountsBefore !== undefined;
	const byNumber = new Map(before.map((row) => [String(row.kontonummer), row]));
	const now = new Set(rows.map(({ kontonummer }) => String(kontonummer)));
	const gone = before
		.filter(({ kontonummer, saldoSigned }) => !now.has(String(kontonummer)) && Boolean(saldoSigned))
		.map(({ kontonummer, kontobeschriftung }) => ({
			kontonummer,
			kontobeschriftung,
			...(period !== undefined && { periode: period }),
			saldoSigned: 0,
		}));
	return [...rows, ...gone].map((row) => {
		const known = byNumber.get(String(row.kontonummer));
		const saldoBefore = known ? known.saldoSigned : isKnown ? 0 : null;
		const areNumbers = typeof row.saldoSigned === 'number' && typeof saldoBefore === 'number';
		const change = areNumbers ? sum([row.saldoSigned as number, 0 - saldoBefore]) : null;
		return { ...row, saldoBefore, change };
	});
}

/** Why there is nothing to compare with. */
export const nothingBefore = ({ compareWith, accountsBefore }: Compared): Bilingual | undefined =>
	compareWith === 'yearBefore' && accountsBefore === undefined
		? both(
				'there is no fiscal year before that began on the same day, so saldoBefore and change are empty',
				'Es gibt davor kein Geschäftsjahr, das am selben Tag begann: saldoBefore und change sind leer.',
			)
		: undefined;
