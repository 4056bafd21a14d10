import type { INodeProperties } from 'n8n-workflow';

/** The bank account, in the operations that need one. No list of the gateway offers them. */
export const accountId: INodeProperties = {
	displayName: 'Account ID',
	name: 'account_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. acc-giro',
	description: 'The bank account (account_id, Bankkonto)',
};
