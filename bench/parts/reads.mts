/** Look-ups: our node, n8n's HTTP Request node, and a bare client. */
import { exampleAnswer } from '../../test/support/contract.mjs';
import { BARE, contest, emptyItems, HTTP_REQUEST, type Job, OUR_NODE } from '../contest.mjs';
import { compared, milliseconds, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

const COUNT = 400;

/** Of our node when nothing is set, so of the bare client too. */
const AT_ONCE = 16;

const CASH_BOOKS = exampleAnswer('listCashBooks');

export const lookUps = (latency: number): Job => ({
	count: COUNT,
	latency,
	path: `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`,
	ours: {
		resource: 'cashBook',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: CONNECTION },
	},
	httpRequest: {},
	bare: { atOnce: AT_ONCE },
	answer: () => CASH_BOOKS,
	source: emptyItems(COUNT),
});

const SLOW_MS = 50;

/** Milliseconds of latency, and the goals: time and processor time to the HTTP Request node's, time to the bare client's. */
const GOALS = [
	{ latency: 0, wall: 0.2, processor: 0.28, bare: 1.15 },
	{ latency: SLOW_MS, wall: 0.7, processor: 0.35, bare: 1.15 },
];

export async function measureReads(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const measurements: Part['measurements'] = [];
	for (const goal of GOALS) {
		const { wall, processor } = await contest(n8n, lookUps(goal.latency), roundCount);
		const what = `${COUNT} look-ups, a gateway that answers after ${goal.latency} ms`;
		const time = `${what}: time`;
		measurements.push(
			compared(time, wall, [OUR_NODE, HTTP_REQUEST], seconds, goal.wall),
			compared(`${what}: processor time`, processor, [OUR_NODE, HTTP_REQUEST], milliseconds, goal.processor),
			compared(time, wall, [OUR_NODE, BARE], seconds, goal.bare),
		);
	}
	return {
		title: 'Reads',
		method: `The HTTP Request node sends all ${COUNT} at once, our node as many as the gateway can take (${AT_ONCE} at most), the bare client ${AT_ONCE}: a program of its own with n8n's HTTP client (axios) and, as in n8n, a new connection for each request.`,
		measurements,
		notes: [
			`${AT_ONCE} at a time, ${COUNT} look-ups take ${seconds(((COUNT / AT_ONCE) * SLOW_MS) / 1000)} at least if an answer takes ${SLOW_MS} ms. The HTTP Request node, which asks all ${COUNT} at once, waits only once: sparing the gateway costs our node time here, which the option *Concurrency* (32 at most) halves.`,
		],
	};
}
