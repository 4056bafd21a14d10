import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { apiKeyOf, CREDENTIAL } from '../shared/gateway/client';

/** The query parameter of the webhook URL that carries the token. */
export const TOKEN = 'token';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * The secret in a trigger's webhook URL, which proves that the sender knows the URL. It is derived from the API key,
 * workflow and node, so it isn't stored.
 */
export async function tokenOf(
	context: Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'getCredentials'>,
): Promise<string> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const owner = JSON.stringify(['payment trigger', context.getWorkflow().id, context.getNode().id]);
	return createHmac('sha256', apiKeyOf(credential)).update(owner).digest('base64url');
}

/** What is stored of a token: it identifies the token but doesn't reveal it. */
export const fingerprint = (token: string) => digest(token).toString('base64url');

/**
 * Compares in constant time.
 * @param given what the sender presents, if anything
 * @param known the fingerprint of a token, if there is one
 */
export function isToken(given: unknown, known = ''): boolean {
	if (typeof given !== 'string') return false;
	const presented = digest(given);
	const expected = Buffer.from(known, 'base64url');
	return expected.length === presented.length && timingSafeEqual(expected, presented);
}
