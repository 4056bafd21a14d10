import { choice, pathId, text } from '../shared/parameters';

/** The bank account, in the operations that need one. No list of the gateway offers them. */
export const account_id = text({
	displayName: 'Account ID',
	description: 'The bank account (account_id, Bankkonto)',
	builderHint: 'No operation lists bank accounts: ask the person for it, and never invent one.',
	hint: 'Shown where the bank was connected, usually in the web application of the service: no operation lists bank accounts',
	placeholder: 'e.g. acc-giro',
	required: true,
});

/**
 * @param displayName the field's name, which says what the ID belongs to
 * @param hint where to find the ID
 */
export const bankingId = (displayName: string, description: string, hint: string) =>
	pathId({ displayName, description, hint, required: true });

/** The gateway's two payment APIs. */
export const APIS = [
	{
		name: 'Open Banking',
		value: 'openbanking',
		description: 'For unregulated providers (nicht regulierte Anbieter)',
	},
	{ name: 'Partner', value: 'partner', description: 'For regulated banks (regulierte Banken)' },
] as const;

export const api = choice({
	displayName: 'API',
	description:
		'The API that the payment was made with; it can only be read there (api). <a href="https://github.com/accounting-gateway/n8n-nodes-accounting-gateway/blob/main/docs/de/bank.md">Welche API wann?</a>.',
	choices: APIS,
	default: 'partner',
});
