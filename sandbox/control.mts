import type { FastifyInstance } from 'fastify';
import throttle from 'lodash/throttle.js';
import { z } from 'zod';
import type { Account } from './accounts.mjs';
import { domains } from './domains.mjs';
import { faultSchema } from './faults.mjs';
import type { Backstage } from './gateway.mjs';
import { Refusal } from './handlers.mjs';
import { variantsSchema } from './variants.mjs';

const account = z.string().default('demo');
const creditsSchema = z.object({ account, credits: z.number().int().nonnegative() }).strict();
const keySchema = z.object({ account, key: z.string().min(1) }).strict();
/** Books and bank accounts are kept up to that day, so it can't be millennia away. */
const momentSchema = z
	.string()
	.datetime({ offset: true })
	.refine((moment) => moment < '2100', 'The books end with 2099.');
const clockSchema = z.object({ now: momentSchema.nullable() }).strict();
const limitSchema = z.object({ limit: z.coerce.number().int().positive().optional() });

/** The page is told of changes at most this often. */
const LIVE_INTERVAL_MS = 250;

/** The control API: what arrived, and what the gateway shall do next. Described in docs/sandbox.md. */
export function addControl(app: FastifyInstance, backstage: Backstage): void {
	const { world, log, faults } = backstage;
	const find = (id: string): Account => {
		const found = world.accounts.find((one) => one.id === id);
		if (!found) throw new Refusal(404, `There is no account "${id}".`, 'account');
		return found;
	};
	const changed = <T,>(result: T): T => {
		world.events.emit('change');
		return result;
	};

	app.get('/state', () => world.snapshot());
	app.post('/reset', () => {
		world.reset();
		log.clear();
		faults.clear();
		backstage.variants = {};
		return changed({});
	});

	app.get('/accounts', () => world.accounts);
	app.post('/credits', ({ body }) => {
		const { account, credits } = creditsSchema.parse(body ?? {});
		return changed(Object.assign(find(account), { credits }));
	});
	app.post('/keys', ({ body }) => {
		const { account, key } = keySchema.parse(body ?? {});
		if (world.accountOfKey(key)) throw new Refusal(409, 'The key exists already.', 'key');
		find(account).keys.push(key);
		return changed(find(account));
	});
	app.delete<{ Params: { key: string } }>('/keys/:key', ({ params }) => {
		const owner = world.accountOfKey(params.key);
		if (!owner) throw new Refusal(404, 'There is no such key.', 'key');
		owner.keys = owner.keys.filter((key) => key !== params.key);
		return changed(owner);
	});

	app.get('/clock', () => ({ now: world.now() }));
	app.post('/clock', ({ body }) => {
		const { now } = clockSchema.parse(body ?? {});
		world.setNow(now === null ? null : new Date(now));
		return { now: world.now() };
	});

	app.get('/faults', () => faults.list);
	app.post('/faults', ({ body }) => faults.add(faultSchema.parse(body ?? {})));
	app.delete('/faults', () => {
		faults.clear();
		return [];
	});
	app.get('/variants', () => backstage.variants);
	app.post('/variants', ({ body }) => (backstage.variants = variantsSchema.parse(body ?? {})));
	app.delete('/variants', () => (backstage.variants = {}));

	const last = (items: readonly unknown[], query: unknown) => {
		const { limit } = limitSchema.parse(query);
		return limit ? items.slice(-limit) : items;
	};
	app.get('/requests', ({ query }) => last(log.entries, query));
	app.delete('/requests', () => {
		log.clear();
		return changed([]);
	});
	app.get<{ Params: { list: string } }>('/:list', ({ params, query }) => {
		const items = world.listed(params.list);
		if (!items) throw new Refusal(404, `There is no list "${params.list}".`);
		return last(items, query);
	});

	app.get('/events', { sse: 'only' }, async (_request, reply) => {
		const stop = () => {
			world.events.off('change', send);
			send.cancel();
		};
		// A page that goes away in the middle of a message has no use for it.
		const send = throttle(
			() => void reply.sse.send({ event: 'change', data: {} }).catch(stop),
			LIVE_INTERVAL_MS,
		);
		world.events.on('change', send);
		reply.sse.onClose(stop);
		reply.sse.keepAlive();
		await reply.sse.send({ event: 'change', data: {}, retry: 1000 });
	});

	for (const { controls } of domains) controls?.(app, world);
}
