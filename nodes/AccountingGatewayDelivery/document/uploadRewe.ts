import { connectionId, connectionQuery, locator } from '../../shared/locators';
import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { BELEGNOTIZ_MAX, belegnotiz, datei, dateiname, documentLabel } from './fields';

/** Row 4 of the specification's endpoint table. */
export const uploadRewe: Operation = {
	value: 'uploadRewe',
	name: 'Upload (Rewe)',
	action: 'Upload document to rewe',
	description: 'Upload a receipt or another document to the variant rewe (Beleg bereitstellen)',
	kind: 'write',
	quelle: true,
	fields: [
		connectionId('Rewe'),
		datei,
		locator({
			name: 'belegtyp',
			displayName: 'Document Type',
			description: 'What kind of document it is (belegtyp, Belegtyp)',
			list: 'searchReweDocumentTypes',
			by: 'By Value',
			placeholder: 'e.g. Rechnungseingang',
			required: true,
		}),
		{
			displayName: 'Document Date',
			name: 'belegdatum',
			type: 'dateTime',
			default: '',
			required: true,
			description:
				"Date of the document (belegdatum, Belegdatum). Without a time zone it is read in the workflow's time zone.",
		},
		additionalFields(
			{
				displayName: 'Document ID',
				name: 'belegId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
				description: 'UUID that identifies the document (belegId, Beleg-ID)',
			},
			dateiname,
			belegnotiz,
		),
	],
	async request(item) {
		const { additional } = item;
		return gatewayRequest('POST /v2/acct-rewe/beleg-bereitstellen', {
			query: connectionQuery(item),
			body: {
				datei: await item.attachment(item, 'datei', additional.text('dateiname')),
				belegdatum: item.dateTime('belegdatum'),
				belegtyp: item.text('belegtyp', { required: true }),
				belegId: additional.uuid('belegId'),
				belegnotiz: additional.text('belegnotiz', { max: BELEGNOTIZ_MAX }),
			},
		});
	},
	label: documentLabel,
};
