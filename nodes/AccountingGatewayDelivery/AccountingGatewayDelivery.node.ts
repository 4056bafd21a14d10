import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testAccountingGatewayApi } from '../shared/credentialTest';
import { listSearch } from '../shared/lists';
import { propertiesOf } from '../shared/operation';
import { run } from '../shared/run';
import { resources } from './resources';

/** Delivers cash-book entries and documents to the accounting system. */
export class AccountingGatewayDelivery implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Delivery',
		name: 'accountingGatewayDelivery',
		icon: {
			light: 'file:../../icons/accountingGatewayDelivery.svg',
			dark: 'file:../../icons/accountingGatewayDelivery.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Write cash-book entries and upload receipts to the accounting system',
		defaults: { name: 'Accounting Gateway Delivery' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties: propertiesOf(resources),
	};

	methods = { listSearch, credentialTest: { testAccountingGatewayApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
