import type { Explanation } from '../shared/errors/httpError';

/**
 * Which company's data a request reads: the one it names (`named`), the default one although it could name another
 * (`default`), or the default one because the operation takes no `companyId` (`fixed`).
 */
type ExportCompany = 'named' | 'default' | 'fixed';

const OTHER_CAUSES =
	'Otherwise the API key is wrong, or it is not allowed to use this connection: check both in the node and its credential.';

const NO_EXPORT = 'The default company of this connection probably has no export subscription';

const FORBIDDEN: Record<ExportCompany, Explanation> = {
	default: {
		message: NO_EXPORT,
		advice: `Choose a company with an export subscription in the field "Company" (companyId), or order the subscription for the default company. ${OTHER_CAUSES}`,
	},
	named: {
		message: 'The gateway provides no accounting data for this company',
		advice: `It may have no export subscription, or the connection may not cover it: choose another one in the field "Company" (companyId), or order the subscription for this one. ${OTHER_CAUSES}`,
	},
	fixed: {
		message: NO_EXPORT,
		advice: `This request takes no companyId and always reads the default company: choose a connection whose default company has the subscription, or order it for this one. ${OTHER_CAUSES}`,
	},
};

/** Words by which the gateway's message names another cause: the key, the connection. */
const OTHER_CAUSE = /\b(api[ -]?)?key\b|schlüssel|\btoken\b|connection|verbindung/i;
const SUBSCRIPTION = /subscription|abonnement|\babo\b/i;

/**
 * What a 403 means for requests that read accounting data: most likely the company has no export subscription. If the
 * gateway itself names another cause, its message stands.
 */
export function exportSubscription(
	company: ExportCompany,
): (status: number, said?: string) => Explanation | undefined {
	return (status, said = '') =>
		status === 403 && (SUBSCRIPTION.test(said) || !OTHER_CAUSE.test(said)) ? FORBIDDEN[company] : undefined;
}
