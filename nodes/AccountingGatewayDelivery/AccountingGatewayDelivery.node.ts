import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { listSearchOf, propertiesOf, subtitleOf, testAccountingGatewayApi } from '../shared/form';
import { NODE_VERSION, run } from '../shared/run';
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
		version: NODE_VERSION,
		subtitle: subtitleOf(resources),
		description: 'Write cash-book entries and upload receipts to the accounting system',
		defaults: { name: 'Accounting Gateway Delivery' },
		usableAsTool: true,
		// The lines of an entry have eight fields.
		parameterPane: 'wide',
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: {
			searchHint:
				'Cash-book entries (Kassenbuch) and receipts (Belege) for a German accounting system. Bank transactions are not booked here. Amounts of Create have no sign: bewegung is AUSGABE or EINNAHME. Have a person review the output of the option Dry Run before anything is booked. Connections, cash books and document types come from lists: never invent them.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayData',
					relationHint: 'Has the accounts, tax keys and reports that entries refer to',
				},
				{
					nodeType: 'n8n-nodes-accounting-gateway.accountingGatewayFiles',
					relationHint: 'Reads e-invoices, cash-register exports and cash lists, which are then booked',
				},
				{
					nodeType: 'n8n-nodes-base.emailReadImap',
					relationHint: 'Receipts that arrive by e-mail',
				},
				{
					nodeType: 'n8n-nodes-base.formTrigger',
					relationHint: 'Receipts that people upload with a form',
				},
			],
		},
		credentials: [{ name: 'accountingGatewayApi', required: true, testedBy: 'testAccountingGatewayApi' }],
		properties: propertiesOf(resources, 'cashBookEntry'),
	};

	methods = { listSearch: listSearchOf(resources), credentialTest: { testAccountingGatewayApi } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources);
	}
}
