/**
 * The settings of a ticket, whose inner shape is open: the two known ones as fields of their own, anything else as JSON.
 */
import { isEmpty } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { AddIssue } from '../../shared/operation';
import { jsonObject, text } from '../../shared/parameters';
import { both } from '../../shared/values';

export const postal_code = text({
	displayName: 'Postal Code',
	description:
		'Needed by nationwide subscriptions like the Deutschland-Ticket (Postleitzahl). Sent as postal_code in the tariff settings.',
	placeholder: 'e.g. 90402',
	pattern: /^\d{5}$/,
	rule: both(
		'must be a German postal code of 5 digits, e.g. 01067; a spreadsheet may have cut off its leading zero',
		'muss eine deutsche Postleitzahl mit 5 Ziffern sein, etwa 01067; eine Tabelle kann die führende Null abgeschnitten haben',
	),
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
	rule: both('must be a phone number like +491701234567', 'muss eine Telefonnummer wie +491701234567 sein'),
});

export const identification_medium = jsonObject({
	displayName: 'Identification Medium (JSON)',
	description:
		'Anything else that identifies the passenger, as JSON (identification_medium, Identifikationsmedium). Text or an object.',
});

/** The settings that are given as JSON, with the one of each that is a field of its own. */
const SETTINGS = [
	['tariff_settings', 'postal_code'],
	['identification_medium', 'phone_number'],
] as const;

interface Settings {
	tariff_settings?: IDataObject;
	postal_code?: string;
	identification_medium?: IDataObject;
	phone_number?: string;
}

/** A setting must not be given in two places with two values. */
export function checkSettings(
	{ additionalFields: given = {} }: { additionalFields?: Settings },
	addIssue: AddIssue,
): void {
	for (const [object, name] of SETTINGS) {
		const own = given[name];
		const inObject = given[object]?.[name];
		if (own !== undefined && inObject !== undefined && inObject !== own)
			addIssue(
				name,
				own,
				both(
					`differs from ${name} in ${object}: give it in one place`,
					`weicht von ${name} in ${object} ab: Geben Sie es nur einmal an`,
				),
			);
	}
}

const unlessEmpty = (settings: IDataObject) => (isEmpty(settings) ? undefined : settings);

export const tariffSettingsOf = ({ tariff_settings: given, postal_code: code }: Settings) =>
	unlessEmpty({ ...given, ...(code !== undefined && { postal_code: code }) });

export const identificationMediumOf = ({ identification_medium: given, phone_number: phone }: Settings) =>
	unlessEmpty({ ...given, ...(phone !== undefined && { phone_number: phone }) });
