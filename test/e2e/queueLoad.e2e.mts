/** n8n's queue mode under load, while its processes are killed and its databases are down; nightly. */
import axios from 'axios';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { Bookings, Events } from './queueLoad.mjs';
import { QueueMode } from '../support/queueMode.mjs';

const BOOKINGS = { executions: 10, entries: 20, documents: 2 };
const EVENTS = 200;
/** Milliseconds for which a database is down. */
const OUTAGE_MS = 5_000;
/** Milliseconds until the gateway answers. */
const LATENCY_MS = 20;

let queue: QueueMode;
let bookings: Bookings;
let events: Events;

beforeAll(async () => {
	queue = await QueueMode.start(inject('tarball'));
	const { url } = queue.sandbox;
	await axios.post(`${url}/sandbox/faults`, { kind: 'latency', ms: LATENCY_MS, times: null });
	await axios.post(`${url}/sandbox/credits`, { credits: 1_000_000 });
	bookings = await Bookings.publish(queue);
	events = await Events.publish(queue);
});
afterAll(async () => await queue?.stop());

const interruptions: Array<[string, () => Promise<unknown>]> = [
	['Redis is down', async () => await queue.redis.interrupt(OUTAGE_MS)],
	['PostgreSQL is down', async () => await queue.postgres.interrupt(OUTAGE_MS)],
];

describe('queue mode under load', { timeout: 600_000 }, () => {
	it.each([['a worker is killed', async () => await queue.workers[0].kill()], ...interruptions] as const)(
		'loses no booking that n8n shows as done and books none twice while %s',
		async (_, disturb) => {
			expect(await bookings.run(BOOKINGS, disturb)).toEqual([]);
		},
	);

	it.each([
		['a webhook process restarts', async () => await queue.webhooks[0].stop()],
		...interruptions,
	] as const)('loses no event that it accepted and runs none twice while %s', async (_, disturb) => {
		expect(await events.run(EVENTS, disturb)).toEqual([]);
	});
});
