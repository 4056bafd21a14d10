import { recordsOfList } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

const MODULES = ['duo', 'rewe', 'rewe-read'] as const;

/** The `/connections` lists of the accounting modules, whose IDs are every `connectionId`. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many connections',
	description: 'List the connections to the accounting system (Verbindungen)',
	kind: 'read',
	quelle: true,
	fields: [
		{
			displayName: 'Module',
			name: 'module',
			type: 'options',
			options: [
				{ name: 'Duo', value: 'duo', description: 'Cash book and documents' },
				{ name: 'Rewe', value: 'rewe', description: 'Documents and tax keys' },
				{ name: 'Rewe Read', value: 'rewe-read', description: 'Accounting data' },
			],
			default: 'duo',
			description: 'The module whose connections to list (Modul)',
		},
	],
	request: (item) => {
		const module = item.choice('module', MODULES, { required: true });
		return gatewayRequest(`GET /v2/acct-${module}/connections`, { query: { quelle: item.quelle } });
	},
	records: recordsOfList,
};
