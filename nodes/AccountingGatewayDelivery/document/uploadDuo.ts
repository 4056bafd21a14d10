import { defineOperation } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { attachmentOf } from '../../shared/parameters/file';
import {
	belegnotiz,
	belegtyp,
	checkName,
	datei,
	dateiname,
	documentId,
	documentLabel,
	splitByFile,
	uniqueDocument,
	verifyDocument,
} from './parameters';

/** `uploadDuoDocument` */
export const uploadDuo = defineOperation({
	value: 'uploadDuo',
	name: 'Upload to Duo (Belege Online)',
	action: 'Upload document to duo (Belege online)',
	description:
		'Upload a receipt or another document to duo, where client and tax adviser share documents (Belege online, Beleg bereitstellen)',
	kind: 'write',
	endpoint: 'POST /v2/acct-duo/beleg-bereitstellen',
	sendsSource: true,
	parameters: {
		connectionId: connectionId('Duo'),
		datei,
		belegtyp: belegtyp('Duo'),
		additionalFields: additionalFields({ id: documentId('ID, GUID'), dateiname, belegnotiz }),
	},
	check: checkName,
	split: splitByFile,
	request: ({ connectionId, datei: [file], belegtyp: type, additionalFields: additional }, { quelle }) => ({
		query: { connectionId, quelle },
		body: {
			datei: attachmentOf(file, additional.dateiname),
			belegtyp: type,
			id: additional.id,
			belegnotiz: additional.belegnotiz,
		},
	}),
	unique: ({ query, body }) => uniqueDocument('id', body.id, query.connectionId),
	label: documentLabel,
	verifyResponse: verifyDocument,
});
