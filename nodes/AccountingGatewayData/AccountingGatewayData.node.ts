import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { listSearchOf, propertiesOf, subtitleOf, testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, run } from '../shared/run';
import { resources } from './resources';

/** Reads accounting data: journal, trial balance, open items, and what belongs to them. */
export class AccountingGatewayData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Data',
		name: 'accountingGatewayData',
		icon: {
			light: 'file:../../icons/accountingGatewayData.svg',
			dark: 'file:../../icons/accountingGatewayData.dark.svg',
		},
		group: ['input'],
		version: NODE_VERSION,
		subtitle: subtitleOf(resources),
		description: 'Read journal, trial balance, open items, accounts and tax keys from the accounting system',
		defaults: { name: 'Accounting Gateway Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Reads a German accounting system: trial balance (SuSa), open items (OPOS), journal, chart of accounts, fiscal years, companies, tax keys, payment terms. It changes nothing. Ask for the fiscal year by a day in it, which survives New Year.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
					relationHint: 'Writes cash-book entries and receipts',
				},
				{
					nodeType: 'n8n-nodes-base.convertToFile',
					relationHint: 'Makes an Excel or CSV file from a report',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties: propertiesOf(resources, 'trialBalance'),
	};

	methods = { listSearch: listSearchOf(resources), credentialTest: { testAccountingGatewayApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
