import type { IBinaryData } from 'n8n-workflow';

import { FileContent, sha256OfFile, sizeInMemory } from '../../gateway';
import { isFile } from '../inputItem';
import type { ItemFiles } from '../inputItem';
import { INVALID } from '../place';
import type { Invalid, Place } from '../place';
import { parameter } from '../parameter';
import type { Spec } from '../parameter';
import { bilingual, both } from '../../values';
import { matchesWildcard } from './wildcard';
import type { Bilingual, Language } from '../../values';

export interface InputFile {
	content: FileContent;
	/** The file's own name, or that of its field. */
	name: string;
	field: string;
}

/** An attachment of the contract whose content is read while it is sent. */
export interface Attachment {
	content: FileContent;
	dateiname: string;
}

/** @param dateiname the file's name for the gateway, instead of its own */
export const attachmentOf = ({ content, name }: InputFile, dateiname = name): Attachment => ({
	content,
	dateiname,
});

/** The attachments of a request; nothing where there are none. @param dateiname as for `attachmentOf` */
export const attachmentsOf = (files: InputFile[] = [], dateiname?: string): Attachment[] | undefined =>
	files.length > 0 ? files.map((file) => attachmentOf(file, dateiname)) : undefined;

/** A task for each file of the parameter `datei`. */
export const splitByFile = <V extends { datei: InputFile[] }>(values: V) =>
	values.datei.map((file) => ({ fileField: file.field, values: { ...values, datei: [file] } }));

interface FilesSpec extends Spec {
	/** Whether `*` is valid for an item without files. */
	mayBeNone?: boolean;
	mayBeEmpty?: boolean;
	/** How the names of such files end, for an example in the hint. */
	ending?: '.pdf' | '.xlsx' | '.zip';
	/** What happens to the item's files that aren't chosen, in words; `not sent` by default. */
	untaken?: Bilingual;
}

/** Marks a file that was made for a person to read. n8n passes it on with the file. */
const FOR_READING = 'accountingGatewayForReading';

/** A file that a person reads, which no pattern takes for a receipt. */
export const forReading = (binary: IBinaryData): IBinaryData => ({ ...binary, [FOR_READING]: 1 });

const isForReading = (binary: IBinaryData) => binary[FOR_READING] !== undefined;

/**
 * Files of the item, each once. Given as field names and patterns, comma-separated, or as one file object: `*` is
 * every file; `attachment_*` matches field names; a pattern with a point, like `*.pdf`, also file names. A file that was made for
 * reading is taken by the name of its field alone.
 */
export const files = <const S extends FilesSpec>(spec: S) =>
	parameter(
		{
			hint: `The input fields with the files: names or patterns like *${spec.ending ?? '.pdf'}, comma-separated; * takes all of the item's files`,
			...spec,
		},
		{ type: 'string', typeOptions: { binaryDataProperty: true }, default: '*' },
		async (value, place) => {
			const { files } = place.holder;
			if (!files) return noFile([], value, place);
			const given = files.from(value) ?? value;
			if (!isFile(given) && typeof given !== 'string') {
				return place.addIssue(
					both('must be the names of input fields', 'muss Namen von Eingabefeldern sein'),
					given,
				);
			}
			const found = isFile(given) ? [given] : fieldsIn(given, files, place, spec);
			if (found === INVALID) return INVALID;
			const read: Array<InputFile | Invalid> = [];
			for (const one of found) read.push(await readFile(one, files, place, spec));
			if (read.includes(INVALID)) return INVALID;
			if (!isFile(given)) noteOthers(read as InputFile[], files, place, spec);
			return read as InputFile[];
		},
	);

function fieldsIn(
	given: string,
	files: ItemFiles,
	place: Place,
	{ mayBeNone }: FilesSpec,
): string[] | Invalid {
	const { all: byField } = files;
	const all = Object.keys(byField);
	const names = given.split(',').map((name) => name.trim());
	const found = names
		.filter(Boolean)
		.flatMap((name) =>
			isPattern(name) ? all.filter((field) => matches(name, field, byField[field])) : [files.fieldOf(name)],
		);
	if (found.length > 0) return [...new Set(found)];
	return given === '*' && mayBeNone ? [] : noFile(all, given, place);
}

/** @param all the item's files */
const noFile = (all: string[], given: unknown, place: Place): Invalid =>
	place.addIssue(
		bilingual((language) => NO_FILE[language] + which(all, language)),
		given,
	);

