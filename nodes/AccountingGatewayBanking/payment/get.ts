import { defineRead } from '../../shared/operation';
import { PRESENT, flat, oneOf, recordsOf, sameText } from '../../shared/answer';
import { api, bankingId } from '../parameters';
import { both } from '../../shared/values';

const PAYMENT = oneOf({
	name: both('a payment', 'einer Zahlung'),
	fields: { id: sameText, provider_code: PRESENT, template_identifier: PRESENT, payment_attributes: PRESENT },
});

/** `getPayment` */
export const get = defineRead({
	value: 'get',
	name: 'Get',
	action: 'Get payment',
	description:
		'Get one payment with its status, e.g. to see whether it has settled (Zahlung, Zahlungsstatus)',
	endpoint: 'GET /v2/banking/payments/{id}',
	parameters: {
		id: bankingId(
			'Payment ID',
			'The payment (ID, Zahlungs-ID)',
			'The payment_id in an event of the trigger, or in the output of "Get many balances" with Output: Transactions',
		),
		api,
	},
	request: ({ id, api = 'partner' }) => ({ path: { id }, query: { api } }),
	expects: PAYMENT,
	mustAgree: ({ path }) => path,
	columns: [
		'id',
		'status',
		'amount',
		'currency_code',
		'creditor_name',
		'creditor_iban',
		'description',
		'end_to_end_id',
		'template_identifier',
		'updated_at',
	],
	records: (answer) =>
		recordsOf(answer).map((payment) => flat(payment, ['payment_attributes', 'last_attempt'])),
	explain({ status }, { api: chosen = 'partner' }) {
		if (status !== 404) return undefined;
		const other = chosen === 'partner' ? 'openbanking' : 'partner';
		return {
			message: both("The gateway doesn't know this payment", 'Das Gateway kennt diese Zahlung nicht'),
			advice: both(
				`Check its ID. A payment is only found through the API that it was made with: try "${other}".`,
				`Prüfen Sie ihre ID. Eine Zahlung ist nur über die API zu finden, mit der sie gemacht wurde: Versuchen Sie „${other}“.`,
			),
		};
	},
});
