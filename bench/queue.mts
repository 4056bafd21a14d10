/**
 * n8n's queue mode at scale: a main process, two webhook processes and two workers, on PostgreSQL and Redis. If
 * records are lost, or duplicated in a way that docs/guarantees.md rules out, it prints them and exits with code 1.
 *
 * At full size it writes the table of docs/queue-mode.md.
 *
 * npm run bench:queue -- [bookings | events] [--executions 50] [--entries 5000] [--documents 500] [--events 2000] [--outage 10] [--latency 20]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import axios from 'axios';

import { packPackage } from '../host/package.mjs';
import { UserError } from '../scripts/shared/processes.mjs';
import { measuredAt, tableOf, writeTable } from '../scripts/shared/tables.mjs';
import { Bookings, Events, type Result } from './queueLoad.mjs';
import { QueueMode } from '../test/support/queueMode.mjs';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		/** Number of executions during which a worker is killed. */
		executions: { type: 'string', default: '50' },
		/** Number of entries in all executions together. */
		entries: { type: 'string', default: '5000' },
		documents: { type: 'string', default: '500' },
		/** Number of events during which a webhook process is restarted. */
		events: { type: 'string', default: '2000' },
		/** Seconds for which Redis and PostgreSQL are stopped. */
		outage: { type: 'string', default: '10' },
		/** Milliseconds until the gateway answers. */
		latency: { type: 'string', default: '20' },
	},
});
const executions = Number(values.executions);
const each = {
	entries: Math.round(Number(values.entries) / executions),
	documents: Math.round(Number(values.documents) / executions),
};
const events = Number(values.events);
const outage = Number(values.outage) * 1000;
/** A fifth of the load, for the runs that measure throughput and outages. */
const part = { executions: Math.ceil(executions / 5), ...each };
const fewEvents = Math.ceil(events / 5);

/** Maximum number of problems printed per run. */
const SHOWN = 20;

const results: Array<[string, Result]> = [];
async function measure(title: string, running: Promise<Result>): Promise<void> {
	const result = await running;
	results.push([title, result]);
	console.log(`${title}: ${result.count} in ${result.seconds.toFixed(0)} s`);
	const lines = [...result.problems, ...result.notes];
	for (const line of lines.slice(0, SHOWN)) console.log(`  ${line}`);
	if (lines.length > SHOWN) console.log(`  … and ${lines.length - SHOWN} more`);
}

const interruptions = ({ redis, postgres }: QueueMode): Array<[string, () => Promise<void>]> => [
	['Redis is down', async () => await redis.interrupt(outage)],
	['PostgreSQL is down', async () => await postgres.interrupt(outage)],
];

const PARTS: Record<string, (queue: QueueMode) => Promise<void>> = {
	async bookings(queue) {
		const bookings = await Bookings.publish(queue);
		await measure('Bookings, one worker', bookings.run(part));
		await queue.addWorker();
		await measure('Bookings, two workers', bookings.run(part));
		const kill = async () => await queue.workers[0].kill();
		await measure('Bookings, a worker is killed', bookings.run({ executions, ...each }, kill));
		for (const [title, interrupt] of interruptions(queue)) {
			await measure(`Bookings, ${title}`, bookings.run(part, interrupt));
		}
	},
	async events(queue) {
		if (queue.workers.length === 1) await queue.addWorker();
		const payments = await Events.publish(queue);
		const stop = async () => await queue.webhooks[0].stop();
		await measure('Events, a webhook process restarts', payments.run(events, stop));
		for (const [title, interrupt] of interruptions(queue)) {
			await measure(`Events, ${title}`, payments.run(fewEvents, interrupt));
		}
	},
};
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
if (unknown) throw new UserError(`There is no part "${unknown}", only ${Object.keys(PARTS).join(' and ')}.`);

const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
const queue = await QueueMode.start({ tarball: await packPackage(folder), workers: 1 });
try {
	await axios.post(`${queue.sandbox.url}/sandbox/faults`, {
		kind: 'latency',
		ms: Number(values.latency),
		times: null,
	});
	await axios.post(`${queue.sandbox.url}/sandbox/credits`, { credits: 1_000_000 });
	for (const name of names) await PARTS[name](queue);
} finally {
	await queue.stop();
	await rm(folder, { recursive: true, force: true });
}

const table = tableOf(
	results.map(([title, { count, seconds, failed, missing, retried, twice, problems }]) => ({
		'': title,
		count,
		s: Math.round(seconds),
		'per s': Math.round(count / seconds),
		'executions failed': failed,
		'records not done': missing,
		'done by Retry': retried,
		duplicates: twice,
		problems: problems.length,
	})),
);
console.log(`\n${table}`);
if (process.argv.length === 2)
	await writeTable('docs/queue-mode.md', 'queue', `${table}\n\n${await measuredAt()}.`);
process.exit(results.some(([, { problems }]) => problems.length > 0) ? 1 : 0);
