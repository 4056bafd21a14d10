/** Whose code runs in n8n's main thread while our node reads and writes: what of its time is n8n's own. */
import omit from 'lodash/omit.js';
import sumBy from 'lodash/sumBy.js';

import { contest, type Job, OUR_NODE } from '../contest.mjs';
import { milliseconds, type Part } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { profile } from '../profile.mjs';
import { JOURNAL } from './journal.mjs';
import { lookUps } from './reads.mjs';
import { ENTRIES_JOB } from './writes.mjs';

const JOBS: Record<string, Job> = {
	'400 look-ups': lookUps(0),
	"a year's journal": JOURNAL,
	'300 entries': ENTRIES_JOB,
};
/** Executions of each. */
const RUNS = 3;

const OWN = 'this package';
/** Packages that are listed by name; the others are summed up. */
const LISTED = 12;

/** @param n8n that is started with `PROFILED` */
export async function profileRuns(n8n: BenchN8n): Promise<Part> {
	const times: Record<string, Record<string, number>> = {};
	for (const [name, whole] of Object.entries(JOBS)) {
		const job = omit(whole, ['httpRequest', 'then', 'bare']);
		// Compiled by now.
		await contest(n8n, job, 1);
		const shares = await profile(n8n, async () => await contest(n8n, job, RUNS - 1));
		times[name] = Object.fromEntries(shares.map(({ owner, ms }) => [owner, ms]));
	}
	const names = Object.keys(JOBS);
	const all = (name: string) => sumBy(Object.values(times[name]), (ms) => ms);
	const share = (name: string, ms = 0) => `${((ms / all(name)) * 100).toFixed(0)} %`;
	const owners = new Set(Object.values(times).flatMap((one) => Object.keys(one)));
	owners.delete(OWN);
	const sorted = [...owners].sort((a, b) => mostOf(b) - mostOf(a));
	const rest = sorted.slice(LISTED);
	/** The largest share that an owner has in any of the jobs. */
	function mostOf(owner: string): number {
		return Math.max(...names.map((name) => (times[name][owner] ?? 0) / all(name)));
	}
	const row = (title: string, cells: string[]) => `| ${[title, ...cells].join(' | ')} |`;
	const of = (owner: string) => names.map((name) => share(name, times[name][owner]));
	const table = [
		row('whose code', names),
		row(
			'---',
			names.map(() => '---'),
		),
		row(`**${OWN}**`, of(OWN)),
		...sorted.slice(0, LISTED).map((owner) => row(owner, of(owner))),
		row(
			'others',
			names.map((name) =>
				share(
					name,
					sumBy(rest, (owner) => times[name][owner] ?? 0),
				),
			),
		),
		row(
			'all, an execution',
			names.map((name) => milliseconds(all(name) / RUNS)),
		),
	];
	return {
		title: 'What is n8n’s own',
		method: `Processor profiles of n8n's main thread while ${OUR_NODE} looks up without latency, reads a year's journal, and writes entries, each ${RUNS} times, with the nodes that make the items and with the end of the executions, which n8n stores. "Node.js" is mostly the connections, of which n8n makes one for each request.`,
		measurements: [],
		notes: [table.join('\n')],
	};
}
