import { defineRead } from '../../shared/operation';
import { germanHeadings } from '../../shared/form';
import { companyId } from '../company/companyId';
import { connectionId } from '../../shared/parameters';
import { explainCompany } from '../exportSubscription';
import { PRESENT, listOf } from '../../shared/answer';
import { both } from '../../shared/values';

const FISCAL_YEARS = listOf({
	name: both('fiscal years', 'der Geschäftsjahre'),
	fields: { id: PRESENT, startDatum: PRESENT },
});

/** `listFiscalYears` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many fiscal years',
	description: 'List the fiscal years of a company with ID and first day (Geschäftsjahre)',
	endpoint: 'GET /v2/acct-rewe-read/geschaeftsjahre',
	parameters: { connectionId: connectionId('ReweRead'), companyId },
	options: { germanHeadings },
	request: ({ connectionId, companyId }) => ({
		query: { connectionId, companyId },
	}),
	columns: ['id', 'startDatum'],
	readFrom: ({ companyId }) => ({ companyId }),
	explain: explainCompany,
	expects: FISCAL_YEARS,
});
