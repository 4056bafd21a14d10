import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeParameterResourceLocator,
} from 'n8n-workflow';

import { exportSubscription } from '../../AccountingGatewayData/exportSubscription';
import { parseDate } from '../parameters/dates';
import { toListError } from '../errors/failure';
import { GatewayClient } from '../transport/client';
import type { ListName } from '../parameters/locator';
import { listIn } from '../transport/records';
import { gatewayRequest } from '../transport/request';
import type { GatewayRequest } from '../transport/request';

/** Reads the form's other fields, which a list depends on, each time the list is opened. */
interface Chosen {
	/** A field that the list needs. Throws if nothing is chosen yet. */
	required(name: string, label: string): string;
	/** The same for a date, in the contract's notation. */
	requiredDate(name: string, label: string): string;
	/** A field that narrows the list, if chosen. */
	optional(name: string): string | undefined;
	/** Whether the form has a field for the company at all. */
	takesCompany: boolean;
}

interface List {
	request(chosen: Chosen, quelle?: string): GatewayRequest;
	/** Names under which an entry may carry its value; the first that is present counts. */
	value: string[];
	/** Names under which an entry may carry its label; the contract leaves the lists' shapes open. */
	label: string[];
	/** Shows the value with the label, if people know it: "1000 Kasse". */
	showValue?: 'before' | 'after';
	/** Sorts from the last to the first label, e.g. the newest year first. */
	descending?: boolean;
}

/** Seconds; a person waits for the list. */
const TIMEOUT = 15;

const LABELS = ['bezeichnung', 'name', 'display_name', 'displayName', 'title', 'titel', 'beschreibung'];

const connections = (endpoint: `GET /v2/acct-${'duo' | 'rewe' | 'rewe-read'}/connections`): List => ({
	request: (_chosen, quelle) => gatewayRequest(endpoint, { query: { quelle } }),
	value: ['id', 'connectionId', 'connection_id', 'uuid'],
	label: LABELS,
});

const connection = (chosen: Chosen) => chosen.required('connectionId', 'Connection');

const ofConnection = (
	endpoint: 'GET /v2/acct-duo/kassenbuecher' | `GET /v2/acct-${'duo' | 'rewe'}/belegtypen`,
): List['request'] => {
	return (chosen, quelle) =>
		gatewayRequest(endpoint, { query: { connectionId: connection(chosen), quelle } });
};

function fiscalYears(chosen: Chosen, quelle?: string): GatewayRequest {
	const companyId = chosen.optional('additionalFields.companyId');
	return gatewayRequest(
		'GET /v2/acct-rewe-read/geschaeftsjahre',
		{ query: { connectionId: connection(chosen), companyId, quelle } },
		exportSubscription(companyId ? 'named' : chosen.takesCompany ? 'default' : 'fixed'),
	);
}

const LISTS = {
	searchDuoConnections: connections('GET /v2/acct-duo/connections'),
	searchReweConnections: connections('GET /v2/acct-rewe/connections'),
	searchReweReadConnections: connections('GET /v2/acct-rewe-read/connections'),
	searchCashBooks: {
		request: ofConnection('GET /v2/acct-duo/kassenbuecher'),
		value: ['bezeichnung'],
		label: LABELS,
	},
	searchDuoDocumentTypes: {
		request: ofConnection('GET /v2/acct-duo/belegtypen'),
		value: ['belegtyp'],
		label: [...LABELS, 'belegtyp'],
	},
	searchReweDocumentTypes: {
		request: ofConnection('GET /v2/acct-rewe/belegtypen'),
		value: ['belegtyp'],
		label: [...LABELS, 'belegtyp'],
	},
	searchCompanies: {
		request: (chosen, quelle) =>
			gatewayRequest('GET /v2/acct/companies', { query: { connectionId: connection(chosen), quelle } }),
		value: ['id'],
		label: LABELS,
		showValue: 'after',
	},
	searchFiscalYearIds: {
		request: fiscalYears,
		value: ['id'],
		label: ['startDatum'],
		showValue: 'after',
		descending: true,
	},
	searchFiscalYearStarts: {
		request: fiscalYears,
		value: ['startDatum'],
		label: ['startDatum'],
		descending: true,
	},
	searchAccounts: {
		request: (chosen, quelle) =>
			gatewayRequest(
				'GET /v2/acct-rewe-read/kontenplan',
				{
					query: {
						connectionId: connection(chosen),
						geschaeftsjahrStartDatum: chosen.requiredDate('geschaeftsjahrStartDatum', 'Fiscal Year'),
						quelle,
					},
				},
				exportSubscription('fixed'),
			),
		value: ['kontonummer'],
		label: ['kontobeschriftung'],
		showValue: 'before',
	},
	searchTicketProducts: {
		request: () => gatewayRequest('GET /v2/mobility/products', {}),
		value: ['id', 'product_id', 'productId'],
		label: [...LABELS, 'product_name', 'productName'],
	},
} satisfies Record<ListName, List>;

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** The searchable lists behind the resource locators, for a node's `methods.listSearch`. */
export const listSearch = Object.fromEntries(
	Object.entries(LISTS).map(([name, list]) => [name, searchIn(list)]),
) as Record<keyof typeof LISTS, ListSearch>;

