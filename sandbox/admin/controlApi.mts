import type { FastifyInstance } from 'fastify';
import throttle from 'lodash/throttle.js';
import { z } from 'zod';
import type { SandboxContext } from '../context.mjs';
import { ApiError } from '../http/apiError.mjs';
import type { Account } from '../seed.mjs';
import { faultSchema } from './faults.mjs';
import { type Variants, variantsSchema } from './variants.mjs';

const account = z.string().default('demo');
const creditsSchema = z.object({ account, credits: z.number().int().nonnegative() }).strict();
const keySchema = z.object({ account, key: z.string().min(1) }).strict();
/** Books and bank accounts are computed up to the clock's day, so the day must not be millennia away. */
const momentSchema = z
	.string()
	.datetime({ offset: true })
	.refine((moment) => moment < '2100', 'The books end with 2099.');
const clockSchema = z.object({ now: momentSchema.nullable() }).strict();
const limitSchema = z.object({ limit: z.coerce.number().int().positive().optional() });

/** Minimum pause between two change notifications to the page. */
const CHANGE_INTERVAL_MS = 250;

/**
 * Adds the routes of the control API that belong to no module: state, accounts, clock, faults, variants, lists and
 * live changes. docs/dev/sandbox.md describes them all.
 */
export function addControlApi(app: FastifyInstance, context: SandboxContext): void {
	const { store, services, log, faults } = context;
	const findAccount = (id: string): Account => {
		const found = store.accounts.find((one) => one.id === id);
		if (!found) throw new ApiError(404, `There is no account "${id}".`, 'account');
		return found;
	};
	const setVariants = (variants: Variants): Variants => {
		context.variants = variants;
		services.payments.lagMs = variants.paymentLagMs ?? 0;
		return variants;
	};
	const changed = <T,>(result: T): T => {
		store.events.emit('change');
		return result;
	};

	app.get('/state', () => store.snapshot());
	app.post('/reset', () => {
		store.reset();
		log.clear();
		faults.clear();
		setVariants({});
		return changed({});
	});

	app.get('/accounts', () => store.accounts);
	app.post('/credits', ({ body }) => {
		const { account, credits } = creditsSchema.parse(body ?? {});
		return changed(Object.assign(findAccount(account), { credits }));
	});
	app.post('/keys', ({ body }) => {
		const { account, key } = keySchema.parse(body ?? {});
		if (store.accountForKey(key)) throw new ApiError(409, 'The key already exists.', 'key');
		findAccount(account).keys.push(key);
		return changed(findAccount(account));
	});
	app.delete<{ Params: { key: string } }>('/keys/:key', ({ params }) => {
		const owner = store.accountForKey(params.key);
		if (!owner) throw new ApiError(404, 'There is no such key.', 'key');
		owner.keys = owner.keys.filter((key) => key !== params.key);
		return changed(owner);
	});

	app.get('/clock', () => ({ now: store.now() }));
	app.post('/clock', ({ body }) => {
		const { now } = clockSchema.parse(body ?? {});
		store.setNow(now === null ? null : new Date(now));
		return { now: store.now() };
	});

	app.get('/faults', () => faults.list);
	app.post('/faults', ({ body }) => changed(faults.add(faultSchema.parse(body ?? {}))));
	app.delete('/faults', () => {
		faults.clear();
		return changed([]);
	});
	app.get('/variants', () => context.variants);
	app.post('/variants', ({ body }) => setVariants(variantsSchema.parse(body ?? {})));
	app.delete('/variants', () => setVariants({}));

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
		const items = store.list(params.list);
		if (!items) throw new ApiError(404, `There is no list "${params.list}".`);
		return last(items, query);
	});

	// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
	app.get('/events', (_request, reply) => {
		reply.hijack();
		const page = reply.raw.writeHead(200, {
			'content-type': 'text/event-stream',
			'cache-control': 'no-cache',
		});
		const send = throttle(() => page.write('event: change\ndata: {}\n\n'), CHANGE_INTERVAL_MS);
		store.events.on('change', send);
		page.once('close', () => {
			store.events.off('change', send);
			send.cancel();
		});
		page.write('retry: 1000\nevent: change\ndata: {}\n\n');
	});
}
