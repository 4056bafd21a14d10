/** The list of fiscal years, and the one that a day lies in. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { map, sortBy, uniq } from 'lodash';

import type { Day, Found } from '../../shared/parameters';
import { listIn } from '../../shared/answer';
import { gatewayRequest } from '../../shared/gateway';
import type { GatewayRequest } from '../../shared/gateway';
import { explainByForm } from '../exportSubscription';
import { both, dayIn } from '../../shared/values';
import type { Language, SentenceEnd } from '../../shared/values';

/** Asks for the fiscal years of a company. @param values of an item; without `companyId` if it can't choose a company */
export function fiscalYearsRequest(values: { connectionId?: string; companyId?: string }): GatewayRequest {
	const { connectionId = '', companyId } = values;
	return gatewayRequest(
		'GET /v2/acct-rewe-read/geschaeftsjahre',
		{ query: { connectionId, companyId } },
		explainByForm(values),
	);
}

/** A fiscal year with its days, `YYYY-MM-DD`. */
interface FiscalYear {
	id: unknown;
	first: string;
	last: string;
}

/**
 * The fiscal years in a list, by their first days. A row without one is left out. A year ends where it says so, or
 * after twelve months, but always where the next one begins: it may be a short one.
 */
function yearsIn(rows: unknown[]): FiscalYear[] {
	const years = rows.flatMap((row): FiscalYear[] => {
		const { id, startDatum, endDatum } = Object(row) as IDataObject;
		const first = dateIn(startDatum);
		// The contract shows the last day in the detail only, but a list may carry it.
		return first === undefined ? [] : [{ id, first, last: dateIn(endDatum) ?? lastOfTwelveMonths(first) }];
	});
	const sorted = sortBy(years, 'first');
	return sorted.map((year) => {
		const next = sorted.find(({ first }) => first > year.first)?.first;
		return next === undefined ? year : { ...year, last: [dayBefore(next), year.last].sort()[0] };
	});
}

const NO_LIST = both('holds no list of fiscal years', 'enthält keine Liste der Geschäftsjahre');
const NO_FIRST_DAY = both(
	'has a fiscal year without a first day (startDatum)',
	'hat ein Geschäftsjahr ohne ersten Tag (startDatum)',
);

/** All fiscal years in an answer. Leaving one out would make the one before it too long. */
export function allYearsIn(body: unknown): { value: FiscalYear[] } | { problem: SentenceEnd } {
	const rows = listIn(body);
	if (!rows) return { problem: NO_LIST };
	const years = yearsIn(rows);
	if (years.length < rows.length) return { problem: NO_FIRST_DAY };
	return { value: years };
}

/**
 * Finds the fiscal year that a day lies in.
 * @param field which of the year's values is wanted
 */
export function findFiscalYear(body: unknown, day: Day, field: 'id' | 'startDatum'): Found<string> {
	const all = allYearsIn(body);
	if ('problem' in all) return all;
	const { value: years } = all;
	const found = years.filter(({ first, last }) => first <= day.date && day.date <= last);
	if (found.length === 0)
		return {
			rule: both(
				`${day.isToday ? '(today) ' : ''}is in no fiscal year; ${rangesOf(years, 'en')}`,
				`${day.isToday ? '(heute) ' : ''}liegt in keinem Geschäftsjahr; ${rangesOf(years, 'de')}`,
			),
		};
	const [{ first }] = found;
	if (field === 'startDatum') return { value: first };
	const ids = uniq(map(found, 'id').map((id) => (isId(id) ? String(id) : undefined)));
	if (ids.length > 1)
		return {
			rule: both(
				`is in several fiscal years that begin on ${first}: choose one by its ID`,
				`liegt in mehreren Geschäftsjahren, die am ${dayIn('de', first)} beginnen: Wählen Sie eins über seine ID`,
			),
		};
	return ids[0] === undefined
		? {
				problem: both(
					`has no ID of the fiscal year from ${first}`,
					`hat keine ID des Geschäftsjahres ab ${dayIn('de', first)}`,
				),
			}
		: { value: ids[0] };
}

/** The first day of the newest fiscal year that has begun on a day: in January, the new one may be missing. */
export function newestYear(body: unknown, day: string): { value: string } | { problem: SentenceEnd } {
	const all = allYearsIn(body);
	if ('problem' in all) return all;
	const begun = all.value.filter(({ first }) => first <= day).at(-1);
	return begun
		? { value: begun.first }
		: {
				problem: both(
					`has no fiscal year that had begun on ${day}`,
					`hat kein Geschäftsjahr, das am ${dayIn('de', day)} begonnen hatte`,
				),
			};
}

const isId = (id: unknown): id is string | number =>
	(typeof id === 'string' && id !== '') || typeof id === 'number';

/** If there are more years, an error names only the last ones. */
const MAX_YEARS = 12;

function rangesOf(years: FiscalYear[], language: Language): string {
	const isGerman = language === 'de';
	if (years.length === 0) return isGerman ? 'der Mandant hat keins' : 'the company has none';
	const to = isGerman ? 'bis' : 'to';
	const days = ({ first, last }: FiscalYear) => `${dayIn(language, first)} ${to} ${dayIn(language, last)}`;
	const ranges = uniq(years.slice(-MAX_YEARS).map(days)).join(', ');
	const earlier = years.length - MAX_YEARS;
	if (isGerman) return `vorhanden sind ${ranges}${earlier > 0 ? ` und ${earlier} frühere` : ''}`;
	return `the fiscal years are ${ranges}${earlier > 0 ? ` and ${earlier} earlier ones` : ''}`;
}

const DAY_OF_YEAR = 'd LLL yyyy';

/**
 * A fiscal year as people say it: `2026 (1 Jan to 31 Dec)`, `2025/26 (1 Jul 2025 to 30 Jun 2026)`.
 * @param rows the whole list, as a year ends where the next one begins
 */
export function readYear({ startDatum }: IDataObject, _value: string, rows: IDataObject[]) {
	const found = yearsIn(rows).find((year) => year.first === dateIn(startDatum));
	if (!found) return undefined;
	const [first, last] = [utc(found.first), utc(found.last)];
	return first.year === last.year
		? `${first.year} (${first.toFormat('d LLL')} to ${last.toFormat('d LLL')})`
		: `${first.year}/${last.toFormat('yy')} (${first.toFormat(DAY_OF_YEAR)} to ${last.toFormat(DAY_OF_YEAR)})`;
}

/** A date, or the midnight at its start. With any other time, the time zone of the day would be unclear. */
const DATE = /^\d{4}-\d{2}-\d{2}(?=$|T00:00)/;

function dateIn(value: unknown): string | undefined {
	const [day] = (typeof value === 'string' && DATE.exec(value)) || [];
	return day && utc(day).isValid ? day : undefined;
}

const utc = (date: string) => DateTime.fromISO(date, { zone: 'utc', locale: 'en' });
const dayBefore = (date: string) => utc(date).minus({ days: 1 }).toISODate() as string;

function lastOfTwelveMonths(first: string): string {
	const { year, month, day } = utc(first);
	// From 29 February to 28 February: counted from the month's first day, as not every year has each day.
	return DateTime.utc(year + 1, month, 1)
		.plus({ days: day - 2 })
		.toISODate() as string;
}
