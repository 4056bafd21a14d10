/**
 * As bare a client as possible: n8n's HTTP client, a number of requests at once, and nothing else. It runs in its own
 * process, as n8n does; each message is a job, each answer the seconds that it took.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
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

const TOO_MANY = 429;

/** Like n8n's, whose nodes make a connection for each request. */
const httpAgent = new http.Agent({ keepAlive: false });

for await (const message of getEachMessage()) {
	// A message has no type; contest.mts, which starts this program, sends only jobs.
	const { url, headers, body, count, atOnce } = message as object as BareJob;
	const limited = pLimit(atOnce);
	const validateStatus = (status: number) => status < 300 || status === TOO_MANY;
	const options = { headers, httpAgent, validateStatus, proxy: false as const };
	const post = { ...options, headers: { ...headers, 'content-type': 'application/json' } };
	/** Sends it again after a 429, when that says. */
	const send = async (n: number): Promise<void> => {
		const answer =
			body === undefined
				? await axios.get(url, options)
				: await axios.post(url, body.replace('{n}', String(n)), post);
		if (answer.status !== TOO_MANY) return;
		await sleep(Number(answer.headers['retry-after']) * 1000);
		await send(n);
	};
	const started = performance.now();
	await Promise.all(range(count).map(async (n) => await limited(async () => await send(n))));
	await sendMessage((performance.now() - started) / 1000);
}
