import type { Operation } from '../../shared/operation';
import { additionalFields } from '../../shared/options';
import { gatewayRequest } from '../../shared/request';
import { postalCode, readTariffSettings, tariffSettings } from './fields';

/** Row 15 of the specification's endpoint table. */
export const activate: Operation = {
	value: 'activate',
	name: 'Activate',
	action: 'Activate ticket',
	description: 'Activate a ticket that was created partially, with its coupon (Ticket aktivieren)',
	kind: 'write',
	fields: [
		{
			displayName: 'Ticket ID',
			name: 'ticket_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
			description: 'The ID in the output of "Create ticket" (ID, Ticket-ID)',
		},
		{
			displayName: 'Coupon ID',
			name: 'coupon_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. CPN-000815',
			description: 'The coupon_id in the output of "Create ticket" (coupon_id, Gutschein)',
		},
		additionalFields(postalCode, tariffSettings),
	],
	request: (item) =>
		gatewayRequest('POST /v2/mobility/tickets/{id}/activate', {
			path: { id: item.uuid('ticket_id', { required: true }) },
			body: {
				coupon_id: item.text('coupon_id', { required: true }),
				tariff_settings: readTariffSettings(item.additional),
			},
		}),
	unique: (item) => ({ field: 'ticket_id', value: String(item.raw('ticket_id')).toLowerCase(), within: '' }),
	label: (item) => `ticket_id ${String(item.raw('ticket_id'))}, coupon_id ${String(item.raw('coupon_id'))}`,
};
