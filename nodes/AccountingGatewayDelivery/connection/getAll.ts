import { defineRead } from '../../shared/operation';
import { choice } from '../../shared/parameters';
import { openListOf, recordsOfList } from '../../shared/answer';
import { CONNECTION_IDS } from '../../shared/thisGateway';
import { both } from '../../shared/values';

/** `listDuoConnections`, `listReweConnections` and `listReweReadConnections`, whose IDs are every `connectionId`. */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many connections',
	description: 'List the connections to the accounting system (Verbindungen)',
	endpoint: 'GET /v2/acct-duo/connections',
	parameters: {
		module: choice({
			displayName: 'Module',
			description: 'The module whose connections to list (Modul)',
			choices: [
				{ name: 'Duo', value: 'duo', description: 'Belege online: cash book and documents' },
				{ name: 'Rewe (Rechnungswesen)', value: 'rewe', description: 'Documents and tax keys' },
				{ name: 'Rewe Read (Rechnungswesen)', value: 'rewe-read', description: 'Accounting data' },
			],
			required: true,
		}),
	},
	request: ({ module }) => ({ endpoint: `GET /v2/acct-${module}/connections` as const }),
	expects: openListOf(both('connections', 'der Verbindungen')),
	records: recordsOfList(...CONNECTION_IDS),
});
