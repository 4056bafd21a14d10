/**
 * What is special about this gateway: its own words, and what follows from its paths. Nothing else in `shared/` would have to
 * change for another gateway of this kind.
 */

/** The first part of each path. */
const VERSION = '/v2';

/** Stands in the contract's paths where the provider's name is; also the name of the provider unless the credential has one. */
export const PROVIDER = 'acct';

/** The query parameter that names the accounting connection. */
export const CONNECTION = 'connectionId';
/** The names under which a connection of a list may carry its ID. A UUID is meant where there is another ID as well. */
export const CONNECTION_IDS = [CONNECTION, 'connection_id', 'uuid', 'id'];

/** The query parameter with the name of the calling source. */
export const SOURCE = 'quelle';

/** The field with the credit balance after a call, in whichever top-level object of an answer (`svc` in the contract). */
export const CREDITS_FIELD = 'neuesGuthaben';

/** Of a request to an accounting area, such as `GET /v2/acct/companies` and `POST /v2/acct-duo/kassenbuch-einfach`. */
const ACCOUNTING = new RegExp(` ${VERSION}/${PROVIDER}[-/]`);
/** Of one to a list of choices there: the contract leaves open what is in their answers. */
const CHOICES = /\/(?:connections|kassenbuecher|belegtypen)$/;

/** Whether a request carries the name of the calling source; those to the accounting areas do. */
export const takesSource = (endpoint: string): boolean => ACCOUNTING.test(endpoint);

/** Whether an answer contains the credit balance; those of the accounting areas do. */
export const namesCredits = (endpoint: string): boolean =>
	ACCOUNTING.test(endpoint) && !CHOICES.test(endpoint);

/** A path of the contract with the provider's own name. */
export const pathOf = (template: string, provider: string): string =>
	template.replace(new RegExp(`^${VERSION}/${PROVIDER}(?=[-/])`), () => `${VERSION}/${provider}`);

/** Where the accounting areas of a gateway are. */
export const areaOf = (baseUrl: string, provider: string): string => `${baseUrl}${VERSION}/${provider}`;

/** Whether a field is the accounting system's reply to an entry: `acctAntwort`, with the provider's name in front. */
export const isReply = (field: string): boolean => field.endsWith('Antwort');
