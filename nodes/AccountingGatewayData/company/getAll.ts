import { defineRead } from '../../shared/operation';
import { germanHeadings } from '../../shared/form';
import { connectionId } from '../../shared/parameters';
import { PRESENT, listOf, recordsOf } from '../../shared/answer';
import { both, objectsIn } from '../../shared/values';

const COMPANIES = listOf({
	name: both('companies', 'der Mandanten'),
	fields: { id: PRESENT, name: PRESENT, client_number: PRESENT, consultant_number: PRESENT },
});

const activeServices = (subscriptions: unknown): string =>
	objectsIn(subscriptions)
		.flatMap(({ name, active }) => (active && name ? [name] : []))
		.join(', ');

/** `listCompanies` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many companies',
	description: 'List the client companies of a connection and their active services (Mandanten)',
	endpoint: 'GET /v2/acct/companies',
	parameters: { connectionId: connectionId('') },
	options: { germanHeadings },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: COMPANIES,
	columns: ['id', 'name', 'consultant_number', 'client_number', 'subscription', 'environmentId'],
	records: (answer) =>
		recordsOf(answer).map((company) => ({ ...company, subscription: activeServices(company.subscription) })),
});
