/** What the uploads to duo and rewe share. */
import type { IDataObject } from 'n8n-workflow';

import { connectionId } from '../../shared/parameters/accounting';
import { BROKEN_NAME, files, hasBrokenName } from '../../shared/parameters/file';
import type { Attachment, InputFile } from '../../shared/parameters/file';
import { explainExisting } from '../../shared/errors/httpError';
import { flag } from '../../shared/parameters/choice';
import { defineList, nameIn } from '../../shared/parameters/list';
import { locator } from '../../shared/parameters/locator';
import { text, uuid } from '../../shared/parameters/text';
import { uuidOfName } from './uuidOfName';
import type { AddIssue } from '../../shared/operation';
import { gatewayRequest } from '../../shared/gateway/request';
import { recordsOf } from '../../shared/gateway/records';
import { sameDocumentId } from '../../shared/gateway/same';
import { SHOWN, verifyRecord } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

export const datei = files({
	displayName: 'Input Data Field Name',
	description: 'The file (datei, Datei); each of several files becomes its own document',
	hint: "Name of the input field with the file to upload, or several, comma-separated, or patterns like attachment_* or *.pdf; * takes all of the item's files",
	default: 'data',
	required: true,
	mayBeRenamed: true,
	isHashed: (item) => item.hasOption('idFromContent'),
});

const documentTypes = (module: 'Duo' | 'Rewe', endpoint: `GET /v2/acct-${'duo' | 'rewe'}/belegtypen`) =>
	defineList({
		name: `search${module}DocumentTypes`,
		of: { connectionId: connectionId(module) },
		request: ({ connectionId }) => gatewayRequest(endpoint, { query: { connectionId } }),
		value: ['belegtyp'],
		reads: (type, value) => nameIn(type, value, ['belegtyp']),
	});

const DOCUMENT_TYPES = {
	Duo: documentTypes('Duo', 'GET /v2/acct-duo/belegtypen'),
	Rewe: documentTypes('Rewe', 'GET /v2/acct-rewe/belegtypen'),
};

/** @param module whose document types they are */
export const belegtyp = (module: 'Duo' | 'Rewe') =>
	locator(
		text({
			displayName: 'Document Type',
			description: 'What kind of document it is (belegtyp, Belegtyp)',
			placeholder: 'e.g. Rechnungseingang',
			required: true,
		}),
		{ list: DOCUMENT_TYPES[module], by: 'By Name' },
	);

/** @param names how the gateway and its users call it */
export const documentId = (names: string) =>
	uuid({
		displayName: 'Document ID',
		description: `UUID that identifies the document (${names})`,
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	});

/** The name of the option `idFromContent`. */
const ID_FROM_CONTENT = 'ID From Content';

export const uploadOptions = {
	idFromContent: flag({
		displayName: ID_FROM_CONTENT,
		description:
			"Whether to derive the document's ID from the file's content and the connection, so that a file that arrives again, in another e-mail or run, is the same document. One that the gateway already has counts as done, with alreadyExisted in the output.",
		default: true,
		decisive: true,
	}),
};

const OTHER_ID = "If it's a different receipt, give it a different ID.";
const explainGivenId = explainExisting('receipt', OTHER_ID);
const explainContent = explainExisting(
	'receipt',
	`${OTHER_ID} The option "${ID_FROM_CONTENT}" continues with the other items.`,
);

/**
 * What a refusal of an upload means. With an ID that was given, the option is no way on: under the ID of its content, each
 * file would be another document.
 */
export const explainUpload = ({ additionalFields: { id, belegId } }: { additionalFields: Named }) =>
	id === undefined && belegId === undefined ? explainContent : explainGivenId;

type UploadOptions = { idFromContent?: boolean };

/** Names the option if it was on: otherwise, the documents have other IDs or none. */
export const rerunUpload = ({ idFromContent }: UploadOptions) =>
	idFromContent ? `the option "${ID_FROM_CONTENT}"` : undefined;

/**
 * The document's ID: derived from the content if the option says so, or as given.
 * @param given the value of the ID's own field
 */
