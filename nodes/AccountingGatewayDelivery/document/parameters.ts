/** What the uploads to duo and rewe share. */
import { isNil } from 'lodash';

import { BROKEN_NAME, files, hasBrokenName } from '../../shared/parameters/file';
import type { Attachment, InputFile } from '../../shared/parameters/file';
import { locator } from '../../shared/parameters/locator';
import { text, uuid } from '../../shared/parameters/text';
import type { AddIssue } from '../../shared/operation';
import { recordOf } from '../../shared/transport/records';

export const datei = files({
	displayName: 'Input Data Field Name',
	description: 'The file (datei, Datei); of several files, each is sent as a document of its own',
	hint: "Name of the input field with the file to upload, or several, comma-separated, or patterns like attachment_* or *.pdf; * takes all of the item's files",
	default: 'data',
	required: true,
	mayBeRenamed: true,
});

/** @param module whose document types they are */
export const belegtyp = (module: 'Duo' | 'Rewe') =>
	locator(
		text({
			displayName: 'Document Type',
			description: 'What kind of document it is (belegtyp, Belegtyp)',
			placeholder: 'e.g. Rechnungseingang',
			required: true,
		}),
		{ list: `search${module}DocumentTypes`, by: 'By Name', dependsOn: 'connectionId' },
	);

/** @param names how the gateway and its users call it */
export const documentId = (names: string) =>
	uuid({
		displayName: 'Document ID',
		description: `UUID that identifies the document (${names})`,
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	});

export const dateiname = text({
	displayName: 'File Name',
	description: "Name to store the file under, instead of the file's own (dateiname, Dateiname)",
	placeholder: 'e.g. Rechnung 4711.pdf',
});

export const belegnotiz = text({
	displayName: 'Note',
	description: 'Note for the tax adviser (belegnotiz, Belegnotiz)',
	hint: 'At most 60 characters',
	placeholder: 'e.g. Bitte mit der Gutschrift verrechnen',
	max: 60,
});

/** A file with an invalid name must be renamed, and several files can't share one name. */
export function checkName(
	{ datei, additionalFields }: { datei?: InputFile[]; additionalFields?: { dateiname?: string } },
	addIssue: AddIssue,
): void {
	if (!datei || !additionalFields) return;
	const { dateiname } = additionalFields;
	if (dateiname === undefined) {
		if (datei.some(hasBrokenName)) addIssue('datei', '', BROKEN_NAME);
	} else if (datei.length > 1) {
		addIssue('dateiname', dateiname, `can't be the name of ${datei.length} files: leave it out, or send one`);
	}
}

/** One document for each file. */
export const splitByFile = <V extends { datei: InputFile[] }>(values: V) =>
	values.datei.map((file) => ({ name: file.field, values: { ...values, datei: [file] } }));

/** Names an upload in errors. */
export const documentLabel = ({ body }: { body: { datei: Attachment } }) => `file ${body.datei.dateiname}`;

/** The same document, by its ID, may come only once. */
export const uniqueDocument = (field: string, id: string | undefined, connectionId: string) =>
	id === undefined ? undefined : { field, value: id.toLowerCase(), within: connectionId.toLowerCase() };

/** @returns what shows that the document isn't stored, see `verifyResponse` of an operation */
export function verifyDocument(answer: unknown): string | undefined {
	const { id, dateiname: name } = recordOf(answer);
	return isNil(id) && isNil(name) ? 'names neither an ID nor a file' : undefined;
}
