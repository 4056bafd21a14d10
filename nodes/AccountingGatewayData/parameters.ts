/** What the reports of one fiscal year share. */
import { connectionId } from '../shared/parameters/accounting';
import { exportSubscription } from './exportSubscription';
import { geschaeftsjahrStartDatum } from './fiscalYear/parameters';

/** Shown below the connection of operations that take no `companyId`. */
export const DEFAULT_COMPANY =
	'This always reads the default company of the connection, chosen when it was authorized';

/** @param takesCompany whether the report may be that of another company than the connection's default one */
export const yearParameters = ({ takesCompany }: { takesCompany: boolean }) => ({
	connectionId: connectionId('ReweRead', takesCompany ? {} : { hint: DEFAULT_COMPANY }),
	geschaeftsjahrStartDatum: geschaeftsjahrStartDatum({ takesCompany }),
});

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
export const explainCompany = ({ additionalFields }: { additionalFields: { companyId?: string } }) =>
	exportSubscription(additionalFields.companyId ? 'named' : 'default');
