/**
 * The secret in a trigger's webhook URL, which proves that the sender knows the URL. Each publication has one of its own:
 * the time, a random part, and a signature of both with the API key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IHookFunctions, ICredentialDataDecryptedObject, IWebhookFunctions } from 'n8n-workflow';

import { CREDENTIAL, apiKeyOf } from '../shared/gateway';
import { sha256 } from '../shared/values';

/** The query parameter of the webhook URL that carries the token. */
export const TOKEN_PARAMETER = 'token';

const TIME_BYTES = 6;
const SIGNED_BYTES = TIME_BYTES + 16;
const TOKEN_BYTES = SIGNED_BYTES + 32;

/** How long older tokens are accepted: events may be on their way while the workflow is published again. */
const GRACE_MS = 60_000;

/** What is kept in the workflow's static data, which n8n saves some time after `create` has returned. */
interface Kept {
	/** Fingerprint of the token in the URL that the gateway has; missing when n8n doesn't listen there. */
	token?: string;
	/** When the newest token was made. */
	issued?: number;
}

type Context = IHookFunctions | IWebhookFunctions;

const kept = (context: Context) => context.getWorkflowStaticData('node') as Kept;
const issueTime = (token: Buffer) => token.readUIntBE(0, TIME_BYTES);

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
	Object.assign(kept(context), { token: sha256(token), issued: issueTime(Buffer.from(token, 'base64url')) });
}

/** Notes that n8n doesn't listen any more. */
export function dropToken(context: IHookFunctions): void {
	delete kept(context).token;
}

/** Whether the gateway has the URL of this workflow, as far as this n8n knows. */
export const isRegistered = (context: IHookFunctions) => kept(context).token !== undefined;

/**
 * Checks a token in constant time. The one kept is good whatever has become of the API key. A signed one is good as well if
 * it is newer, because the gateway may send events before n8n has saved what `create` keeps, and n8n may be killed in
 * between; or if a newer one was made less than a minute ago.
 * @throws if the credential is needed for that, and can't be read
 */
export async function isToken(context: IWebhookFunctions, given: unknown): Promise<boolean> {
	if (typeof given !== 'string') return false;
	const { token = '', issued = 0 } = kept(context);
	if (isEqual(Buffer.from(sha256(given)), Buffer.from(token))) return true;
	const bytes = Buffer.from(given, 'base64url');
	if (bytes.length !== TOKEN_BYTES) return false;
	const age = Date.now() - issued;
	if (issueTime(bytes) <= issued && (age < 0 || age >= GRACE_MS)) return false;
	const signed = bytes.subarray(0, SIGNED_BYTES);
	return isEqual(await signatureOf(context, signed), bytes.subarray(SIGNED_BYTES));
}

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

async function signatureOf(context: Context, signed: Buffer): Promise<Buffer> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	const owner = JSON.stringify(['payment trigger', context.getWorkflow().id, context.getNode().id]);
	return createHmac('sha256', apiKeyOf(credential)).update(signed).update(owner).digest();
}
