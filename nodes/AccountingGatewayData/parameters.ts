/** What the parameters of several operations share. */
import { companyId } from './company/companyId';
import { connectionId } from '../shared/parameters';
import type { Parameter } from '../shared/parameters';
import { startOfCompany, startOfDefaultCompany } from './fiscalYear/parameters';

/** Shown below the connection of operations that take no `companyId`. */
export const READS_DEFAULT_COMPANY =
	'This always reads the default company of the connection, chosen when it was authorized';

/** Parameters of a report that always covers the connection's default company. */
export const ofDefaultCompany = {
	connectionId: connectionId('ReweRead', { hint: READS_DEFAULT_COMPANY }),
	geschaeftsjahrStartDatum: startOfDefaultCompany,
};

/** Parameters of a report that may cover another company. */
export const ofCompany = {
	connectionId: connectionId('ReweRead'),
	companyId,
	geschaeftsjahrStartDatum: startOfCompany,
};

export const yearQuery = ({
	connectionId,
	geschaeftsjahrStartDatum,
}: {
	connectionId: string;
	geschaeftsjahrStartDatum: string;
}) => ({ connectionId, geschaeftsjahrStartDatum });

/** A parameter that is filled with what the node before usually puts out. */
export const filled = <T>({ property, ...rest }: Parameter<T>, expression: string): Parameter<T> => ({
	...rest,
	property: { ...property, default: `={{ ${expression} }}` },
});
