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
export const SECOND_KEY = 'sandbox-second-key';

const bakery: Company = {
	id: '29098-10001',
	consultantNumber: 29098,
	clientNumber: 10001,
	name: 'Bäckerei Sonnenschein GmbH',
	exportSubscription: true,
};
const cafe: Company = {
	id: '29098-10002',
	consultantNumber: 29098,
	clientNumber: 10002,
	name: 'Café Morgenrot e. K.',
	exportSubscription: false,
};
export const companies: readonly Company[] = [bakery, cafe];

/**
 * The initial accounts: an adviser's, whose connections cover both companies, and the café's own, which covers only
 * the café.
 */
export function seedAccounts(fixedId: (name: string) => string): Account[] {
	const connection = (name: string, module: Module, covered: Company[], byDefault: Company): Connection => ({
		id: fixedId(`connection/${name}`),
		name,
		module,
		companyIds: covered.map(({ id }) => id),
		defaultCompanyId: byDefault.id,
	});
	return [
		{
			id: 'demo',
			name: 'Steuerkanzlei Demo',
			keys: [DEMO_KEY],
			credits: 1000,
			customerId: fixedId('customer/demo'),
			connections: [
				connection('Bäckerei Sonnenschein – duo', 'duo', [bakery], bakery),
				connection('Bäckerei Sonnenschein – rewe', 'rewe', [bakery], bakery),
				connection('Kanzlei – rewe-read', 'rewe-read', [bakery, cafe], bakery),
				connection('Café Morgenrot – rewe-read (no export subscription)', 'rewe-read', [cafe, bakery], cafe),
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
