import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { recordsOfList } from '../../shared/transport/records';
import { verifyOpenList } from '../../shared/transport/verify';

/** `listDuoDocumentTypes`: what `belegtyp` of an upload to duo can be. */
export const getAllDuo = defineOperation({
	value: 'getAllDuo',
	name: 'Get Many of Duo (Belege Online)',
	action: 'Get many document types of duo (Belege online)',
	description: 'List the document types for uploads to duo (Belege online, Belegtypen)',
	kind: 'read',
	endpoint: 'GET /v2/acct-duo/belegtypen',
	sendsSource: true,
	parameters: { connectionId: connectionId('Duo') },
	request: ({ connectionId }, { quelle }) => ({ query: { connectionId, quelle } }),
	verifyResponse: (answer) => verifyOpenList(answer, 'document types'),
	records: recordsOfList,
});

/** `listReweDocumentTypes`: what `belegtyp` of an upload to rewe can be. */
export const getAllRewe = defineOperation({
	value: 'getAllRewe',
	name: 'Get Many of Rewe (Rechnungswesen)',
	action: 'Get many document types of rewe (Rechnungswesen)',
	description: 'List the document types for uploads to rewe (Rechnungswesen, Belegtypen)',
	kind: 'read',
	endpoint: 'GET /v2/acct-rewe/belegtypen',
	sendsSource: true,
	parameters: { connectionId: connectionId('Rewe') },
	request: ({ connectionId }, { quelle }) => ({ query: { connectionId, quelle } }),
	verifyResponse: (answer) => verifyOpenList(answer, 'document types'),
	records: recordsOfList,
});
