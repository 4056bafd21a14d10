import { defineRead } from '../../shared/operation';
import { connectionId } from '../../shared/parameters';
import { openListOf, recordsOfList } from '../../shared/answer';

/** `listCashBooks`, whose `bezeichnung` is the `kassenname` of an entry. */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cash books',
	description: 'List the cash books of a connection (Kassenbücher)',
	endpoint: 'GET /v2/acct-duo/kassenbuecher',
	parameters: { connectionId: connectionId('Duo') },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: openListOf('cash books'),
	records: recordsOfList('bezeichnung'),
});
