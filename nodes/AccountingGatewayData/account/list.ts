import { explainByForm } from '../exportSubscription';
import { gatewayRequest } from '../../shared/gateway';
import { defineList } from '../../shared/parameters';
import type { Parameter } from '../../shared/parameters';
import { yearQuery } from '../parameters';

/** Asks for the chart of accounts of a fiscal year. The gateway has that of the connection's default company only. */
export const chartRequest = (values: Parameters<typeof yearQuery>[0] & { companyId?: string }) =>
	gatewayRequest('GET /v2/acct-rewe-read/kontenplan', { query: yearQuery(values) }, explainByForm(values));

/** The accounts of a fiscal year, to choose one from. */
export const accountsOf = (
	name: string,
	of: { connectionId: Parameter<string>; geschaeftsjahrStartDatum: Parameter<string> },
) =>
	defineList({
		name,
		of,
		request: chartRequest,
		value: ['kontonummer'],
		reads: ({ kontobeschriftung }, number) => [number, kontobeschriftung].filter(Boolean).join(' '),
	});
