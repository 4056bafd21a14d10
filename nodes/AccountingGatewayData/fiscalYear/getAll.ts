import { defineRead } from '../../shared/operation';
import { companyId, connectionId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { explainCompany } from '../parameters';
import { SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

const FISCAL_YEARS: RecordKind = {
	name: 'fiscal years',
	fields: { id: SHOWN, startDatum: SHOWN },
};

/** `listFiscalYears` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many fiscal years',
	description: 'List the fiscal years of a company with ID and first day (Geschäftsjahre)',
	endpoint: 'GET /v2/acct-rewe-read/geschaeftsjahre',
	parameters: { connectionId: connectionId('ReweRead'), additionalFields: additionalFields({ companyId }) },
	request: ({ connectionId, additionalFields: { companyId } }) => ({
		query: { connectionId, companyId },
	}),
	columns: ['id', 'startDatum'],
	companyOf: ({ additionalFields }) => additionalFields.companyId,
	explain: explainCompany,
	verifyResponse: (answer) => verifyList(answer, FISCAL_YEARS),
	omissions: (answer) => [strangeEntries(answer, FISCAL_YEARS)],
});
