/** A year's journal in one answer, as rows: our node, and n8n's HTTP Request node with two Split Out nodes. */
import range from 'lodash/range.js';

import { nodeOf } from '../../test/support/workflows.mjs';
import { contest, emptyItems, HTTP_REQUEST, type Job, OUR_NODE } from '../contest.mjs';
import { compared, milliseconds, type Part, seconds } from '../measurement.mjs';
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

export const JOURNAL: Job = {
	count: 1,
	latency: 0,
	path: `/v2/acct-rewe-read/buchungsdaten?connectionId=${CONNECTION}&geschaeftsjahrStartDatum=${YEAR}`,
	node: 'Data',
	ours: {
		resource: 'journalBooking',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: CONNECTION },
		geschaeftsjahrStartDatum: { __rl: true, mode: 'id', value: YEAR },
		output: 'lines',
	},
	httpRequest: {},
	then: [
		splitOut('Bookings', 'data', {}),
		splitOut('Lines', 'buchungszeilen', { include: 'allOtherFields', options: {} }),
	],
	answer: () => ANSWER,
	source: emptyItems(1),
};

export async function measureJournal(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const { wall, processor } = await contest(n8n, JOURNAL, roundCount);
	const what = `${BOOKINGS.toLocaleString('en')} bookings of two lines in one answer`;
	const contenders: [typeof OUR_NODE, typeof HTTP_REQUEST] = [OUR_NODE, HTTP_REQUEST];
	const growth = [await firstRun(OUR_NODE), await firstRun(HTTP_REQUEST)];
	return {
		title: "A year's journal",
		method: `${(ANSWER.length / 1e6).toFixed(0)} MB of JSON become ${(2 * BOOKINGS).toLocaleString('en')} rows. The HTTP Request node needs two Split Out nodes for that.`,
		measurements: [
			compared(`${what}: processor time`, processor, contenders, milliseconds, 0.7),
			compared(`${what}: time`, wall, contenders, seconds, 0.8),
			{
				what: `${what}: growth of memory (RSS) in the first run of an n8n`,
				against: HTTP_REQUEST,
				ours: `${growth[0].toFixed(0)} MB`,
				theirs: `${growth[1].toFixed(0)} MB`,
				value: growth[0] / growth[1],
				goal: 0.9,
			},
		],
	};
}

/** Megabytes by which a new n8n grows. Each run needs a new process, because processes rarely return memory. */
async function firstRun(contender: typeof OUR_NODE | typeof HTTP_REQUEST): Promise<number> {
	const n8n = await BenchN8n.start();
	try {
		const { growth } = await contest(n8n, { ...JOURNAL, only: contender }, 0);
		return growth[0][contender];
	} finally {
		await n8n.stop();
	}
}
