import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { testAccountingGatewayApi } from '../shared/credentialTest';
import { listSearch } from '../shared/lists';
import { propertiesOf } from '../shared/operation';
import { run } from '../shared/run';
import { resources } from './resources';

/** Sells public-transport tickets and creates the customers that they are for. */
export class AccountingGatewayMobility implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Mobility',
		name: 'accountingGatewayMobility',
		icon: {
			light: 'file:../../icons/accountingGatewayMobility.svg',
			dark: 'file:../../icons/accountingGatewayMobility.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Buy public-transport tickets and create the customers that they are for',
		defaults: { name: 'Accounting Gateway Mobility' },
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
