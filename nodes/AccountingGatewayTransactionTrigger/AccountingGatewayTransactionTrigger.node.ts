import { once } from 'lodash';
import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';

import { testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, explaining } from '../shared/run';
import { properties } from './parameters';

/** What runs is loaded when it is used: n8n loads each node at its start. */
const loaded = once(async () => ({ ...(await import('./poll.js')), ...(await import('./emit.js')) }));

/** Starts a workflow with the new transactions of a bank account. */
export class AccountingGatewayTransactionTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Transaction Trigger',
		name: 'accountingGatewayTransactionTrigger',
		icon: {
			light: 'file:../../icons/accountingGatewayTransactionTrigger.svg',
			dark: 'file:../../icons/accountingGatewayTransactionTrigger.dark.svg',
		},
		group: ['trigger'],
		version: NODE_VERSION,
		subtitle:
			'={{ [$parameter.direction, $parameter.toJSON().account_id].filter((one) => one && !one.startsWith("=")).join(" · ") }}',
		description:
			'Starts the workflow with the new transactions of a bank account, for example when money arrives',
		eventTriggerDescription: 'Reading the latest transactions of the bank account',
		activationMessage:
			'Your workflow will now start when the gateway lists new transactions of the bank account.',
		defaults: { name: 'Accounting Gateway Transaction Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Starts with the new transactions of a bank account (Zahlungseingang, Kontoumsatz), each once. It polls: once an hour is usually enough, and each poll may cost credits. Amounts are signed: above 0 is incoming.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayData',
					relationHint: 'Has the open items (OPOS) that a transaction settles',
				},
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayBanking',
					relationHint: 'Reads transactions of any days',
				},
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayBankingTrigger',
					relationHint: 'Starts when the status of a payment sent through the gateway changes',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties,
	};

	methods = { credentialTest: { testAccountingGatewayApi } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await explaining(this, async () => await (await loaded()).poll(this));
	}

	/** n8n runs this with what `poll` has found, and in place of it when the workflow is tested in the editor. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await explaining(this, async () => await (await loaded()).emit(this));
	}
}
