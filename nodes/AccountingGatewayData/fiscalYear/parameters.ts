/** The fiscal year: chosen from the list, given by its first day or ID, or found by any day in it. */
import { companyId, connectionId } from '../../shared/parameters/accounting';
import { date } from '../../shared/parameters/date';
import { defineList } from '../../shared/parameters/list';
import { locator } from '../../shared/parameters/locator';
import type { Day } from '../../shared/parameters/locator';
import type { Search } from '../../shared/parameters/finder';
import type { Parameter } from '../../shared/parameters/parameter';
import { pathId } from '../../shared/parameters/text';
import { findFiscalYear, fiscalYearsRequest, readYear } from './list';
import type { Company } from './list';

/** Finds the fiscal year by a day, in the list of the chosen company. */
const ofDay = (field: 'id' | 'startDatum', takesCompany: boolean) => ({
	hint: 'Any day in the fiscal year; when empty, today, so that nothing has to change at New Year',
	search: (day: Day): Search<string> => ({
		request: ({ connectionId, companyId }) =>
			fiscalYearsRequest({ connectionId, companyId, takesCompany } as Company),
		find: (body) => findFiscalYear(body, day, field),
	}),
});

/** The fiscal years of the chosen company, or of the connection's default one. */
const fiscalYears = (
	name: string,
	field: 'id' | 'startDatum',
	of: { connectionId: Parameter<string>; companyId?: typeof companyId },
) =>
	defineList({
		name,
		of,
		request: ({ connectionId, companyId: id }) =>
			fiscalYearsRequest({ connectionId, companyId: id, takesCompany: 'companyId' in of }),
		value: [field],
		reads: readYear,
		latestFirst: 'startDatum',
	});

const OF_CONNECTION = { connectionId: connectionId('ReweRead') };
const STARTS = {
	ofDefaultCompany: fiscalYears('searchFiscalYearStarts', 'startDatum', OF_CONNECTION),
	ofCompany: fiscalYears('searchCompanyFiscalYearStarts', 'startDatum', { ...OF_CONNECTION, companyId }),
};

/**
 * `geschaeftsjahrStartDatum`
 * @param takesCompany whether the operation has the field `companyId`, which then selects the fiscal years
 */
export const geschaeftsjahrStartDatum = ({ takesCompany }: { takesCompany: boolean }) =>
	locator(
		date({
			displayName: 'Fiscal Year',
			description:
				'The fiscal year (geschaeftsjahrStartDatum, Geschäftsjahr): from the list, by its first day, or by any day in it',
			placeholder: 'e.g. 2026-01-01',
			required: true,
		}),
		{
			list: takesCompany ? STARTS.ofCompany : STARTS.ofDefaultCompany,
			by: 'By Date',
			hint: 'The first day of the fiscal year; "By Day" takes any day in it',
			ofDay: ofDay('startDatum', takesCompany),
		},
	);

/** `geschaeftsjahrId`, of the connection's default company. */
export const geschaeftsjahrId = locator(
	pathId({
		displayName: 'Fiscal Year',
		description:
			'The fiscal year (geschaeftsjahrId, Geschäftsjahr): from the list, by its ID, or by any day in it',
		placeholder: 'e.g. 20260101',
		required: true,
	}),
	{ list: fiscalYears('searchFiscalYearIds', 'id', OF_CONNECTION), ofDay: ofDay('id', false) },
);
