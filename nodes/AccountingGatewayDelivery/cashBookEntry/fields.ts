import type { INodeProperties } from 'n8n-workflow';

import { locator } from '../../shared/locators';

/** Fields that the simple and the advanced entry have in common. */

export const waehrung: INodeProperties = {
	displayName: 'Currency',
	name: 'waehrung',
	type: 'string',
	default: 'EUR',
	required: true,
	placeholder: 'e.g. EUR',
	description: 'Currency code of ISO 4217 (waehrung, Währung)',
};

export const kassenname = locator({
	name: 'kassenname',
	displayName: 'Cash Book',
	description: 'The cash book by its name (kassenname, Kassenbuch)',
	list: 'searchCashBooks',
	by: 'By Name',
	placeholder: 'e.g. Hauptkasse',
	required: true,
});

export const transaktionsdatum: INodeProperties = {
	displayName: 'Transaction Date',
	name: 'transaktionsdatum',
	type: 'dateTime',
	default: '',
	required: true,
	description:
		"Date and time of the transaction (transaktionsdatum, Buchungsdatum). Without a time zone it is read in the workflow's time zone.",
};

export const belegbilder: INodeProperties = {
	displayName: 'Receipts',
	name: 'belegbilder',
	type: 'string',
	default: '*',
	placeholder: 'e.g. data, attachment_0',
	hint: "The names of the input fields with the files, comma-separated; * takes all of the item's files",
	description: 'Receipt images or documents to attach (belegbilder, Belegbilder)',
};
