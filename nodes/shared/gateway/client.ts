import { createHash } from 'node:crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { unsent } from '../errors/failure';
import type { Failure } from '../errors/failure';
import { DEADLINE_EXCEEDED, errorCode, FILE_UNREADABLE, networkError } from '../errors/networkError';
import type { BinaryStore } from './body';
import { Deadline } from './deadline';
import { httpOptions } from './httpOptions';
import { isWrite } from './request';
import type { GatewayRequest, SendResult } from './request';
import { readResponse } from './response';
import type { HttpResponse } from './response';
import { pauseBeforeRetry } from './retry';
import { TURN_TOO_LATE } from './throttle';
import type { Throttle } from './throttle';
import { accountingProvider, buildPath, parseBaseUrl } from './url';
import { allowsOnlyDryRuns, WRITE_ADVICE, writeRefusal } from './writes';

export const CREDENTIAL = 'accountingGatewayApi';

/** Seconds; what n8n itself allows a request. */
const DEFAULT_TIMEOUT = 300;

/** The node functions that the gateway client needs; execute, list and hook contexts all have them. */
export type GatewayContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'> &
		Partial<Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>>;
	getExecutionCancelSignal?: () => AbortSignal | undefined;
};

/** Sends one HTTP request with the API key and aborts it on the signal. Rejects if there is no answer. */
export type HttpSender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<HttpResponse>;

/** The only way to the gateway. Retries reads where that can help; never retries writes. */
export class GatewayClient {
	/** The gateway's address, or a message about what is wrong with it. */
	private readonly base: ReturnType<typeof parseBaseUrl>;

	/**
	 * @param secret a secret that requests contain; like the API key, it is masked if the gateway repeats it
	 * @param context contexts without a binary store (lists, hooks) send no files
	 */
	constructor(
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly http: HttpSender,
		private readonly secret = '',
		private readonly context?: Pick<GatewayContext, 'getExecutionCancelSignal' | 'helpers'>,
	) {
		this.base = parseBaseUrl(credential);
	}

	/** Reads the credential once for all requests of a run. */
	static async open(context: GatewayContext, secret = ''): Promise<GatewayClient> {
		const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		return new GatewayClient(credential, senderOf(context, credential), secret, context);
	}

	/** Identifies where a request goes: the gateway, and the connection if the request has one. */
	destination({ query: { connectionId = '' } }: GatewayRequest): string {
		const { url = '' } = this.base as { url?: string };
		const address = `${url}/v2/${accountingProvider(this.credential)}`;
		return connectionId === '' ? address : `${address}, connection ${String(connectionId).toLowerCase()}`;
	}

	/** The method and path with which a request would be sent; a failure if it can't be sent. */
	targetOf({ endpoint, path }: GatewayRequest): { method: string; path: string } | { failure: Failure } {
		if ('problem' in this.base) return { failure: wrongBaseUrl(this.base.problem) };
		const [method, template] = endpoint.split(' ');
		return { method, path: buildPath(template, path, accountingProvider(this.credential)) };
	}

	/** Whether the credential turns each write into a dry run; a write that is sent nevertheless is refused. */
	get isDry(): boolean {
		return allowsOnlyDryRuns(this.credential);
	}

	/** The gateway (`''` if the credential has no valid base URL), and a fingerprint of the API key, which identifies the account. */
	get identity(): { baseUrl: string; apiKey: string } {
		const { url: baseUrl = '' } = this.base as { url?: string };
		return { baseUrl, apiKey: createHash('sha256').update(apiKeyOf(this.credential)).digest('base64url') };
	}

	/**
	 * Sends a request and classifies the result. Doesn't throw.
	 * @param timeout seconds until the answer must be complete, including the wait for its turn, retries and the pauses
	 * between them
	 * @param throttle decides when each attempt may start
	 */
	async send(request: GatewayRequest, timeout = DEFAULT_TIMEOUT, throttle?: Throttle): Promise<SendResult> {
		const deadline = new Deadline(timeout, this.context?.getExecutionCancelSignal?.());
		let result: SendResult | undefined;
		try {
			for (let tries = 1; ; tries++) {
				const leave = await throttle?.enter(deadline.signal);
				if (throttle && !leave) return result ?? { ok: false, failure: notStarted(throttle, deadline) };
				result = await this.exchange(request, deadline);
				leave?.(result);
				if (result.ok || isWrite(request)) return result;
				const seconds = pauseBeforeRetry(result.failure, tries, deadline.secondsLeft);
				if (seconds === undefined || !(await deadline.pause(seconds))) return result;
			}
		} finally {
			deadline.close();
		}
	}

	/** One HTTP exchange. */
	private async exchange(request: GatewayRequest, deadline: Deadline): Promise<SendResult> {
		const { base, credential } = this;
		const writes = isWrite(request);
		const refusal = writes ? writeRefusal(credential) : undefined;
		if (refusal) return { ok: false, failure: unsent(refusal, WRITE_ADVICE) };
		if ('problem' in base) return { ok: false, failure: wrongBaseUrl(base.problem) };
		const lost = (code: string, isHandedOver?: boolean): SendResult => ({
			ok: false,
			failure: networkError(code, writes, isHandedOver),
		});
		let prepared: Awaited<ReturnType<typeof httpOptions>>;
		try {
			const store = this.context?.helpers as BinaryStore;
			prepared = await httpOptions(request, base.url, accountingProvider(credential), store);
		} catch {
			return lost(FILE_UNREADABLE);
		}
		const { options, isHandedOver } = prepared;
		// Without this timeout, n8n's own default would end a slow answer.
		options.timeout = Math.ceil(deadline.secondsLeft * 1000);
		let response: HttpResponse;
		try {
			response = await this.http(options, deadline.signal);
		} catch (error) {
			return lost(deadline.isExceeded ? DEADLINE_EXCEEDED : errorCode(error), isHandedOver());
		} finally {
			// A file that wasn't sent completely would otherwise stay open.
			(options.body as { destroy?: () => void } | undefined)?.destroy?.();
		}
		return readResponse(response, request, [apiKeyOf(credential), this.secret]);
	}
}

/** The API key without the line breaks and spaces that people paste with it. */
export const apiKeyOf = ({ apiKey }: ICredentialDataDecryptedObject) => String(apiKey ?? '').trim();

/** Sends with n8n's helper, which handles the credential, proxies, and n8n's SSRF protection. */
function senderOf(context: GatewayContext, data: ICredentialDataDecryptedObject): HttpSender {
	// With the decrypted credential, n8n doesn't decrypt it again for each request.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	return async (options, signal) => {
		// n8n aborts a request only by the context's signal, whatever the options say.
		const own = Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as object;
		const { statusCode, headers, body } = (await context.helpers.httpRequestWithAuthentication.call(
			own as IAllExecuteFunctions,
			CREDENTIAL,
			options,
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;
		return { status: statusCode, headers, text: String(body ?? '') };
	};
}

/** The failure of a request that never got its turn. */
function notStarted({ refusal }: Throttle, { isCanceled }: Deadline): Failure {
	if (isCanceled) return networkError('ERR_CANCELED', false);
	return refusal ?? TURN_TOO_LATE;
}

const wrongBaseUrl = (problem: string) =>
	unsent(problem, 'Correct it in the credential, e.g. https://gateway.example.com.');
