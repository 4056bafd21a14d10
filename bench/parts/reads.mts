/** Look-ups: our node, n8n's HTTP Request node, and a bare client. */
import { exampleAnswer } from '../../api/contract.mjs';
import { BARE, Contest, HTTP_REQUEST, OUR_NODE } from '../contest.mjs';
import { alternate, compared, EARLIER, milliseconds, type Part, seconds } from '../measurement.mjs';
import type { Sides } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

/** How many reads our nodes have in flight at once, at most. */
const READS_AT_ONCE = 32;

const COUNT = 400;
/** Milliseconds until the gateway answers. */
const LATENCIES = [0, 50, 200];
const CASH_BOOKS = exampleAnswer('listCashBooks');

export async function measureReads({ now, before }: Sides, roundCount: number): Promise<Part> {
	const figures: Part['figures'] = [];
	for (const latency of LATENCIES) {
		const path = `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`;
		const contest = await Contest.of({ count: COUNT, latency, path, answer: () => CASH_BOOKS });
		const connectionId = { __rl: true, mode: 'id', value: CONNECTION };
		const parameters = { resource: 'cashBook', operation: 'getAll', connectionId };
		const contenders = {
			[OUR_NODE]: await contest.ourNode(now, 'Delivery', parameters),
			[EARLIER]: await contest.ourNode(before, 'Delivery', parameters),
			[HTTP_REQUEST]: await contest.httpRequest(now),
			[BARE]: await contest.bareClient(now, READS_AT_ONCE),
		};
		const rounds = await alternate(contenders, roundCount);
		await contest.end();
		const what = `${COUNT} look-ups, a gateway that answers after ${latency} ms`;
		figures.push(
			...compared(rounds, {
				what: `${what}: processor time`,
				by: ({ processor }) => processor,
				unit: milliseconds,
				of: OUR_NODE,
				to: { [HTTP_REQUEST]: undefined, [BARE]: 1.15 },
			}),
			...compared(rounds, {
				what: `${what}: time`,
				by: (taken) => taken.seconds,
				unit: seconds,
				of: OUR_NODE,
				to: { [HTTP_REQUEST]: undefined },
			}),
		);
	}
	return {
		title: 'Look-ups',
		method: `The HTTP Request node sends all ${COUNT} at once. Our node sends as many at once as the gateway can take, at most ${READS_AT_ONCE}; the bare client always ${READS_AT_ONCE}. The bare client is a node that calls n8n's own HTTP helper with a time-out, takes the answer as a stream and does nothing else. Processor time is that of all of n8n's threads, from the start of the run until its execution is stored: other programs add little to it, so the goals are about it.`,
		figures,
	};
}
