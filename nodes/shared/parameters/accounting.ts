/** Parameters that several accounting operations share. */
import { gatewayRequest } from '../gateway';
import { defineList, nameIn } from './list';
import { isMissing } from '../values';
import { Place } from './inputItem';
import { locator } from './locator';
import { clean } from './parameter';
import type { List, Parameter, Property } from './parameter';
import { notice, text, uuid } from './text';

/** The accounting modules that have connections of their own, or `''` for all of them. */
export type Module = 'Duo' | 'Rewe' | 'ReweRead' | '';

/** The names under which a connection may carry its ID. A UUID is meant where there is another ID as well. */
export const CONNECTION_IDS = ['connectionId', 'connection_id', 'uuid', 'id'];

const connections = (module: Module, request: List['request']) =>
	defineList({
		name: `search${module}Connections`,
		of: {},
		request,
		value: CONNECTION_IDS,
	});

const request = (module: 'duo' | 'rewe' | 'rewe-read') =>
	gatewayRequest(`GET /v2/acct-${module}/connections`, {});

const CONNECTIONS: Record<Module, List> = {
	Duo: connections('Duo', () => request('duo')),
	Rewe: connections('Rewe', () => request('rewe')),
	ReweRead: connections('ReweRead', () => request('rewe-read')),
	'': connections('', () => ({
		Duo: request('duo'),
		Rewe: request('rewe'),
		'Rewe Read': request('rewe-read'),
	})),
};

/** `connectionId` of a module's operations, chosen from that module's connections. */
export const connectionId = (module: Module, { hint }: { hint?: string } = {}) =>
	locator(
		uuid({
			hint,
			displayName: 'Connection',
			description: 'The connection to the accounting system (connectionId, Verbindung)',
			builderHint:
				'A UUID from the list of this field, or from "Connection: Get Many". Never invent one, and never let a model fill it in.',
			placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
			required: true,
		}),
		{ list: CONNECTIONS[module] },
	);

const givenCompany = locator(
	text({
		displayName: 'Company',
		description:
			'The client company (companyId, Mandant): consultant number and client number. Only needed for companies other than the default company of the connection.',
		placeholder: 'e.g. 1001-1',
		pattern: /^\d+-\d+$/,
		rule: 'must be <consultant number>-<client number>, e.g. 1001-1',
	}),
	{
		list: defineList({
			name: 'searchCompanies',
			of: { connectionId: connectionId('') },
			request: ({ connectionId }) => gatewayRequest('GET /v2/acct/companies', { query: { connectionId } }),
			value: ['id'],
			reads: (company, id) => [id, nameIn(company, id)].filter(Boolean).join(' '),
		}),
	},
);

/** `companyId`, for a connection that covers several client companies. */
export const companyId: Parameter<string | undefined> = {
	...givenCompany,
	read(given, place) {
		const { companyId: saved } = Object(place.item.raw('additionalFields')) as { companyId?: unknown };
		if (!isMissing(clean(given)) || saved === undefined) return givenCompany.read(given, place);
		// Workflows of the first version have it among the additional fields.
		const { item, field, title } = place;
		return givenCompany.read(saved, new Place(item, field, title, `additionalFields.${field}`));
	},
};

/** A hidden parameter that keeps a saved value, which n8n would drop from a node without a parameter of this name. */
const kept = (displayName: string, initial: Property['default']): Parameter<undefined> => ({
	property: { displayName, type: 'hidden', default: initial },
	read: () => undefined,
});

/** Tells a person who opens a saved node about a value that the form doesn't show. */
const savedCompany = notice(
	'This node was saved with a company in its additional fields (companyId): it counts as long as Company is empty',
	{ show: { companyId: [''], '/additionalFields.companyId': [{ _cnd: { exists: true } }] } },
);

export const company = { companyId, savedCompany };

/** Keeps the saved company in an operation with other additional fields. */
export const amongOthers = { companyId: kept('Company', '') };

/** Keeps the saved company in an operation without other additional fields. */
export const instead = { additionalFields: kept('Additional Fields', {}) };
