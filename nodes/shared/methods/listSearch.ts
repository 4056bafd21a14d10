import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeParameterResourceLocator,
} from 'n8n-workflow';

import { countBy, uniqBy } from 'lodash';

import { exportSubscription } from '../../AccountingGatewayData/exportSubscription';
import { findFiscalYear, fiscalYearsRequest } from '../../AccountingGatewayData/fiscalYear/list';
import { parseDate } from '../parameters/dates';
import { toListError } from '../errors/failure';
import { GatewayClient } from '../transport/client';
import { dayIn } from '../parameters/locator';
import type { Day, ListName } from '../parameters/locator';
import { listIn } from '../transport/records';
import { gatewayRequest } from '../transport/request';
import type { GatewayRequest } from '../transport/request';

/** Reads the form's other fields, which a list depends on, each time the list is opened. */
interface Chosen {
	/** A field that the list needs. Throws if nothing is chosen yet. */
	required(name: string, label: string): string;
	/** The same for a date, in the contract's notation; or a given day, to be looked up. */
	requiredDate(name: string, label: string): string | Day;
	/** A field that narrows the list, if chosen. */
	optional(name: string): string | undefined;
	/** Requests what the list's own request needs. Throws if there is no answer. */
	ask(request: GatewayRequest): Promise<unknown>;
	/** Throws the error that the list shows instead of entries. */
	fail(message: string): never;
}

interface List {
	/** The request for the list, or for several lists shown as one, by what distinguishes them. */
	request(
		chosen: Chosen,
		quelle?: string,
	): GatewayRequest | Record<string, GatewayRequest> | Promise<GatewayRequest>;
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

type Module = 'duo' | 'rewe' | 'rewe-read';

const connectionsRequest = (module: Module, quelle?: string) =>
	gatewayRequest(`GET /v2/acct-${module}/connections`, { query: { quelle } });

const connections = (request: List['request']): List => ({
	request,
	value: ['id', 'connectionId', 'connection_id', 'uuid'],
	label: LABELS,
});

const connectionsOf = (module: Module) =>
	connections((_chosen, quelle) => connectionsRequest(module, quelle));

const connection = (chosen: Chosen) => chosen.required('connectionId', 'Connection');

const ofConnection = (
	endpoint: 'GET /v2/acct-duo/kassenbuecher' | `GET /v2/acct-${'duo' | 'rewe'}/belegtypen`,
): List['request'] => {
	return (chosen, quelle) =>
		gatewayRequest(endpoint, { query: { connectionId: connection(chosen), quelle } });
};

/** @param takesCompany as in `geschaeftsjahrStartDatum`: the form may still hold a company of another operation */
const fiscalYears =
	(takesCompany: boolean): List['request'] =>
	(chosen, quelle) => {
		const companyId = chosen.optional('additionalFields.companyId');
		return fiscalYearsRequest({ connectionId: connection(chosen), companyId, takesCompany }, quelle);
	};

const fiscalYearStarts = (takesCompany: boolean): List => ({
	request: fiscalYears(takesCompany),
	value: ['startDatum'],
	label: ['startDatum'],
	descending: true,
});

/** The accounts of the chosen fiscal year, which may have to be looked up first. */
async function accounts(chosen: Chosen, quelle?: string): Promise<GatewayRequest> {
	const connectionId = connection(chosen);
	const year = chosen.requiredDate('geschaeftsjahrStartDatum', 'Fiscal Year');
	const geschaeftsjahrStartDatum = typeof year === 'string' ? year : await startOfYear(year);
	const query = { connectionId, geschaeftsjahrStartDatum, quelle };
	return gatewayRequest('GET /v2/acct-rewe-read/kontenplan', { query }, exportSubscription('fixed'));

	async function startOfYear(day: Day): Promise<string> {
		const answer = await chosen.ask(fiscalYearsRequest({ connectionId, takesCompany: false }, quelle));
		const found = findFiscalYear(answer, day, 'startDatum');
		if ('value' in found) return found.value;
		return chosen.fail(
			'rule' in found
				? `Fiscal Year "${day.date}" ${found.rule}`
				: `The gateway's list of fiscal years can't be used: it ${found.problem}`,
		);
	}
}

const LISTS = {
	searchConnections: connections((_chosen, quelle) => ({
		Duo: connectionsRequest('duo', quelle),
		Rewe: connectionsRequest('rewe', quelle),
		'Rewe Read': connectionsRequest('rewe-read', quelle),
	})),
	searchDuoConnections: connectionsOf('duo'),
	searchReweConnections: connectionsOf('rewe'),
	searchReweReadConnections: connectionsOf('rewe-read'),
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
		request: fiscalYears(false),
		value: ['id'],
		label: ['startDatum'],
		showValue: 'after',
		descending: true,
	},
	searchFiscalYearStarts: fiscalYearStarts(false),
	searchCompanyFiscalYearStarts: fiscalYearStarts(true),
	searchAccounts: {
		request: accounts,
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
		const client = await GatewayClient.open(this);
		const request = await list.request(formOf(this, client), quelleOf(this));
		const options =
			'endpoint' in request
				? await optionsOf(this, client, list, request as GatewayRequest)
				: await optionsOfAll(this, client, list, request as Record<string, GatewayRequest>);
		const wanted = filter.toLowerCase();
		const results = options
			.filter(({ name, value }) => `${name} ${String(value)}`.toLowerCase().includes(wanted))
			.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
		return { results: list.descending ? results.reverse() : results };
	};
}

