/** The client of a credential test, for which n8n offers only its older HTTP helper. */
import type { ICredentialDataDecryptedObject, ICredentialTestFunctions, IDataObject } from 'n8n-workflow';

import { AnswerBytes } from './answerBytes';
import type { AnswerStream } from './answerBytes';
import { GatewayClient, apiKeyOf } from './client';
import type { HttpSender } from './exchange';

export const clientOfTest = (
	{ helpers }: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): GatewayClient => new GatewayClient(credential, senderOf(helpers.request, apiKeyOf(credential)));

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
