/**
 * A client as bare as can be: the HTTP client that n8n has, a number of requests at once, and nothing else. A process of
 * its own, as n8n is; each message is a job, each answer the seconds that it took.
 */
import http from 'node:http';
import axios from 'axios';
import { getEachMessage, sendMessage } from 'execa';
import range from 'lodash/range.js';
import pLimit from 'p-limit';

export interface BareJob {
	url: string;
	headers: Record<string, string>;
	/** What is posted, with the number of the request in place of `{n}`; left out for a look-up. */
	body?: string;
	count: number;
	/** Requests at once. */
	atOnce: number;
}

/** Like n8n's, whose nodes make a connection for each request. */
const httpAgent = new http.Agent({ keepAlive: false });

for await (const message of getEachMessage()) {
	// Whoever starts this program sends nothing else.
	const { url, headers, body, count, atOnce } = message as unknown as BareJob;
	const limited = pLimit(atOnce);
	const options = { headers, httpAgent, proxy: false as const };
	const post = { ...options, headers: { ...headers, 'content-type': 'application/json' } };
	const started = performance.now();
	await Promise.all(
		range(count).map(
			async (n) =>
				await limited(async () =>
					body === undefined
						? await axios.get(url, options)
						: await axios.post(url, body.replace('{n}', String(n)), post),
				),
		),
	);
	await sendMessage((performance.now() - started) / 1000);
}
