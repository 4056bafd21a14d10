import type { Operation } from '../../shared/operation';
import { gatewayRequest } from '../../shared/request';

const APIS = ['partner', 'openbanking'] as const;

/** Row 18 of the specification's endpoint table. */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get payment',
	description:
		'Get one payment with its status, e.g. to see whether it has settled (Zahlung, Zahlungsstatus)',
	kind: 'read',
	fields: [
		{
			displayName: 'Payment ID',
			name: 'id',
			type: 'string',
			default: '',
			required: true,
			description: 'The payment: payment_id in an event of the trigger (ID, Zahlungs-ID)',
		},
		{
			displayName: 'API',
			name: 'api',
			type: 'options',
			options: [
				{
					name: 'Open Banking',
					value: 'openbanking',
					description: 'For unregulated providers (nicht regulierte Anbieter)',
				},
				{ name: 'Partner', value: 'partner', description: 'For regulated banks (regulierte Banken)' },
			],
			default: 'partner',
			description:
				'The way that the payment was made: it is only found there (api). <a href="https://github.com/accounting-gateway/n8n-nodes-accounting-gateway/blob/main/docs/payments-german.md">Welche API wann?</a>.',
		},
	],
	request: (item) =>
		gatewayRequest('GET /v2/banking/payments/{id}', {
			path: { id: item.pathId('id') },
			query: { api: item.choice('api', APIS) ?? 'partner' },
		}),
	explain(status, item) {
		if (status !== 404) return undefined;
		const [other] = APIS.filter((api) => api !== (item.raw('api') || 'partner'));
		return `A payment is only found through the API that it was made with: try "${other}".`;
	},
};
