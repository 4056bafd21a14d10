import { defineWrite } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { dateTime } from '../../shared/parameters/date';
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

/** `uploadReweDocument` */
export const uploadRewe = defineWrite({
	value: 'uploadRewe',
	name: 'Upload to Rewe (Rechnungswesen)',
	action: 'Upload document to rewe (Rechnungswesen)',
	description:
		'Upload a receipt or another document to rewe, the accounting of the tax adviser (Rechnungswesen, Beleg bereitstellen)',
	endpoint: 'POST /v2/acct-rewe/beleg-bereitstellen',
	parameters: {
		connectionId: connectionId('Rewe'),
		datei,
		belegtyp: belegtyp('Rewe'),
		belegdatum: dateTime({
			displayName: 'Document Date',
			description:
				"Date of the document (belegdatum, Belegdatum), e.g. 2026-03-31T14:30:00 or 31.03.2026 14:30; without a time zone, read in the workflow's. A date alone, and 00:00, is a day without a time and is sent as 12:00, so that it is the same day in UTC.",
			required: true,
		}),
		additionalFields: additionalFields({ belegId: documentId('belegId, Beleg-ID'), dateiname, belegnotiz }),
	},
	options: uploadOptions,
	check: checkUpload('belegId'),
	split: splitByFile,
	request(values, options) {
		const { connectionId, datei, belegtyp: type, belegdatum, additionalFields: additional } = values;
		return {
			query: { connectionId },
			body: {
				datei: attachmentOf(datei[0], additional.dateiname),
				belegdatum,
				belegtyp: type,
				belegId: idOf(values, options, additional.belegId),
				belegnotiz: additional.belegnotiz,
			},
		};
	},
	unique: ({ query, body }, options) => uniqueDocument('belegId', body.belegId, query.connectionId, options),
	explain: explainUpload,
	rerunWith: rerunUpload,
	mayExist: (_values, { idFromContent = false }) => idFromContent,
	existing: ({ body }, first) => existingDocument(body.belegId, body.datei, first),
	achieves: { one: 'document uploaded', many: 'documents uploaded', where: () => 'to rewe' },
	label: documentLabel,
	summary: ({ body }) =>
		documentSummary('rewe', body) + `, dated ${body.belegdatum.slice(0, 'YYYY-MM-DD'.length)}`,
	verifyResponse: (answer, { body }) => verifyDocument(answer, body.belegId),
	records: documentRecords,
});
