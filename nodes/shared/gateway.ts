import { createHash } from 'node:crypto';
import { sleep } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { DateTime } from 'luxon';

import { jsonPayload } from './attachments';
import { CREDENTIAL_UNUSABLE, FILE_UNREADABLE, networkFailure, refusal, unreadable } from './failures';
import type { ExportCompany, Failure } from './failures';
import type { GatewayRequest } from './request';
import { withoutSecret } from './sensitive';

export const CREDENTIAL = 'accountingGatewayApi';

const DEFAULT_PROVIDER = 'acct';

const READ_TRIES = 4;
const FIRST_PAUSE_SECONDS = 0.5;
/** A gateway that asks for a longer pause gets no further try; its wish is told to the user. */
const MAX_PAUSE_SECONDS = 60;
/** n8n can't wake a sleeping node, so a pause is slept in pieces to notice that the execution is cancelled. */
const PAUSE_PIECE_MS = 200;

/** An answer with a success status. */
export interface Answer {
	/** The JSON as received; `null` for an answer without content. */
	body: unknown;
}

export type Outcome = { ok: true; answer: Answer } | { ok: false; failure: Failure };

/** The node functions that the gateway client needs; execute, list and hook contexts all have them. */
export type GatewayContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'> &
		Partial<Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>>;
	getExecutionCancelSignal?: () => AbortSignal | undefined;
};

/**
 * Reads the base URL of the credential as people enter it: a missing scheme becomes https, a trailing slash or a
 * pasted `/v2` is dropped.
 * @returns the address without trailing slash, or in words what is wrong with it
 */
export function parseBaseUrl(given: unknown): { url: string } | { problem: string } {
	const text = typeof given === 'string' ? given.trim() : '';
	if (text === '') return { problem: 'The base URL in the credential is empty' };
	const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	if (!URL.canParse(withScheme))
		return { problem: `The base URL "${text}" in the credential is no web address` };
	const url = new URL(withScheme);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return { problem: 'The base URL in the credential must start with https:// or http://' };
	}
	if (url.username || url.password || url.search || url.hash) {
		return { problem: 'The base URL in the credential must be an address alone, without user, "?" or "#"' };
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '').replace(/\/+$/, '');
	return { url: url.origin + path };
}

/**
 * Fills the path's placeholders and puts the provider's name in place of `acct`.
 * @param template path of the contract, e.g. `/v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}`
 */
export function buildPath(template: string, values: GatewayRequest['path'], provider: string): string {
	return template
		.replace(/^\/v2\/acct(?=[-/])/, () => `/v2/${encodeURIComponent(provider)}`)
		.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]));
}

/** The accounting provider's name in the paths, from the credential. */
export function accountingProvider(credential: ICredentialDataDecryptedObject): string {
	return String(credential.accountingProvider ?? '').trim() || DEFAULT_PROVIDER;
}

/** By account: the URL that was set last, `null` when it was cleared. */
const webhookUrls = new Map<string, unknown>();

/** The one way to the gateway. Reads are repeated where that can help, writes never. */
export class Gateway {
	private constructor(
		private readonly context: GatewayContext,
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly secret: string,
	) {}

	/**
	 * Reads the credential once for all requests of a run.
	 * @param secret that is sent, and hidden like the API key where the gateway repeats it
	 */
	static async open(context: GatewayContext, secret = ''): Promise<Gateway> {
		const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		return new Gateway(context, credential, secret);
	}

	/**
	 * Sends a request and classifies whatever comes back; doesn't throw.
	 * @param timeout seconds until the answer must be complete
	 */
	async send(request: GatewayRequest, timeout?: number): Promise<Outcome> {
		const writes = !request.endpoint.startsWith('GET ');
		for (let tried = 1; ; tried++) {
			const outcome = await this.sendOnce(request, writes, timeout);
			this.noteWebhookUrl(request, outcome);
			if (outcome.ok || writes || !outcome.failure.transient || tried === READ_TRIES) return outcome;
			const pause = outcome.failure.retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** (tried - 1);
			if (pause > MAX_PAUSE_SECONDS || !(await this.pause(pause))) return outcome;
		}
	}

	/**
	 * The account's webhook URL, as far as this process knows: the gateway can't be asked for it, and what other
	 * processes have set (or this one with another API key of the account) isn't known here.
	 */
	get webhookUrl(): unknown {
		return webhookUrls.get(this.account);
	}

	private get account(): string {
		const { apiKey, baseUrl } = this.credential;
		return createHash('sha256')
			.update(JSON.stringify([apiKey, baseUrl]))
			.digest('base64url');
	}

	/** Takes note of the webhook URL that a request has set, or may have set. */
	private noteWebhookUrl({ endpoint, body }: GatewayRequest, outcome: Outcome): void {
		if (endpoint !== 'PUT /v2/banking/webhook-url') return;
		if (outcome.ok) webhookUrls.set(this.account, Object.values(body ?? {})[0]);
		else if (outcome.failure.fate === 'unknown') webhookUrls.delete(this.account);
	}

	/** Removes the secrets from a text, in case that a gateway repeats them. */
	private redact(text: string): string {
		return withoutSecret(withoutSecret(text, String(this.credential.apiKey ?? '')), this.secret);
	}

	/** Reads JSON without the secrets in it. */
	private parse(text: string): { value: unknown } | undefined {
		const json = parseJson(text);
		// A backslash may hide a part of a secret; written anew, there is one way only to write it.
		return json && text.includes('\\') ? parseJson(this.redact(JSON.stringify(json.value))) : json;
	}

