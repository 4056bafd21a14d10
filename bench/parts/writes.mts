/** Bookings, which are sent one after another: our node, and a bare client. */
import { exampleAnswer } from '../../api/contract.mjs';
import { simpleEntry } from '../../host/workflows.mjs';
import { BARE, Contest, OUR_NODE } from '../contest.mjs';
import { alternate, compared, EARLIER, milliseconds, type Part, seconds } from '../measurement.mjs';
import type { Sides } from '../n8n.mjs';
import { CONNECTION, confirmation } from '../quickGateway.mjs';

const COUNT = 300;
/** Milliseconds until the gateway answers. */
const LATENCY = 10;
const BOOKED = exampleAnswer('createCashBookEntry') as object;

/** The body that our node sends for `simpleEntry`. */
const BODY = JSON.stringify({
	kassenname: 'Hauptkasse',
	bewegung: 'EINNAHME',
	betrag: 10,
	waehrung: 'EUR',
	steuersatz: 19,
	transaktionsdatum: '2026-03-02T09:30:00+01:00',
	belegnummer: 'K-{n}',
	belegtext: 'Tageseinnahme',
});

export async function measureWrites({ now, before }: Sides, roundCount: number): Promise<Part> {
	const contest = await Contest.of({
		count: COUNT,
		latency: LATENCY,
		path: `/v2/acct-duo/kassenbuch-einfach?connectionId=${CONNECTION}`,
		answer: (body) => confirmation(BOOKED, JSON.parse(body.toString()) as object),
	});
	const contenders = {
		[OUR_NODE]: await contest.ourNode(now, 'Delivery', simpleEntry(CONNECTION)),
		[EARLIER]: await contest.ourNode(before, 'Delivery', simpleEntry(CONNECTION)),
		[BARE]: await contest.bareClient(now, 1, BODY),
	};
	const rounds = await alternate(contenders, roundCount);
	await contest.end();
	const what = `${COUNT} cash-book entries, a gateway that answers after ${LATENCY} ms`;
	return {
		title: 'Bookings',
		method:
			'The entries belong to one cash book, so our node sends them one at a time, and so does the bare client. Ours checks all of them before it sends the first.',
		figures: [
			...compared(rounds, {
				what: `${what}: processor time`,
				by: ({ processor }) => processor,
				unit: milliseconds,
				of: OUR_NODE,
				to: { [BARE]: undefined },
			}),
			...compared(rounds, {
				what: `${what}: time`,
				by: (taken) => taken.seconds,
				unit: seconds,
				of: OUR_NODE,
				to: { [BARE]: 1.15 },
			}),
		],
	};
}
