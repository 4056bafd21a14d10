/** What a 403 means for requests that read accounting data: most likely, the company has no export subscription. */
import type { Explain, Explanation, Refusal } from '../shared/gateway';
import { both, sentences } from '../shared/values';

const OTHER_CAUSES = both(
	'If the company has one, the API key may be wrong, or not allowed to use this connection: check both in the node and its credential.',
	'Hat der Mandant eines, kann der API-Schlüssel falsch sein oder für diese Verbindung nicht gelten: Prüfen Sie beides im Node und in seinen Zugangsdaten.',
);

const NO_EXPORT = both(
	'The default company of this connection probably has no export subscription',
	'Der Standardmandant dieser Verbindung hat vermutlich kein Export-Abonnement',
);

const DEFAULT_COMPANY: Explanation = {
	message: NO_EXPORT,
	advice: sentences(
		both(
			'Choose a company with an export subscription in the field "Company" (companyId), or order the subscription for the default company.',
			'Wählen Sie im Feld „Company“ (companyId) einen Mandanten mit Export-Abonnement, oder bestellen Sie es für den Standardmandanten.',
		),
		OTHER_CAUSES,
	),
};

const NAMED_COMPANY: Explanation = {
	message: both(
		'The gateway provides no accounting data for this company',
		'Das Gateway liefert zu diesem Mandanten keine Buchhaltungsdaten',
	),
	advice: sentences(
		both(
			'It may have no export subscription, or the connection may not cover it: choose another one in the field "Company" (companyId), or order the subscription for this one.',
			'Vielleicht hat er kein Export-Abonnement, oder die Verbindung umfasst ihn nicht: Wählen Sie im Feld „Company“ (companyId) einen anderen, oder bestellen Sie das Abonnement für diesen.',
		),
		OTHER_CAUSES,
	),
};

const FIXED_COMPANY: Explanation = {
	message: NO_EXPORT,
	advice: sentences(
		both(
			'This request takes no companyId and always reads the default company: choose a connection whose default company has the subscription, or order it for this one.',
			'Diese Anfrage nimmt keine companyId und liest immer den Standardmandanten: Wählen Sie eine Verbindung, deren Standardmandant das Abonnement hat, oder bestellen Sie es für diesen.',
		),
		OTHER_CAUSES,
	),
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
