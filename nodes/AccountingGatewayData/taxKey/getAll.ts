import { defineRead } from '../../shared/operation';
import { germanHeadings } from '../../shared/form';
import { connectionId } from '../../shared/parameters';
import { PRESENT, listOf } from '../../shared/answer';
import { both } from '../../shared/values';

const TAX_KEYS = listOf({
	name: both('tax keys', 'der Steuerschlüssel'),
	fields: { buSchluessel: PRESENT, beschreibung: PRESENT, prozentsatz: PRESENT },
});

/** `listTaxKeys` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many tax keys (BU-Schlüssel)',
	description: 'List the tax keys with their rates (Steuerschlüssel, BU-Schlüssel)',
	endpoint: 'GET /v2/acct-rewe/steuersaetze',
	parameters: { connectionId: connectionId('Rewe') },
	options: { germanHeadings },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	expects: TAX_KEYS,
	columns: ['buSchluessel', 'beschreibung', 'prozentsatz', 'verwendung'],
});