const isPattern = (name: string) => name.includes('*');

const matches = (pattern: string, field: string, binary: IBinaryData): boolean =>
	!isForReading(binary) &&
	(matchesWildcard(pattern, field) ||
		(pattern.includes('.') && matchesWildcard(pattern, fileNameOf(field, binary))));

/** The usual ending of a receipt's name, by the file's type. */
const ENDINGS = new Map(
	Object.entries({
		'application/pdf': '.pdf',
		'application/xml': '.xml',
		'text/xml': '.xml',
		'image/jpeg': '.jpg',
		'image/heic': '.heic',
		'image/png': '.png',
		'image/tiff': '.tif',
	}),
);
const HAS_ENDING = /\.[a-z][a-z\d]{1,4}$/i;

/**
 * The name of a file: its own, or that of its field. A receipt whose name has no ending, or ends in a date like
 * `Rechnung 1.2.2026`, gets the ending of its type: by it, the name is found and the file can be opened. Half of an emoji,
 * which nothing can send, is replaced.
 */
function fileNameOf(field: string, { fileName, fileExtension, mimeType }: IBinaryData): string {
	const own = fileName || `${field}${fileExtension ? `.${fileExtension}` : ''}`;
	const name = HAS_ENDING.test(own) ? own : own + (ENDINGS.get(mimeType) ?? '');
	return name.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The end of a sentence about a missing file, which lists the item's files. */
const which = (all: string[], language: Language) => {
	if (all.length === 0) return language === 'en' ? ': the item has none' : ': Es gibt hier keine';
	const names = all.join(', ');
	return language === 'en' ? ` of the item, which has ${names}` : `; vorhanden: ${names}`;
};
const NO_FILE = both('finds no file', 'passt zu keiner Datei');
const NO_SUCH_FILE = both('matches no file', 'passt zu keiner Datei');

const described = (field: string, { fileName }: IBinaryData) => (fileName ? `${field} (${fileName})` : field);

/** Identifies a file, also in a copy of the item. */
export const fileIdentity = ({ id, data }: IBinaryData) => id ?? data;

const NOT_SENT = both('not sent', 'Nicht gesendet');

/** Notes which files of the item aren't sent. */
function noteOthers(
	read: InputFile[],
	{ all }: ItemFiles,
	{ remarks }: Place,
	{ untaken = NOT_SENT }: FilesSpec,
): void {
	const taken = new Set(read.map(({ content }) => fileIdentity(content.binary)));
	const others = Object.entries(all).filter(
		([, binary]) => !taken.has(fileIdentity(binary)) && !isForReading(binary),
	);
	if (others.length === 0) return;
	const names = others.map(([field, binary]) => described(field, binary)).join(', ');
	remarks.notes.push(
		both(
			`files of the item that were ${untaken.en}: ${names}`,
			`${untaken.de} wurden diese Dateien: ${names}`,
		),
	);
}

const givenName = (given: IBinaryData | string, { field }: Place) =>
	isFile(given) ? given.fileName || field : given;

/** @param given the file itself or its name, which may be a path in the JSON */
async function readFile(
	given: IBinaryData | string,
	files: ItemFiles,
	place: Place,
	{ mayBeEmpty }: FilesSpec,
): Promise<InputFile | Invalid> {
	const field = givenName(given, place);
	let binary: IBinaryData;
	try {
		binary = isFile(given) ? given : files.named(given);
	} catch {
		return place.addIssue(
			bilingual((language) => NO_SUCH_FILE[language] + which(Object.keys(files.all), language)),
			field,
		);
	}
	try {
		const bytes = binary.id
			? (await files.store.getBinaryMetadata(binary.id)).fileSize
			: sizeInMemory(binary);
		if (bytes === 0 && !mayBeEmpty) {
			const { fileName } = binary;
			return place.addIssue(
				both(
					`matches an empty file (0 bytes)${fileName ? `: ${fileName}` : ''}`,
					`ist leer (0 Bytes)${fileName ? `: ${fileName}` : ''}`,
				),
				field,
			);
		}
		const hash = await sha256OfFile({ binary, bytes }, files.store);
		return { content: new FileContent(binary, bytes, hash), name: fileNameOf(field, binary), field };
	} catch {
		// A file was removed, or the store doesn't answer.
		return place.addIssue(
			both(
				"matches a file that can't be read from n8n's binary store",
				'lässt sich nicht aus dem Dateispeicher von n8n lesen',
			),
			field,
		);
	}
}
