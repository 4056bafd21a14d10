import { connectionId, connectionQuery, locator } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { BELEGNOTIZ_MAX, belegnotiz, datei, dateiname, documentLabel } from './fields';

/** Row 3 of the specification's endpoint table. */
export const uploadDuo: Operation = {
	value: 'uploadDuo',
	name: 'Upload (Duo)',
	action: 'Upload document to duo',
	description: 'Upload a receipt or another document to the variant duo (Beleg bereitstellen)',
	kind: 'write',
	quelle: true,
	fields: [
		connectionId('Duo'),
		datei,
		locator({
			name: 'belegtyp',
			displayName: 'Document Type',
			description: 'What kind of document it is (belegtyp, Belegtyp)',
			list: 'searchDuoDocumentTypes',
			by: 'By Value',
			placeholder: 'e.g. Rechnungseingang',
			required: true,
		}),
		additionalFields(
			{
				displayName: 'Document ID',
				name: 'id',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
				description: 'UUID that identifies the document (ID, GUID)',
			},
			dateiname,
			belegnotiz,
		),
	],
	async request(item) {
		const { additional } = item;
		return gatewayRequest('POST /v2/acct-duo/beleg-bereitstellen', {
			query: connectionQuery(item),
			body: {
				datei: await item.attachment(item, 'datei', additional.text('dateiname')),
				belegtyp: item.text('belegtyp', { required: true }),
				id: additional.uuid('id'),
				belegnotiz: additional.text('belegnotiz', { max: BELEGNOTIZ_MAX }),
			},
		});
	},
	label: documentLabel,
};
