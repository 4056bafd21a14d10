/** The fiscal year: chosen from the list, given by its first day or ID, or found by any day in it. */
import { companyId } from '../company/companyId';
import { connectionId, date, defineList, locator, pathId } from '../../shared/parameters';
import type { Day, List, Parameter, Lookup } from '../../shared/parameters';
import { findFiscalYear, fiscalYearsRequest, readYear } from './list';

/** Finds the fiscal year by a day, in the list of the chosen company. */
const ofDay = (field: 'id' | 'startDatum') => ({
	hint: 'Any day in the fiscal year; when empty, today, so that nothing has to change at New Year',
	lookup: (day: Day): Lookup<string> => ({
		request: fiscalYearsRequest,
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
		request: fiscalYearsRequest,
		value: [field],
		reads: readYear,
		latestFirst: 'startDatum',
	});

/** `geschaeftsjahrStartDatum` */
const startIn = (list: List) =>
	locator(
		date({
			displayName: 'Fiscal Year',
			description:
				'The fiscal year (geschaeftsjahrStartDatum, Geschäftsjahr): from the list, by its first day, or by any day in it',
			placeholder: 'e.g. 2026-01-01',
			required: true,
		}),
		{
			list,
			by: 'By Date',
			hint: 'The first day of the fiscal year; "By Day" takes any day in it',
			ofDay: ofDay('startDatum'),
		},
	);

const ofConnection = { connectionId: connectionId('ReweRead') };

export const startOfDefaultCompany = startIn(
	fiscalYears('searchFiscalYearStarts', 'startDatum', ofConnection),
);
/** For operations with the field `companyId`, which selects the fiscal years. */
export const startOfCompany = startIn(
	fiscalYears('searchCompanyFiscalYearStarts', 'startDatum', { ...ofConnection, companyId }),
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
	{ list: fiscalYears('searchFiscalYearIds', 'id', ofConnection), ofDay: ofDay('id') },
);
