import { isNil } from 'lodash';

import { locator } from '../../shared/locators';
import { recordsOf } from '../../shared/operation';
import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import {
	identificationMedium,
	phoneNumber,
	postalCode,
	readIdentificationMedium,
	readTariffSettings,
	tariffSettings,
} from './fields';
import { isPartial, partialWarning, ticketIn } from './partial';

/** Row 14 of the specification's endpoint table, with row 15 where the option `activate` asks for it. */
export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create ticket',
	description:
		'Buy a public-transport ticket, e.g. a Deutschland-Ticket, for a customer or without one (Ticket anlegen)',
	kind: 'write',
	fields: [
		locator({
			name: 'product_id',
			displayName: 'Product',
			description: 'The ticket product (product_id, Produkt)',
			list: 'searchTicketProducts',
			placeholder: 'e.g. deutschlandticket-job',
			required: true,
		}),
		additionalFields(
			{
				displayName: 'Customer ID',
				name: 'customer_id',
				type: 'string',
				default: '',
				placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
				description:
					'The customer that the ticket is for: the ID in the output of "Create customer" (customer_id, Kunde)',
			},
			identificationMedium,
			phoneNumber,
			postalCode,
			tariffSettings,
		),
	],
	options: [
		{
			displayName: 'Activate',
			name: 'activate',
			type: 'boolean',
			default: true,
			description:
				'Whether to activate the ticket in the same step when the gateway creates it partially: with a coupon_id, but not active yet (Aktivieren)',
		},
	],
	request: (item) => {
		const { additional, options } = item;
		options.flag('activate');
		return gatewayRequest('POST /v2/mobility/tickets', {
			body: {
				product_id: item.text('product_id', { required: true }),
				customer_id: additional.uuid('customer_id'),
				tariff_settings: readTariffSettings(additional),
				identification_medium: readIdentificationMedium(additional),
			},
		});
	},
	label: (item) => {
		const customer = item.additional.text('customer_id');
		return `ticket ${String(item.raw('product_id'))}${customer ? ` for the customer ${customer}` : ''}`;
	},
	complete(body, item) {
		const ticket = ticketIn(body);
		const { id, coupon_id } = ticket;
		if (!item.options.flag('activate') || !isPartial(ticket) || typeof id !== 'string') return undefined;
		return {
			request: gatewayRequest('POST /v2/mobility/tickets/{id}/activate', {
				path: { id },
				body: { coupon_id: String(coupon_id), tariff_settings: readTariffSettings(item.additional) },
			}),
			created: { id, coupon_id },
			isConfirmedBy(answer) {
				const confirmed = ticketIn(answer);
				return !isNil(confirmed.id ?? confirmed.status);
			},
			message: "The ticket was created, but its activation isn't confirmed",
			advice: `It has the ID ${id} and the coupon_id ${String(coupon_id)}: activate it with the operation "Activate" instead of creating another one.`,
		};
	},
	warning: partialWarning,
	records: (body) => recordsOf(body).map((ticket) => ({ ...ticket, activation_required: isPartial(ticket) })),
};
