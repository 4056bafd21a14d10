/** A year's journal in one answer, as rows: our node, and n8n's HTTP Request node with two Split Out nodes. */
import { buffer } from 'node:stream/consumers';
import range from 'lodash/range.js';
import type { INode } from 'n8n-workflow';

import { PACKAGE } from '../../host/package.mjs';
import { nodeOf } from '../../host/workflows.mjs';
import { HTTP_REQUEST, OUR_NODE } from '../contest.mjs';
import { alternate, compared, EARLIER, megabytes, milliseconds, type Part } from '../measurement.mjs';
import type { BenchN8n, Sides } from '../n8n.mjs';
import { type BenchGateway, CONNECTION, startGateway } from '../quickGateway.mjs';

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

const PATH = `/v2/acct-rewe-read/buchungsdaten?connectionId=${CONNECTION}&geschaeftsjahrStartDatum=${YEAR}`;

/** The nodes that make the rows: ours, or n8n's own. */
async function nodesOf(name: string, n8n: BenchN8n, gateway: BenchGateway): Promise<INode[]> {
	const credentials = await n8n.credentialsFor(gateway);
	if (name !== HTTP_REQUEST) {
		const parameters = {
			resource: 'journalBooking',
			operation: 'getAll',
			connectionId: { __rl: true, mode: 'id', value: CONNECTION },
			geschaeftsjahrStartDatum: { __rl: true, mode: 'id', value: YEAR },
			output: 'lines',
		};
		return [nodeOf(OUR_NODE, `${PACKAGE}.accountingGatewayData`, parameters, { credentials })];
	}
	const request = {
		url: gateway.url + PATH,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'accountingGatewayApi',
	};
	return [
		nodeOf(HTTP_REQUEST, 'n8n-nodes-base.httpRequest', request, { typeVersion: 4.5, credentials }),
		splitOut('Bookings', 'data', {}),
		splitOut('Lines', 'buchungszeilen', { include: 'allOtherFields', options: {} }),
	];
}

/** What the first run of a fresh n8n takes; a second one finds a grown heap and compiled code. */
export interface FirstRun {
	/** Megabytes by which the peak of memory (RSS) grows, and the peak. */
	growth: number;
	peak: number;
	/** Milliseconds of processor time, all threads together. */
	processor: number;
}

/** @param fresh an n8n that has run nothing; it is stopped afterwards */
export async function firstRun(name: string, fresh: BenchN8n, gateway: BenchGateway): Promise<FirstRun> {
	try {
		const run = await fresh.serve(...(await nodesOf(name, fresh, gateway)));
		await fresh.resetPeak();
		const [memory, processor] = [await fresh.memory(), await fresh.processorTime()];
		await run();
		const peak = await fresh.peak();
		return { growth: peak - memory, peak, processor: (await fresh.processorTime()) - processor };
	} finally {
		await fresh.stop();
	}
}

/** A gateway that answers with a year's journal. */
export const startJournal = async (): Promise<BenchGateway> =>
	await startGateway(async (body) => {
		await buffer(body);
		return ANSWER;
	});

export async function measureJournal({ now, before }: Sides, roundCount: number): Promise<Part> {
	const gateway = await startJournal();
	const of = (name: string, n8n: BenchN8n) => async () => await firstRun(name, await n8n.another(), gateway);
	const contenders = {
		[OUR_NODE]: of(OUR_NODE, now),
		[HTTP_REQUEST]: of(HTTP_REQUEST, now),
		[EARLIER]: of(OUR_NODE, before),
	};
	try {
		const rounds = await alternate(contenders, roundCount, 0);
		const what = `${BOOKINGS.toLocaleString('en')} bookings of two lines in one answer`;
		const figures = (
			name: string,
			by: (run: FirstRun) => number,
			unit: (value: number) => string,
			goal: number,
		) => compared(rounds, { what: `${what}: ${name}`, by, unit, of: OUR_NODE, to: { [HTTP_REQUEST]: goal } });
		return {
			title: "A year's journal",
			method: `${(ANSWER.length / 1e6).toFixed(0)} MB of JSON become ${(2 * BOOKINGS).toLocaleString('en')} rows. The HTTP Request node needs two Split Out nodes for that. Each run is the first one of a fresh n8n: a second one finds a grown heap and compiled code. A webhook starts it, and n8n stores no execution.`,
			figures: [
				...figures('processor time', ({ processor }) => processor, milliseconds, 1.1),
				...figures('growth of peak memory (RSS)', ({ growth }) => growth, megabytes, 1.1),
				...figures('peak memory (RSS)', ({ peak }) => peak, megabytes, 1.1),
			],
		};
	} finally {
		await gateway.close();
	}
}
