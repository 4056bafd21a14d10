import { defineWrite } from '../../shared/operation';
import { additionalFields, text, uuid } from '../../shared/parameters';
import { both } from '../../shared/values';
import { ACTIVATED, TICKET_COLUMNS, ticketRecords } from './answer';
import { checkSettings, postal_code, tariff_settings, tariffSettingsOf } from './parameters';

/** `activateTicket` */
export const activate = defineWrite({
	value: 'activate',
	name: 'Activate',
	action: 'Activate ticket',
	description: 'Activate a ticket that was bought, but not activated, with its coupon (Ticket aktivieren)',
	endpoint: 'POST /v2/mobility/tickets/{id}/activate',
	parameters: {
		ticket_id: uuid({
			displayName: 'Ticket ID',
			description: 'The ID in the output of "Create ticket" (ID, Ticket-ID)',
			default: '={{ $json.id }}',
			required: true,
		}),
		coupon_id: text({
			displayName: 'Coupon ID',
			description: 'The coupon_id in the output of "Create ticket" (coupon_id, Gutschein)',
			placeholder: 'e.g. CPN-000815',
			default: '={{ $json.coupon_id }}',
			required: true,
		}),
		additionalFields: additionalFields({ postal_code, tariff_settings }),
	},
	check: checkSettings,
	request: ({ ticket_id, coupon_id, additionalFields: additional }) => ({
		path: { id: ticket_id },
		body: { coupon_id, tariff_settings: tariffSettingsOf(additional) },
	}),
	number: 'ticket_id',
	identity: ({ path }) => ({ kind: 'given', field: 'ticket_id', value: path.id }),
	achieves: {
		one: both('ticket', 'Ticket'),
		many: both('tickets', 'Tickets'),
		done: both('activated', 'aktiviert'),
	},
	label: ({ path: { id }, body: { coupon_id } }) =>
		both(`ticket_id ${id}, coupon_id ${coupon_id}`, `Ticket-ID ${id}, Gutschein ${coupon_id}`),
	summary: ({ path: { id }, body: { coupon_id } }) => ({
		en: `Would activate the ticket ${id} with the coupon ${coupon_id}`,
		de: `Ticket ${id} mit dem Gutschein ${coupon_id} aktivieren`,
	}),
	expects: ACTIVATED,
	mustAgree: ({ path }) => path,
	columns: TICKET_COLUMNS,
	records: ticketRecords,
});
