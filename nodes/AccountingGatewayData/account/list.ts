import { explainFixedCompany } from '../exportSubscription';
import { gatewayRequest } from '../../shared/gateway';
import { defineList } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { yearQuery } from '../parameters';

/** The accounts of a fiscal year, to choose one from. The gateway has them of the connection's default company only. */
export const accountsOf = (
	name: string,
	of: { connectionId: Parameter<string>; geschaeftsjahrStartDatum: Parameter<string> },
) =>
	defineList({
		name,
		of,
		request: (values) =>
			gatewayRequest(
				'GET /v2/acct-rewe-read/kontenplan',
				{ query: yearQuery(values) },
				explainFixedCompany(),
			),
		value: ['kontonummer'],
		reads: ({ kontobeschriftung }, number) => [number, kontobeschriftung].filter(Boolean).join(' '),
	});
