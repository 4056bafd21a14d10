import { setMaxListeners } from 'node:events';
import axios, { type AxiosError } from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';
import { z } from 'zod';
import type { World } from './world.mjs';

/** How events are delivered. Retries and guarantees are "not shown"; these are the sandbox's own. */
export const deliverySettingsSchema = z
	.object({
		/** How often a delivery is repeated that wasn't answered with 2xx. */
		retries: z.number().int().min(0).max(20).default(5),
		/** The pause before the first repetition; it doubles each time. */
		delayMs: z.number().min(0).max(60_000).default(1000),
		/** How long the answer may take. */
		timeoutMs: z.number().min(1).max(120_000).default(10_000),
	})
	.strict();
export type DeliverySettings = z.output<typeof deliverySettingsSchema>;

interface Attempt {
	/** Machine time, ISO. */
	at: string;
	/** HTTP status; null when no answer came. */
	status: number | null;
	/** Node.js's code, when no answer came. */
	error?: string;
	durationMs: number;
}

/** An event on its way to the URL that was set when it happened. */
export interface Delivery {
	nr: number;
	account: string;
	url: string;
	event: unknown;
	state: 'pending' | 'delivered' | 'failed';
	attempts: Attempt[];
}

/** The log keeps this many deliveries. */
const KEPT = 10_000;

/** The webhook URL of each account, and what was delivered there. */
export class Webhooks {
	readonly #urls;
	readonly #settings;
	readonly #deliveries;
	#stop = stopper();

	constructor(private readonly world: World) {
		this.#urls = world.slice<Record<string, string>>('webhookUrls', () => ({}));
		this.#settings = world.slice<DeliverySettings>('deliverySettings', () =>
			deliverySettingsSchema.parse({}),
		);
		this.#deliveries = world.slice<Delivery[]>('deliveries', () => []);
		world.list('webhooks', () =>
			Object.entries(this.#urls.value).map(([account, url]) => ({ account, url })),
		);
		world.list('deliveries', () => this.#deliveries.value);
		world.events.on('reset', () => this.#stopAll());
		world.events.on('close', () => this.#stopAll());
	}

	get settings(): DeliverySettings {
		return this.#settings.value;
	}

	set settings(settings: DeliverySettings) {
		this.#settings.value = settings;
	}

	/** Sets the one URL of an account; null clears it. */
	setUrl(account: string, url: string | null): void {
		if (url === null) delete this.#urls.value[account];
		else this.#urls.value[account] = url;
		this.world.events.emit('change');
	}

	/**
	 * Delivers an event to the account's URL.
	 * @returns what became of it in the end; undefined when the account has no URL
	 */
	deliver(account: string, event: unknown): Promise<Delivery> | undefined {
		const url = this.#urls.value[account];
		if (url === undefined) return undefined;
		const nr = this.world.count('delivery');
		const delivery: Delivery = { nr, account, url, event, state: 'pending', attempts: [] };
		this.#deliveries.value.push(delivery);
		if (this.#deliveries.value.length > KEPT) this.#deliveries.value.shift();
		return this.#send(delivery);
	}

	async #send(delivery: Delivery): Promise<Delivery> {
		const { retries, delayMs, timeoutMs } = this.settings;
		const { signal } = this.#stop;
		const client = axios.create({ timeout: timeoutMs, signal, maxRedirects: 0, proxy: false });
		let started = 0;
		const note = (answer: Pick<Attempt, 'status' | 'error'>) => {
			const durationMs = Math.round((performance.now() - started) * 10) / 10;
			delivery.attempts.push({ at: new Date().toISOString(), ...answer, durationMs });
			this.world.events.emit('change');
		};
		client.interceptors.request.use((config) => {
			started = performance.now();
			return config;
		});
		// Before axios-retry's own, so that it sees each attempt.
		client.interceptors.response.use(
			(response) => {
				note({ status: response.status });
				return response;
			},
			(error: AxiosError) => {
				note({ status: error.response?.status ?? null, error: error.response ? undefined : error.code });
				return Promise.reject(error);
			},
		);
		axiosRetry(client, {
			retries,
			shouldResetTimeout: true,
			retryCondition: (error) => !axios.isCancel(error),
			// It doubles already before the first repetition.
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
		this.world.events.emit('change');
		return delivery;
	}

	#stopAll(): void {
		this.#stop.abort();
		this.#stop = stopper();
	}
}

/** Stops any number of deliveries, without Node.js warning of their number. */
function stopper(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}
