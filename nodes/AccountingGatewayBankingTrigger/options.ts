import type { INodeProperties } from 'n8n-workflow';

/** The collection `options`, as far as it is filled in. */
export interface Options {
	allowPrivateUrl?: boolean;
	api?: 'partner' | 'openbanking';
	deduplicate?: boolean;
	exampleEvent?: boolean;
	otherEvents?: boolean;
	registerTestUrl?: boolean;
	urlField?: string;
	verify?: boolean;
}

export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Allow Private URL',
			name: 'allowPrivateUrl',
			type: 'boolean',
			default: true,
			description:
				"Whether to register an address that the internet can't reach, like localhost or plain http: for trials with a gateway in your own network",
		},
		{
			displayName: 'API for Verifying',
			name: 'api',
			type: 'options',
			options: [
				{ name: 'Open Banking', value: 'openbanking', description: 'For unregulated providers' },
				{ name: 'Partner', value: 'partner', description: 'For regulated banks' },
			],
			default: 'partner',
			description: 'Through which of its two APIs the gateway finds the payment when it is read back (api)',
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description:
				'Whether an event that is delivered again (same payment, status and time) starts nothing. On, unless this option is added and switched off.',
		},
		{
			displayName: 'Name of the URL Field',
			name: 'urlField',
			type: 'string',
			default: 'url',
			description:
				'Name of the field that holds the address in the request, in case that the gateway expects another one',
		},
		{
			displayName: 'Other Events',
			name: 'otherEvents',
			type: 'boolean',
			default: true,
			description:
				'Whether events of other kinds, which are not described, start the workflow too; the filters and Verify leave them alone',
		},
		{
			displayName: 'Register Test URL',
			name: 'registerTestUrl',
			type: 'boolean',
			default: true,
			description:
				'Whether testing in the editor registers the test URL with the gateway. Meanwhile no published workflow gets events. Afterwards the address is put back that was registered since n8n was started; if there was none, publish again.',
		},
		{
			displayName: 'Send Example Event',
			name: 'exampleEvent',
			type: 'boolean',
			default: true,
			description:
				'Whether testing in the editor receives an invented event after a second, so that its fields can be mapped before there is a real one. "Execute Workflow" runs all nodes with it.',
		},
		{
			displayName: 'Verify',
			name: 'verify',
			type: 'boolean',
			default: true,
			description:
				'Whether to read the payment back from the gateway and go on with what it says (Gegenprobe), so that a forged event starts nothing',
		},
	],
};