async function optionsOf(
	context: ILoadOptionsFunctions,
	client: GatewayClient,
	list: List,
	request: GatewayRequest,
): Promise<INodeListSearchItems[]> {
	const entries = listIn(await ask(context, client, request));
	if (!entries) throw new NodeOperationError(context.getNode(), "The gateway's answer holds no list");
	const options = entries.flatMap((entry) => option(list, entry));
	if (entries.length > 0 && options.length === 0) throw toListError(context.getNode(), noValues(list));
	return options;
}

const noValues = ({ value }: List) => ({
	message: `The entries of the gateway's list can't be used: they have no value under ${value.join(' or ')}`,
	description: 'Type the value in, or use an expression. If it stays so, ask the provider of the gateway.',
});

/** Several lists as one. Unreadable lists are left out, unless all are. */
async function optionsOfAll(
	context: ILoadOptionsFunctions,
	client: GatewayClient,
	list: List,
	requests: Record<string, GatewayRequest>,
): Promise<INodeListSearchItems[]> {
	const names = Object.keys(requests);
	const all = await Promise.allSettled(
		names.map(async (name) => await optionsOf(context, client, list, requests[name])),
	);
	const failed = all.filter((one) => one.status === 'rejected');
	if (failed.length === all.length) throw failed[0].reason;
	const found = all.flatMap((one, i) =>
		one.status === 'fulfilled' ? one.value.map((option) => ({ ...option, from: names[i] })) : [],
	);
	const options = uniqBy(found, 'value');
	const labels = countBy(options, 'name');
	return options.map(({ name, value, from }) => ({
		name: labels[name] > 1 ? `${name} (${from})` : name,
		value,
	}));
}

async function ask(
	context: ILoadOptionsFunctions,
	client: GatewayClient,
	request: GatewayRequest,
): Promise<unknown> {
	const result = await client.send(request, TIMEOUT);
	if (!result.ok) throw toListError(context.getNode(), result.failure);
	return result.body;
}

/** n8n doesn't tell a list its workflow; if the option was added, it has the workflow's name. */
function quelleOf(context: ILoadOptionsFunctions): string | undefined {
	const given = context.getCurrentNodeParameter('options.quelle') as string | null | undefined;
	return (given ?? (context.getWorkflow().name || 'n8n')) || undefined;
}

function formOf(context: ILoadOptionsFunctions, client: GatewayClient): Chosen {
	const parameter = (name: string) =>
		context.getCurrentNodeParameter(name) as INodeParameterResourceLocator | string | undefined;
	const optional = (name: string) => {
		const given = parameter(name);
		const value = typeof given === 'object' ? given?.value : given;
		return value ? String(value) : undefined;
	};
	const fail = (message: string) => {
		throw new NodeOperationError(context.getNode(), message);
	};
	const required = (name: string, label: string) =>
		optional(name) ?? fail(`Choose a value for "${label}" first: this list depends on it`);
	const requiredDate = (name: string, label: string) => {
		const day = dayIn(parameter(name), context.getTimezone());
		if (day) return 'rule' in day ? fail(`${label} "${optional(name)}" ${day.rule}`) : day;
		const given = required(name, label);
		const parsed = parseDate(given, context.getTimezone());
		return 'value' in parsed ? parsed.value : given;
	};
	return {
		optional,
		required,
		requiredDate,
		fail,
		ask: async (request) => await ask(context, client, request),
	};
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
