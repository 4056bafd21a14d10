/**
 * n8n's queue mode at size: a main process, two webhook processes and two workers, on PostgreSQL and Redis. What is lost, or
 * there twice beyond what docs/guarantees.md names, is printed, and the exit code is 1.
 *
 * npm run bench:queue -- [--executions 50] [--entries 5000] [--documents 500] [--events 2000] [--outage 10] [--latency 20]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import axios from 'axios';

import { packPackage } from '../host/package.mjs';
import { Bookings, Events, type Result } from '../test/support/queueLoad.mjs';
import { QueueMode } from '../test/support/queueMode.mjs';

const { values } = parseArgs({
	options: {
		/** In which a worker is killed. */
		executions: { type: 'string', default: '50' },
		/** Of all these executions. */
		entries: { type: 'string', default: '5000' },
		documents: { type: 'string', default: '500' },
		/** During which a webhook process is restarted. */
		events: { type: 'string', default: '2000' },
		/** Seconds that Redis and PostgreSQL are gone. */
		outage: { type: 'string', default: '10' },
		/** Milliseconds that the gateway takes for an answer. */
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
/** A fifth of it all, for throughput and outages. */
const part = { executions: Math.ceil(executions / 5), ...each };
const fewEvents = Math.ceil(events / 5);

const results: Array<[string, Result]> = [];
async function measure(title: string, running: Promise<Result>): Promise<void> {
	const result = await running;
	results.push([title, result]);
	console.log(`${title}: ${result.count} in ${result.seconds.toFixed(0)} s`);
	for (const line of [...result.problems, ...result.notes]) console.log(`  ${line}`);
}

const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
const queue = await QueueMode.start({ tarball: await packPackage(folder), workers: 1 });
try {
	const { redis, postgres, workers, webhooks } = queue;
	await axios.post(`${queue.sandbox.url}/sandbox/faults`, {
		kind: 'latency',
		ms: Number(values.latency),
		times: null,
	});
	const bookings = await Bookings.publish(queue);
	await measure('Bookings, one worker', bookings.run(part));
	await queue.addWorker();
	await measure('Bookings, two workers', bookings.run(part));
	await measure(
		'Bookings, a worker is killed',
		bookings.run({ executions, ...each }, async () => await workers[0].kill()),
	);
	await measure(
		'Bookings, Redis is gone',
		bookings.run(part, async () => await redis.interrupt(outage)),
	);
	await measure(
		'Bookings, PostgreSQL is gone',
		bookings.run(part, async () => await postgres.interrupt(outage)),
	);
	const payments = await Events.publish(queue);
	await measure(
		'Events, a webhook process restarts',
		payments.run(events, async () => await webhooks[0].stop()),
	);
	await measure(
		'Events, Redis is gone',
		payments.run(fewEvents, async () => await redis.interrupt(outage)),
	);
	await measure(
		'Events, PostgreSQL is gone',
		payments.run(fewEvents, async () => await postgres.interrupt(outage)),
	);
} finally {
	await queue.stop();
	await rm(folder, { recursive: true, force: true });
}

const HEAD = [
	'',
	'count',
	's',
	'per s',
	'executions failed',
	'theirs not done',
	'done by Retry',
	'twice',
	'problems',
];
console.log(`\n| ${HEAD.join(' | ')} |\n|${HEAD.map(() => '---').join('|')}|`);
for (const [title, { count, seconds, failed, missing, retried, twice, problems }] of results) {
	const figures = [
		count,
		Math.round(seconds),
		Math.round(count / seconds),
		failed,
		missing,
		retried,
		twice,
		problems.length,
	];
	console.log(`| ${[title, ...figures].join(' | ')} |`);
}
process.exit(results.some(([, { problems }]) => problems.length > 0) ? 1 : 0);
