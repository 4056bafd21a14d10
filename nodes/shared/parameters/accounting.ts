/** Parameters that several accounting operations share. */
import { gatewayRequest } from '../gateway';
import { defineList, locator } from './kinds/locator';
import type { List } from './parameter';
import { text, uuid } from './kinds/text';
import { CONNECTION_IDS } from '../thisGateway';

/** The accounting modules that have connections of their own, or `''` for all of them. */
type Module = 'Duo' | 'Rewe' | 'ReweRead' | '';

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
			required: true,
		}),
		{ list: CONNECTIONS[module] },
	);

export const costCenters = {
	kostenstelle1: text({
		displayName: 'Cost Center 1',
		description: 'First cost center (kostenstelle1, Kostenstelle)',
		placeholder: 'e.g. LADEN',
	}),
	kostenstelle2: text({
		displayName: 'Cost Center 2',
		description: 'Second cost center (kostenstelle2, Kostenstelle)',
		placeholder: 'e.g. 200',
	}),
};