export const idOf = (
	{ connectionId, datei: [file] }: { connectionId: string; datei: InputFile[] },
	{ idFromContent }: UploadOptions,
	given: string | undefined,
): string | undefined => {
	const { sha256 } = file.content;
	return idFromContent && sha256 ? uuidOfName(connectionId, sha256) : given;
};

export const dateiname = text({
	displayName: 'File Name',
	description: "Name to store the file under, instead of the file's own (dateiname, Dateiname)",
	placeholder: 'e.g. Rechnung 4711.pdf',
});

export const belegnotiz = text({
	displayName: 'Note',
	description: 'Note for the tax adviser (belegnotiz, Belegnotiz)',
	hint: 'At most 60 characters; ü and 👍 are one each',
	placeholder: 'e.g. Bitte mit der Gutschrift verrechnen',
	max: 60,
});

interface Named {
	dateiname?: string;
	id?: string;
	belegId?: string;
}

/** The rules of an upload that concern several values. @param idField name of the ID's field */
export const checkUpload =
	(idField: 'id' | 'belegId') =>
	(
		values: { datei?: InputFile[]; additionalFields?: Named },
		addIssue: AddIssue,
		{ idFromContent }: UploadOptions,
	): void => {
		checkName(values, addIssue);
		const id = values.additionalFields?.[idField];
		if (!idFromContent || id === undefined) return;
		addIssue(idField, id, 'can\'t be given while the option "ID From Content" is on: remove one of them');
	};

/** A file with an invalid name must be renamed, and several files can't share one name. */
function checkName(
	{ datei, additionalFields }: { datei?: InputFile[]; additionalFields?: { dateiname?: string } },
	addIssue: AddIssue,
): void {
	if (!datei || !additionalFields) return;
	const { dateiname } = additionalFields;
	if (dateiname === undefined) {
		const broken = datei.filter(hasBrokenName).map(({ field }) => field);
		if (broken.length > 0) addIssue('datei', broken.join(', '), BROKEN_NAME);
	} else if (datei.length > 1) {
		addIssue('dateiname', dateiname, `can't be the name of ${datei.length} files: leave it out, or send one`);
	}
}

/** One document for each file. */
export const splitByFile = <V extends { datei: InputFile[] }>(values: V) =>
	values.datei.map((file) => ({ name: file.field, values: { ...values, datei: [file] } }));

/** Names an upload in errors. */
export const documentLabel = ({ body }: { body: { datei: Attachment } }) => `file ${body.datei.dateiname}`;

/** @param to whom the document goes */
export const documentSummary = (
	to: 'duo' | 'rewe',
	{ datei: { dateiname: name, content }, belegtyp: type }: { datei: Attachment; belegtyp: string },
) => `Would upload ${name} (${content.bytes.toLocaleString('en')} bytes) to ${to} as ${type}`;

/** The same document, by its ID, may come only once. */
export const uniqueDocument = (
	field: string,
	id: string | undefined,
	connectionId: string,
	{ idFromContent }: UploadOptions,
) =>
	id === undefined
		? undefined
		: {
				field,
				value: id.toLowerCase(),
				within: connectionId.toLowerCase(),
				...(idFromContent && { mayRecur: true }),
			};

/** The output for a document that the gateway already has. @param first as in `existing` of an operation */
export const existingDocument = (
	id: string | undefined,
	{ dateiname: name }: Attachment,
	first: IDataObject = { id },
): IDataObject => ({ ...first, dateiname: name, alreadyExisted: true });

/** The document, and whether it existed before, if the option asks for that. */
export const documentRecords = (answer: unknown, _values: unknown, { idFromContent }: UploadOptions) =>
	recordsOf(answer).map((record) => (idFromContent ? { alreadyExisted: false, ...record } : record));

const DOCUMENT: RecordKind = {
	name: 'a document',
	lacks: 'has neither an ID nor a file name',
	// A file may be stored under another name.
	fields: { id: sameDocumentId, dateiname: SHOWN },
};

/**
 * @param id that was given, if any
 * @returns what shows that the document isn't stored, see `verifyResponse` of an operation
 */
export const verifyDocument = (answer: unknown, id: string | undefined): string | undefined =>
	verifyRecord(answer, DOCUMENT, { id });
