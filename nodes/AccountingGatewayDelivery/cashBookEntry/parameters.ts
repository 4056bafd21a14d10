/** Parameters that the simple and the advanced entry share. */
import {
	amount,
	connectionId,
	currency,
	defineList,
	files,
	flag,
	locator,
	text,
} from '../../shared/parameters';
import { dateTime } from '../dateTime';
import { gatewayRequest } from '../../shared/gateway';
import { both } from '../../shared/values';

export const waehrung = currency({
	displayName: 'Currency',
	description: 'Currency code of ISO 4217 (waehrung, Währung)',
	placeholder: 'e.g. EUR',
	required: true,
});

export const kassenname = locator(
	text({
		displayName: 'Cash Book (Kassenbuch)',
		description: 'The cash book by its name (kassenname, Kassenbuch)',
		builderHint:
			'The exact name from the list of this field, or bezeichnung from "Cash Book: Get Many". Never invent one.',
		placeholder: 'e.g. Hauptkasse',
		required: true,
	}),
	{
		by: 'By Name',
		list: defineList({
			name: 'searchCashBooks',
			of: { connectionId: connectionId('Duo') },
			request: ({ connectionId }) =>
				gatewayRequest('GET /v2/acct-duo/kassenbuecher', { query: { connectionId } }),
			value: ['bezeichnung'],
		}),
	},
);

/** Whether money comes in or goes out. */
export const MOVEMENTS = [
	{ name: 'Expense (AUSGABE)', value: 'AUSGABE', synonyms: ['Expense', 'Ausgaben', 'Expenses'] },
	{ name: 'Income (EINNAHME)', value: 'EINNAHME', synonyms: ['Income', 'Einnahmen'] },
] as const;

export const transaktionsdatum = dateTime({
	displayName: 'Transaction Date',
	description:
		"Date and time (transaktionsdatum, Datum des Geschäftsvorfalls), e.g. 2026-03-31T14:30:00 or 31.03.2026 14:30; without a time zone, read in the workflow's. A date alone, and 00:00, is a day without a time and is sent as 12:00, so that it is the same day in UTC.",
	required: true,
	isBooked: true,
});

export const belegbilder = files({
	displayName: 'Receipts',
	description: 'Receipt images or documents to attach (belegbilder, Belegbilder)',
	placeholder: 'e.g. data, attachment_*',
	mayBeNone: true,
});

export const gegenkonto = text({
	displayName: 'Contra Account',
	description: 'Ledger account on the other side of the booking (gegenkonto, Gegenkonto)',
	builderHint:
		'A kontonummer from "Chart of Accounts: Get Many" of Accounting Gateway Data. Leave it out rather than guess: the accountant assigns it then.',
	placeholder: 'e.g. 4930',
});

export const ALREADY_BOOKED = 'Already Booked Counts as Done';

/** An option of both entries, which does something else for each. */
export const alreadyBooked = (description: string) =>
	flag({ displayName: ALREADY_BOOKED, description, default: true, decisive: true });

const balance = amount({
	displayName: 'Cash Balance Before',
	description:
		'Cash balance before the earliest entry of the run (Kassenbestand, Anfangsbestand). The node adds up by day, whatever the order of the items, and sends nothing if the balance would be below 0 at the end of any day; each item gets the balance after it (kassenbestand). On Retry, or if some entries already exist, give the balance before the earliest of them. The run can then have entries of one cash book only.',
	placeholder: 'e.g. 1.050,00',
	currency: 'waehrung',
	min: 0,
	negative: both('is negative, which cash never is', 'ist negativ, was eine Kasse nie ist'),
	mayBeZero: true,
	decisive: true,
});

/** An option of both entries. Added and left empty, it would look as if something were checked. */
export const kassenbestand: typeof balance = {
	...balance,
	read: (given, place) =>
		typeof given === 'string' && given.trim() === ''
			? place.addIssue(
					both(
						'is empty: give the balance, or remove the option',
						'ist leer: Geben Sie den Bestand an oder entfernen Sie die Option',
					),
				)
			: balance.read(given, place),
};
