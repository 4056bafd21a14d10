import { defineWrite } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { attachmentOf } from '../../shared/parameters/file';
import {
	belegnotiz,
	belegtyp,
	checkUpload,
	datei,
	dateiname,
	documentId,
	documentLabel,
	documentRecords,
	documentSummary,
	existingDocument,
	explainUpload,
	idOf,
	rerunUpload,
	splitByFile,
	uniqueDocument,
	uploadOptions,
	verifyDocument,
} from './parameters';

/** `uploadDuoDocument` */
export const uploadDuo = defineWrite({
	value: 'uploadDuo',
	name: 'Upload to Duo (Belege Online)',
	action: 'Upload document to duo (Belege online)',
	description:
		'Upload a receipt or another document to duo, where client and tax adviser share documents (Belege online, Beleg bereitstellen)',
	endpoint: 'POST /v2/acct-duo/beleg-bereitstellen',
	parameters: {
		connectionId: connectionId('Duo'),
		datei,
		belegtyp: belegtyp('Duo'),
		additionalFields: additionalFields({ id: documentId('ID, GUID'), dateiname, belegnotiz }),
	},
	options: uploadOptions,
	check: checkUpload('id'),
	split: splitByFile,
	request(values, options) {
		const { connectionId, datei, belegtyp: type, additionalFields: additional } = values;
		return {
			query: { connectionId },
			body: {
				datei: attachmentOf(datei[0], additional.dateiname),
				belegtyp: type,
				id: idOf(values, options, additional.id),
				belegnotiz: additional.belegnotiz,
			},
		};
	},
	unique: ({ query, body }, options) => uniqueDocument('id', body.id, query.connectionId, options),
	explain: explainUpload,
	rerunWith: rerunUpload,
	mayExist: (_values, { idFromContent = false }) => idFromContent,
	existing: ({ body }, first) => existingDocument(body.id, body.datei, first),
	achieves: { one: 'document uploaded', many: 'documents uploaded', where: () => 'to duo' },
	label: documentLabel,
	summary: ({ body }) => documentSummary('duo', body),
	verifyResponse: (answer, { body }) => verifyDocument(answer, body.id),
	records: documentRecords,
});
