import type { INodeProperties } from 'n8n-workflow';

import { PAYMENT_UPDATE } from './event';
import { options } from './options';

/** The node's form. */
export const properties: INodeProperties[] = [
	{
		displayName:
			'The account has one webhook URL: publishing this workflow takes it over from any other trigger. To start several workflows, let this one call them with "Execute Sub-workflow".',
		name: 'notice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		options: [
			{
				name: 'Payment Update',
				value: PAYMENT_UPDATE,
				description: 'The status of a payment has changed (Zahlungsstatus)',
			},
		],
		default: PAYMENT_UPDATE,
		required: true,
	},
	{
		displayName: 'Statuses',
		name: 'status',
		type: 'multiOptions',
		options: [
			{ name: 'Authorizing', value: 'authorizing', description: 'The payer confirms in the bank' },
			{ name: 'Failed', value: 'failed', description: 'The payment has failed' },
			{ name: 'Processing', value: 'processing', description: 'The bank carries it out' },
			{ name: 'Rejected', value: 'rejected', description: 'The payment was rejected' },
			{ name: 'Settled', value: 'settled', description: 'The payment has been executed' },
		],
		default: [],
		description: 'Start only for these statuses of the payment (status); for all, when none is chosen',
	},
	{
		displayName: 'Kinds of Transfer',
		name: 'template_identifier',
		type: 'multiOptions',
		options: [
			{ name: 'SEPA', value: 'SEPA', description: 'Überweisung' },
			{ name: 'SEPA Instant', value: 'SEPA_INSTANT', description: 'Echtzeitüberweisung' },
		],
		default: [],
		description:
			'Start only for these kinds of transfer (template_identifier, Überweisungsart); for both, when none is chosen',
	},
	{
		displayName: 'Source',
		name: 'quelle',
		type: 'string',
		default: '={{ $workflow.name }}',
		description:
			"Goes along with each event as quelle, so that later steps know where it came from; the workflow's name, unless you write something else",
	},
	options,
];
