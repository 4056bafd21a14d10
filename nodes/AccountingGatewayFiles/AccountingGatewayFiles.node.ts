import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { propertiesOf, subtitleOf } from '../shared/form';
import { NODE_VERSION, run } from '../shared/run';
import { resources } from './resources';

/** Reads e-invoices, cash-register exports and cash lists; it sends nothing and has no credential. */
export class AccountingGatewayFiles implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Accounting Gateway Files',
		name: 'accountingGatewayFiles',
		icon: {
			light: 'file:../../icons/accountingGatewayFiles.svg',
			dark: 'file:../../icons/accountingGatewayFiles.dark.svg',
		},
		group: ['transform'],
		version: NODE_VERSION,
		subtitle: subtitleOf(resources),
		description: 'Read e-invoices, cash-register exports and cash lists; sends nothing',
		defaults: { name: 'Accounting Gateway Files' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Reads XRechnung, ZUGFeRD and Factur-X e-invoices, DSFinV-K exports of cash registers, and cash lists (Kassenliste: Excel, OpenDocument, CSV). It sends nothing and needs no credential: book what it puts out with Accounting Gateway Delivery, and nothing that has a problem.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayDelivery',
					relationHint: 'Books what was read, and uploads the files',
				},
				{
					nodeType: 'n8n-nodes-base.emailReadImap',
					relationHint: 'E-invoices that arrive by e-mail',
				},
				{
					nodeType: 'n8n-nodes-base.formTrigger',
					relationHint: 'Lists and exports that people upload with a form',
				},
			],
		},
		properties: propertiesOf(resources),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
