/**
 * A minimal client: n8n's HTTP client with a fixed number of simultaneous requests. It runs in its own process, as n8n
 * does. Each message to it is a job; its reply is the number of seconds that the job took.
 */
import http from 'node:http';
import axios from 'axios';
import { getEachMessage, sendMessage } from 'execa';
import range from 'lodash/range.js';
import pLimit from 'p-limit';

export interface BareJob {
	url: string;
	headers: Record<string, string>;
	/** Body to post, in which `{n}` stands for the request's number. Omit it to send GET requests. */
	body?: string;
	count: number;
	/** Number of simultaneous requests. */
	atOnce: number;
}

/** n8n's nodes open a connection for each request, so this client does, too. */
const httpAgent = new http.Agent({ keepAlive: false });

for await (const message of getEachMessage()) {
	// Messages are untyped; contest.mts, which starts this program, sends only jobs.
	const { url, headers, body, count, atOnce } = message as object as BareJob;
	const limited = pLimit(atOnce);
	const options = { headers, httpAgent, proxy: false as const };
	const post = { ...options, headers: { ...headers, 'content-type': 'application/json' } };
	const send = async (n: number): Promise<void> => {
		if (body === undefined) await axios.get(url, options);
		else await axios.post(url, body.replace('{n}', String(n)), post);
	};
	const started = performance.now();
	await Promise.all(range(count).map(async (n) => await limited(async () => await send(n))));
	await sendMessage((performance.now() - started) / 1000);
}
