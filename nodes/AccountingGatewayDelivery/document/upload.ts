/** The uploads to duo and to rewe, which differ in the name of the ID and in the document's date. */
import { createHash } from 'node:crypto';
import { pick } from 'lodash';

import { defineWrite } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { additionalFields } from '../../shared/parameters/collection';
import { dateTime } from '../../shared/parameters/date';
import { attachmentOf, files } from '../../shared/parameters/file';
import type { Attachment, InputFile } from '../../shared/parameters/file';
import { quote } from '../../shared/errors/gatewayMessage';
import { explainExisting } from '../../shared/errors/httpError';
import { flag } from '../../shared/parameters/choice';
import { defineList, nameIn } from '../../shared/parameters/list';
import { locator } from '../../shared/parameters/locator';
import { text, uuid } from '../../shared/parameters/text';
import type { AddIssue, RecordIdentity } from '../../shared/operation';
import type { FileContent } from '../../shared/gateway/body';
import { gatewayRequest } from '../../shared/gateway/request';
import { recordsOf } from '../../shared/gateway/records';
import { oneOf, SHOWN } from '../../shared/gateway/verify';

const datei = files({
	displayName: 'Input Data Field Name',
	description: 'The file (datei, Datei); each of several files becomes its own document',
	hint: "Name of the input field with the file to upload, or several, comma-separated, or patterns like attachment_* or *.pdf; * takes all of the item's files",
	required: true,
});

/** @param module whose document types they are */
const belegtyp = (module: 'Duo' | 'Rewe') =>
	locator(
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
	);

/** @param names how the gateway and its users call it */
const documentId = (names: string) =>
	uuid({
		displayName: 'Document ID',
		description: `UUID that identifies the document (${names})`,
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	});

/** The names of the options. */
const ID_FROM_CONTENT = 'ID From Content';
const ALREADY_UPLOADED = 'Skip What Was Uploaded Before';

const uploadOptions = {
	idFromContent: flag({
		displayName: ID_FROM_CONTENT,
		description:
			"Whether to derive the document's ID from the file's content and the connection, so that a file that arrives again, in another e-mail or run, is the same document. On unless you turn it off or give an ID. A document that the gateway already has counts as done, with alreadyExisted in the output.",
		default: true,
		decisive: true,
	}),
	alreadyUploaded: flag({
		displayName: ALREADY_UPLOADED,
		description:
			"Whether a file whose content this node has uploaded to the connection before comes out without a request, with alreadyExisted in the output, e.g. for a folder that is read each hour. Remembers the last 10,000 files in n8n's database; two runs with the same file at the same moment may not see each other.",
		default: true,
		decisive: true,
	}),
};

/** What a refusal of an upload means. The option is no way on: under the ID of its content, the file would be another document. */
const explainGivenId = explainExisting('receipt', "If it's a different receipt, give it a different ID.");

interface UploadOptions {
	idFromContent?: boolean;
	alreadyUploaded?: boolean;
}

interface AdditionalFields {
	dateiname?: string;
	belegnotiz?: string;
	id?: string;
	belegId?: string;
}

interface Upload {
	connectionId: string;
	datei: InputFile[];
	belegtyp: string;
	additionalFields: AdditionalFields;
}

const dateiname = text({
	displayName: 'File Name',
	description: "Name to store the file under, instead of the file's own (dateiname, Dateiname)",
	placeholder: 'e.g. Rechnung 4711.pdf',
});

const belegnotiz = text({
	displayName: 'Note',
	description: 'Note for the tax adviser (belegnotiz, Belegnotiz)',
	hint: 'At most 60 characters; ü and 👍 are one each',
	placeholder: 'e.g. Bitte mit der Rechnungskorrektur verrechnen',
	max: 60,
});

/** One document for each file. */
export const splitByFile = <V extends { datei: InputFile[] }>(values: V) =>
	values.datei.map((file) => ({ name: file.field, values: { ...values, datei: [file] } }));

/** Several files can't share one name. */
function checkName({ datei, additionalFields }: Partial<Upload>, addIssue: AddIssue): void {
	if (!datei || !additionalFields) return;
	const { dateiname } = additionalFields;
	if (dateiname !== undefined && datei.length > 1)
		addIssue('dateiname', dateiname, `can't be the name of ${datei.length} files: leave it out, or send one`);
}

function hashOf({ sha256 }: FileContent): string {
	// All files of an upload are hashed when they are checked.
	if (sha256 === undefined) throw new Error('The content of a file is not known');
	return sha256;
}

/** Whether the document's ID follows from its content: unless that is turned off, where none is given. */
const isByContent = ({ idFromContent }: UploadOptions, { id, belegId }: AdditionalFields): boolean =>
	idFromContent ?? (id ?? belegId) === undefined;

/** The parts of a document that both uploads send, and its ID: derived from the content, or as given. */
const documentOf = (
	{ connectionId, datei: [file], belegtyp: type, additionalFields: additional }: Upload,
	options: UploadOptions,
) => ({
	id: isByContent(options, additional)
		? uuidOfName(connectionId, hashOf(file.content))
		: (additional.id ?? additional.belegId),
	document: {
		datei: attachmentOf(file, additional.dateiname),
		belegtyp: type,
		belegnotiz: additional.belegnotiz,
	},
});

