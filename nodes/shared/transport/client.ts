import { createHash } from 'node:crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Failure } from '../errors/failure';
import { DEADLINE_EXCEEDED, errorCode, FILE_UNREADABLE, networkError } from '../errors/networkError';
import type { BinaryStore } from './body';
import { Deadline } from './deadline';
import { httpOptions } from './httpOptions';
import { isWrite } from './request';
import type { GatewayIdentity, GatewayRequest, SendResult } from './request';
import { readResponse } from './response';
import type { HttpResponse } from './response';
import { pauseBeforeRetry } from './retry';
import { accountingProvider, parseBaseUrl } from './url';

export const CREDENTIAL = 'accountingGatewayApi';

/** Seconds; what n8n itself allows a request. */
const DEFAULT_TIMEOUT = 300;

/** The node functions that the gateway client needs; execute, list and hook contexts all have them. */
export type GatewayContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'> &
		Partial<Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>>;
	getExecutionCancelSignal?: () => AbortSignal | undefined;
};

/** Sends one HTTP request with the API key, and ends it when the signal says so. Rejects where no answer comes. */
export type HttpSender = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<HttpResponse>;

/** The one way to the gateway. Reads are repeated where that can help, writes never. */
export class GatewayClient {
	/** Where the requests go, or why they can't. */
	private readonly base: ReturnType<typeof parseBaseUrl>;

	/**
	 * @param secret that is sent, and hidden like the API key where the gateway repeats it
	 * @param context contexts without a binary store (lists, hooks) send no files
	 */
	constructor(
		private readonly credential: ICredentialDataDecryptedObject,
		private readonly http: HttpSender,
		private readonly secret = '',
		private readonly context?: Pick<GatewayContext, 'getExecutionCancelSignal' | 'helpers'>,
	) {
		this.base = parseBaseUrl(credential.baseUrl);
	}

	/** Reads the credential once for all requests of a run. */
	static async open(context: GatewayContext, secret = ''): Promise<GatewayClient> {
		const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
		return new GatewayClient(credential, senderOf(context, credential), secret, context);
	}

	/** Names the place that a request goes to: the gateway, and the connection where it has one. */
	destination({ query: { connectionId } }: GatewayRequest): string {
		const { url = '' } = this.base as { url?: string };
		const address = `${url}/v2/${accountingProvider(this.credential)}`;
		return connectionId ? `${address}, connection ${String(connectionId).toLowerCase()}` : address;
	}

	get identity(): GatewayIdentity {
		const { url: baseUrl = '' } = this.base as { url?: string };
		return {
			baseUrl,
			apiKey: createHash('sha256').update(apiKeyOf(this.credential)).digest('base64url'),
		};
	}

	/**
	 * Sends a request and classifies whatever comes back; doesn't throw.
	 * @param timeout seconds until the answer must be complete, further tries and the pauses before them included
	 */
	async send(request: GatewayRequest, timeout = DEFAULT_TIMEOUT): Promise<SendResult> {
		const deadline = new Deadline(timeout, this.context?.getExecutionCancelSignal?.());
		try {
			for (let tries = 1; ; tries++) {
				const result = await this.sendOnce(request, deadline);
				request.afterSend?.(result, this.identity);
				if (result.ok || isWrite(request)) return result;
				const seconds = pauseBeforeRetry(result.failure, tries, deadline.secondsLeft);
				if (seconds === undefined || !(await deadline.pause(seconds))) return result;
			}
		} finally {
			deadline.close();
		}
	}

	private async sendOnce(request: GatewayRequest, deadline: Deadline): Promise<SendResult> {
		const { base } = this;
		if ('problem' in base) return { ok: false, failure: wrongBaseUrl(base.problem) };
		const response = await this.exchange(request, base.url, deadline);
		return 'code' in response
			? { ok: false, failure: networkError(response.code, isWrite(request)) }
			: readResponse(response, request, [apiKeyOf(this.credential), this.secret]);
	}

	/** @returns the response, or the code of what went wrong where there is none */
	private async exchange(
		request: GatewayRequest,
		baseUrl: string,
		deadline: Deadline,
	): Promise<HttpResponse | { code: string }> {
		const provider = accountingProvider(this.credential);
		let options: IHttpRequestOptions;
		try {
			options = await httpOptions(request, baseUrl, provider, this.context?.helpers as BinaryStore);
		} catch {
			return { code: FILE_UNREADABLE };
		}
		// Else n8n would give up an answer that takes longer than its own default to begin.
		options.timeout = Math.ceil(deadline.secondsLeft * 1000);
		try {
			return await this.http(options, deadline.signal);
		} catch (error) {
			return { code: deadline.isExceeded ? DEADLINE_EXCEEDED : errorCode(error) };
		} finally {
			// A file that wasn't sent to its end would stay open.
			(options.body as { destroy?: () => void } | undefined)?.destroy?.();
		}
	}
}

/** The API key as it was created; people paste line breaks and spaces with it. */
export const apiKeyOf = ({ apiKey }: ICredentialDataDecryptedObject) => String(apiKey ?? '').trim();

/** Sends by n8n's helper, which knows the credential, proxies and what this n8n is allowed to reach. */
function senderOf(context: GatewayContext, data: ICredentialDataDecryptedObject): HttpSender {
	// Handing the decrypted credential over saves n8n from decrypting it again for each request.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	return async (options, signal) => {
		// n8n ends a request by the signal of the context alone, whatever the options say.
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

const wrongBaseUrl = (problem: string): Failure => ({
	outcome: 'notSent',
	message: problem,
	description: 'Correct it in the credential, e.g. https://gateway.example.com.',
	transient: false,
});
