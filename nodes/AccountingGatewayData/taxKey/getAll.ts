import { defineRead } from '../../shared/operation';
import { connectionId } from '../../shared/parameters/accounting';
import { SHOWN, strangeEntries, verifyList } from '../../shared/gateway/verify';
import type { RecordKind } from '../../shared/gateway/verify';

const TAX_KEYS: RecordKind = {
	name: 'tax keys',
	fields: { buSchluessel: SHOWN, beschreibung: SHOWN, prozentsatz: SHOWN },
};

/** `listTaxKeys` */
export const getAll = defineRead({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many tax keys (BU-Schlüssel)',
	description: 'List the tax keys with their rates (Steuerschlüssel, BU-Schlüssel)',
	endpoint: 'GET /v2/acct-rewe/steuersaetze',
	parameters: { connectionId: connectionId('Rewe') },
	request: ({ connectionId }) => ({ query: { connectionId } }),
	verifyResponse: (answer) => verifyList(answer, TAX_KEYS),
	omissions: (answer) => [strangeEntries(answer, TAX_KEYS)],
	columns: ['buSchluessel', 'beschreibung', 'prozentsatz', 'verwendung'],
});
