import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { compact } from 'lodash';

import { isHtml } from '../errors/gatewayMessage';
import type { Explain, Explanation } from '../errors/httpError';
import { redactSecret } from '../errors/redaction';
import { apiKeyOf, GatewayClient } from '../gateway/client';
import type { HttpSender } from '../gateway/client';
import { gatewayRequest } from '../gateway/request';
import { assumesHttps } from '../gateway/url';
import { openListOf } from '../gateway/verify';

/** Seconds; a person is waiting for the answer. */
const TIMEOUT = 15;

const HTTPS_ASSUMED = 'The base URL names neither https:// nor http://, so https:// was assumed.';

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
const explain: Explain = (status) => EXPLANATIONS[status];

/** Statuses that any web server may return for a path that it doesn't know. */
const UNKNOWN_PATH = [400, 404, 405, 406, 410, 421];

/**
 * Why an answer can't be the gateway's: it is a web page, or isn't about connections. A page with another status may come
 * from a proxy in front of the gateway.
 */
function notTheGateway(status: number, text: string): string | undefined {
	const isSuccess = status >= 200 && status < 300;
	if (isHtml(text))
		return isSuccess || UNKNOWN_PATH.includes(status) ? 'a web page (HTML) came back' : undefined;
	if (!isSuccess) return undefined;
	try {
		return (
			openListOf('connections').problem(JSON.parse(text), {}) && "its answer isn't a list of connections"
		);
	} catch {
		return "its answer isn't JSON";
	}
}

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
	let wrong: string | undefined;
	const sender = senderOf(send, apiKey);
	const client = new GatewayClient(data, async (...request) => {
		const answer = await sender(...request);
		wrong = notTheGateway(answer.status, answer.text);
		return answer;
	});
	const request = gatewayRequest('GET /v2/acct-duo/connections', { query: {} }, explain);
	const result = await client.send(request, TIMEOUT);
	if (wrong) {
		const message = `This address answers, but is not the gateway: ${wrong}. Check the base URL; a login page or a proxy may have answered instead.`;
		return { status: 'Error', message };
	}
	const assumed = assumesHttps(data) ? HTTPS_ASSUMED : undefined;
	if (result.ok) {
		return { status: 'OK', message: compact(['The gateway accepted the API key.', assumed]).join(' ') };
	}
	const { message, description } = result.failure;
	// The message may repeat the base URL, into which the key may have been pasted.
	return {
		status: 'Error',
		message: redactSecret(compact([`${message}.`, description, assumed]).join(' '), apiKey),
	};
}

/** An answer of n8n's older HTTP helper, the only one available to a credential test. */
interface StreamedResponse {
	statusCode: number;
	headers: IDataObject;
	body: AsyncIterable<Uint8Array>;
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
			const chunks: Uint8Array[] = [];
			for await (const chunk of response.body) {
				// Half an answer is useless. Leaving the loop closes the connection.
				signal.throwIfAborted();
				chunks.push(chunk);
			}
			const text = Buffer.concat(chunks).toString();
			return { status: response.statusCode, headers: response.headers, text };
		};
		const aborted = new Promise<never>((_resolve, reject) => {
			signal.addEventListener('abort', reject);
		});
		return await Promise.race([exchange(), aborted]);
	};
}
