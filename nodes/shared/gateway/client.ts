import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { attempt, isString, noop } from 'lodash';

import { networkError } from './failures/networkError';
import { unsent } from '../errors';
import type { Failure } from '../errors';
import { AnswerBytes } from './answerBytes';
import type { AnswerStream } from './answerBytes';
import { areaOf } from '../thisGateway';
import { both, sha256 } from '../values';
import type { Bilingual, Language } from '../values';
import type { BinaryStore } from './body';
import { Deadline } from './deadline';
import { exchange } from './exchange';
import type { HttpSender } from './exchange';
import { isWrite } from './request';
import type { GatewayRequest, SendResult } from './request';
import { readResponse } from './response';
import { FIRST_PAUSE, LONGEST_PAUSE, TURN_TOO_LATE } from './throttle';
import type { Throttle } from './throttle';
import { accountingProvider, assumesHttps, buildPath, parseBaseUrl } from './url';
import { allowsOnlyDryRuns, WRITE_ADVICE, writeRefusal } from './writePermission';

export const CREDENTIAL = 'accountingGatewayApi';

/** Seconds; what n8n itself allows a request. */
const DEFAULT_TIMEOUT = 300;

/** How many times a read is sent, at most. */
const TRIES = 4;

/** The node functions that the gateway client needs; execute, list and hook contexts all have them. */
type GatewayContext = Pick<IAllExecuteFunctions, 'getCredentials' | 'getNode'> & {
	helpers: Pick<IAllExecuteFunctions['helpers'], 'httpRequestWithAuthentication'> &
		Partial<Pick<IExecuteFunctions['helpers'], 'getBinaryStream'>>;
	getExecutionCancelSignal?: () => AbortSignal | undefined;
};

/** The only way to the gateway. Retries reads where that can help; never retries writes. */
export class GatewayClient {
	/** The gateway (`''` if the credential has no valid base URL), and a fingerprint of the API key, which identifies the account. */
	readonly account: { baseUrl: string; apiKey: string };
	private readonly problem?: Bilingual;
	private readonly provider: string;
	private readonly apiKey: string;

	/**
	 * @param secret a secret that requests contain; like the API key, it is masked if the gateway repeats it
	 * @param context contexts without a binary store (lists, hooks) send no files
	 */
	constructor(
		readonly credential: ICredentialDataDecryptedObject,
		private readonly http: HttpSender,
		private readonly secret = '',
		private readonly context?: Pick<GatewayContext, 'getExecutionCancelSignal' | 'helpers'>,
	) {
		const { url: baseUrl = '', problem } = parseBaseUrl(credential) as { url?: string; problem?: Bilingual };
		this.problem = problem;
		this.provider = accountingProvider(credential);
		this.apiKey = apiKeyOf(credential);
		this.account = { baseUrl, apiKey: sha256(this.apiKey) };
	}

	/** Reads the credential once for all requests of a run, unless it is being read already. */
	static async open(
		context: GatewayContext,
		secret = '',
		reading: Promise<ICredentialDataDecryptedObject> = context.getCredentials(CREDENTIAL),
	): Promise<GatewayClient> {
		const credential = await reading;
		return new GatewayClient(credential, senderOf(context, credential), secret, context);
	}

	/** Where a request goes: the gateway, and the connection if the request has one. */
	destination({ query: { connectionId = '' } }: GatewayRequest): string {
		const address = areaOf(this.account.baseUrl, this.provider);
		return connectionId === '' ? address : `${address}, connection ${String(connectionId).toLowerCase()}`;
	}

	/** The method and path with which a request would be sent; a failure if it can't be sent. */
	targetOf({ endpoint, path }: GatewayRequest): { method: string; path: string } | { failure: Failure } {
		if (this.problem !== undefined) return { failure: unsent(this.problem, CORRECT_BASE_URL) };
		const [method, template] = endpoint.split(' ');
		return { method, path: buildPath(template, path, this.provider) };
	}

