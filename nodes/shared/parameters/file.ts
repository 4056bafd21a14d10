import type { IBinaryData } from 'n8n-workflow';
import { escapeRegExp } from 'lodash';

import { FileContent, sizeInMemory } from '../transport/body';
import { INVALID, isFile } from './inputItem';
import type { Invalid, Place } from './inputItem';
import { parameter } from './parameter';
import type { Spec } from './parameter';
import { BROKEN_CHARACTER } from './text';

/** A file of an input item. */
export interface InputFile {
	content: FileContent;
	/** Its own name, or that of its field. */
	name: string;
	/** The item's field that holds it. */
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

/** The attachments of a request; nothing where there are none. */
export const attachmentsOf = (files: InputFile[] = []): Attachment[] | undefined =>
	files.length > 0 ? files.map((file) => attachmentOf(file)) : undefined;

interface FilesSpec extends Spec {
	/** What the form has at first. An item's only file is taken for a default that is a name, whatever its field is called. */
	default: string;
	/** Whether `*` is fine for an item that has no file. */
	mayBeNone?: boolean;
	/** Whether a file may get another name, so that its own one need not be one that can be sent. */
	mayBeRenamed?: boolean;
}

/**
 * Files of the item, each once. Given as names of fields and as patterns, comma-separated, or as one file itself:
 * `*` is every file; `attachment_*` matches the names of fields; a pattern with a point, `*.pdf`, the names of files, too.
 */
export const files = <const S extends FilesSpec>(spec: S) =>
	parameter(spec, { type: 'string', default: spec.default }, async (given, place) => {
		if (!isFile(given) && typeof given !== 'string') {
			return place.addIssue('must be the names of input fields', given);
		}
		const found = isFile(given) ? [given] : fieldsIn(given, place, spec);
		if (found === INVALID) return INVALID;
		const read: Array<InputFile | Invalid> = [];
		for (const one of found) {
			const file = await readFile(one, place);
			const isBroken = !spec.mayBeRenamed && file !== INVALID && hasBrokenName(file);
			read.push(isBroken ? place.addIssue(BROKEN_NAME, nameOf(one, place)) : file);
		}
		if (read.includes(INVALID)) return INVALID;
		if (!isFile(given)) noteOthers(read as InputFile[], place);
		return read as InputFile[];
	});

/** The names of the fields whose files are meant. */
function fieldsIn(given: string, place: Place, spec: FilesSpec): string[] | Invalid {
	const { files } = place.item;
	const all = Object.keys(files);
	const names = given.split(',').map((name) => name.trim());
	const found = names
		.filter(Boolean)
		.flatMap((name) =>
			isPattern(name) ? all.filter((field) => matches(name, field, files[field])) : [name],
		);
	if (given === spec.default && !isPattern(given) && all.length === 1 && all[0] !== given) {
		place.item.notes.push(
			`no file "${given}", so the item's only one was taken: ${described(all[0], files[all[0]])}`,
		);
		return all;
	}
	if (found.length > 0) return [...new Set(found)];
	if (given === '*' && all.length === 0 && spec.mayBeNone) return [];
	return place.addIssue(`finds no file${which(all)}`, given);
}

const isPattern = (name: string) => name.includes('*');

/** In any case: the extensions of cameras and scanners are often in capital letters. */
function matches(pattern: string, field: string, binary: IBinaryData): boolean {
	const whole = new RegExp(`^${pattern.split(/\*+/).map(escapeRegExp).join('.*')}$`, 'isu');
	return whole.test(field) || (pattern.includes('.') && whole.test(fileNameOf(field, binary)));
}

/** A file's own name, or that of its field. */
const fileNameOf = (field: string, { fileName, fileExtension }: IBinaryData): string =>
	fileName || `${field}${fileExtension ? `.${fileExtension}` : ''}`;

/** The end of a sentence that says that a file isn't there. */
const which = (all: string[]) =>
	all.length > 0 ? ` of the item, which has ${all.join(', ')}` : ': the item has none';

const described = (field: string, { fileName }: IBinaryData) => (fileName ? `${field} (${fileName})` : field);

/** What tells a file from others, wherever the item's data has been copied to. */
const identity = ({ id, data }: IBinaryData) => id ?? data;

/** Tells the user which files of the item stay behind. */
function noteOthers(read: InputFile[], { item }: Place): void {
	const taken = new Set(read.map(({ content }) => identity(content.binary)));
	const others = Object.entries(item.files).filter(([, binary]) => !taken.has(identity(binary)));
	if (others.length === 0) return;
	const names = others.map(([field, binary]) => described(field, binary)).join(', ');
	item.notes.push(`files of the item that were not sent: ${names}`);
}

const nameOf = (given: IBinaryData | string, { field }: Place) =>
	isFile(given) ? given.fileName || field : given;

/** @param given the file itself or its name, which may be a path in the JSON */
async function readFile(given: IBinaryData | string, place: Place): Promise<InputFile | Invalid> {
	const field = nameOf(given, place);
	let binary: IBinaryData;
	let bytes: number;
	try {
		binary = isFile(given) ? given : place.item.file(given);
		bytes = binary.id ? await place.item.storedSize(binary.id) : sizeInMemory(binary);
	} catch {
		return place.addIssue(`names no file${which(Object.keys(place.item.files))}`, field);
	}
	if (bytes === 0) {
		const { fileName } = binary;
		return place.addIssue(`names an empty file (0 bytes)${fileName ? `: ${fileName}` : ''}`, field);
	}
	return { content: new FileContent(binary, bytes), name: fileNameOf(field, binary), field };
}

/** Whether no encoding can carry the file's name; it may get another one. */
export const hasBrokenName = ({ name }: InputFile) => BROKEN_CHARACTER.test(name);

export const BROKEN_NAME = 'names a file whose name has a broken character: rename it';
