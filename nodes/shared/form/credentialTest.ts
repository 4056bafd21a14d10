import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { failureText, inOneTextOf, redactSecret } from '../errors';
import { apiKeyOf, clientOfTest, gatewayRequest } from '../gateway';
import type { Explain, Explanation } from '../gateway';
import { openListOf, unconfirmed } from '../answer';
import { both, sentences } from '../values';

/** Seconds; a person is waiting for the answer. */
const TEST_TIMEOUT = 15;

const HTTPS_ASSUMED = both(
	'The base URL names neither https:// nor http://, so https:// was assumed.',
	'Die Adresse nennt weder https:// noch http://, darum wurde https:// angenommen.',
);

/** A success that isn't the gateway's list. */
const ELSEWHERE = both(
	'This address may not be the gateway: check the base URL.',
	'Unter dieser Adresse ist vielleicht nicht das Gateway: Prüfen Sie sie.',
);
const EMPTY_KEY = both('The API key is empty', 'Der API-Schlüssel ist leer');
const ACCEPTED_KEY = both(
	'The gateway accepted the API key.',
	'Das Gateway hat den API-Schlüssel angenommen.',
);

/** The test lists the connections of the accounting. */
const EXPLANATIONS: Record<number, Explanation> = {
	403: {
		message: both(
			'The gateway rejected the API key, or the key has no access to accounting',
			'Das Gateway hat den API-Schlüssel abgelehnt, oder er gilt nicht für die Buchhaltung',
		),
		advice: both(
			'Check the key: it may be mistyped or revoked. A key for only banking or tickets still works for those.',
			'Prüfen Sie den Schlüssel: Er kann vertippt oder gesperrt sein. Ein Schlüssel nur für Bank oder Tickets gilt dafür trotzdem.',
		),
	},
	404: {
		message: both(
			"This address answers, but the gateway's accounting isn't there",
			'Diese Adresse antwortet, aber die Buchhaltung des Gateways ist dort nicht',
		),
		advice: both(
			'Check the base URL, which may belong to something else, and the accounting provider.',
			'Prüfen Sie die Adresse, die zu etwas anderem gehören kann, und den Anbieter der Buchhaltung.',
		),
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
	const client = clientOfTest(this, data);
	const { language } = client;
	if (apiKey === '') return { status: 'Error', message: EMPTY_KEY[language] };
	const request = gatewayRequest('GET /v2/acct-duo/connections', { query: {} }, explain);
	const result = await client.send(request, TEST_TIMEOUT);
	const failure = result.ok
		? unconfirmed(result.body, request, openListOf(both('connections', 'der Verbindungen')))
		: result.failure;
	const assumed = client.assumesHttps && HTTPS_ASSUMED;
	if (!failure) return { status: 'OK', message: sentences(ACCEPTED_KEY, assumed)[language] };
	const { message, description, status } = failureText(failure);
	const isSuccess = result.ok || (status !== undefined && status < 300);
	const advice = sentences(description, isSuccess && ELSEWHERE, assumed);
	const text = inOneTextOf(message, advice)[language];
	// The message may repeat the base URL, into which the key may have been pasted.
	return { status: 'Error', message: redactSecret(text, apiKey) };
}
