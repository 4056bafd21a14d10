/** Look-ups: our node, n8n's HTTP Request node, and a bare client. */
import omit from 'lodash/omit.js';

import { MAX_CONCURRENCY } from '../../nodes/shared/form/options.js';
import { exampleAnswer } from '../../test/support/contract.mjs';
import { countsPerSecond, takesAtOnce } from '../../test/support/gatewayKinds.mjs';
import { BARE, contest, emptyItems, HTTP_REQUEST, type Job, OUR_NODE } from '../contest.mjs';
import { compared, medianOf, milliseconds, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

const COUNT = 400;

const CASH_BOOKS = exampleAnswer('listCashBooks');

export const lookUps = (latency: Job['latency'], count = COUNT, atOnce = MAX_CONCURRENCY): Job => ({
	count,
	latency,
	path: `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`,
	ours: {
		resource: 'cashBook',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: CONNECTION },
	},
	httpRequest: {},
	bare: { atOnce },
	answer: () => CASH_BOOKS,
	source: emptyItems(count),
});

/** Milliseconds of latency, and the goals: time and processor time to the HTTP Request node's, time to the bare client's. */
const GOALS = [
	{ latency: 0, wall: 0.2, processor: 0.28, bare: 1.15 },
	{ latency: 50, wall: 0.6, processor: 0.35, bare: 1.15 },
	{ latency: 200, wall: 0.5, processor: 0.35, bare: 1.15 },
];

/** Milliseconds of a limited gateway's answers. */
const LIMITED_MS = 50;
/** Gateways that refuse what is too much with a 429, and the fixed number in flight that suits them best. */
const LIMITED = [
	{ takes: '4 requests at once', kind: () => takesAtOnce(4, LIMITED_MS, 1, 429), best: 4, count: COUNT },
	{ takes: '5 requests a second', kind: () => countsPerSecond(5, LIMITED_MS, 1), best: 5, count: 250 },
];
const LIMITED_GOAL = 1.2;

export async function measureReads(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const measurements: Part['measurements'] = [];
	const floors: string[] = [];
	let bareShare = 0;
	for (const goal of GOALS) {
		const { wall, processor } = await contest(n8n, lookUps(goal.latency), roundCount);
		const what = `${COUNT} look-ups, a gateway that answers after ${goal.latency} ms`;
		const time = `${what}: time`;
		const least = ((COUNT / MAX_CONCURRENCY) * goal.latency) / 1000;
		const wanted = medianOf(wall, HTTP_REQUEST) * goal.wall;
		if (least > 0) {
			const verdict = least > wanted ? ', which no client can reach with so few in flight' : '';
			floors.push(
				`at least ${seconds(least)} if an answer takes ${goal.latency} ms (the goal is ${seconds(wanted)}${verdict})`,
			);
		}
		if (goal.latency === 0) bareShare = medianOf(wall, BARE) / medianOf(wall, HTTP_REQUEST);
		measurements.push(
			compared(time, wall, [OUR_NODE, HTTP_REQUEST], seconds, goal.wall),
			compared(`${what}: processor time`, processor, [OUR_NODE, HTTP_REQUEST], milliseconds, goal.processor),
			compared(time, wall, [OUR_NODE, BARE], seconds, goal.bare),
		);
	}
	for (const { takes, kind, best, count } of LIMITED) {
		const job = omit(lookUps(kind(), count, best), 'httpRequest');
		// One round: the time is the gateway's, about a minute, and hardly differs.
		const { wall, refusals, paused } = await contest(n8n, job, 0);
		const what = `${count} look-ups, a gateway that takes ${takes}`;
		const against = `a bare client that knows the best number, ${best} at once`;
		const refused = (name: typeof OUR_NODE | typeof BARE) => medianOf(refusals, name);
		measurements.push(
			{ ...compared(`${what}: time`, wall, [OUR_NODE, BARE], seconds, LIMITED_GOAL), against },
			{
				what: `${what}: refused`,
				against,
				ours: String(refused(OUR_NODE)),
				theirs: String(refused(BARE)),
				value: refused(OUR_NODE),
			},
			{
				what: `${what}: time during which its refusals asked to send nothing`,
				against,
				ours: seconds(medianOf(paused, OUR_NODE)),
				theirs: seconds(medianOf(paused, BARE)),
				value: medianOf(paused, OUR_NODE) / medianOf(wall, BARE),
			},
		);
	}
	return {
		title: 'Reads',
		method: `The HTTP Request node sends all ${COUNT} at once, our node as many as the gateway can take (${MAX_CONCURRENCY} at most), the bare client ${MAX_CONCURRENCY}: a program of its own with n8n's HTTP client (axios) and, as in n8n, a new connection for each request. After a 429 it waits as long as the gateway says.`,
		measurements,
		notes: [
			`${MAX_CONCURRENCY} at a time, ${COUNT} look-ups take ${floors.join(', and ')}. The HTTP Request node sends all ${COUNT} at once, so it waits only once: sparing the gateway costs our node time here. Where answers take no time, the bare client, which does nothing else, takes ${bareShare.toFixed(2)} of the HTTP Request node's time. The time that our node takes beyond the bare client's is n8n's own work for each request: the profile below shows how little of it is this package's.`,
			`A gateway with a limit says so only by refusing requests and asking for a pause, so our node has to find the number that the bare client was told. If the gateway limits how many requests run at once, one pause is enough.`,
			`How it finds its pace, and what each of its rules gains on other kinds of gateway, is simulated in \`test/nodes/shared/gateway/throttleRules.test.mts\`.`,
		],
	};
}