function searchIn(list: List): ListSearch {
	return async function (this: ILoadOptionsFunctions, filter = '') {
		const request = list.request(formOf(this), quelleOf(this));
		const result = await (await GatewayClient.open(this)).send(request, TIMEOUT);
		if (!result.ok) throw toListError(this.getNode(), result.failure);
		const entries = listIn(result.body);
		if (!entries) throw new NodeOperationError(this.getNode(), "The gateway's answer holds no list");
		const wanted = filter.toLowerCase();
		const results = entries
			.flatMap((entry) => option(list, entry))
			.filter(({ name, value }) => `${name} ${String(value)}`.toLowerCase().includes(wanted))
			.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
		return { results: list.descending ? results.reverse() : results };
	};
}

/** n8n doesn't tell a list its workflow; if the option was added, it has the workflow's name. */
function quelleOf(context: ILoadOptionsFunctions): string | undefined {
	const given = context.getCurrentNodeParameter('options.quelle') as string | null | undefined;
	return (given ?? (context.getWorkflow().name || 'n8n')) || undefined;
}

function formOf(context: ILoadOptionsFunctions): Chosen {
	const optional = (name: string) => {
		const parameter = context.getCurrentNodeParameter(name) as
			| INodeParameterResourceLocator
			| string
			| undefined;
		const value = typeof parameter === 'object' ? parameter?.value : parameter;
		return value ? String(value) : undefined;
	};
	const required = (name: string, label: string) => {
		const value = optional(name);
		if (value !== undefined) return value;
		throw new NodeOperationError(
			context.getNode(),
			`Choose a value for "${label}" first: this list depends on it`,
		);
	};
	const requiredDate = (name: string, label: string) => {
		const given = required(name, label);
		const parsed = parseDate(given, context.getTimezone());
		return 'value' in parsed ? parsed.value : given;
	};
	// Of the operations with a list of fiscal years, only the journal has it.
	const takesCompany = context.getCurrentNodeParameter('resource') === 'journalBooking';
	return { optional, required, requiredDate, takesCompany };
}

function option({ value: values, label: labels, showValue }: List, entry: unknown): INodeListSearchItems[] {
	if (typeof entry === 'string') return [{ name: entry, value: entry }];
	const pick = (names: string[]) =>
		names
			.map((name) => (entry as IDataObject | null)?.[name])
			.find((found) => found !== undefined && found !== null && found !== '');
	const value = pick(values);
	if (value === undefined) return [];
	const label = pick(labels) ?? otherTexts(entry as IDataObject, value);
	if (label === undefined || label === value) return [{ name: String(value), value: String(value) }];
	const name =
		showValue === 'before'
			? `${String(value)} ${String(label)}`
			: showValue === 'after'
				? `${String(label)} (${String(value)})`
				: String(label);
	return [{ name, value: String(value) }];
}

const MAX_TEXTS = 3;

/** An entry's other texts, for an entry whose label has an unknown name. */
function otherTexts(entry: IDataObject, value: unknown): string | undefined {
	const texts = Object.values(entry).filter(
		(text) => typeof text === 'string' && text !== '' && text !== value,
	);
	return texts.length > 0 ? `${texts.slice(0, MAX_TEXTS).join(', ')} (${String(value)})` : undefined;
}
