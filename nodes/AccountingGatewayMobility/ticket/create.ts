import { defineWrite } from '../../shared/operation';
import {
	additionalFields,
	defineList,
	flag,
	locator,
	nameIn,
	notice,
	text,
	uuid,
} from '../../shared/parameters';
import { recordOf } from '../../shared/answer';
import { gatewayRequest } from '../../shared/gateway';
import { both } from '../../shared/values';
import { identityFor, onlyOnceFor } from '../onlyOnceFor';
import { PRODUCT_IDS } from '../product/getAll';
import {
	ACTIVATED,
	CREATED,
	creationWarning,
	awaitsActivation,
	TICKET_COLUMNS,
	ticketRecords,
} from './answer';
import {
	checkSettings,
	identification_medium,
	identificationMediumOf,
	phone_number,
	postal_code,
	tariff_settings,
	tariffSettingsOf,
} from './parameters';

/** `createTicket`, and `activateTicket` where the option `activate` asks for it. */
export const create = defineWrite({
	value: 'create',
	name: 'Create',
	action: 'Create ticket',
	description:
		'Buy a public-transport ticket, e.g. a Deutschland-Ticket, assigned to a company or to none (Ticket anlegen)',
	endpoint: 'POST /v2/mobility/tickets',
	parameters: {
		notice: notice(
			'Each run buys a ticket for each item. To look first without buying, turn on the option "Dry Run".',
			{ hide: { '/options.dryRun': [true] } },
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
	options: {
		onlyOnceFor,
		activate: flag({
			displayName: 'Activate',
			description:
				'Whether to activate the ticket in the same step when the gateway creates it partially: with a coupon_id, but not active yet (Aktivieren)',
			default: true,
		}),
	},
	check: checkSettings,
	request: ({ product_id, additionalFields: additional }) => ({
		body: {
			product_id,
			customer_id: additional.customer_id,
			tariff_settings: tariffSettingsOf(additional),
			identification_medium: identificationMediumOf(additional),
		},
	}),
	identity: (_request, { onlyOnceFor: given }) => identityFor('ticket', given),
	achieves: {
		one: 'ticket',
		many: 'tickets',
		done: 'bought',
		where({ body: { product_id: id } }, answer, chosenName) {
			const { product_name: name } = recordOf(answer);
			return `(${typeof name === 'string' && name !== '' ? name : (chosenName('product_id', id) ?? id)})`;
		},
	},
	label: ({ body: { product_id, customer_id } }) =>
		both(
			`ticket ${product_id}${customer_id ? ` for the customer ${customer_id}` : ''}`,
			`Ticket ${product_id}${customer_id ? ` für den Kunden ${customer_id}` : ''}`,
		),
	summary: ({ body: { product_id, customer_id } }, { activate }) => ({
		en:
			`Would buy the ticket ${product_id}${customer_id ? ` for the customer ${customer_id}` : ''}` +
			(activate ? ', and activate it in the same step if the gateway creates it partially' : ''),
		de:
			`Ticket ${product_id} kaufen${customer_id ? `, für den Kunden ${customer_id}` : ''}` +
			(activate ? ', und im selben Schritt aktivieren, falls es nur teilweise angelegt wird' : ''),
	}),
	expects: CREATED,
	mustAgree: ({ body }) => body,
	completion(answer, { product_id, additionalFields: additional }, { activate }, isBegun) {
		const ticket = recordOf(answer);
		const { coupon_id } = ticket;
		if (!(activate || isBegun) || !awaitsActivation(ticket)) return undefined;
		const id = typeof ticket.id === 'string' ? ticket.id : undefined;
		if (!id) {
			return {
				request: { problem: "the gateway's answer has no ticket ID" },
				created: { coupon_id },
				expects: ACTIVATED,
				mustAgree: {},
				message: both(
					"The ticket was bought, but can't be activated",
					'Das Ticket ist gekauft, lässt sich aber nicht aktivieren.',
				),
				advice: `It has the coupon_id ${String(coupon_id)}: look up its ID where tickets are managed and activate it with the operation "Activate", instead of buying another one.`,
			};
		}
		return {
			request: gatewayRequest('POST /v2/mobility/tickets/{id}/activate', {
				path: { id },
				body: { coupon_id: String(coupon_id), tariff_settings: tariffSettingsOf(additional) },
			}),
			created: { id, coupon_id },
			expects: ACTIVATED,
			mustAgree: { id, product_id, customer_id: additional.customer_id },
			message: both(
				"The ticket was bought, but its activation isn't confirmed",
				'Das Ticket ist gekauft, aber seine Aktivierung ist nicht bestätigt.',
			),
			advice: `It has the ID ${id} and the coupon_id ${String(coupon_id)}: activate it with the operation "Activate" instead of buying another one.`,
		};
	},
	warning: (answer, { additionalFields: { customer_id } }) => creationWarning(answer, customer_id),
	columns: TICKET_COLUMNS,
	records: ticketRecords,
});
