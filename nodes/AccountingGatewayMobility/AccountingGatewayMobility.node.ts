import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { listSearchOf, propertiesOf, subtitleOf, testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, run } from '../shared/run';
import { resources } from './resources';

/** Sells public-transport tickets and creates the companies (customers) that they are assigned to. */
export class AccountingGatewayMobility implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Mobility',
		name: 'accountingGatewayMobility',
		icon: {
			light: 'file:../../icons/accountingGatewayMobility.svg',
			dark: 'file:../../icons/accountingGatewayMobility.dark.svg',
		},
		group: ['output'],
		version: NODE_VERSION,
		subtitle: subtitleOf(resources),
		description: 'Buy public-transport tickets and create the companies that they are assigned to',
		defaults: { name: 'Accounting Gateway Mobility' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Buys and activates public-transport tickets (Deutschlandticket, Jobticket) for employees. Each ticket costs money: have a person review the output of the option Dry Run first. Products and customers come from lists: never invent them.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.extractFromFile',
					relationHint: 'Reads a list of employees from a file',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties: propertiesOf(resources, 'ticket'),
	};

	methods = { listSearch: listSearchOf(resources), credentialTest: { testAccountingGatewayApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
