import { Faker, de } from '@faker-js/faker';
import { DateTime } from 'luxon';
import { type Booking, type Line, sumOf, toCents } from './booking.mjs';
import type { Business, Partner, Standing, Till } from './business.mjs';
import { withTax } from './taxes.mjs';
import { termOf } from './terms.mjs';

const BANK = '1200';
const VAT_PREPAYMENT = '1780';
const VAT_LAST_YEAR = '1790';
const VAT_ACCOUNTS = /^(157|177)/;
/** Accounts for cash discounts (Skonto), by tax rate. */
const DISCOUNTS = { given: { 7: '8731', 19: '8736' }, taken: { 7: '3731', 19: '3736' } } as const;

/**
 * A business's bookings from one year to another, by date: takings, invoices, payments, wages, taxes. The same seed
 * gives the same bookings; a longer period only adds bookings.
 */
export function trade(business: Business, [from, to]: [from: number, to: number], seed: number): Booking[] {
	const bookings: Booking[] = [];
	for (let year = from; year <= to; year++) {
		const faker = new Faker({ locale: de });
		faker.seed([seed, year, ...(business.chance === undefined ? [] : [business.chance])]);
		bookings.push(
			...business.tills.flatMap((till) => takings(till, year, faker)),
			...invoices(business.customers, year, 'sale', faker),
			...invoices(business.suppliers, year, 'purchase', faker),
			...business.standing.flatMap((standing) => monthly(standing, year)),
		);
	}
	bookings.push(...prepayments(bookings));
	return bookings.sort(byDate);
}

export const byDate = (a: Booking, b: Booking): number => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0);

const day = (year: number, month: number, ofMonth: number): DateTime => {
	const first = DateTime.utc(year, month, 1);
	return first.set({ day: Math.min(ofMonth, first.daysInMonth ?? ofMonth) });
};

/** The date, or the following Monday if it falls on a weekend. */
const workday = (date: DateTime): DateTime =>
	date.weekday > 5 ? date.plus({ days: 8 - date.weekday }) : date;

function booking(date: DateTime, text: string, lines: Line[], document = ''): Booking {
	return { date: date.toISODate() ?? '', text, currency: 'EUR', document, lines };
}

/** Books the takings every Saturday and their deposit on Monday; the change stays in the till. */
function takings({ account, costCenter, week }: Till, year: number, faker: Faker): Booking[] {
	const bookings: Booking[] = [];
	const newYear = day(year, 1, 1);
	const firstSaturday = newYear.plus({ days: (13 - newYear.weekday) % 7 });
	for (let saturday = firstSaturday; saturday.year === year; saturday = saturday.plus({ weeks: 1 })) {
		const sales = week.flatMap(({ account: revenue, rate, gross }) =>
			withTax(revenue, -toCents((gross * faker.number.int({ min: 820, max: 1180 })) / 1000), rate, {
				kost1: costCenter,
			}),
		);
		const cents = -sumOf(sales);
		const deposit = Math.floor(cents / 1000) * 1000;
		bookings.push(
			booking(saturday, `Tageseinnahmen KW ${saturday.weekNumber}`, [...sales, { account, cents }]),
			booking(workday(saturday), 'Bareinzahlung', [
				{ account: BANK, cents: deposit },
				{ account, cents: -deposit },
			]),
		);
	}
	return bookings;
}

/** A year's invoices to customers or from suppliers, and their payments. */
function invoices(partners: Partner[], year: number, kind: 'sale' | 'purchase', faker: Faker): Booking[] {
	const months = Array.from({ length: 12 }, (_, index) => index + 1);
	return partners
		.flatMap((partner) =>
			months
				.filter((month) => month % partner.every === 0)
				.map((month) => {
					const [min, max] = partner.gross.map(toCents);
					return {
						partner,
						date: workday(day(year, month, faker.number.int({ min: 3, max: 26 }))),
						gross: faker.number.int({ min, max }),
					};
				}),
		)
		.sort((a, b) => a.date.toMillis() - b.date.toMillis())
		.flatMap(({ partner, date, gross }, index) => {
			const number = String(index + 1).padStart(4, '0');
			const document =
				kind === 'sale' ? `RE-${year}-${number}` : `${partner.account}/${String(year).slice(2)}${number}`;
			// A debtor owes us (debit), we owe a creditor (credit).
			const owed = kind === 'sale' ? gross : -gross;
			return [
				booking(
					date,
					`${partner.text}, ${partner.name}`,
					[
						{ account: partner.account, cents: owed },
						...withTax(partner.contra, -owed, partner.rate, { kost1: partner.costCenter }),
					],
					document,
				),
				...payments(partner, { date, owed, document }, kind, faker),
			];
		});
}

