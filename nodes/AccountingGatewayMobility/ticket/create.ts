import { defineWrite } from '../../shared/operation';
import { additionalFields, defineList, locator, nameIn, notice, text, uuid } from '../../shared/parameters';
import { recordOf } from '../../shared/answer';
import { gatewayRequest } from '../../shared/gateway';
import { both, sameInBoth } from '../../shared/values';
import { identityFor, noteIfEmpty, onlyOnceFor } from '../onlyOnceFor';
import { PRODUCT_IDS } from '../product/getAll';
import { CREATED, creationWarnings, TICKET_COLUMNS, ticketRecords } from './answer';
import {
	checkSettings,
	identification_medium,
	identificationMediumOf,
	phone_number,
	postal_code,
	tariff_settings,
	tariffSettingsOf,
} from './parameters';

/** `createTicket` */
export const create = defineWrite({
	value: 'create',
	name: 'Create',
	action: 'Create ticket',
	description:
		'Buy a public-transport ticket, e.g. a Deutschland-Ticket, assigned to a company or to none (Ticket anlegen)',
	endpoint: 'POST /v2/mobility/tickets',
	parameters: {
		notice: notice(
			'Each run buys a ticket for each item, again and again, unless "Only Once For" says for whom. To look first without buying, turn on the option "Dry Run".',
			{ show: { onlyOnceFor: [''] }, hide: { '/options.dryRun': [true] } },
		),
		product_id: locator(
			text({
				displayName: 'Product',
				description: 'The ticket product (product_id, Produkt)',
				hint: 'Nationwide tickets need a postal code, some regional ones a phone number: add them under Additional Fields',
				placeholder: 'e.g. deutschlandticket-job',
				required: true,
			}),
			{
				list: defineList({
					name: 'searchTicketProducts',
					of: {},
					request: () => gatewayRequest('GET /v2/mobility/products', {}),
					value: PRODUCT_IDS,
					reads: (product, id) => nameIn(product, id, ['product_name', 'productName']),
				}),
			},
		),
		onlyOnceFor,
		additionalFields: additionalFields({
			customer_id: uuid({
				displayName: 'Customer ID',
				description:
					'The company that the ticket is assigned to: the ID in the output of "Create customer" (customer_id, Kunde)',
			}),
			postal_code,
			phone_number,
			identification_medium,
			tariff_settings,
		}),
	},
	check(values, addIssue, _options, addNote) {
		checkSettings(values, addIssue);
		noteIfEmpty(values.onlyOnceFor, addNote, both('buys it again', 'kauft es noch einmal'));
	},
	request: ({ product_id, additionalFields: additional }) => ({
		body: {
			product_id,
			customer_id: additional.customer_id,
			tariff_settings: tariffSettingsOf(additional),
			identification_medium: identificationMediumOf(additional),
		},
	}),
	identity: (_request, _options, { onlyOnceFor: given }) =>
		identityFor('ticket', given, both('there is a ticket already', 'gibt es schon ein Ticket')),
	achieves: {
		one: both('ticket', 'Ticket'),
		many: both('tickets', 'Tickets'),
		done: both('bought', 'gekauft'),
		where({ body: { product_id: id } }, answer, chosenName) {
			const { product_name: name } = recordOf(answer);
			const known = typeof name === 'string' && name !== '' ? name : chosenName('product_id', id);
			return sameInBoth(`(${known ?? id})`);
		},
	},
	label: ({ body: { product_id, customer_id } }) =>
		both(
			`ticket ${product_id}${customer_id ? ` for the customer ${customer_id}` : ''}`,
			`Ticket ${product_id}${customer_id ? ` für den Kunden ${customer_id}` : ''}`,
		),
	summary: ({ body: { product_id, customer_id } }) => ({
		en: `Would buy the ticket ${product_id}${customer_id ? ` for the customer ${customer_id}` : ''}`,
		de: `Ticket ${product_id} kaufen${customer_id ? `, für den Kunden ${customer_id}` : ''}`,
	}),
	expects: CREATED,
	mustAgree: ({ body }) => body,
	warnings: (answer, { additionalFields: { customer_id } }) => creationWarnings(answer, customer_id),
	columns: TICKET_COLUMNS,
	records: ticketRecords,
});
