import { defineRead } from '../../shared/operation';
import { connectionId } from '../../shared/parameters';
import { openListOf, recordsOfList } from '../../shared/answer';
import { both } from '../../shared/values';

/** `listCashBooks`, whose `bezeichnung` is the `kassenname` of an entry. */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cash books',
	description: 'List the cash books of a connection (Kassenbücher)',
	endpoint: 'GET /v2/acct-duo/kassenbuecher',
	parameters: { connectionId: connectionId('Duo') },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: openListOf(both('cash books', 'der Kassenbücher')),
	records: recordsOfList('bezeichnung'),
});
