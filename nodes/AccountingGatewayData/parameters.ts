/** What the reports of one fiscal year share. */
import { connectionId, geschaeftsjahrStartDatum } from '../shared/parameters/accounting';
import { exportSubscription } from './exportSubscription';

export const yearParameters = { connectionId: connectionId('ReweRead'), geschaeftsjahrStartDatum };

export const yearQuery = (
	{ connectionId, geschaeftsjahrStartDatum }: { connectionId: string; geschaeftsjahrStartDatum: string },
	{ quelle }: { quelle?: string },
) => ({ connectionId, geschaeftsjahrStartDatum, quelle });

/** Of operations that always read the default company. */
export const explainFixedCompany = () => exportSubscription('fixed');

/** Of operations that may read another company. */
export const explainCompany = ({ additionalFields }: { additionalFields: { companyId?: string } }) =>
	exportSubscription(additionalFields.companyId ? 'named' : 'default');
