import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { withKey } from '../nodes/shared/gateway';

/** API key and address of the gateway. The nodes name its test in `testedBy`. */
export class AccountingGatewayApi implements ICredentialType {
	name = 'accountingGatewayApi';

	displayName = 'Accounting Gateway API';

	icon: Icon = {
		light: 'file:../icons/accountingGateway.svg',
		dark: 'file:../icons/accountingGateway.dark.svg',
	};

	documentationUrl = 'https://github.com/accounting-gateway/n8n-nodes-accounting-gateway#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Created in the API keys section of the service',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://gateway.example.com',
			description: 'Address of the gateway, without /v2',
		},
		{
			displayName: 'Accounting Provider',
			name: 'accountingProvider',
			type: 'string',
			default: 'acct',
			description:
				"The accounting provider's name in the gateway's addresses, as its documentation writes them: <code>acct</code> in <code>/v2/acct-duo/…</code>",
			hint: "The provider's name in the gateway's addresses, as in /v2/acct-duo. Keep acct unless its documentation has another one.",
		},
		{
			displayName: 'Writes',
			name: 'writes',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Allowed', value: 'allowed', description: 'Books, uploads and buys what a workflow says' },
				{
					name: 'Dry Run Only (Probelauf)',
					value: 'dryRun',
					description: 'Checks everything, sends nothing, and shows what would be sent',
				},
				{
					name: 'Refused',
					value: 'refused',
					description: 'Every write is refused; only reading works',
				},
			],
			default: 'allowed',
			description:
				'Whether this credential may change anything: for agents, assistants and trainees, choose one that can only read. It holds for every node, tool and trigger; the HTTP Request node can then only GET, and only from the gateway.',
		},
		{
			displayName: 'Language of Messages',
			name: 'language',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Deutsch', value: 'de', description: 'Messages in German' },
				{ name: 'English', value: 'en', description: 'Messages in English' },
			],
			default: 'en',
			description:
				"Of what the nodes themselves say (Sprache der Meldungen); n8n's own texts stay English. What stands in an item's data has both.",
		},
		{
			displayName: 'Allow Unencrypted Connection (Insecure)',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to accept a base URL that starts with http:// for an address on the internet: anyone on the way could read the API key and the books. An address in your own network needs no permission.',
		},
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'options',
			options: [
				{
					name: 'All',
					value: 'all',
					description: 'The HTTP Request node may send the API key anywhere',
				},
				{ name: 'None', value: 'none', description: "Only this package's own nodes use the API key" },
				{
					name: 'Specific Domains',
					value: 'domains',
					description: "Where you need the HTTP Request node: enter your gateway's host",
				},
			],
			// n8n's own default is "all".
			default: 'none',
			description:
				"Where n8n's HTTP Request and GraphQL nodes may send the API key. This package's own nodes need no permission.",
		},
		{
			displayName: 'Allowed Domains',
			name: 'allowedDomains',
			type: 'string',
			default: '',
			displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
			placeholder: 'e.g. gateway.example.com',
			description: 'Host names, separated by commas; * stands for any subdomain',
		},
	];

	/**
	 * Also lets the HTTP Request node use this credential. A function, because an expression couldn't refuse: whatever sends
	 * it, a credential that allows no writes is only good for a GET from the gateway, and no key follows a redirect.
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		return await Promise.resolve(withKey(credential, request));
	};
}
