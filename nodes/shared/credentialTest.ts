import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { networkFailure, refusal, unreadable } from './failures';
import { accountingProvider, buildPath, errorCode, parseBaseUrl, parseJson } from './gateway';
import { withoutSecret } from './sensitive';

/** Milliseconds; a person waits for the answer. */
const TIMEOUT_MS = 15_000;

/** The connections that are listed are those of the accounting. */
const OTHER_SERVICES = 'A key for banking or tickets alone works there all the same.';

/**
 * Tells in plain words whether the credential works, by listing the connections: it costs nothing and proves key,
 * address and provider's name at once. A declarative test can't do that: n8n shows the bare system code when the
 * address is unreachable, and sends a request twice when the key is wrong.
 */
export async function testAccountingGatewayApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const apiKey = String(data.apiKey ?? '');
	const failed = (message: string, description = ''): INodeCredentialTestResult => ({
		status: 'Error',
		message: withoutSecret(description ? `${message}. ${description}` : message, apiKey),
	});
	const base = parseBaseUrl(data.baseUrl);
	if (apiKey.trim() === '') return failed('The API key is empty');
	if ('problem' in base) return failed(base.problem);

	// The only HTTP function that n8n gives to a credential test.
	const { request } = this.helpers;
	let answer: { statusCode: number; body: unknown };
	try {
		answer = await request({
			method: 'GET',
			uri: base.url + buildPath('/v2/acct-duo/connections', {}, accountingProvider(data)),
			headers: { 'x-api-key': apiKey, accept: 'application/json' },
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
			timeout: TIMEOUT_MS,
		});
	} catch (error) {
		const { message, description } = networkFailure(errorCode(error), false);
		return failed(message, description);
	}
	const status = answer.statusCode;
	const text = withoutSecret(String(answer.body ?? ''), apiKey);
	const json = parseJson(text);
	if (status < 200 || status > 299) {
		const { message, description } = refusal({ status, body: json ? json.value : text }, false, undefined);
		return failed(message, status === 403 ? `${description} ${OTHER_SERVICES}` : description);
	}
	if (!json) {
		const { message, description } = unreadable(status, text, false);
		return failed(message, description);
	}
	return { status: 'OK', message: 'The gateway accepted the API key' };
}
