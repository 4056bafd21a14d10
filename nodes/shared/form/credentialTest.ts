import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { inOneText, redactSecret, sentences } from '../errors';
import type { Explain, Explanation } from '../errors';
import { AnswerBytes, GatewayClient, apiKeyOf, assumesHttps, gatewayRequest } from '../gateway';
import type { AnswerStream, HttpSender } from '../gateway';
import { openListOf, unconfirmed } from '../answer';

/** Seconds; a person is waiting for the answer. */
const TEST_TIMEOUT = 15;

const HTTPS_ASSUMED = 'The base URL names neither https:// nor http://, so https:// was assumed.';

/** A success that isn't the gateway's list. */
const ELSEWHERE = 'This address may not be the gateway: check the base URL.';

/** The test lists the connections of the accounting. */
const EXPLANATIONS: Record<number, Explanation> = {
	403: {
		message: 'The gateway rejected the API key, or the key has no access to accounting',
		advice:
			'Check the key: it may be mistyped or revoked. A key for only banking or tickets still works for those.',
	},
	404: {
		message: "This address answers, but the gateway's accounting isn't there",
		advice: 'Check the base URL, which may belong to something else, and the accounting provider.',
	},
};
const explain: Explain = ({ status }) => EXPLANATIONS[status];

/**
 * Tells in plain words whether the credential works, by listing the connections: that costs nothing and proves key,
 * address and the provider's name at once. A declarative test can't do that: n8n shows the bare system code when the
 * address is unreachable, and sends a request twice when the key is wrong.
 */
export async function testAccountingGatewayApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const apiKey = apiKeyOf(data);
	if (apiKey === '') return { status: 'Error', message: 'The API key is empty' };
	// The only HTTP function that n8n offers in a credential test.
	const { request: send } = this.helpers;
	const client = new GatewayClient(data, senderOf(send, apiKey));
	const request = gatewayRequest('GET /v2/acct-duo/connections', { query: {} }, explain);
	const result = await client.send(request, TEST_TIMEOUT);
	const failure = result.ok ? unconfirmed(result.body, request, openListOf('connections')) : result.failure;
	const assumed = assumesHttps(data) && HTTPS_ASSUMED;
	if (!failure) return { status: 'OK', message: sentences('The gateway accepted the API key.', assumed) };
	const { message, description, status } = failure;
	const isSuccess = result.ok || (status !== undefined && status < 300);
	const text = inOneText(message, sentences(description, isSuccess && ELSEWHERE, assumed));
	// The message may repeat the base URL, into which the key may have been pasted.
	return { status: 'Error', message: redactSecret(text, apiKey) };
}

/** An answer of n8n's older HTTP helper, the only one available to a credential test. */
interface StreamedResponse {
	statusCode: number;
	headers: IDataObject;
	body: AnswerStream;
}

/** Sends with n8n's older HTTP helper, which takes no signal: so the answer is read here, until the time is up. */
function senderOf(send: ICredentialTestFunctions['helpers']['request'], apiKey: string): HttpSender {
	return async ({ method, url, headers, timeout }, signal) => {
		const exchange = async () => {
			const response = (await send({
				method,
				uri: url,
				headers: { ...headers, 'x-api-key': apiKey },
				timeout,
				followRedirect: false,
				resolveWithFullResponse: true,
				simple: false,
				useStream: true,
			})) as StreamedResponse;
			const answer = await AnswerBytes.from(response.body, signal);
			return { status: response.statusCode, headers: response.headers, answer };
		};
		const aborted = new Promise<never>((_resolve, reject) => {
			signal.addEventListener('abort', reject);
		});
		return await Promise.race([exchange(), aborted]);
	};
}
