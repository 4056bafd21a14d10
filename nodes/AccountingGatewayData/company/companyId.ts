import { gatewayRequest } from '../../shared/gateway';
import { connectionId, defineList, locator, nameIn, text } from '../../shared/parameters';
import { both } from '../../shared/values';

/** `companyId`, for a connection that covers several client companies. */
export const companyId = locator(
	text({
		displayName: 'Company',
		description:
			'The client company (companyId, Mandant): consultant number and client number. Only needed for companies other than the default company of the connection.',
		placeholder: 'e.g. 1001-1',
		pattern: /^\d+-\d+$/,
		rule: both(
			'must be <consultant number>-<client number>, e.g. 1001-1',
			'muss <Beraternummer>-<Mandantennummer> sein, etwa 1001-1',
		),
	}),
	{
		list: defineList({
			name: 'searchCompanies',
			of: { connectionId: connectionId('') },
			request: ({ connectionId }) => gatewayRequest('GET /v2/acct/companies', { query: { connectionId } }),
			value: ['id'],
			reads: (company, id) => [id, nameIn(company, id)].filter(Boolean).join(' '),
		}),
		unchosen: 'The default company of the connection',
	},
);