/** The share of each way to pay invoices, in percent. An accidental second payment leaves an opposite balance. */
const HABITS = {
	sale: { never: 2, partly: 4, twice: 1, late: 12, discount: 28, onTime: 53 },
	purchase: { never: 1, partly: 1.6, twice: 0.4, late: 5, discount: 46, onTime: 46 },
};
type Habit = keyof (typeof HABITS)['sale'];

function payments(
	partner: Partner,
	{ date, owed, document }: { date: DateTime; owed: number; document: string },
	kind: 'sale' | 'purchase',
	faker: Faker,
): Booking[] {
	const { nettoFrist, skontoFrist1, skontoSatz1 } = termOf(partner.term);
	const habits = Object.entries(HABITS[kind]).map(([value, weight]) => ({ value: value as Habit, weight }));
	const chosen = faker.helpers.weightedArrayElement(habits);
	const habit = chosen === 'discount' && !skontoSatz1 ? 'onTime' : chosen;
	/** @param cents the amount settled: payment plus discount */
	const pay = (days: number, cents: number, discount = 0) =>
		booking(
			workday(date.plus({ days })),
			`Zahlung ${document} ${partner.name}`,
			[
				{ account: BANK, cents: cents - discount },
				...(discount
					? withTax(
							DISCOUNTS[kind === 'sale' ? 'given' : 'taken'][partner.rate as 7 | 19],
							discount,
							partner.rate,
						)
					: []),
				{ account: partner.account, cents: -cents },
			],
			document,
		);
	const onTime = Math.max(nettoFrist - faker.number.int({ min: 0, max: 4 }), 0);
	switch (habit) {
		case 'discount':
			return [pay(skontoFrist1, owed, Math.round((owed * skontoSatz1) / 100))];
		case 'onTime':
			return [pay(onTime, owed)];
		case 'late':
			return [pay(nettoFrist + faker.number.int({ min: 8, max: 60 }), owed)];
		case 'partly':
			return [pay(onTime, Math.round(owed / 2))];
		case 'never':
			return [];
		case 'twice':
			return [pay(onTime, owed), pay(onTime + 6, owed)];
	}
}

function monthly({ day: ofMonth, text, lines, against }: Standing, year: number): Booking[] {
	const sides = lines.flatMap(([account, gross, rate = 0, kost1, kost2]) =>
		withTax(account, toCents(gross), rate, { kost1, kost2 }),
	);
	return Array.from({ length: 12 }, (_, index) =>
		booking(day(year, index + 1, ofMonth), text, [...sides, { account: against, cents: -sumOf(sides) }]),
	);
}

/** Payments of each month's value added tax, on the 10th of the next month. */
function prepayments(bookings: Booking[]): Booking[] {
	const due = new Map<string, number>();
	for (const { date, lines } of bookings) {
		const month = date.slice(0, 7);
		const tax = sumOf(lines.filter(({ account }) => VAT_ACCOUNTS.test(account)));
		due.set(month, (due.get(month) ?? 0) + tax);
	}
	return [...due].map(([month, cents]) => {
		const payday = workday(DateTime.fromISO(`${month}-10`, { zone: 'utc' }).plus({ months: 1 }));
		// December's tax was carried forward into the new year's account.
		const account = month.endsWith('-12') ? VAT_LAST_YEAR : VAT_PREPAYMENT;
		return booking(payday, `Umsatzsteuer ${month}`, [
			{ account, cents: -cents },
			{ account: BANK, cents },
		]);
	});
}
