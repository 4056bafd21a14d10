import { defineRead } from '../../shared/operation';
import { connectionId } from '../../shared/parameters';
import { openListOf, recordsOfList } from '../../shared/answer';
import { both } from '../../shared/values';

/** `listDuoDocumentTypes`: what `belegtyp` of an upload to duo can be. */
export const getAllDuo = defineRead({
	value: 'getAllDuo',
	name: 'Get Many of Duo (Belege online)',
	action: 'Get many document types of duo (Belege online)',
	description: 'List the document types for uploads to duo (Belege online, Belegtypen)',
	endpoint: 'GET /v2/acct-duo/belegtypen',
	parameters: { connectionId: connectionId('Duo') },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: openListOf(both('document types', 'der Belegtypen')),
	records: recordsOfList('belegtyp'),
});

/** `listReweDocumentTypes`: what `belegtyp` of an upload to rewe can be. */
export const getAllRewe = defineRead({
	value: 'getAllRewe',
	name: 'Get Many of Rewe (Rechnungswesen)',
	action: 'Get many document types of rewe (Rechnungswesen)',
	description: 'List the document types for uploads to rewe (Rechnungswesen, Belegtypen)',
	endpoint: 'GET /v2/acct-rewe/belegtypen',
	parameters: { connectionId: connectionId('Rewe') },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: openListOf(both('document types', 'der Belegtypen')),
	records: recordsOfList('belegtyp'),
});
