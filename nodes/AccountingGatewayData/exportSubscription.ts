/** What a 403 means for requests that read accounting data: most likely, the company has no export subscription. */
import type { Explain, Explanation, Refusal } from '../shared/errors';

const OTHER_CAUSES =
	'Otherwise the API key is wrong, or it is not allowed to use this connection: check both in the node and its credential.';

const NO_EXPORT = {
	message: 'The default company of this connection probably has no export subscription',
	german: 'Der Standardmandant dieser Verbindung hat vermutlich kein Export-Abonnement',
};

const DEFAULT_COMPANY = {
	...NO_EXPORT,
	advice: `Choose a company with an export subscription in the field "Company" (companyId), or order the subscription for the default company. ${OTHER_CAUSES}`,
};

const NAMED_COMPANY = {
	message: 'The gateway provides no accounting data for this company',
	german: 'Das Gateway liefert zu diesem Mandanten keine Buchhaltungsdaten',
	advice: `It may have no export subscription, or the connection may not cover it: choose another one in the field "Company" (companyId), or order the subscription for this one. ${OTHER_CAUSES}`,
};

const FIXED_COMPANY = {
	...NO_EXPORT,
	advice: `This request takes no companyId and always reads the default company: choose a connection whose default company has the subscription, or order it for this one. ${OTHER_CAUSES}`,
};

const ofForbidden = ({ status }: Refusal, explanation: Explanation) =>
	status === 403 ? explanation : undefined;

/** For requests that may name a company. */
export const explainCompany = (refusal: Refusal, { companyId }: { companyId?: string }) =>
	ofForbidden(refusal, companyId ? NAMED_COMPANY : DEFAULT_COMPANY);

/** For requests that always read the default company. */
export const explainFixedCompany: Explain = (refusal) => ofForbidden(refusal, FIXED_COMPANY);

/** For what an operation asks besides: by whether its form has a field for the company. */
export const explainByForm =
	(values: { companyId?: string }): Explain =>
	(refusal) =>
		'companyId' in values ? explainCompany(refusal, values) : explainFixedCompany(refusal);
