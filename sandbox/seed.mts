import { type Chart, OWN_CHART } from './accounting/books/chart.mjs';

/** The accounting modules that have connections of their own. */
export type Module = 'duo' | 'rewe' | 'rewe-read';

/** A client company. */
export interface Company {
	/** `<consultant_number>-<client_number>` */
	id: string;
	consultantNumber: number;
	clientNumber: number;
	name: string;
	/** Without it, the export-reading operations answer 403 for this company. */
	exportSubscription: boolean;
	/** How it numbers its accounts. */
	chart: Chart;
}

/** An accounting connection, identified by `connectionId`. */
export interface Connection {
	id: string;
	name: string;
	module: Module;
	/** The companies that the connection covers; an adviser's connection covers several. */
	companyIds: string[];
	/** The company chosen at authorization, which calls without `companyId` use. */
	defaultCompanyId: string;
	/** The accounting system no longer accepts its authorization: every call is refused. */
	isBroken?: true;
}

/** A customer of the gateway, with API keys, credits and connections. */
export interface Account {
	id: string;
	name: string;
	keys: string[];
	credits: number;
	connections: Connection[];
	/** The company that its tickets are for: a customer that existed before anything arrived. */
	customerId: string;
}

export const DEMO_KEY = 'sandbox-demo-key';
const SECOND_KEY = 'sandbox-second-key';

const bakery: Company = {
	id: '29098-10001',
	consultantNumber: 29098,
	clientNumber: 10001,
	name: 'Bäckerei Sonnenschein GmbH',
	exportSubscription: true,
	chart: OWN_CHART,
};
const cafe: Company = {
	id: '29098-10002',
	consultantNumber: 29098,
	clientNumber: 10002,
	name: 'Café Morgenrot e. K.',
	exportSubscription: false,
	chart: OWN_CHART,
};

/** What the names of generated clients are made of: as many pairs as there can be clients. */
const TRADES = [
	'Autohaus',
	'Blumen',
	'Buchhandlung',
	'Dachdeckerei',
	'Elektro',
	'Fahrräder',
	'Friseursalon',
	'Gartenbau',
	'Malerbetrieb',
	'Optik',
	'Physiotherapie',
	'Schreinerei',
	'Uhrmacherei',
];
const OWNERS = [
	...[
		'Albers',
		'Brandt',
		'Cordes',
		'Dahlmann',
		'Eßer',
		'Fröhlich',
		'Großmann',
		'Hagedorn',
		'Ihde',
		'Jürgens',
	],
	...[
		'Krüger',
		'Lindemann',
		'Möller',
		'Nguyễn',
		'Özdemir',
		'Petersen',
		'Quast',
		'Richter',
		'Schäfer',
		'Tanaka',
	],
	...['Ulrich', 'Vogt', 'Weiß', 'Xander', 'Yılmaz', 'Zimmermann', "D'Angelo", 'O’Brien', 'Kowalski'],
];
/** The largest number of clients. */
export const MAX_CLIENTS = 300;
/** The client whose connections no longer work. */
const BROKEN = 10004;

/** The office's clients: the bakery, the café (without a subscription), and generated ones, in charts and lengths of all kinds. */
export function companiesOf(clients: number): readonly Company[] {
	if (!(clients >= 2 && clients <= MAX_CLIENTS))
		throw new Error(`There can be 2 to ${MAX_CLIENTS} clients, not ${clients}.`);
	const generated = Array.from({ length: clients - 2 }, (_, index): Company => {
		const clientNumber = 10003 + index;
		const form = index % 3 ? 'e. K.' : 'GmbH';
		return {
			id: `29098-${clientNumber}`,
			consultantNumber: 29098,
			clientNumber,
			name: `${TRADES[index % TRADES.length]} ${OWNERS[index % OWNERS.length]} ${form}`,
			exportSubscription: true,
			chart: { kontenrahmen: index % 2 ? 'SKR04' : 'SKR03', digits: 4 + ((index + 2) % 3) },
		};
	});
	return [bakery, cafe, ...generated];
}

/**
 * The initial accounts: an adviser's, whose connections cover both companies, and the café's own, which covers only
 * the café. Each further client has three connections of its own.
 */
export function seedAccounts(fixedId: (name: string) => string, companies: readonly Company[]): Account[] {
	const connection = (name: string, module: Module, covered: Company[], byDefault: Company): Connection => ({
		id: fixedId(`connection/${name}`),
		name,
		module,
		companyIds: covered.map(({ id }) => id),
		defaultCompanyId: byDefault.id,
	});
	const connectionsOf = (company: Company): Connection[] =>
		(['duo', 'rewe', 'rewe-read'] as const).map((module) => ({
			...connection(`${company.name} – ${module}`, module, [company], company),
			...(company.clientNumber === BROKEN && { isBroken: true }),
		}));
	return [
		{
			id: 'demo',
			name: 'Steuerkanzlei Demo',
			keys: [DEMO_KEY],
			credits: 500 * companies.length,
			customerId: fixedId('customer/demo'),
			connections: [
				connection('Bäckerei Sonnenschein – duo', 'duo', [bakery], bakery),
				connection('Bäckerei Sonnenschein – rewe', 'rewe', [bakery], bakery),
				connection('Kanzlei – rewe-read', 'rewe-read', [bakery, cafe], bakery),
				connection('Café Morgenrot – rewe-read (no export subscription)', 'rewe-read', [cafe, bakery], cafe),
				connection('Bäckerei Sonnenschein – rewe-read', 'rewe-read', [bakery], bakery),
				...companies.slice(1).flatMap(connectionsOf),
			],
		},
		{
			id: 'second',
			name: cafe.name,
			keys: [SECOND_KEY],
			credits: 1000,
			customerId: fixedId('customer/second'),
			connections: [
				connection('Café – duo', 'duo', [cafe], cafe),
				connection('Café – rewe', 'rewe', [cafe], cafe),
				connection('Café – rewe-read', 'rewe-read', [cafe], cafe),
			],
		},
	];
}
