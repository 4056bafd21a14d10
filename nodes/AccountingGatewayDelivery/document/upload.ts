/** The uploads to duo and to rewe, which differ in the name of the ID and in the document's date. */
import { pick } from 'lodash';

import { cutLine } from '../../shared/errors';
import { explainExisting, gatewayRequest } from '../../shared/gateway';
import { ANY_VALUE, oneOf, recordsOf, sameText } from '../../shared/answer';
import { defineWrite } from '../../shared/operation';
import type { AddIssue } from '../../shared/operation';
import {
	additionalFields,
	attachmentOf,
	connectionId,
	defineList,
	files,
	locator,
	nameIn,
	splitByFile,
	text,
	uuid,
} from '../../shared/parameters';
import { dateTime } from '../dateTime';
import { brokenName, dateiname } from '../fileName';
import type { Attachment, InputFile } from '../../shared/parameters';
import { bilingual, both, dayIn, isMissing, numberIn } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { ALREADY_UPLOADED, ID_FROM_CONTENT, identityOf, idFrom, options } from './idFromContent';
import type { Options } from './idFromContent';

interface Upload {
	connectionId: string;
	/** One file, once the item is split. */
	datei: InputFile[];
	belegtyp: string;
	additionalFields: { dateiname?: string; belegnotiz?: string; id?: string; belegId?: string };
}

interface UploadRequest {
	query: { connectionId: string };
	body: { datei: Attachment; belegtyp: string; belegdatum?: string; id?: string; belegId?: string };
}

/**
 * A document that was stored. Both values are the accounting system's own, so with an ID, the name may be another one than
 * was sent.
 */
const DOCUMENT = oneOf({
	name: both('a document', 'eines Dokuments'),
	lacks: both('has neither an ID nor a file name', 'hat weder ID noch Dateinamen'),
	fields: {
		id: ANY_VALUE,
		dateiname: (sent, received, record) => !isMissing(record.id) || sameText(sent, received, record),
	},
});

/** How much of a file's name a summary shows. */
const MAX_SHOWN_FILE_NAME = 200;

/** What a refusal means. The option is no way on: under the ID of its content, the file would be another document. */
const explain = explainExisting(
	both('receipt', 'Beleg'),
	both(
		"If it's a different receipt, give it a different ID.",
		'Ist es ein anderer, geben Sie ihm eine andere ID.',
	),
);

/** Whether the document's ID follows from its content: unless that is turned off, where none is given. */
const isByContent = ({ idFromContent }: Options, { id, belegId }: Upload['additionalFields']): boolean =>
	idFromContent ?? (id ?? belegId) === undefined;

/** The parts of a document that both uploads send, and its ID: derived from the content, or as given. */
const documentOf = (
	{ connectionId, datei: [file], belegtyp, additionalFields: given }: Upload,
	chosen: Options,
) => ({
	id: isByContent(chosen, given) ? idFrom(connectionId, file.content) : (given.id ?? given.belegId),
	document: { datei: attachmentOf(file, given.dateiname), belegtyp, belegnotiz: given.belegnotiz },
});

/**
 * The parts that both uploads share.
 * @param idField the gateway's name of the document's ID
 */
const upload = (to: 'duo' | 'rewe', idField: 'id' | 'belegId') => ({
	options,
	split: splitByFile,
	check(
		{ datei, additionalFields: { dateiname: name, [idField]: id } = {} }: Partial<Upload>,
		addIssue: AddIssue,
		{ idFromContent, alreadyUploaded }: Options,
	): void {
		const broken = datei && brokenName(name, datei);
		if (broken) addIssue('dateiname', name, broken);
		if (id === undefined || (!idFromContent && !alreadyUploaded)) return;
		// With either option, equal files of a run are one document, which can't have two IDs.
		const option = idFromContent ? ID_FROM_CONTENT : ALREADY_UPLOADED;
		const rule = both(
			`can't be given while the option "${option}" is on: remove one of them`,
			`darf nicht angegeben sein, solange die Option „${option}“ an ist: Entfernen Sie eins von beiden`,
		);
		addIssue(idField, id, rule);
	},
	explain,
	identity: ({ query, body }: UploadRequest, chosen: Options) =>
		identityOf(query.connectionId, body.datei, { field: idField, value: body[idField] }, chosen, to),
	achieves: {
		one: both('document', 'Dokument'),
		many: both('documents', 'Dokumente'),
		done: both('uploaded', 'hochgeladen'),
		where: () => both(`to ${to}`, `an ${to}`),
	},
	label: ({ body }: UploadRequest) => both(`file ${body.datei.dateiname}`, `Datei ${body.datei.dateiname}`),
	summary: ({ body: { datei: file, belegtyp: type, belegdatum } }: UploadRequest): Bilingual =>
		bilingual((language) => {
			const name = cutLine(file.dateiname, MAX_SHOWN_FILE_NAME);
			const bytes = numberIn(language, file.content.bytes);
			const day = belegdatum && dayIn(language, belegdatum);
			return language === 'en'
				? `Would upload ${name} (${bytes} bytes) to ${to} as ${type}${day ? `, dated ${day}` : ''}`
				: `${name} (${bytes} Bytes) an ${to} übertragen, Belegtyp ${type}${day ? `, Belegdatum ${day}` : ''}`;
		}),
	expects: DOCUMENT,
	mustAgree: ({ body: { datei } }: UploadRequest) => ({ dateiname: datei.dateiname }),
	/** The document with its file's SHA-256 and, where that is known, whether it existed before. */
	records: (answer: unknown, { datei: [file], additionalFields: given }: Upload, chosen: Options) =>
		recordsOf(answer).map((record) => ({
			...pick(record, ['id', 'dateiname']),
			...((chosen.alreadyUploaded || isByContent(chosen, given)) && { alreadyExisted: false }),
			sha256: file.content.sha256,
			...record,
		})),
});

