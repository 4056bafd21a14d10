import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { propertiesOf, subtitleOf, testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, run } from '../shared/run';
import { resources } from './resources';

/** Reads bank transactions, payments and balances, and sets the webhook URL for payment events. */
export class AccountingGatewayBanking implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Banking',
		name: 'accountingGatewayBanking',
		icon: {
			light: 'file:../../icons/accountingGatewayBanking.svg',
			dark: 'file:../../icons/accountingGatewayBanking.dark.svg',
		},
		group: ['input'],
		version: NODE_VERSION,
		subtitle: subtitleOf(resources),
		description: 'Read bank transactions, payments, daily balances and bank connections',
		defaults: { name: 'Accounting Gateway Banking' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Reads balances and transactions of bank accounts, payments and bank connections. It makes no payments. To start a workflow, use the triggers.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayTransactionTrigger',
					relationHint: 'Starts a workflow with each new transaction, for example when a customer has paid',
				},
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayBankingTrigger',
					relationHint: 'Starts a workflow when the status of a payment sent through the gateway changes',
				},
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayData',
					relationHint: 'Has the open items (OPOS) that transactions settle',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties: propertiesOf(resources),
	};

	methods = { credentialTest: { testAccountingGatewayApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
