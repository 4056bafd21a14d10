import type { INodeProperties } from 'n8n-workflow';

import { isFile } from '../../shared/item';
import type { Item } from '../../shared/item';

/** Fields that the uploads to duo and rewe have in common. */

export const datei: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'datei',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the input field with the file to upload',
	description: 'The file (datei, Datei)',
};

export const dateiname: INodeProperties = {
	displayName: 'File Name',
	name: 'dateiname',
	type: 'string',
	default: '',
	placeholder: 'e.g. Rechnung 4711.pdf',
	description: "Name to store the file under, instead of the file's own (dateiname, Dateiname)",
};

export const belegnotiz: INodeProperties = {
	displayName: 'Note',
	name: 'belegnotiz',
	type: 'string',
	default: '',
	placeholder: 'e.g. Bitte mit der Gutschrift verrechnen',
	hint: 'At most 60 characters',
	description: 'Note for the tax adviser (belegnotiz, Belegnotiz)',
};

/** Rule 8 of the specification. */
export const BELEGNOTIZ_MAX = 60;

/** Names an upload in errors. */
export function documentLabel(item: Item): string {
	const file = item.raw('datei');
	return `datei ${String(item.additional.raw('dateiname') || (isFile(file) ? file.fileName : file))}`;
}
