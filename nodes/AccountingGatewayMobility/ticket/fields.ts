import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Fields } from '../../shared/item';

const POSTAL_CODE = {
	pattern: /^\d{5}$/,
	rule: 'must be a German postal code of 5 digits, e.g. 01067; a spreadsheet may have cut off its leading zero',
};
const PHONE_NUMBER = {
	pattern: /^\+?\d[\d ()/-]{4,24}$/,
	rule: 'must be a phone number like +491701234567',
};

/**
 * The settings of a ticket, whose inner shape is "not shown": the two known ones as fields of their own, anything else
 * as JSON.
 */

export const postalCode: INodeProperties = {
	displayName: 'Postal Code',
	name: 'postal_code',
	type: 'string',
	default: '',
	placeholder: 'e.g. 90402',
	description:
		'Needed by nationwide subscriptions like the Deutschland-Ticket (Postleitzahl). Sent as postal_code in the tariff settings.',
};

export const tariffSettings: INodeProperties = {
	displayName: 'Tariff Settings (JSON)',
	name: 'tariff_settings',
	type: 'json',
	default: '{}',
	description:
		'What else the tariff of the product asks for, as JSON (tariff_settings, Tarifeinstellungen). Text or an object.',
};

export const phoneNumber: INodeProperties = {
	displayName: 'Phone Number',
	name: 'phone_number',
	type: 'string',
	default: '',
	placeholder: 'e.g. +491701234567',
	description:
		'Needed by some regional tickets (Telefonnummer). Sent as phone_number in the identification medium.',
};

export const identificationMedium: INodeProperties = {
	displayName: 'Identification Medium (JSON)',
	name: 'identification_medium',
	type: 'json',
	default: '{}',
	description:
		'What else identifies the passenger, as JSON (identification_medium, Identifikationsmedium). Text or an object.',
};

export const readTariffSettings = (fields: Fields): IDataObject | undefined =>
	withField(fields, 'tariff_settings', 'postal_code', fields.text('postal_code', POSTAL_CODE));

export const readIdentificationMedium = (fields: Fields): IDataObject | undefined =>
	withField(fields, 'identification_medium', 'phone_number', fields.text('phone_number', PHONE_NUMBER));

/** The object that is given as JSON, with the field of the form in it. */
function withField(fields: Fields, object: string, name: string, value?: string): IDataObject | undefined {
	const given = fields.object(object) ?? {};
	if (value === undefined) return Object.keys(given).length > 0 ? given : undefined;
	if (name in given && given[name] !== value) {
		fields.refuse(name, value, `differs from ${name} in ${object}: give it in one place`);
	}
	return { ...given, [name]: value };
}
