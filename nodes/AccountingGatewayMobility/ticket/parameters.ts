/**
 * The settings of a ticket, whose inner shape is open: the two known ones as fields of their own, anything else as JSON.
 */
import type { IDataObject } from 'n8n-workflow';

import type { AddIssue } from '../../shared/operation';
import { jsonObject } from '../../shared/parameters/json';
import { text } from '../../shared/parameters/text';

export const postal_code = text({
	displayName: 'Postal Code',
	description:
		'Needed by nationwide subscriptions like the Deutschland-Ticket (Postleitzahl). Sent as postal_code in the tariff settings.',
	placeholder: 'e.g. 90402',
	pattern: /^\d{5}$/,
	rule: 'must be a German postal code of 5 digits, e.g. 01067; a spreadsheet may have cut off its leading zero',
});

export const tariff_settings = jsonObject({
	displayName: 'Tariff Settings (JSON)',
	description:
		'Anything else that the tariff of the product requires, as JSON (tariff_settings, Tarifeinstellungen). Text or an object.',
});

export const phone_number = text({
	displayName: 'Phone Number',
	description:
		'Needed by some regional tickets (Telefonnummer). Sent as phone_number in the identification medium.',
	placeholder: 'e.g. +491701234567',
	pattern: /^\+?\d[\d ()/-]{4,24}$/,
	rule: 'must be a phone number like +491701234567',
});

export const identification_medium = jsonObject({
	displayName: 'Identification Medium (JSON)',
	description:
		'Anything else that identifies the passenger, as JSON (identification_medium, Identifikationsmedium). Text or an object.',
});

/** A setting of the form within the object that is given as JSON. */
interface Setting {
	/** The object's field. */
	object: 'tariff_settings' | 'identification_medium';
	/** The setting's field. */
	name: 'postal_code' | 'phone_number';
}

const SETTINGS: Setting[] = [
	{ object: 'tariff_settings', name: 'postal_code' },
	{ object: 'identification_medium', name: 'phone_number' },
];

type Settings = Partial<Record<Setting['object'], IDataObject> & Record<Setting['name'], string>>;

/** A setting must not be given in two places with two values. */
export function checkSettings(
	{ additionalFields }: { additionalFields?: Settings },
	addIssue: AddIssue,
): void {
	for (const { object, name } of SETTINGS) {
		const value = additionalFields?.[name];
		const inObject = additionalFields?.[object] ?? {};
		if (value !== undefined && name in inObject && inObject[name] !== value) {
			addIssue(name, value, `differs from ${name} in ${object}: give it in one place`);
		}
	}
}

const merged = (given: IDataObject = {}, own: IDataObject): IDataObject | undefined => {
	const settings = { ...given, ...own };
	return Object.keys(settings).length > 0 ? settings : undefined;
};

export const tariffSettingsOf = ({ tariff_settings: given, postal_code: code }: Settings) =>
	merged(given, code === undefined ? {} : { postal_code: code });

export const identificationMediumOf = ({ identification_medium: given, phone_number: phone }: Settings) =>
	merged(given, phone === undefined ? {} : { phone_number: phone });