	/** @returns whether the pause was slept to its end; false when the execution is cancelled */
	private async pause(seconds: number): Promise<boolean> {
		const end = Date.now() + seconds * 1000;
		for (let left = seconds * 1000; left > 0; left = end - Date.now()) {
			if (this.cancelled) return false;
			await sleep(Math.min(left, PAUSE_PIECE_MS));
		}
		return !this.cancelled;
	}

	private get cancelled(): boolean {
		return this.context.getExecutionCancelSignal?.()?.aborted ?? false;
	}

	private async sendOnce(request: GatewayRequest, writes: boolean, timeout?: number): Promise<Outcome> {
		const base = parseBaseUrl(this.credential.baseUrl);
		if ('problem' in base) {
			return {
				ok: false,
				failure: {
					fate: 'notSent',
					message: base.problem,
					description: 'Correct it in the credential, e.g. https://gateway.example.com.',
					transient: false,
				},
			};
		}
		const response = await this.request(request, base.url, timeout);
		if ('code' in response) return { ok: false, failure: networkFailure(response.code, writes) };

		const status = response.statusCode;
		const text = this.redact(String(response.body ?? ''));
		const json = this.parse(text);
		if (status < 200 || status > 299) {
			const raw = {
				status,
				body: json ? json.value : text,
				retryAfter: retryAfter(response.headers['retry-after']),
			};
			return { ok: false, failure: refusal(raw, writes, exportCompany(request)) };
		}
		return json
			? { ok: true, answer: { body: json.value } }
			: { ok: false, failure: unreadable(status, text, writes) };
	}

	private async httpOptions(
		request: GatewayRequest,
		baseUrl: string,
		timeout?: number,
	): Promise<IHttpRequestOptions> {
		const [method, template] = request.endpoint.split(' ') as ['GET' | 'POST' | 'PUT', string];
		const url = new URL(baseUrl + buildPath(template, request.path, accountingProvider(this.credential)));
		for (const [name, value] of Object.entries(request.query)) {
			if (value !== undefined) url.searchParams.set(name, String(value));
		}
		const options: IHttpRequestOptions = {
			method,
			url: url.href,
			headers: { accept: 'application/json' },
			// The text as it came: numbers, broken JSON and web pages are judged here, not by the HTTP client.
			encoding: 'text',
			returnFullResponse: true,
			// Otherwise n8n sends a request again after a 401, bookings included.
			ignoreHttpStatusErrors: true,
			// A redirect would take the API key to another host.
			disableFollowRedirect: true,
		};
		if (timeout !== undefined) options.timeout = timeout * 1000;
		if (request.body) {
			// Contexts without a binary store (lists, hooks) send no files.
			const { body, length } = await jsonPayload(request.body, {
				getBinaryStream: this.context.helpers.getBinaryStream as never,
			});
			options.body = body as IHttpRequestOptions['body'];
			options.headers = {
				...options.headers,
				'content-type': 'application/json',
				'content-length': String(length),
			};
		}
		return options;
	}

	/** @returns the response, or the code of what went wrong where there is none */
	private async request(
		request: GatewayRequest,
		baseUrl: string,
		timeout?: number,
	): Promise<IN8nHttpFullResponse | { code: string }> {
		let options: IHttpRequestOptions;
		try {
			options = await this.httpOptions(request, baseUrl, timeout);
		} catch {
			return { code: FILE_UNREADABLE };
		}
		// Handing the decrypted credential over saves n8n from decrypting it again for each request.
		const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: this.credential };
		try {
			return (await this.context.helpers.httpRequestWithAuthentication.call(
				this.context as IAllExecuteFunctions,
				CREDENTIAL,
				options,
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
		} catch (error) {
			return { code: errorCode(error) };
		}
	}
}

/** See `ExportCompany`. */
function exportCompany({ endpoint, query }: GatewayRequest): ExportCompany {
	if (!endpoint.includes('/acct-rewe-read/') || endpoint.endsWith('/connections')) return undefined;
	if (!('companyId' in query)) return 'fixed';
	return query.companyId ? 'named' : 'default';
}

interface SystemError {
	code?: unknown;
	/** What failed with this code: `connect`, `read`, `write`. */
	syscall?: unknown;
	name?: unknown;
	message?: unknown;
	cause?: unknown;
}

/** These can also come when the request has been sent. */
const NO_ROUTE = /^(EHOST|ENET)(UNREACH|DOWN)$/;

/** Looks for Node.js's error code in n8n's wrapped errors. `''`: a connection that there was has broken. */
export function errorCode(error: unknown): string {
	for (let e = error as SystemError | undefined, depth = 0; e && depth < 5; depth++) {
		if (typeof e.code === 'string') {
			const syscall = e.syscall ?? (e.cause as SystemError | undefined)?.syscall ?? 'connect';
			return NO_ROUTE.test(e.code) && syscall !== 'connect' ? '' : e.code;
		}
		if (e.name === 'ExpressionError') return CREDENTIAL_UNUSABLE;
		if (typeof e.message === 'string' && /restricted IP|SSRF/i.test(e.message)) return 'SSRF';
		e = e.cause as typeof e;
	}
	return '';
}

/** Reads JSON; an empty text is an answer without content (`null`). `undefined` where it is no JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
	if (text.trim() === '') return { value: null };
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
}

/** Reads `Retry-After`, which is a number of seconds or an HTTP date. */
function retryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\d+$/.test(header.trim())) return Number(header);
	const date = DateTime.fromHTTP(header);
	return date.isValid ? Math.max(0, Math.ceil(date.diffNow('seconds').seconds)) : undefined;
}
