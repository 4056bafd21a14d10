/** Look-ups: our node, n8n's HTTP Request node, and a bare client. */
import { exampleAnswer } from '../../tools/contract.mjs';
import { BARE, Contest, HTTP_REQUEST, OUR_NODE } from '../contest.mjs';
import { alternate, compared, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

/** How many reads our nodes have in flight at once, at most. */
const READS_AT_ONCE = 32;

const COUNT = 400;
/** Milliseconds until the gateway answers. */
const LATENCIES = [0, 50, 200];
const CASH_BOOKS = exampleAnswer('listCashBooks');

export async function measureReads(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const figures: Part['figures'] = [];
	for (const latency of LATENCIES) {
		const path = `/v2/acct-duo/kassenbuecher?connectionId=${CONNECTION}`;
		const contest = await Contest.of({ count: COUNT, latency, path, answer: () => CASH_BOOKS });
		const connectionId = { __rl: true, mode: 'id', value: CONNECTION };
		const parameters = { resource: 'cashBook', operation: 'getAll', connectionId };
		const contenders = {
			[OUR_NODE]: await contest.ourNode(n8n, 'Delivery', parameters),
			[HTTP_REQUEST]: await contest.httpRequest(n8n),
			[BARE]: await contest.bareClient(n8n, READS_AT_ONCE),
		} as const;
		const rounds = await alternate(contenders, roundCount);
		await contest.end();
		const what = `${COUNT} look-ups, a gateway that answers after ${latency} ms`;
		figures.push(
			compared(what, rounds, [OUR_NODE, HTTP_REQUEST], seconds),
			compared(what, rounds, [OUR_NODE, BARE], seconds, 1.15),
		);
	}
	return {
		title: 'Look-ups',
		method: `The HTTP Request node sends all ${COUNT} at once. Our node sends as many at once as the gateway can take, at most ${READS_AT_ONCE}; the bare client always ${READS_AT_ONCE}. The bare client is a node that calls n8n's own HTTP helper and does nothing else.`,
		figures,
	};
}
