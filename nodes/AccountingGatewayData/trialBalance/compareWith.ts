/** The balances that a trial balance is compared with: of the month before, or of the same month a year before. */
import type { IDataObject } from 'n8n-workflow';

import { listIn, recordsOf, warningAbout } from '../../shared/answer';
import { gatewayRequest } from '../../shared/gateway';
import type { Ask } from '../../shared/operation';
import { choice, ofSimplified, shownFor } from '../../shared/parameters';
import { both, isObject, sum } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { explainFixedCompany } from '../exportSubscription';
import type { FoundChart } from '../fiscalYear/chart';
import { allYearsIn, fiscalYearsRequest } from '../fiscalYear/list';
import { yearQuery } from '../parameters';
import { signedAmount } from '../signed';
import { atEndOf } from './upToPeriod';

const comparison = choice({
	displayName: 'Compare With',
	description:
		'Adds the balance of another time, and the change since then (Vergleich): the month before, or the same month a year before. Of income and expense accounts, the month is compared with the month. Needs up to three more requests.',
	choices: [
		{
			name: 'Month Before',
			value: 'monthBefore',
			description:
				'The month before (Vormonat); in January, the opening balance (EB-Wert) and the December before',
		},
		{ name: 'Nothing', value: 'nothing', description: 'No comparison (kein Vergleich)' },
		{
			name: 'Year Before',
			value: 'yearBefore',
			description: 'The same month a year before (Vorjahresmonat), or the end of the fiscal year before',
		},
	],
	default: 'nothing',
});

export const compareWith = ofSimplified(shownFor('output', ['accounts', 'review', 'reviewText'], comparison));

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
		listIn(body)
			? { value: recordsOf(body).filter(isObject) }
			: { problem: both('holds no list of accounts', 'enthält keine Liste der Konten') },
	);
}

interface Compared {
	compareWith?: 'nothing' | 'monthBefore' | 'yearBefore';
	accountsBefore?: IDataObject[];
	chart?: FoundChart;
}

export const isCompared = ({ compareWith = 'nothing' }: Compared): boolean => compareWith !== 'nothing';

/** Whether the fiscal year before is needed: the month before January is its December. */
export const needsYearBefore = ({ compareWith }: Compared, period: number | undefined): boolean =>
	compareWith === 'yearBefore' || (compareWith === 'monthBefore' && period === 1);

const DECEMBER = 12;

/** Signed balances of accounts, by account; `null` where one isn't known. */
type Balances = Map<string, number | null>;

function balancesOf(accounts: IDataObject[], period: number | undefined): Balances {
	const rows =
		period === undefined
			? accounts.map(({ kontonummer, saldo }) => ({ kontonummer, saldoSigned: signedAmount(saldo) ?? null }))
			: atEndOf(accounts, period).rows;
	return new Map(
		rows.map(({ kontonummer, saldoSigned }) => [
			String(kontonummer),
			typeof saldoSigned === 'number' ? saldoSigned : null,
		]),
	);
}

/** One amount less another; `null` if one of them isn't known. */
const less = (one: number | null, other: number | null): number | null =>
	one === null || other === null ? null : sum([one, 0 - other]);

function movementsOf(accounts: IDataObject[], period: number): Balances {
	const [start, end] = [balancesOf(accounts, period - 1), balancesOf(accounts, period)];
	return new Map([...end].map(([number, balance]) => [number, less(balance, start.get(number) ?? null)]));
}

/**
 * Adds `saldoBefore` and `change` to the rows of a trial balance; at the end of a month also `movement` and `movementBefore`, which
 * are compared for income and expense accounts. An account that only the other time has is a row with the balance 0. What isn't known is
 * `null`.
 * @param accounts of the year that the rows are of
 */
