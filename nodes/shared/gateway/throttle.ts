import { sleep } from 'n8n-workflow';

import type { Failure } from '../errors';
import { both } from '../values';
import { PAUSE_PIECE_MS } from './deadline';
import type { SendResult } from './request';

/** Seconds. */
export const FIRST_PAUSE = 0.5;
export const LONGEST_PAUSE = 60;
/** The number of requests that may be in flight at the start. */
const FIRST_LIMIT = 8;
/** After a refusal with a pause, the limit stays as it is for this many times the pause … */
const HOLD = 20;
/** … and then grows by this much after each success. */
const GROWTH = 0.1;
/** A run ends after so many seconds of nothing but refusals: if the gateway has accepted nothing yet, and if it has. */
const PATIENCE = { atFirst: 3, later: 1.5 * LONGEST_PAUSE };

/** Tells the throttle the outcome of a request; call it once. */
type Leave = (result: SendResult) => void;

/**
 * Keeps as many reads in flight as the gateway accepts: one more after each success until it refuses some, half as many
 * after a 429 or 503. The pause that a refusal asks for applies to all reads. From then on, reads start at even
 * intervals; a limit below one means a pause between two reads, no longer than the one that was asked for. A gateway
 * that refuses everything gets no more requests.
 */
export class Throttle {
	/** Why no more requests may start; `undefined` if they may. */
	refusal?: Failure;
	/** The number of requests that may be in flight; it may be a fraction. */
	private limit: number;
	private inFlight = 0;
	/** When the next request may start. */
	private opensAt = 0;
	/** When the limit may grow again; `undefined` as long as the gateway has asked for no pause. */
	private growsAt?: number;
	/** Duration of the latest success in milliseconds; `undefined` as long as there was none. */
	private latency?: number;
	/** Counts how often the limit was halved. */
	private round = 0;
	/** Seconds of the latest pause, if nothing has succeeded since. */
	private pause = 0;
	/** When it was refused first since the last success. */
	private refusedSince?: number;
	/** Requests that wait for another one to leave. */
	private waiting: Array<() => void> = [];

	/** @param max the most requests that may ever be in flight */
	constructor(private readonly max: number) {
		this.limit = Math.min(FIRST_LIMIT, max);
	}

	/**
	 * Waits until a request may start.
	 * @param signal ends the waiting: the request's time is up, or the execution is canceled
	 * @returns `undefined` if the request may not start, for the reason that the signal or `refusal` gives
	 */
	async enter(signal?: AbortSignal): Promise<Leave | undefined> {
		while (!this.refusal && !signal?.aborted) {
			const wait = this.opensAt - performance.now();
			if (wait <= 0 && this.inFlight < this.limit) return this.start();
			if (wait > 0) await sleep(Math.min(wait, PAUSE_PIECE_MS));
			else await Promise.race([sleep(PAUSE_PIECE_MS), new Promise<void>((wake) => this.waiting.push(wake))]);
		}
		return undefined;
	}

	private start(): Leave {
		const startedAt = performance.now();
		const { round } = this;
		const interval = this.growsAt === undefined ? 0 : (this.latency ?? 0) / this.limit;
		this.opensAt = startedAt + Math.min(interval, LONGEST_PAUSE * 1000);
		this.inFlight++;
		return (result) => {
			this.inFlight--;
			if (result.ok) this.grow(performance.now() - startedAt);
			// A request that was in flight at the last refusal tells nothing new.
			else if (isRefusal(result.failure)) this.shrink(result.failure, round === this.round);
			for (const wake of this.waiting.splice(0)) wake();
		};
	}

	private grow(latency: number): void {
		this.latency = latency;
		this.refusedSince = undefined;
		this.pause = 0;
		// After a refusal, one more for a whole round of successes: the gateway may take only so many at once.
		if (this.growsAt === undefined)
			this.limit = Math.min(this.max, this.limit + (this.round === 0 ? 1 : 1 / this.limit));
		else if (performance.now() >= this.growsAt) this.limit = Math.min(this.max, this.limit * (1 + GROWTH));
	}

	private shrink({ status, retryAfter }: Failure, isNews: boolean): void {
		const now = performance.now();
		// A gateway that counts requests needs a pause even where it names none.
		const own = status === 429 && isNews ? Math.max(FIRST_PAUSE, 2 * this.pause) : 0;
		const asked = retryAfter ?? Math.min(own, LONGEST_PAUSE);
		// A single read wouldn't wait longer than this either.
		const pause = asked <= LONGEST_PAUSE ? asked : 0;
		this.opensAt = Math.max(this.opensAt, now + pause * 1000);
		if (!isNews) return;
		this.round++;
		this.pause = pause;
		if (pause > 0) this.growsAt = this.opensAt + HOLD * pause * 1000;
		const least = pause > 0 ? (this.latency ?? 0) / (pause * 1000) : 1;
		this.limit = Math.max(least, this.limit / 2);
		this.refusedSince ??= now;
		const patience = this.latency === undefined ? PATIENCE.atFirst : PATIENCE.later;
		if (now - this.refusedSince >= patience * 1000) this.refusal = refusedThroughout(status);
	}
}

const isRefusal = ({ status }: Failure) => status === 429 || status === 503;

/** @param status the status of the refusals */
const refusedThroughout = (status: number | undefined): Failure => ({
	outcome: 'notSent',
	message: both(
		`The gateway kept refusing all requests (HTTP ${status}), so this one was not sent`,
		`Das Gateway hat alle Anfragen abgelehnt (HTTP ${status}), darum wurde diese nicht gesendet`,
	),
	description: both(
		'The limit of requests for this API key may be used up, by other workflows as well, or the gateway is overloaded or under maintenance. Wait, then run the node again for what is missing.',
		'Die erlaubte Zahl der Anfragen mit diesem API-Schlüssel ist vielleicht verbraucht, auch durch andere Workflows, oder das Gateway ist überlastet oder wird gewartet. Warten Sie und führen Sie den Node für das Fehlende noch einmal aus.',
	),
});

/** The failure of a read whose turn never came. */
export const TURN_TOO_LATE: Failure = {
	outcome: 'notSent',
	message: both(
		'The request was not sent: it waited too long for its turn',
		'Die Anfrage wurde nicht gesendet: Sie wartete zu lange, bis sie an der Reihe war',
	),
	description: both(
		'The gateway accepts only a few requests at a time. Raise "Timeout" in the options of the node, or give the node fewer items at once.',
		'Das Gateway nimmt nur wenige Anfragen auf einmal an. Erhöhen Sie „Timeout“ in den Optionen des Nodes, oder geben Sie ihm weniger Items auf einmal.',
	),
};
