/** A year's journal in one answer, as rows: our node, and n8n's HTTP Request node with two Split Out nodes. */
import mapValues from 'lodash/mapValues.js';
import range from 'lodash/range.js';

import { nodeOf } from '../../tools/workflows.mjs';
import { Contest, HTTP_REQUEST, OUR_NODE } from '../contest.mjs';
import { compared, megabytes, milliseconds, type Part } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
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

/** What the first run of a fresh n8n takes; a second one finds a grown heap and compiled code. */
interface FirstRun {
	/** Megabytes by which the peak of memory (RSS) grows. */
	memory: number;
	/** Milliseconds of processor time, all threads together. */
	processor: number;
}

async function firstRun(
	n8n: BenchN8n,
	contender: (n8n: BenchN8n) => Promise<() => Promise<number>>,
): Promise<FirstRun> {
	const fresh = await n8n.another();
	try {
		const run = await contender(fresh);
		const before = { memory: await fresh.memory(), processor: await fresh.processorTime() };
		await run();
		return {
			memory: (await fresh.peak()) - before.memory,
			processor: (await fresh.processorTime()) - before.processor,
		};
	} finally {
		await fresh.stop();
	}
}

export async function measureJournal(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const contest = await Contest.of({
		count: 1,
		latency: 0,
		path: `/v2/acct-rewe-read/buchungsdaten?connectionId=${CONNECTION}&geschaeftsjahrStartDatum=${YEAR}`,
		answer: () => ANSWER,
	});
	const ours = async (fresh: BenchN8n) =>
		await contest.ourNode(fresh, 'Data', {
			resource: 'journalBooking',
			operation: 'getAll',
			connectionId: { __rl: true, mode: 'id', value: CONNECTION },
			geschaeftsjahrStartDatum: { __rl: true, mode: 'id', value: YEAR },
			output: 'lines',
		});
	const others = async (fresh: BenchN8n) =>
		await contest.httpRequest(
			fresh,
			splitOut('Bookings', 'data', {}),
			splitOut('Lines', 'buchungszeilen', { include: 'allOtherFields', options: {} }),
		);
	try {
		const runs: Array<Record<typeof OUR_NODE | typeof HTTP_REQUEST, FirstRun>> = [];
		for (let round = 0; round < roundCount; round++)
			runs.push({ [OUR_NODE]: await firstRun(n8n, ours), [HTTP_REQUEST]: await firstRun(n8n, others) });
		const rounds = (key: keyof FirstRun) => runs.map((run) => mapValues(run, (one) => one[key]));
		const what = `${BOOKINGS.toLocaleString('en')} bookings of two lines in one answer, first run of a fresh n8n`;
		return {
			title: "A year's journal",
			method: `${(ANSWER.length / 1e6).toFixed(0)} MB of JSON become ${(2 * BOOKINGS).toLocaleString('en')} rows. The HTTP Request node needs two Split Out nodes for that. Each run is the first one of a fresh n8n: a second one finds a grown heap and compiled code. The processor time is that of all of n8n's threads, until the execution is stored.`,
			figures: [
				compared(`${what}: processor time`, rounds('processor'), [OUR_NODE, HTTP_REQUEST], milliseconds, 1.1),
				compared(
					`${what}: growth of peak memory (RSS)`,
					rounds('memory'),
					[OUR_NODE, HTTP_REQUEST],
					megabytes,
					1.1,
				),
			],
		};
	} finally {
		await contest.end();
	}
}
