import type { DateTime } from 'luxon';
import type { components } from '../../api/gateway.js';

type BankTransaction = components['schemas']['BankTransaction'];

/** A bank connection, without its time-dependent fields. */
export interface BankConnection {
	id: string;
	/** The gateway account that owns the connection. */
	account: string;
	provider_name: string;
	provider_code: string;
	/** The provider's API variant: `partner` for regulated banks. */
	api: 'partner' | 'openbanking';
}

/** A recurring transaction. */
export interface Routine {
	/** Whether the transaction happens on that day. */
	on: (day: DateTime) => boolean;
	/** Smallest and largest amount in cents; negative for outgoing transactions. */
	cents: [number, number];
	partner: string;
	/** `{month}` becomes the month, `{nr}` a number. */
	text: string;
	category: string;
	/** German time, `HH:mm`. */
	time: string;
	/** Parts of the remittance text other than `svwz`. */
	parsed?: Partial<BankTransaction['description_parsed']>;
}

/** An account at a bank, in euros. */
export interface BankAccount {
	id: string;
	connection: BankConnection;
	/** Name of the company that holds the account. */
	holder: string;
	iban: string;
	/** Balance on the opening day, in cents. */
	opening: number;
	routines: readonly Routine[];
}

const takings: Routine = {
	on: ({ weekday }) => weekday <= 6,
	cents: [380_00, 720_00],
	partner: 'Kartenzahlung Service GmbH',
	text: 'Umsatz Kartenzahlungen Terminal 7 Nr. {nr}',
	category: 'sales',
	time: '06:30',
};
/** Orders paid online, and the fees for them. */
const onlineShop: readonly Routine[] = [
	{
		on: ({ weekday }) => weekday === 5,
		cents: [35_00, 95_00],
		partner: 'PayWallet Europe S.A.',
		text: 'Vorbestellungen Online-Shop Nr. {nr}',
		category: 'sales',
		time: '18:20',
	},
	{
		on: ({ day }) => day === 3,
		cents: [-12_90, -12_90],
		partner: 'PayWallet Europe S.A.',
		text: 'Gebühren {month}',
		category: 'fees',
		time: '08:00',
	},
];
/** Supplies, rent, taxes, electricity, wages. */
const costs: readonly Routine[] = [
	{
		on: ({ weekday }) => weekday === 2,
		cents: [-640_00, -310_00],
		partner: 'Mühle Kornblume OHG',
		text: 'Rechnung RE-{nr} Mehl und Saaten',
		category: 'supplies',
		time: '10:15',
		parsed: { kref: 'KD-20731' },
	},
	{
		on: ({ day }) => day === 1,
		cents: [-1_850_00, -1_850_00],
		partner: 'Hausverwaltung Lindenhof',
		text: 'Miete {month}',
		category: 'rent',
		time: '05:00',
		parsed: { purp: 'RENT' },
	},
	{
		on: ({ day }) => day === 10,
		cents: [-1_400_00, -900_00],
		partner: 'Finanzamt Musterstadt',
		text: 'Umsatzsteuer {month} 241/123/40001',
		category: 'taxes',
		time: '05:05',
		parsed: { purp: 'TAXS' },
	},
	{
		on: ({ day }) => day === 15,
		cents: [-610_00, -540_00],
		partner: 'Stadtwerke Musterstadt',
		text: 'Strom Abschlag {month}',
		category: 'utilities',
		time: '05:10',
		parsed: { cred: 'DE98ZZZ09999999999', mref: 'M-2025-4711' },
	},
	{
		on: ({ day }) => day === 28,
		cents: [-5_900_00, -5_200_00],
		partner: 'Sammler Löhne und Gehälter',
		text: 'Lohn/Gehalt {month}',
		category: 'salaries',
		time: '07:00',
		parsed: { purp: 'SALA' },
	},
];

/** A transaction that happens on one day only. */
const once = (
	date: string,
	amount: number,
	partner: string,
	text: string,
	{ category = 'invoices', time = '09:40' } = {},
): Routine => ({
	on: (day) => day.toISODate() === date,
	cents: [amount, amount],
	partner,
	text,
	category,
	time,
});
/** Payments of invoices that are still open in the books, because the bank statement isn't booked yet. */
const notYetBooked: readonly Routine[] = [
	once('2026-11-17', -489_64, 'Verpackungen Keller GmbH', 'Rechnung 70004/260057 vom 22.10.'),
	once('2026-11-18', 1_750_86, 'Hotel am Markt GmbH', 'RE-2026-0050 Fruehstuecksgebaeck'),
	once('2026-11-19', 1_338_91, 'Café Lindenhof OHG', 'Torten November'),
	once('2026-11-19', 600_00, 'Seniorenstift St. Anna gGmbH', 'Abschlag auf RE-2026-0018', {
		category: 'part payments',
		time: '11:15',
	}),
];

const sparkasse: BankConnection = {
	id: 'conn-sparkasse',
	account: 'demo',
	provider_name: 'Sparkasse Musterstadt',
	provider_code: 'sparkasse_musterstadt_de',
	api: 'partner',
};
const wallet: BankConnection = {
	id: 'conn-wallet',
	account: 'demo',
	provider_name: 'PayWallet',
	provider_code: 'paywallet_de',
	api: 'openbanking',
};
const volksbank: BankConnection = {
	id: 'conn-volksbank',
	account: 'second',
	provider_name: 'Volksbank Beispielstadt',
	provider_code: 'volksbank_beispielstadt_de',
	api: 'partner',
};
export const BANK_CONNECTIONS: readonly BankConnection[] = [sparkasse, wallet, volksbank];

const BAKERY = 'Bäckerei Sonnenschein GmbH';

export const BANK_ACCOUNTS: readonly BankAccount[] = [
	{
		id: 'acc-giro',
		connection: sparkasse,
		holder: BAKERY,
		iban: 'DE02120300000000202051',
		opening: 15_000_00,
		routines: [takings, ...costs, ...notYetBooked],
	},
	{
		id: 'acc-wallet',
		connection: wallet,
		holder: BAKERY,
		iban: 'DE02500105170137075030',
		opening: 500_00,
		routines: onlineShop,
	},
	{
		id: 'acc-cafe',
		connection: volksbank,
		holder: 'Café Morgenrot e. K.',
		iban: 'DE02100500000054540402',
		opening: 8_000_00,
		routines: [takings, ...costs],
	},
];