interface DocumentRequest {
	query: { connectionId: string };
	body: { datei: Attachment; belegtyp: string; id?: string; belegId?: string; belegdatum?: string };
}

const DOCUMENT = oneOf({
	name: 'a document',
	lacks: 'has neither an ID nor a file name',
	// Both values are the accounting system's own, so they may differ from those that were sent.
	fields: { id: SHOWN, dateiname: SHOWN },
});

const BYTES = 16;

/** A UUID of version 5: a name within a namespace, which is a UUID itself (RFC 9562, 5.5). */
export function uuidOfName(namespace: string, name: string): string {
	const bytes = createHash('sha1')
		.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
		.update(name)
		.digest()
		.subarray(0, BYTES);
	// The version, in the high half of its byte.
	bytes[6] = (bytes[6] % 16) + 0x50;
	// The variant, in the two highest bits of its byte.
	bytes[8] = (bytes[8] % 64) + 0x80;
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * The parts that both uploads share.
 * @param idField the gateway's name of the document's ID
 */
const upload = (to: 'duo' | 'rewe', idField: 'id' | 'belegId') => ({
	options: uploadOptions,
	split: splitByFile,
	check(
		values: Partial<Upload>,
		addIssue: AddIssue,
		{ idFromContent, alreadyUploaded }: UploadOptions,
	): void {
		checkName(values, addIssue);
		const id = values.additionalFields?.[idField];
		if (id === undefined || (!idFromContent && !alreadyUploaded)) return;
		// With either option, equal files of a run are one document, which can't have two IDs.
		const option = idFromContent ? ID_FROM_CONTENT : ALREADY_UPLOADED;
		addIssue(idField, id, `can't be given while the option "${option}" is on: remove one of them`);
	},
	explain: () => explainGivenId,
	/** What makes a document the same as another one: its ID or else, where the node remembers it, its content. */
	identity(
		{ query: { connectionId }, body }: DocumentRequest,
		{ alreadyUploaded = false }: UploadOptions,
	): RecordIdentity {
		const { dateiname: name, content } = body.datei;
		const sha256 = hashOf(content);
		const { [idField]: id } = body;
		const isRecognized = alreadyUploaded || id === uuidOfName(connectionId, sha256);
		const option = alreadyUploaded ? ALREADY_UPLOADED : ID_FROM_CONTENT;
		return {
			field: id === undefined ? 'datei' : idField,
			value: id ?? (alreadyUploaded ? sha256 : undefined),
			within: connectionId,
			content: alreadyUploaded ? `document ${connectionId.toLowerCase()} ${sha256}` : undefined,
			repeats: isRecognized,
			existing: isRecognized
				? (said, first = id === undefined ? {} : { id }) => ({
						record: { ...first, dateiname: name, alreadyExisted: true, sha256 },
						warning: said && `the document ${name} was there already. ${quote(said)}`,
					})
				: undefined,
			// Otherwise, the documents of a new run have other IDs or none.
			rerun: isRecognized ? `the option "${option}"` : undefined,
		};
	},
	achieves: { one: 'document uploaded', many: 'documents uploaded', where: () => `to ${to}` },
	label: ({ body }: DocumentRequest) => `file ${body.datei.dateiname}`,
	summary({ body: { datei: file, belegtyp: type, belegdatum } }: DocumentRequest): string {
		const what = `Would upload ${file.dateiname} (${file.content.bytes.toLocaleString('en')} bytes) to ${to} as ${type}`;
		return belegdatum ? `${what}, dated ${belegdatum.slice(0, 'YYYY-MM-DD'.length)}` : what;
	},
	answer: DOCUMENT,
	/** The document with its file's SHA-256 and, where that is known, whether it existed before. */
	records: (answer: unknown, { datei: [file], additionalFields }: Upload, options: UploadOptions) =>
		recordsOf(answer).map((record) => ({
			...pick(record, ['id', 'dateiname']),
			...((options.alreadyUploaded || isByContent(options, additionalFields)) && { alreadyExisted: false }),
			sha256: file.content.sha256,
			...record,
		})),
});

const documentParameters = (module: 'Duo' | 'Rewe') => ({
	connectionId: connectionId(module),
	datei,
	belegtyp: belegtyp(module),
});

/** `uploadDuoDocument` */
export const uploadDuo = defineWrite({
	...upload('duo', 'id'),
	value: 'uploadDuo',
	name: 'Upload to Duo (Belege Online)',
	action: 'Upload document to duo (Belege online)',
	description:
		'Upload a receipt or another document to duo, where client and tax adviser share documents (Belege online, Beleg bereitstellen)',
	endpoint: 'POST /v2/acct-duo/beleg-bereitstellen',
	parameters: {
		...documentParameters('Duo'),
		additionalFields: additionalFields({ id: documentId('ID, GUID'), dateiname, belegnotiz }),
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
		additionalFields: additionalFields({ belegId: documentId('belegId, Beleg-ID'), dateiname, belegnotiz }),
	},
	request(values, options) {
		const { document, id } = documentOf(values, options);
		return {
			query: { connectionId: values.connectionId },
			body: { ...document, belegdatum: values.belegdatum, belegId: id },
		};
	},
});
