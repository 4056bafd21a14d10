/** A year's journal in one answer, as rows: our node, and n8n's HTTP Request node with two Split Out nodes. */
import range from 'lodash/range.js';

import { nodeOf } from '../../tools/workflows.mjs';
import { Contest, HTTP_REQUEST, OUR_NODE } from '../contest.mjs';
import { alternate, compared, megabytes, type Part, seconds } from '../measurement.mjs';
import { BenchN8n } from '../n8n.mjs';
import { CONNECTION } from '../quickGateway.mjs';

const BOOKINGS = 40_000;
const YEAR = '2026-01-01';

const line = (kontonummer: string, umsatz: number) => ({
	kontonummer,
	kostenstellen: { kost1: '100', kost2: null },
	buSchluessel: '9',
	umsatz,
});

const ANSWER = JSON.stringify({
	data: range(BOOKINGS).map((n) => ({
		id: `123e4567-e89b-12d3-a456-${String(n).padStart(12, '0')}`,
		waehrung: 'EUR',
		buchungstext: `Wareneingang Bäckereibedarf RE-${n}`,
		buchungszeilen: [line('3400', (n % 5000) + 0.19), line('70001', -(n % 5000) - 0.19)],
		sollHabenKennzeichen: 'SOLL',
	})),
	svc: { neuesGuthaben: 900 },
});

const splitOut = (name: string, fieldToSplitOut: string, options: object) =>
	nodeOf(name, 'n8n-nodes-base.splitOut', { fieldToSplitOut, ...options });

/** Each contender has an n8n of its own, because a process rarely returns memory. */
export async function measureJournal(_n8n: BenchN8n, roundCount: number): Promise<Part> {
	const other = await BenchN8n.start();
	const own = await BenchN8n.start();
	const contest = await Contest.of({
		count: 1,
		latency: 0,
		path: `/v2/acct-rewe-read/buchungsdaten?connectionId=${CONNECTION}&geschaeftsjahrStartDatum=${YEAR}`,
		answer: () => ANSWER,
	});
	try {
		const contenders = {
			[OUR_NODE]: await contest.ourNode(own, 'Data', {
				resource: 'journalBooking',
				operation: 'getAll',
				connectionId: { __rl: true, mode: 'id', value: CONNECTION },
				geschaeftsjahrStartDatum: { __rl: true, mode: 'id', value: YEAR },
				output: 'lines',
			}),
			[HTTP_REQUEST]: await contest.httpRequest(
				other,
				splitOut('Bookings', 'data', {}),
				splitOut('Lines', 'buchungszeilen', { include: 'allOtherFields', options: {} }),
			),
		} as const;
		const growth = {
			[OUR_NODE]: await growthOf(own, contenders[OUR_NODE]),
			[HTTP_REQUEST]: await growthOf(other, contenders[HTTP_REQUEST]),
		};
		const rounds = await alternate(contenders, roundCount);
		const what = `${BOOKINGS.toLocaleString('en')} bookings of two lines in one answer`;
		return {
			title: "A year's journal",
			method: `${(ANSWER.length / 1e6).toFixed(0)} MB of JSON become ${(2 * BOOKINGS).toLocaleString('en')} rows. The HTTP Request node needs two Split Out nodes for that.`,
			figures: [
				compared(what, rounds, [OUR_NODE, HTTP_REQUEST], seconds, 0.8),
				compared(
					`${what}: growth of memory (RSS) in n8n's first run`,
					[growth],
					[OUR_NODE, HTTP_REQUEST],
					megabytes,
					0.9,
				),
			],
		};
	} finally {
		await contest.end();
		await Promise.all([own.stop(), other.stop()]);
	}
}

/** Megabytes by which n8n grows during a run. */
async function growthOf(n8n: BenchN8n, run: () => Promise<number>): Promise<number> {
	const before = await n8n.memory();
	await run();
	return (await n8n.memory()) - before;
}