export function compared(
	rows: IDataObject[],
	accounts: IDataObject[],
	period: number | undefined,
	{ compareWith, accountsBefore, chart }: Compared,
): IDataObject[] {
	const isMonthBefore = compareWith === 'monthBefore' && period !== undefined;
	const before = isMonthBefore ? balancesOf(accounts, period - 1) : balancesOf(accountsBefore ?? [], period);
	const isBeforeKnown = isMonthBefore || accountsBefore !== undefined;
	const isMovementKnown = (isMonthBefore && period > 1) || accountsBefore !== undefined;
	const monthsOf = (): [now: Balances, before: Balances] => {
		if (period === undefined) return [new Map(), new Map()];
		const now = movementsOf(accounts, period);
		if (isMonthBefore && period > 1) return [now, movementsOf(accounts, period - 1)];
		return [now, movementsOf(accountsBefore ?? [], isMonthBefore ? DECEMBER : period)];
	};
	const [movements, movementsBefore] = monthsOf();
	const now = new Set(rows.map(({ kontonummer }) => String(kontonummer)));
	const gone = (isMonthBefore ? [] : (accountsBefore ?? []))
		.filter(({ kontonummer }) => {
			const number = String(kontonummer);
			const isOpen = (known: Balances) => known.has(number) && known.get(number) !== 0;
			return !now.has(number) && [before, movementsBefore].some(isOpen);
		})
		.map(({ kontonummer, kontobeschriftung }) => ({
			kontonummer,
			kontobeschriftung,
			...(period !== undefined && { periode: period }),
			saldoSigned: 0,
		}));
	return [...rows, ...gone].map((row) => {
		const number = String(row.kontonummer);
		const valueIn = (known: Balances, isKnown: boolean) =>
			known.get(number) ?? (isKnown && !known.has(number) ? 0 : null);
		const saldoBefore = valueIn(before, isBeforeKnown);
		const ofBalance = less(typeof row.saldoSigned === 'number' ? row.saldoSigned : null, saldoBefore);
		// All that is booked in a year is its movement.
		if (period === undefined) return { ...row, saldoBefore, change: ofBalance };
		const movement = valueIn(movements, true);
		const movementBefore = valueIn(movementsBefore, isMovementKnown);
		const ofMovement = less(movement, movementBefore);
		const change = !chart || 'unknown' in chart ? null : chart.chart.isOfResult(row) ? ofMovement : ofBalance;
		return { ...row, saldoBefore, movement, movementBefore, change };
	});
}

/** Accounts whose balance is known, and whose change isn't. */
export const withoutChange = (rows: IDataObject[]): string[] =>
	rows
		.filter(({ saldoSigned, change }) => typeof saldoSigned === 'number' && change === null)
		.map(({ kontonummer }) => String(kontonummer));

const UNKNOWN_CHANGE = both(
	"the balances that these accounts had before aren't known, so their change is empty:",
	'Was diese Konten davor hatten, ist nicht bekannt, change ist daher leer:',
);

/** Why there is nothing to compare with. @param rows as `compared` has made them */
export function comparisonGaps(
	values: Compared,
	period: number | undefined,
	rows: IDataObject[],
): Array<Bilingual | undefined> {
	const { accountsBefore, chart } = values;
	const isMissing = needsYearBefore(values, period) && accountsBefore === undefined;
	const gaps = [
		isMissing && values.compareWith === 'yearBefore'
			? both(
					'there is no fiscal year before that began on the same day, so saldoBefore and change are empty',
					'Es gibt davor kein Geschäftsjahr, das am selben Tag begann: saldoBefore und change sind leer.',
				)
			: undefined,
		isMissing && values.compareWith === 'monthBefore'
			? both(
					'there is no fiscal year before that began on the same day, so the movement of the December before (movementBefore) is empty, and change of income and expense accounts',
					'Es gibt davor kein Geschäftsjahr, das am selben Tag begann: Die Bewegung im Dezember davor (movementBefore) ist leer, ebenso change der Erfolgskonten.',
				)
			: undefined,
		chart && 'unknown' in chart && period !== undefined
			? both(
					`which accounts are income and expenses isn't known, so change is empty: ${chart.unknown.en}`,
					`Welche Konten Erfolgskonten sind, ist nicht bekannt, change ist daher leer: ${chart.unknown.de}.`,
				)
			: undefined,
	];
	return gaps.some(Boolean) ? gaps : [warningAbout(withoutChange(rows), UNKNOWN_CHANGE)];
}
