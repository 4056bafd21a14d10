/**
 * The secret in a trigger's webhook URL, which proves that the sender knows the URL. Each publication has one of its own:
 * the time, a random part, and a signature of both with the API key.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IHookFunctions, ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { apiKeyOf, CREDENTIAL } from '../shared/gateway/client';

/** The query parameter of the webhook URL that carries the token. */
export const TOKEN = 'token';

const TIME_BYTES = 6;
const SIGNED_BYTES = TIME_BYTES + 16;
const BYTES = SIGNED_BYTES + 32;

/** How long the token before is accepted: events may be on their way while the workflow is published again. */
const FORMER_MS = 60_000;

/**
 * The data that the trigger keeps in the workflow's static data, which n8n saves some time after `create` has returned.
 */
interface Kept {
	/** Fingerprint of the token in the URL that the gateway has; missing when n8n doesn't listen there. */
	token?: string;
	/** When the last token was made. */
	issued?: number;
	/** Fingerprint of the previous token, and the time until which it is accepted. */
	former?: string;
	formerUntil?: number;
}

type Context = IHookFunctions | IWebhookFunctions;

const kept = (context: Context) => context.getWorkflowStaticData('node') as Kept;
const digest = (token: string) => createHash('sha256').update(token).digest();

/** Makes a token that is newer than any before. */
export async function newToken(context: IHookFunctions): Promise<string> {
	const { issued = 0 } = kept(context);
	const signed = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(SIGNED_BYTES - TIME_BYTES)]);
	// The machine's clock may have been set back.
	signed.writeUIntBE(Math.max(Date.now(), issued + 1), 0, TIME_BYTES);
	return Buffer.concat([signed, await signatureOf(context, signed)]).toString('base64url');
}

/** Keeps the token of a URL that the gateway has accepted. */
export function keepToken(context: IHookFunctions, token: string): void {
	retireToken(context);
	const issued = Buffer.from(token, 'base64url').readUIntBE(0, TIME_BYTES);
	Object.assign(kept(context), { token: digest(token).toString('base64url'), issued });
}

/**
 * Forgets the token when n8n stops listening.
 * @returns whether n8n listened before
 */
export function retireToken(context: IHookFunctions): boolean {
	const data = kept(context);
	const { token } = data;
	if (token === undefined) return false;
	Object.assign(data, { former: token, formerUntil: Date.now() + FORMER_MS });
	delete data.token;
	return true;
}

/** Whether the gateway has the URL of this workflow, as far as this n8n knows. */
export const isRegistered = (context: IHookFunctions) => kept(context).token !== undefined;

/**
 * Checks a token in constant time. A signed token that is newer than the one kept is good as well: the gateway may send
 * events before n8n has saved what `create` keeps, and n8n may be killed in between.
 * @throws if the credential is needed for that, and can't be read
 */
export async function isToken(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	if (typeof given !== 'string') return false;
	const { token, issued = 0, former, formerUntil = 0 } = kept(context);
	if (isDigest(given, token) || (Date.now() < formerUntil && isDigest(given, former))) return true;
	const bytes = Buffer.from(given.slice(0, 2 * BYTES), 'base64url');
	if (bytes.length !== BYTES || bytes.readUIntBE(0, TIME_BYTES) <= issued) return false;
	const signed = bytes.subarray(0, SIGNED_BYTES);
	return timingSafeEqual(await signatureOf(context, signed), bytes.subarray(SIGNED_BYTES));
}

function isDigest(token: string, fingerprint = ''): boolean {
	const expected = Buffer.from(fingerprint, 'base64url');
	const given = digest(token);
	return expected.length === given.length && timingSafeEqual(expected, given);
}

async function signatureOf(context: Context, signed: Buffer): Promise<Buffer> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const owner = JSON.stringify(['payment trigger', context.getWorkflow().id, context.getNode().id]);
	return createHmac('sha256', apiKeyOf(credential)).update(signed).update(owner).digest();
}
