import { setMaxListeners } from 'node:events';
import axios, { type AxiosError } from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
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
		timeoutMs: z.number().min(1).max(120_000).default(10_000),
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
		store.events.on('reset', () => this.#stopAll());
		store.events.on('close', () => this.#stopAll());
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
		return this.#send(delivery);
	}

	async #send(delivery: Delivery): Promise<Delivery> {
		const { retries, delayMs, timeoutMs } = this.settings;
		const { signal } = this.#abort;
		const client = axios.create({ timeout: timeoutMs, signal, maxRedirects: 0, proxy: false });
		let started = 0;
		const record = (answer: Pick<Attempt, 'status' | 'error'>) => {
			const durationMs = Math.round((performance.now() - started) * 10) / 10;
			delivery.attempts.push({ at: new Date().toISOString(), ...answer, durationMs });
			this.store.events.emit('change');
		};
		client.interceptors.request.use((config) => {
			started = performance.now();
			return config;
		});
		// Added before axios-retry's interceptor, to record each attempt.
		client.interceptors.response.use(
			(response) => {
				record({ status: response.status });
				return response;
			},
			(error: AxiosError) => {
				record({ status: error.response?.status ?? null, error: error.response ? undefined : error.code });
				return Promise.reject(error);
			},
		);
		axiosRetry(client, {
			retries,
			shouldResetTimeout: true,
			retryCondition: (error) => !axios.isCancel(error),
			// Half the pause, because axios-retry doubles it even before the first retry.
			retryDelay: (count, error) => exponentialDelay(count, error, delayMs / 2),
		});
		try {
			await client.post(delivery.url, delivery.event, {
				headers: { 'user-agent': 'accounting-gateway-sandbox' },
			});
			delivery.state = 'delivered';
		} catch {
			delivery.state = 'failed';
		}
		this.store.events.emit('change');
		return delivery;
	}

	#stopAll(): void {
		this.#abort.abort();
		this.#abort = createAbortController();
	}
}

/** Allows any number of listeners, one for each delivery; by default, Node.js warns of more than ten. */
function createAbortController(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}
