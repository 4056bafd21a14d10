import { once } from 'lodash';
import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, explaining } from '../shared/run';
import { properties } from './parameters';

/** What runs is loaded when it is used: n8n loads each node at its start. */
const loaded = once(async () => ({
	...(await import('./hooks.js')),
	...(await import('./receive.js')),
	...(await import('./emit.js')),
}));

/** Starts a workflow when the status of a payment changes. */
export class AccountingGatewayBankingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Banking Trigger',
		name: 'accountingGatewayBankingTrigger',
		icon: {
			light: 'file:../../icons/accountingGatewayBankingTrigger.svg',
			dark: 'file:../../icons/accountingGatewayBankingTrigger.dark.svg',
		},
		group: ['trigger'],
		version: NODE_VERSION,
		subtitle: '={{ [$parameter["status"]].flat().join(", ") || "Every Status" }}',
		// n8n's panel has one entry for this trigger and the node of the same name, with this description.
		description:
			'Starts the workflow when the status of a payment changes; the actions of Accounting Gateway Banking read balances, transactions and payments',
		eventTriggerDescription:
			'Waiting for the example event, which comes after a second. Real events only go to the published workflow.',
		activationMessage:
			'Your workflow will now start when the gateway reports that the status of a payment has changed.',
		defaults: { name: 'Accounting Gateway Banking Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Starts when the status of a payment sent through the gateway changes. Money that customers send is not such a payment: use Accounting Gateway Transaction Trigger. n8n needs a public address. The account has one webhook URL, so use one such trigger for all workflows.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayTransactionTrigger',
					relationHint:
						'Starts with each new transaction of a bank account, for example when a customer has paid',
				},
				{
					nodeType: 'n8n-nodes-base.executeWorkflow',
					relationHint: 'Passes events on to other workflows',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'payments',
				// At once and without content; n8n has stored the execution by then.
				responseMode: 'onReceived',
				responseData: 'noData',
				// The node registers the URL; the one that n8n would show lacks the token.
				ndvHideUrl: true,
			},
		],
		triggerPanel: {
			executionsHelp: {
				inactive:
					'<b>To test:</b> click "Execute step": an invented event comes after a second, and you can map its fields.<br><br><b>Once you are done:</b> publish the workflow. It then runs for each event.',
				active:
					'The workflow is published and runs for each event; see its executions. A test gets an invented event and leaves it alone.',
			},
			activationHint:
				'Publishing registers this workflow with the gateway. The account has one webhook URL: any other trigger of the account stops receiving events.',
		},
		properties,
	};

	methods = { credentialTest: { testAccountingGatewayApi } };

	webhookMethods = {
		default: {
			/** The gateway can't be asked for its URL, so it is set with every publication. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return (await loaded()).isStillRegistered(this);
			},

			async create(this: IHookFunctions): Promise<boolean> {
				await explaining(this, async () => await (await loaded()).create(this));
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				(await loaded()).remove(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await (await loaded()).receive(this);
	}

	/** n8n runs this with the events that `webhook` accepted. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await explaining(this, async () => await (await loaded()).emit(this));
	}
}
