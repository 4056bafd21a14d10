/** Look-ups: our node, n8n's HTTP Request node, and a bare client. */
import { MAX_CONCURRENCY } from '../../nodes/shared/form/options.js';
import { exampleAnswer } from '../../test/support/contract.mjs';
import { BARE, contest, emptyItems, HTTP_REQUEST, type Job, OUR_NODE } from '../contest.mjs';
import { compared, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

const COUNT = 400;

const CASH_BOOKS = exampleAnswer('listCashBooks');

const lookUps = (latency: number): Job => ({
	count: COUNT,
	latency,
	path: `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`,
	ours: {
		resource: 'cashBook',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: CONNECTION },
	},
	httpRequest: {},
	bare: { atOnce: MAX_CONCURRENCY },
	answer: () => CASH_BOOKS,
	source: emptyItems(COUNT),
});

/** Milliseconds until the gateway answers. */
const LATENCIES = [0, 50, 200];
/** Maximum ratio of our node's time to the bare client's. */
const GOAL = 1.15;

export async function measureReads(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const measurements: Part['measurements'] = [];
	for (const latency of LATENCIES) {
		const { wall } = await contest(n8n, lookUps(latency), roundCount);
		const what = `${COUNT} look-ups, a gateway that answers after ${latency} ms: time`;
		measurements.push(
			compared(what, wall, [OUR_NODE, HTTP_REQUEST], seconds),
			compared(what, wall, [OUR_NODE, BARE], seconds, GOAL),
		);
	}
	return {
		title: 'Reads',
		method: `The HTTP Request node sends all ${COUNT} at once, so it waits only once; our node as many as the gateway can take (${MAX_CONCURRENCY} at most); the bare client ${MAX_CONCURRENCY}: a program of its own with n8n's HTTP client (axios) and, as in n8n, a new connection for each request.`,
		measurements,
	};
}
