import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';

/** Row 16 of the specification's endpoint table. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create customer',
	description: 'Create a customer to assign tickets to, e.g. an employee (Kunde)',
	kind: 'write',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Erika Mustermann',
			description: 'Name of the customer (name, Name)',
		},
		additionalFields(
			{
				displayName: 'City',
				name: 'city',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nürnberg',
				description: 'City of the address (city, Ort)',
			},
			{
				displayName: 'Postal Code',
				name: 'postal_code',
				type: 'string',
				default: '',
				placeholder: 'e.g. 90402',
				description: 'Postal code of the address (postal_code, Postleitzahl)',
			},
			{
				displayName: 'Street',
				name: 'street',
				type: 'string',
				default: '',
				placeholder: 'e.g. Hauptstraße 7',
				description: 'Street and number of the address (street, Straße)',
			},
		),
	],
	request: (item) => {
		const { additional } = item;
		return gatewayRequest('POST /v2/mobility/customers', {
			body: {
				name: item.text('name', { required: true }),
				street: additional.text('street'),
				postal_code: additional.text('postal_code'),
				city: additional.text('city'),
			},
		});
	},
	label: (item) => `customer ${String(item.raw('name'))}`,
};
