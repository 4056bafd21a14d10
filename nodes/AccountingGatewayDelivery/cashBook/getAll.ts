import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { recordsOfList } from '../../shared/transport/records';
import { verifyOpenList } from '../../shared/transport/verify';

/** `listCashBooks`, whose `bezeichnung` is the `kassenname` of an entry. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cash books',
	description: 'List the cash books of a connection (Kassenbücher)',
	kind: 'read',
	endpoint: 'GET /v2/acct-duo/kassenbuecher',
	sendsSource: true,
	parameters: { connectionId: connectionId('Duo') },
	request: ({ connectionId }, { quelle }) => ({ query: { connectionId, quelle } }),
	verifyResponse: (answer) => verifyOpenList(answer, 'cash books'),
	records: recordsOfList,
});