const documentParameters = (module: 'Duo' | 'Rewe') => ({
	connectionId: connectionId(module),
	datei: files({
		displayName: 'Input Data Field Name',
		description: 'The file (datei, Datei); each of several files becomes its own document',
		required: true,
	}),
	belegtyp: locator(
		text({
			displayName: 'Document Type',
			description: 'What kind of document it is (belegtyp, Belegtyp)',
			placeholder: 'e.g. Rechnungseingang',
			required: true,
		}),
		{
			by: 'By Name',
			list: defineList({
				name: `search${module}DocumentTypes`,
				of: { connectionId: connectionId(module) },
				request: ({ connectionId }) =>
					gatewayRequest(`GET /v2/acct-${module === 'Duo' ? 'duo' : 'rewe'}/belegtypen`, {
						query: { connectionId },
					}),
				value: ['belegtyp'],
				reads: (type, value) => nameIn(type, value, ['belegtyp']),
			}),
		},
	),
});

/** @param names how the gateway and its users call it */
const documentId = (names: string) =>
	uuid({
		displayName: 'Document ID',
		description: `UUID that identifies the document (${names})`,
	});

const nameAndNote = {
	dateiname,
	belegnotiz: text({
		displayName: 'Note',
		description: 'Note for the tax adviser (belegnotiz, Belegnotiz)',
		hint: 'At most 60 characters; ü and 👍 are one each',
		placeholder: 'e.g. Bitte mit der Rechnungskorrektur verrechnen',
		max: 60,
	}),
};

/** `uploadDuoDocument` */
export const uploadDuo = defineWrite({
	...upload('duo', 'id'),
	value: 'uploadDuo',
	name: 'Upload to Duo (Belege online)',
	action: 'Upload document to duo (Belege online)',
	description:
		'Upload a receipt or another document to duo, where client and tax adviser share documents (Belege online, Beleg bereitstellen)',
	endpoint: 'POST /v2/acct-duo/beleg-bereitstellen',
	parameters: {
		...documentParameters('Duo'),
		additionalFields: additionalFields({ id: documentId('ID, GUID'), ...nameAndNote }),
	},
	request(values, options) {
		const { document, id } = documentOf(values, options);
		return { query: { connectionId: values.connectionId }, body: { ...document, id } };
	},
});

/** `uploadReweDocument` */
export const uploadRewe = defineWrite({
	...upload('rewe', 'belegId'),
	value: 'uploadRewe',
	name: 'Upload to Rewe (Rechnungswesen)',
	action: 'Upload document to rewe (Rechnungswesen)',
	description:
		'Upload a receipt or another document to rewe, the accounting of the tax adviser (Rechnungswesen, Beleg bereitstellen)',
	endpoint: 'POST /v2/acct-rewe/beleg-bereitstellen',
	parameters: {
		...documentParameters('Rewe'),
		belegdatum: dateTime({
			displayName: 'Document Date',
			description:
				"Date of the document (belegdatum, Belegdatum), e.g. 2026-03-31T14:30:00 or 31.03.2026 14:30; without a time zone, read in the workflow's. A date alone, and 00:00, is a day without a time and is sent as 12:00, so that it is the same day in UTC.",
			required: true,
		}),
		additionalFields: additionalFields({ belegId: documentId('belegId, Beleg-ID'), ...nameAndNote }),
	},
	request(values, options) {
		const { document, id } = documentOf(values, options);
		return {
			query: { connectionId: values.connectionId },
			body: { ...document, belegdatum: values.belegdatum.value, belegId: id },
		};
	},
});
