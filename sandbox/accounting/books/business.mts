import { Faker, de } from '@faker-js/faker';
import memoize from 'lodash/memoize.js';

import type { Company } from '../../seed.mjs';

/** A company's regular business, from which `trade.mts` generates bookings. All amounts are in euros. */
export interface Business {
	/** The account for profit or loss and the owner's withdrawals. */
	capital: string;
	/** Opening balances, debit positive. The capital account takes the difference. */
	opening: Record<string, number>;
	tills: Till[];
	customers: Partner[];
	suppliers: Partner[];
	standing: Standing[];
	/** Names of the customer and supplier accounts that have a balance but no trade. */
	dormant: Record<string, string>;
	/** Tells the business of a generated client from the others: chance is another one. */
	chance?: number;
}

/** A cash register whose takings are booked each Saturday and deposited on Monday. */
export interface Till {
	account: string;
	/** The name of its cash book. */
	cashBook: string;
	costCenter: string;
	/** Gross takings of a typical week by revenue account, with the rate in percent. */
	week: { account: string; rate: number; gross: number }[];
}

/** A customer who gets invoices, or a supplier who sends them. */
export interface Partner {
	account: string;
	name: string;
	/** Description of the goods or services. */
	text: string;
	/** The revenue or expense account. */
	contra: string;
	rate: number;
	costCenter?: string;
	/** Smallest and largest gross amount of an invoice. */
	gross: [from: number, to: number];
	/** Months between invoices. */
	every: number;
	/** ID of the payment term. */
	term: string;
}

/** A booking that repeats every month. */
export interface Standing {
	/** Day of the month; 31 stands for the last one. */
	day: number;
	text: string;
	/** Gross amounts, debit positive, with rate in percent and cost centers. */
	lines: [account: string, gross: number, rate?: number, kost1?: string, kost2?: string][];
	/** The contra account. */
	against: string;
}

const bakery: Business = {
	capital: '0860',
	opening: {
		'0027': 1_800,
		'0210': 84_000,
		'0320': 22_000,
		'0430': 41_500,
		'0640': -62_000,
		'0800': -25_000,
		'0970': -4_500,
		'1000': 850,
		'1010': 300,
		'1200': 38_400,
		'1741': -1_720,
		'3980': 6_200,
		'10008': 1_428,
		'70008': -380.8,
	},
	tills: [
		{
			account: '1000',
			cashBook: 'Hauptkasse',
			costCenter: '200',
			week: [
				{ account: '8300', rate: 7, gross: 4_100 },
				{ account: '8400', rate: 19, gross: 780 },
			],
		},
		{
			account: '1010',
			cashBook: 'Kasse Filiale Süd',
			costCenter: '210',
			week: [
				{ account: '8300', rate: 7, gross: 2_450 },
				{ account: '8400', rate: 19, gross: 310 },
			],
		},
	],
	customers: [
		customer('10001', 'Hotel am Markt GmbH', 'Frühstücksgebäck', [1_400, 2_100], '40'),
		customer('10002', 'Kita Regenbogen e. V.', 'Brot und Brötchen', [380, 620], '20'),
		customer('10003', 'Café Lindenhof OHG', 'Torten und Gebäck', [850, 1_500], '50'),
		customer('10004', 'Seniorenstift St. Anna gGmbH', 'Brot und Kuchen', [1_250, 1_800], '30'),
		customer('10005', 'Stadtverwaltung, Rathauskantine', 'Brötchen und Snacks', [640, 980], '30'),
		customer('10006', 'Eventservice Kranz GbR', 'Fingerfood', [450, 2_600], '20', 2),
	],
	suppliers: [
		supplier('70001', 'Mühle Hagedorn GmbH', 'Mehl', '3300', 7, [2_900, 3_900], '50'),
		supplier('70002', 'Molkerei Wiesental eG', 'Butter, Milch, Sahne', '3300', 7, [2_100, 2_900], '40'),
		supplier('70003', 'Kaffeerösterei Brandt KG', 'Kaffee', '3300', 7, [480, 760], '30'),
		supplier('70004', 'Verpackungen Keller GmbH', 'Tüten und Kartons', '4710', 19, [320, 690], '40', 2),
		supplier('70005', 'Stadtwerke Neuenfeld AG', 'Strom und Gas', '4240', 19, [1_900, 2_500], '20'),
		supplier('70006', 'Backtechnik Schreiber e. K.', 'Wartung Öfen', '4805', 19, [480, 1_300], '30', 3),
		supplier('70007', 'Steuerkanzlei Demo', 'Buchführung', '4955', 19, [440, 480], '20'),
	],
	dormant: { '10008': 'Gasthof Zur Post, Inh. F. Albers', '70008': 'Ladenbau Vogt GmbH' },
	standing: [
		{ day: 1, text: 'Miete Backstube und Laden', lines: [['4210', 2_499, 19, '200']], against: '1200' },
		{ day: 1, text: 'Miete Filiale Süd', lines: [['4210', 1_130.5, 19, '210']], against: '1200' },
		{ day: 3, text: 'Betriebsversicherung', lines: [['4360', 214.2]], against: '1200' },
		{ day: 5, text: 'Telefon und Internet', lines: [['4920', 101.15, 19, '200']], against: '1200' },
		{ day: 8, text: 'Tankrechnung', lines: [['4530', 285.6, 19, '300', 'KFZ1']], against: '1200' },
		{ day: 10, text: 'Lohnsteuer Vormonat', lines: [['1741', 1_720]], against: '1200' },
		{ day: 15, text: 'Anzeige Wochenblatt', lines: [['4600', 190.4, 19, '200']], against: '1200' },
		{
			day: 25,
			text: 'Lohnabrechnung',
			lines: [
				['4110', 9_600, 0, '100'],
				['4120', 7_300, 0, '200'],
				['4130', 3_520, 0, '200'],
				['1741', -1_720],
				['1742', -6_760],
			],
			against: '1740',
		},
		{ day: 27, text: 'Krankenkassen', lines: [['1742', 6_760]], against: '1200' },
		{ day: 28, text: 'Löhne und Gehälter', lines: [['1740', 11_940]], against: '1200' },
		{
			day: 30,
			text: 'Darlehen, Zins und Tilgung',
			lines: [
				['0640', 500],
				['2120', 186],
			],
			against: '1200',
		},
		{ day: 31, text: 'Kontoführung', lines: [['4970', 18.9]], against: '1200' },
		{ day: 31, text: 'AfA Maschinen', lines: [['4830', 700, 0, '100']], against: '0210' },
		{ day: 31, text: 'AfA Ladeneinrichtung', lines: [['4830', 345, 0, '200']], against: '0430' },
		{ day: 31, text: 'AfA Lieferwagen', lines: [['4832', 180, 0, '300', 'KFZ1']], against: '0320' },
	],
};

