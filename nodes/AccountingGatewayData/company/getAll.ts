import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';

/** `listCompanies` */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List the client companies of a connection and their active services (Mandanten)',
	kind: 'read',
	endpoint: 'GET /v2/acct/companies',
	sendsSource: true,
	namesBalance: false,
	parameters: { connectionId: connectionId('') },
	request: ({ connectionId }, { quelle }) => ({ query: { connectionId, quelle } }),
});
