import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { SHOWN, strangeEntries, verifyList } from '../../shared/transport/verify';
import type { RecordKind } from '../../shared/transport/verify';

const COMPANIES: RecordKind = {
	name: 'companies',
	fields: { id: SHOWN, name: SHOWN, client_number: SHOWN, consultant_number: SHOWN },
};

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
	verifyResponse: (answer) => verifyList(answer, COMPANIES),
	omissions: (answer) => [strangeEntries(answer, COMPANIES)],
});
