/**
 * The least that a node can do: it sends a request for each item with n8n's own HTTP helper, a fixed number of them at
 * once, and passes the answers on. It reads nothing from its items and checks nothing. As nobody may leave out, it has a time-out and
 * takes the answer as a stream, which alone can be stopped when it is too long.
 */
const { json: jsonOf } = require('node:stream/consumers');

const CREDENTIAL = 'accountingGatewayApi';
const TIMEOUT_MS = 300_000;

exports.BareClient = class {
	description = {
		displayName: 'Bare Client',
		name: 'bareClient',
		group: ['input'],
		version: 1,
		description: 'Sends requests',
		defaults: { name: 'Bare Client' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			// `{n}` stands for the request's number; without a body, the requests are GET requests.
			{ displayName: 'Body', name: 'body', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 1 },
		],
	};

	async execute() {
		const [url, body, atOnce] = ['url', 'body', 'atOnce'].map((name) => this.getNodeParameter(name, 0));
		// With the decrypted credential, n8n doesn't decrypt it again for each request.
		const data = await this.getCredentials(CREDENTIAL);
		const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
		const json = [];
		const upcoming = this.getInputData().keys();
		const sendAll = async () => {
			for (const n of upcoming) {
				const options = body
					? { method: 'POST', url, body: JSON.parse(body.replace('{n}', String(n))) }
					: { url };
				const answer = await this.helpers.httpRequestWithAuthentication.call(
					this,
					CREDENTIAL,
					{ ...options, json: true, encoding: 'stream', timeout: TIMEOUT_MS },
					{ credentialsDecrypted },
				);
				json[n] = await jsonOf(answer);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, sendAll));
		return [this.helpers.returnJsonArray(json)];
	}
};
