/** The rates of German VAT by day: § 12 and § 24 (1) UStG, and § 28 for the second half of 2020. */

interface Rates {
	/** The first day of these rates. */
	from: string;
	standard: number;
	reduced: number;
	/** Average rates: of forestry, and of other farmers. */
	farmers: readonly [number, number];
}

/** The latest first. What a later ordinance changes for farmers (§ 24 (5)) must be added. */
const RATES: readonly Rates[] = [
	{ from: '2025-01-01', standard: 19, reduced: 7, farmers: [5.5, 7.8] },
	{ from: '2024-12-06', standard: 19, reduced: 7, farmers: [5.5, 8.4] },
	{ from: '2023-01-01', standard: 19, reduced: 7, farmers: [5.5, 9] },
	{ from: '2022-01-01', standard: 19, reduced: 7, farmers: [5.5, 9.5] },
	{ from: '2021-01-01', standard: 19, reduced: 7, farmers: [5.5, 10.7] },
	{ from: '2020-07-01', standard: 16, reduced: 5, farmers: [5.5, 10.7] },
	{ from: '2007-01-01', standard: 19, reduced: 7, farmers: [5.5, 10.7] },
	{ from: '2000-01-01', standard: 16, reduced: 7, farmers: [5, 9] },
];

/** The rates of a day from 2000 on. @param day begins with `YYYY-MM-DD` */
export const taxRatesOn = (day: string): Rates | undefined => RATES.find(({ from }) => day >= from);

/** Every rate that an entry of such a day can have; 0 is one of them. */
export const allRates = ({ standard, reduced, farmers }: Rates): readonly number[] => [
	0,
	reduced,
	standard,
	...farmers,
];