	/** Whether the base URL names no scheme, so that https is assumed. */
	get assumesHttps(): boolean {
		return assumesHttps(this.credential);
	}

	/** In which language a person reads errors and hints. */
	get language(): Language {
		return languageIn(this.credential) ?? 'en';
	}

	/** Whether the credential turns each write into a dry run; a write that is sent nevertheless is refused. */
	get isDry(): boolean {
		return allowsOnlyDryRuns(this.credential);
	}

	/**
	 * Doesn't throw.
	 * @param timeout seconds until the answer must be complete, including the wait for its turn, retries and the pauses
	 * between them
	 * @param throttle decides when each attempt may start
	 */
	async send(request: GatewayRequest, timeout = DEFAULT_TIMEOUT, throttle?: Throttle): Promise<SendResult> {
		const refusal = isWrite(request) ? writeRefusal(this.credential) : undefined;
		if (refusal) return { ok: false, failure: unsent(refusal, WRITE_ADVICE) };
		const target = this.targetOf(request);
		if ('failure' in target) return { ok: false, ...target };
		const url = this.account.baseUrl + target.path;
		const store = this.context?.helpers as BinaryStore;
		const deadline = new Deadline(timeout, this.context?.getExecutionCancelSignal?.());
		let result: SendResult | undefined;
		for (let tries = 1; ; tries++) {
			const leave = await throttle?.enter(deadline.signal);
			if (throttle && !leave) return result ?? { ok: false, failure: notStarted(throttle, deadline) };
			const response = await exchange(request, url, this.http, deadline, store);
			result =
				'failure' in response
					? { ok: false, ...response }
					: await readResponse(response, request, [this.apiKey, this.secret]);
			leave?.(result);
			if (result.ok || isWrite(request)) return result;
			const seconds = pauseBeforeRetry(result.failure, tries, deadline.secondsLeft);
			if (seconds === undefined || !(await deadline.pause(seconds))) return result;
		}
	}
}

/** The language that somebody has chosen; `undefined` if nobody has. */
const languageIn = ({ language }: ICredentialDataDecryptedObject): Language | undefined =>
	language === 'de' || language === 'en' ? language : undefined;

/**
 * In which language a person reads a node's errors and hints: what the credential says, or an option of a node without one. It is
 * English where neither can be read.
 */
export async function languageOf(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	option?: () => unknown,
	reading: Promise<ICredentialDataDecryptedObject> = context.getCredentials(CREDENTIAL),
): Promise<Language> {
	const credential = await reading.catch(() => ({}));
	const language = attempt(option ?? noop);
	return languageIn(credential) ?? languageIn({ language: isString(language) ? language : '' }) ?? 'en';
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
		// With `encoding: 'stream'`, the body is a stream, which n8n's type doesn't say.
		const answer = await AnswerBytes.from(body as unknown as AnswerStream, signal);
		return { status: statusCode, headers, answer };
	};
}

/** Seconds to wait before a failed read is sent again; `undefined` if it isn't. */
function pauseBeforeRetry(failure: Failure, tries: number, secondsLeft: number): number | undefined {
	// The same request would get the same answer.
	if (!failure.transient) return undefined;
	// After several failed attempts, a person has to look.
	if (tries >= TRIES) return undefined;
	const pause = failure.retryAfter ?? FIRST_PAUSE * 2 ** (tries - 1);
	// Don't block a workflow for minutes; the error says how long the gateway asks to wait.
	if (pause > LONGEST_PAUSE) return undefined;
	// The answer couldn't arrive in time.
	if (pause >= secondsLeft) return undefined;
	return pause;
}

/** The failure of a request that never got its turn. */
function notStarted({ refusal }: Throttle, { isCanceled }: Deadline): Failure {
	if (isCanceled) return networkError('ERR_CANCELED', false, 'connecting');
	return refusal ?? TURN_TOO_LATE;
}

const CORRECT_BASE_URL = both(
	'Correct it in the credential, e.g. https://gateway.example.com.',
	'Berichtigen Sie sie in den Zugangsdaten, z. B. https://gateway.example.com.',
);
