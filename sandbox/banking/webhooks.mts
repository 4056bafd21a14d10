import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosError } from 'axios';
import { z } from 'zod';
import { keepLast, type Slice, type Store } from '../store.mjs';

/** How events are delivered. The contract promises neither delivery nor retries, so these settings are the sandbox's own. */
export const deliverySettingsSchema = z
	.object({
		/** Maximum number of retries of a delivery without a 2xx answer. */
		retries: z.number().int().min(0).max(20).default(5),
		/** The pause before the first retry; it doubles each time. */
		delayMs: z.number().min(0).max(60_000).default(1000),
		/** Time limit for the answer. */
		timeoutMs: z.number().int().min(1).max(120_000).default(10_000),
	})
	.strict();
export type DeliverySettings = z.output<typeof deliverySettingsSchema>;

interface Attempt {
	/** Machine time, ISO. */
	at: string;
	/** HTTP status; null if no answer came. */
	status: number | null;
	/** Node.js's error code, if no answer came. */
	error?: string;
	durationMs: number;
}

/** An event, delivered to the URL that was set when it happened. */
export interface Delivery {
	nr: number;
	account: string;
	url: string;
	event: unknown;
	state: 'pending' | 'delivered' | 'failed';
	attempts: Attempt[];
}

/** The webhook URL of each account, and the deliveries to it. */
export class Webhooks {
	/** Webhook URLs by account. */
	readonly #urls: Slice<Record<string, string>>;
	readonly #settings: Slice<DeliverySettings>;
	readonly #deliveries: Slice<Delivery[]>;
	#abort = createAbortController();

	constructor(private readonly store: Store) {
		this.#urls = store.addSlice('webhookUrls', () => ({}));
		this.#settings = store.addSlice('deliverySettings', () => deliverySettingsSchema.parse({}));
		this.#deliveries = store.addSlice('deliveries', () => []);
		store.addList('webhooks', () =>
			Object.entries(this.#urls.value).map(([account, url]) => ({ account, url })),
		);
		store.addList('deliveries', () => this.#deliveries.value);
		store.events.on('reset', () => {
			this.#abort.abort();
			this.#abort = createAbortController();
		});
		store.events.on('close', () => this.#abort.abort());
	}

	get settings(): DeliverySettings {
		return this.#settings.value;
	}

	set settings(settings: DeliverySettings) {
		this.#settings.value = settings;
		this.store.events.emit('change');
	}

	/** Sets the one URL of an account. */
	setUrl(account: string, url: string): void {
		this.#urls.value[account] = url;
		this.store.events.emit('change');
	}

	/**
	 * Delivers an event to the account's URL.
	 * @returns the delivery once it is over; undefined if the account has no URL
	 */
	deliver(account: string, event: unknown): Promise<Delivery> | undefined {
		const url = this.#urls.value[account];
		if (url === undefined) return undefined;
		const nr = this.store.nextNumber('delivery');
		const delivery: Delivery = { nr, account, url, event, state: 'pending', attempts: [] };
		keepLast(this.#deliveries.value, delivery);
		this.store.events.emit('change');
		return this.#send(delivery);
	}

	/** Goes on with the deliveries that were pending when the sandbox was stopped. */
	resume(): void {
		for (const delivery of this.#deliveries.value) void this.#send(delivery);
	}

	/** Sends a pending delivery until it is over. If everything is stopped first, it remains pending. */
	async #send(delivery: Delivery): Promise<Delivery> {
		const { retries, delayMs, timeoutMs } = this.settings;
		const { signal: stop } = this.#abort;
		const headers = { 'user-agent': 'accounting-gateway-sandbox' };
		while (delivery.state === 'pending' && !stop.aborted) {
			const started = performance.now();
			const timeout = AbortSignal.timeout(timeoutMs);
			const signal = AbortSignal.any([stop, timeout]);
			const options = { headers, signal, maxRedirects: 0, proxy: false as const };
			const answer = await axios
				.post(delivery.url, delivery.event, options)
				.catch((error: AxiosError) => error);
			if (stop.aborted) break;
			const error = axios.isAxiosError(answer) ? answer : undefined;
			const count = delivery.attempts.push({
				at: new Date().toISOString(),
				status: answer.status ?? null,
				error: error && !error.response ? (timeout.aborted ? 'ETIMEDOUT' : error.code) : undefined,
				durationMs: Math.round((performance.now() - started) * 10) / 10,
			});
			if (!error) delivery.state = 'delivered';
			else if (count > retries) delivery.state = 'failed';
			this.store.events.emit('change');
			if (delivery.state !== 'pending') break;
			// The random part keeps many deliveries from coming back at the same moment.
			const pause = delayMs * 2 ** (count - 1) * (1 + 0.2 * Math.random());
			await sleep(pause, undefined, { signal: stop }).catch(() => {});
		}
		return delivery;
	}
}

/** Allows any number of listeners, one for each delivery; by default, Node.js warns of more than ten. */
function createAbortController(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}
