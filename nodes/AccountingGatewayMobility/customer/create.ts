import { compact } from 'lodash';

import { defineWrite } from '../../shared/operation';
import { additionalFields, text } from '../../shared/parameters';
import { PRESENT, flat, oneOf, recordsOf } from '../../shared/answer';
import { both } from '../../shared/values';
import { identityFor, noteIfEmpty, onlyOnceFor } from '../onlyOnceFor';

const CUSTOMER = oneOf({
	name: both('a customer', 'eines Kunden'),
	lacks: both('has no customer ID', 'hat keine Kunden-ID'),
	fields: {
		id: PRESENT,
		organization_id: PRESENT,
		provider_customer_id: PRESENT,
		name: PRESENT,
		address_lines: { street: PRESENT, postal_code: PRESENT, city: PRESENT },
		created_at: PRESENT,
		updated_at: PRESENT,
	},
	shownBy: ['id'],
});

/** `createCustomer` */
export const create = defineWrite({
	value: 'create',
	name: 'Create',
	action: 'Create customer',
	description: 'Create a customer: the company that tickets are assigned to (Kunde, Unternehmen)',
	endpoint: 'POST /v2/mobility/customers',
	itemName: ['name'],
	parameters: {
		name: text({
			displayName: 'Name',
			description: 'Name of the company (name, Firma)',
			placeholder: 'e.g. Bäckerei Sonnenschein GmbH',
			required: true,
		}),
		onlyOnceFor,
		additionalFields: additionalFields({
			city: text({
				displayName: 'City',
				description: 'City of the address (city, Ort)',
				placeholder: 'e.g. Nürnberg',
			}),
			postal_code: text({
				displayName: 'Postal Code',
				description: 'Postal code of the address (postal_code, Postleitzahl)',
				placeholder: 'e.g. 90402',
			}),
			street: text({
				displayName: 'Street',
				description: 'Street and number of the address (street, Straße)',
				placeholder: 'e.g. Hauptstraße 7',
			}),
		}),
	},
	request: ({ name, additionalFields: { street, postal_code, city } }) => ({
		body: { name, street, postal_code, city },
	}),
	check({ onlyOnceFor: given }, _addIssue, _options, addNote) {
		noteIfEmpty(given, addNote, both('creates it again', 'legt ihn noch einmal an'));
	},
	identity: (_request, _options, { onlyOnceFor: given }) =>
		identityFor('customer', given, both('there is a customer already', 'gibt es schon einen Kunden')),
	achieves: {
		one: both('customer', 'Kunde'),
		many: both('customers', 'Kunden'),
		done: both('created', 'angelegt'),
	},
	label: ({ body }) => both(`customer ${body.name}`, `Kunde ${body.name}`),
	summary: ({ body: { name, street, postal_code, city } }) => {
		const customer = compact([name, street, compact([postal_code, city]).join(' ')]).join(', ');
		return { en: `Would create the customer ${customer}`, de: `Kunde ${customer} anlegen` };
	},
	expects: CUSTOMER,
	columns: [
		'id',
		'name',
		'street',
		'postal_code',
		'city',
		'provider_customer_id',
		'created_at',
		'alreadyExisted',
	],
	records: (answer) => recordsOf(answer).map((customer) => flat(customer, ['address_lines'])),
});
