/** Parameters that the reports of one fiscal year share. */
import { company, connectionId, instead } from '../shared/parameters/accounting';
import { exportSubscription } from './exportSubscription';
import { geschaeftsjahrStartDatum } from './fiscalYear/parameters';

/** Shown below the connection of operations that take no `companyId`. */
export const DEFAULT_COMPANY =
	'This always reads the default company of the connection, chosen when it was authorized';

/** Parameters of a report that always covers the connection's default company. */
export const ofDefaultCompany = {
	connectionId: connectionId('ReweRead', { hint: DEFAULT_COMPANY }),
	geschaeftsjahrStartDatum: geschaeftsjahrStartDatum({ takesCompany: false }),
};

/** Parameters of a report that may cover another company. */
export const ofCompany = {
	connectionId: connectionId('ReweRead'),
	...company,
	...instead,
	geschaeftsjahrStartDatum: geschaeftsjahrStartDatum({ takesCompany: true }),
};

export const yearQuery = ({
	connectionId,
	geschaeftsjahrStartDatum,
}: {
	connectionId: string;
	geschaeftsjahrStartDatum: string;
}) => ({ connectionId, geschaeftsjahrStartDatum });

/** For operations that always read the default company. */
export const explainFixedCompany = () => exportSubscription('fixed');

/** For operations that may read another company. */
export const explainCompany = ({ companyId }: { companyId?: string }) =>
	exportSubscription(companyId ? 'named' : 'default');
