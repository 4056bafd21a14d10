import type {
	ICredentialDataDecryptedObject,
	Icon,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

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
			hint: "The provider's name in the gateway's addresses, e.g. /v2/acct-duo. Keep acct, unless its documentation has another name there.",
		},
	];

	/**
	 * Also lets the HTTP Request node use this credential. A function, not an expression: n8n can evaluate expressions
	 * only while it runs a node, and a webhook URL is cleared after that. Spaces and line breaks pasted with the key are
	 * removed.
	 */
	authenticate = async (
		{ apiKey }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> =>
		await Promise.resolve({
			...request,
			headers: { ...request.headers, 'x-api-key': String(apiKey).trim() },
		});
}
