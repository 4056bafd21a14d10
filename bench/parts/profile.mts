/** Whose code runs while our node looks things up: what of its time is n8n's own. */
import omit from 'lodash/omit.js';
import sumBy from 'lodash/sumBy.js';

import { contest, OUR_NODE } from '../contest.mjs';
import { milliseconds, type Part } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { profile } from '../profile.mjs';
import { lookUps } from './reads.mjs';

/** Packages that are listed by name; the others are summed up. */
const LISTED = 10;

/** @param n8n that is started with `PROFILED` */
export async function profileReads(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const job = omit(lookUps(0), ['httpRequest', 'bare']);
	// Compiled by now.
	await contest(n8n, job, 1);
	const shares = await profile(n8n, async () => await contest(n8n, job, roundCount));
	const all = sumBy(shares, 'ms');
	const own = shares.find(({ owner }) => owner === 'this package');
	const rows = [
		...shares.filter((share) => share !== own).slice(0, LISTED),
		{ owner: 'others', ms: sumBy(shares.filter((share) => share !== own).slice(LISTED), 'ms') },
	];
	const row = (owner: string, ms: number) => `| ${owner} | ${((ms / all) * 100).toFixed(0)} % |`;
	const table = [
		'| whose code | of the main thread’s time |',
		'|---|---|',
		row('**this package**', own?.ms ?? 0),
		...rows.map(({ owner, ms }) => row(owner, ms)),
	];
	return {
		title: 'What of a read is n8n’s own',
		method: `A processor profile of n8n while ${OUR_NODE} makes ${job.count} look-ups without latency, ${roundCount + 1} times, and ends the executions: ${milliseconds(all)} of its main thread. "Node.js" is mostly the connections, of which n8n makes one for each request.`,
		measurements: [],
		notes: [table.join('\n')],
	};
}
