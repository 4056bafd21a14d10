import type { INodeProperties } from 'n8n-workflow';

import type { Item } from './item';
import type { listSearch } from './lists';

interface Locator {
	/** The gateway's own name of the field. */
	name: string;
	displayName: string;
	description: string;
	/** The list to choose from. */
	list: keyof typeof listSearch;
	/** An example of a value given by hand. */
	placeholder: string;
	required?: boolean;
	/** What the value is, on the switch between list and value. Default: "By ID". */
	by?: string;
}

/** A field whose value is chosen from a list of the gateway, or given by hand or expression. */
export function locator(options: Locator): INodeProperties {
	const { name, displayName, description, list, placeholder, required = false, by = 'By ID' } = options;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: by, name: 'id', type: 'string', placeholder },
		],
	};
}

/** The accounting modules that have connections of their own. */
export type Module = 'Duo' | 'Rewe' | 'ReweRead';

/** `connectionId` of a module's operations, chosen from that module's connections. */
export const connectionId = (module: Module): INodeProperties =>
	locator({
		name: 'connectionId',
		displayName: 'Connection',
		description: 'The connection to the accounting system (connectionId, Verbindung)',
		list: `search${module}Connections`,
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		required: true,
	});

/** `companyId`, for a connection that covers several client companies; goes into the additional fields. */
export const companyId = locator({
	name: 'companyId',
	displayName: 'Company',
	description:
		'The client company (companyId, Mandant): consultant number and client number. Only needed for another than the default company of the connection.',
	list: 'searchCompanies',
	placeholder: 'e.g. 1001-1',
});

/** `geschaeftsjahrStartDatum`, chosen from the fiscal years of the chosen connection, or a date. */
export const geschaeftsjahrStartDatum = locator({
	name: 'geschaeftsjahrStartDatum',
	displayName: 'Fiscal Year',
	description: 'First day of the fiscal year (geschaeftsjahrStartDatum, Beginn des Geschäftsjahrs)',
	list: 'searchFiscalYearStarts',
	by: 'By Date',
	placeholder: 'e.g. 2026-01-01',
	required: true,
});

/** The query parameters that every operation of the accounting areas has. */
export const connectionQuery = (item: Item) => ({
	connectionId: item.uuid('connectionId', { required: true }),
	quelle: item.quelle,
});
