import { defineRead } from '../../shared/operation';
import { PRESENT, oneOf, sameText } from '../../shared/answer';
import { bankingId } from '../parameters';
import { both } from '../../shared/values';

const BANK_CONNECTION = oneOf({
	name: both('a bank connection', 'einer Bankverbindung'),
	fields: { id: sameText, provider_name: PRESENT, provider_code: PRESENT },
});

/** `getBankConnection` */
export const get = defineRead({
	value: 'get',
	name: 'Get',
	action: 'Get connection',
	description:
		'Get one bank connection, e.g. to see when its consent expires or what went wrong (Bankverbindung)',
	endpoint: 'GET /v2/banking/connections/{id}',
	parameters: {
		id: bankingId(
			'Connection ID',
			'The bank connection (ID, Bankverbindung)',
			'Shown where the bank was connected, usually in the web application of the service: no operation lists bank connections',
		),
	},
	request: ({ id }) => ({ path: { id } }),
	expects: BANK_CONNECTION,
	mustAgree: ({ path }) => path,
	columns: [
		'provider_name',
		'display_name',
		'status',
		'consent_expires_at',
		'next_refresh_possible_at',
		'automatic_refresh',
		'error_class',
		'error_message',
		'country_code',
		'id',
	],
});