const cafe: Business = {
	capital: '0880',
	opening: { '0400': 12_600, '1000': 400, '1200': 9_300, '3980': 1_150 },
	tills: [
		{
			account: '1000',
			cashBook: 'Tageskasse',
			costCenter: '10',
			week: [
				{ account: '8300', rate: 7, gross: 540 },
				{ account: '8400', rate: 19, gross: 1_650 },
			],
		},
	],
	customers: [customer('10001', 'Tanzschule Bergmann', 'Kuchenbuffet', [180, 420], '20', 2)],
	suppliers: [
		supplier('70001', 'Bäckerei Sonnenschein GmbH', 'Kuchen und Brot', '3300', 7, [850, 1_200], '30'),
		supplier('70002', 'Getränke Ostermann KG', 'Getränke', '3400', 19, [620, 910], '40'),
	],
	dormant: {},
	standing: [
		{ day: 1, text: 'Miete', lines: [['4210', 1_300]], against: '1200' },
		{ day: 5, text: 'Strom', lines: [['4240', 297.5, 19]], against: '1200' },
		{ day: 15, text: 'Privatentnahme', lines: [['1800', 2_400]], against: '1200' },
		{ day: 28, text: 'Aushilfen', lines: [['4190', 1_104]], against: '1200' },
	],
};

/** A company's business: the bakery's and the café's are written here, those of further clients are generated. */
export const businessOf = ({ id, clientNumber }: Pick<Company, 'id' | 'clientNumber'>): Business =>
	({ '29098-10001': bakery, '29098-10002': cafe })[id] ?? generated(clientNumber);

/** A small business, the same for the same number, and of other figures than that of any other number. */
const generated = memoize((number: number): Business => {
	const faker = new Faker({ locale: de });
	faker.seed(number);
	const between = (min: number, max: number) => faker.number.int({ min: min * 100, max: max * 100 }) / 100;
	const range = (min: number, max: number): [number, number] => [between(min, max), between(max, 2 * max)];
	const partner = () =>
		`${faker.person.lastName()} ${faker.helpers.arrayElement(['GmbH', 'KG', 'OHG', 'e. K.'])}`;
	const rate19 = { contra: '8400', rate: 19 };
	return {
		capital: '0880',
		opening: {
			'0410': between(4_000, 20_000),
			'1000': 300,
			'1200': between(8_000, 30_000),
			'3980': between(500, 5_000),
		},
		tills: [
			{
				account: '1000',
				cashBook: 'Kasse',
				costCenter: '10',
				week: [{ account: '8400', rate: 19, gross: between(600, 1_400) }],
			},
		],
		customers: [
			{ ...customer('10001', partner(), 'Leistungen', range(400, 900), '20'), ...rate19 },
			{ ...customer('10002', partner(), 'Wartung', range(200, 500), '40', 2), ...rate19 },
		],
		suppliers: [
			supplier('70001', partner(), 'Ware', '3400', 19, range(300, 700), '40'),
			supplier('70002', partner(), 'Bürobedarf', '4930', 19, range(40, 120), '20', 3),
		],
		dormant: {},
		standing: [
			{ day: 1, text: 'Miete', lines: [['4210', between(500, 1_200)]], against: '1200' },
			{ day: 5, text: 'Strom', lines: [['4240', between(90, 300), 19]], against: '1200' },
			{ day: 15, text: 'Privatentnahme', lines: [['1800', between(900, 1_800)]], against: '1200' },
			{ day: 28, text: 'Aushilfen', lines: [['4190', between(200, 520)]], against: '1200' },
		],
		chance: number,
	};
});

function customer(
	account: string,
	name: string,
	text: string,
	gross: [number, number],
	term: string,
	every = 1,
): Partner {
	return { account, name, text, contra: '8300', rate: 7, costCenter: '300', gross, term, every };
}

function supplier(
	account: string,
	name: string,
	text: string,
	contra: string,
	rate: number,
	gross: [number, number],
	term: string,
	every = 1,
): Partner {
	return { account, name, text, contra, rate, costCenter: '100', gross, term, every };
}
