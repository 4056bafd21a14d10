/** The time at which the balances are wanted: the end of the fiscal year, of last month, or of a period. */
import { DateTime } from 'luxon';

import { choice, needing, number, ofSimplified, shownFor } from '../../shared/parameters';
import type { Holder, Parameter } from '../../shared/parameters';
import { ofDefaultCompany } from '../parameters';
import { LAST_PERIOD } from './upToPeriod';

const when = choice({
	displayName: 'As Of',
	description:
		'The time of the balances (Stand): the end of the fiscal year, or of a month (Monat). "End of Last Month" needs no fiscal year, and survives New Year.',
	choices: [
		{
			name: 'End of Fiscal Year',
			value: 'yearEnd',
			description: 'All that is booked (Ende des Geschäftsjahres)',
		},
		{
			name: 'End of Last Month',
			value: 'lastMonth',
			description: 'In its fiscal year (Ende des letzten Monats)',
		},
		{
			name: 'End of a Month (Period)',
			value: 'period',
			description: 'The month’s number, e.g. 3 for March (Ende eines Monats)',
		},
	],
	required: true,
});

/** The last day of last month, once for each item: a year and a month that are read at midnight belong together. */
const days = new WeakMap<Holder, string>();
function lastMonthOf(item: Holder): string {
	const day =
		days.get(item) ?? DateTime.now().setZone(item.zone).startOf('month').minus({ days: 1 }).toISODate();
	days.set(item, day!);
	return day!;
}

/** The number of a month instead of `lastMonth`. */
type AsOf = 'yearEnd' | 'period' | number;

/** `asOf` */
export const asOf = ofSimplified<AsOf>({
	property: when.property,
	async read(given, place) {
		const at = await when.read(given, place);
		return at === 'lastMonth' ? Number(lastMonthOf(place.holder).slice(5, 7)) : at;
	},
});

/** `bisPeriode` */
export const bisPeriode = ofSimplified(
	shownFor(
		'asOf',
		['period'],
		number({
			displayName: 'Month (Period)',
			description:
				'The balances at the end of this month (bisPeriode, Periode, Monat), e.g. 3 for the end of March: opening balance and the periods up to it',
			default: 12,
			min: 1,
			max: LAST_PERIOD,
			integer: true,
			required: true,
		}),
	),
);

const { connectionId, geschaeftsjahrStartDatum: year } = ofDefaultCompany;
export { connectionId };

/** Shown, and read, unless last month says the year. */
const yearUnlessLastMonth = needing({ asOf: { not: ['lastMonth'] } }, year);

/** `geschaeftsjahrStartDatum`; for last month, that of the year that its last day lies in. */
export const yearAsOf: Parameter<string> = {
	...year,
	property: yearUnlessLastMonth.property,
	async read(given, place) {
		const read = await yearUnlessLastMonth.read(given, place);
		return read === undefined
			? await year.read({ __rl: true, mode: 'day', value: lastMonthOf(place.holder) }, place)
			: (read as string);
	},
};

/** @returns the last period that counts; `undefined` for the whole year */
export const periodOf = ({ asOf, bisPeriode }: { asOf?: AsOf; bisPeriode?: number }): number | undefined =>
	typeof asOf === 'number' ? asOf : asOf === 'period' ? bisPeriode : undefined;
