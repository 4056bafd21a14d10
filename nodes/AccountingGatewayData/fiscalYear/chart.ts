/** The books tell their chart: which of their accounts are cash, bank, clearing accounts, persons, income and expenses. */
import type { IDataObject } from 'n8n-workflow';
import { uniq } from 'lodash';

import { recordOf, sameText } from '../../shared/answer';
import { excerpt } from '../../shared/errors';
import { gatewayRequest } from '../../shared/gateway';
import type { Ask } from '../../shared/operation';
import { both, dayIn, isMissing } from '../../shared/values';
import type { Bilingual, SentenceEnd } from '../../shared/values';
import { explainFixedCompany } from '../exportSubscription';
import { allYearsIn, fiscalYearsRequest } from './list';

type Range = readonly [first: number, last: number];

/** Accounts by their first four digits, from DATEV's standard charts of 2026. */
const CHARTS = {
	SKR03: {
		cash: [[1000, 1099]],
		bank: [[1100, 1299]],
		// Geldtransit, durchlaufende Posten, Lohn- und Gehaltsverrechnung
		clearing: [
			[1360, 1369],
			[1590, 1590],
			[1755, 1755],
		],
		// Classes 2, 3 (but for the stocks), 4 and 8
		result: [
			[2000, 3969],
			[3990, 4999],
			[8000, 8999],
		],
	},
	SKR04: {
		cash: [[1600, 1699]],
		bank: [[1700, 1899]],
		clearing: [
			[1460, 1469],
			[1370, 1370],
			[3790, 3790],
		],
		// Classes 4 to 7
		result: [[4000, 7999]],
	},
} as const satisfies Record<string, Record<string, readonly Range[]>>;

const CHART_DIGITS = 4;
const MOST_CHART_DIGITS = 8;

/** Which rows are of which accounts of a chart; those of persons have one digit more. */
export interface Chart {
	/** E.g. `SKR03, 4 digits`. */
	name: Bilingual;
	isCash(row: IDataObject): boolean;
	isBank(row: IDataObject): boolean;
	isClearing(row: IDataObject): boolean;
	/** Whether the account adds up over the year, and begins with 0: income and expenses. */
	isOfResult(row: IDataObject): boolean;
	isOfPerson(row: IDataObject): boolean;
}

/** A chart; or, where the node knows none of that name, what the books say. */
export type FoundChart = { chart: Chart } | { unknown: Bilingual };

function chartOf({ kontenrahmen, kontonummernLaenge }: IDataObject): FoundChart {
	const name = Object.keys(CHARTS).find((one) => sameText(one, kontenrahmen, {})) as keyof typeof CHARTS;
	const digits = Number(kontonummernLaenge);
	const isKnown = Number.isInteger(digits) && digits >= CHART_DIGITS && digits <= MOST_CHART_DIGITS;
	if (!name || !isKnown) {
		const said = [kontenrahmen, kontonummernLaenge].map((one) => (isMissing(one) ? '–' : excerpt(one, 30)));
		return {
			unknown: both(
				`the fiscal year has the chart "${said[0]}" with accounts of "${said[1]}" digits; known are SKR03 and SKR04 with 4 to 8`,
				`das Geschäftsjahr hat den Kontenrahmen „${said[0]}“ und Sachkonten mit „${said[1]}“ Stellen; bekannt sind SKR03 und SKR04 mit 4 bis 8`,
			),
		};
	}
	/** The number in the standard chart. */
	const numberOf = ({ kontonummer }: IDataObject) => {
		const number = String(kontonummer).padStart(digits, '0');
		return number.length === digits ? Number(number.slice(0, CHART_DIGITS)) : undefined;
	};
	const { cash, bank, clearing, result } = CHARTS[name];
	const isIn = (ranges: readonly Range[]) => (row: IDataObject) => {
		const number = numberOf(row);
		return number !== undefined && ranges.some(([first, last]) => first <= number && number <= last);
	};
	return {
		chart: {
			name: both(`${name}, ${digits} digits`, `${name}, ${digits} Stellen`),
			isCash: isIn(cash),
			isBank: isIn(bank),
			isClearing: isIn(clearing),
			isOfResult: isIn(result),
			isOfPerson: ({ kontonummer }) => String(kontonummer).length === digits + 1,
		},
	};
}

/** Asks the fiscal year that begins on a day for its chart and the length of its account numbers. */
export async function askForChart(
	ask: Ask,
	{
		connectionId,
		geschaeftsjahrStartDatum: start,
	}: { connectionId: string; geschaeftsjahrStartDatum: string },
): Promise<FoundChart> {
	const geschaeftsjahrId = await ask(fiscalYearsRequest({ connectionId }), (body) => idOfYear(body, start));
	const request = gatewayRequest(
		'GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}',
		{ path: { geschaeftsjahrId }, query: { connectionId } },
		explainFixedCompany,
	);
	return await ask<FoundChart>(request, (body) => {
		const year = recordOf(body);
		return sameText(geschaeftsjahrId, year.id, year)
			? { value: chartOf(year) }
			: { problem: both('is about another fiscal year', 'betrifft ein anderes Geschäftsjahr') };
	});
}

function idOfYear(body: unknown, start: string): { value: string } | { problem: SentenceEnd } {
	const all = allYearsIn(body);
	if ('problem' in all) return all;
	const ids = uniq(all.value.filter(({ first }) => first === start).map(({ id }) => id));
	const [id] = ids;
	if (ids.length === 1 && (typeof id === 'string' || typeof id === 'number')) return { value: String(id) };
	return {
		problem: both(
			`names ${ids.length === 0 ? 'no fiscal year' : 'no single ID of the fiscal year'} that begins on ${start}`,
			`nennt ${ids.length === 0 ? 'kein Geschäftsjahr' : 'keine eindeutige ID des Geschäftsjahres'}, das am ${dayIn('de', start)} beginnt`,
		),
	};
}
