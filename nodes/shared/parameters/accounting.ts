/** Parameters that several accounting operations share. */
import { locator } from './locator';
import { text, uuid } from './text';

/** The accounting modules that have connections of their own, or `''` for all of them. */
export type Module = 'Duo' | 'Rewe' | 'ReweRead' | '';

/** `connectionId` of a module's operations, chosen from that module's connections. */
export const connectionId = (module: Module, { hint }: { hint?: string } = {}) =>
	locator(
		uuid({
			hint,
			displayName: 'Connection',
			description: 'The connection to the accounting system (connectionId, Verbindung)',
			placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
			required: true,
		}),
		{ list: `search${module}Connections` },
	);

/** `companyId`, for a connection that covers several client companies; goes into the additional fields. */
export const companyId = locator(
	text({
		displayName: 'Company',
		description:
			'The client company (companyId, Mandant): consultant number and client number. Only needed for another than the default company of the connection.',
		placeholder: 'e.g. 1001-1',
		pattern: /^\d+-\d+$/,
		rule: 'must be <consultant number>-<client number>, e.g. 1001-1',
	}),
	{ list: 'searchCompanies', dependsOn: 'connectionId' },
);
