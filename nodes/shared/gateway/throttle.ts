import { sleep } from 'n8n-workflow';
import { maxBy } from 'lodash';

import type { Failure } from '../errors/failure';
import { PAUSE_PIECE_MS } from './deadline';
import type { SendResult } from './request';
import { FIRST_PAUSE, LONGEST_PAUSE, TRIES } from './retry';

/** The number of requests that may be in flight at the start. */
const FIRST_LIMIT = 8;
/** After a refusal with a pause, the limit stays as it is for this many times the pause … */
const HOLD = 20;
/** … and then grows by this much after each success. */
const GROWTH = 0.02;
/** The weight of the latest success in the mean latency. */
const LATEST = 0.1;
/**
 * Milliseconds without a success after which a gateway that accepted requests before counts as refusing everything,
 * once a read has given up. A limit per minute has been reset by then.
 */
const PATIENCE = 1.5 * LONGEST_PAUSE * 1000;

/** Tells the throttle the outcome of a request; call it once. */
export type Leave = (result: SendResult) => void;

interface Waiting {
	end: (starts: boolean) => void;
	/** How often it was sent before. */
	tries: number;
}

/**
 * Keeps as many reads in flight as the gateway accepts: one more after each success until it refuses some, half as many
 * after a 429 or 503. The pause that a refusal asks for applies to all reads. From then on, reads start at even
 * intervals; a limit below one means a pause between two reads. A gateway that refuses everything gets no more
 * requests.
 */
export class Throttle {
	/** The number of requests that may be in flight; it may be a fraction. */
	private limit: number;
	/** The number of requests that the gateway accepts, once it has refused more. */
	private held?: number;
	private holdUntil = 0;
	/** When the gateway takes requests again, and when the next one may start. */
	private opensAt = 0;
	private nextStart = 0;
	/** Mean duration of a successful request, in milliseconds. */
	private latency = 0;
	private inFlight = 0;
	private readonly waiting = new Set<Waiting>();
	private isTimed = false;
	/** Counts the refusals that the throttle has reacted to. */
	private reactions = 0;
	private lastSuccess = -Infinity;
	/** Refusals since the last success, and how often the throttle has reacted to them. */
	private refusedInARow = 0;
	private backOffs = 0;
	private end?: Failure;

	/** @param max the most requests that may ever be in flight */
	constructor(private readonly max: number) {
		this.limit = Math.min(FIRST_LIMIT, max);
	}

	/** How many requests may be in flight right now. */
	get atOnce(): number {
		return Math.ceil(this.limit);
	}

	/** Why no more requests may start; `undefined` if they may. */
	get refusal(): Failure | undefined {
		return this.end;
	}

	/**
	 * Waits until a request may start.
	 * @param signal ends the waiting: the request's time is up, or the execution is canceled
	 * @param tries how often the request was sent before; the one with the most tries goes first, so that it finishes
	 * @returns `undefined` if the request may not start, for the reason that the signal or `refusal` gives
	 */
	async enter(signal?: AbortSignal, tries = 0): Promise<Leave | undefined> {
		if (this.end || signal?.aborted || !(await this.turn(signal, tries))) return undefined;
		const startedAt = performance.now();
		const { reactions } = this;
		return (result) => {
			this.inFlight--;
			if (result.ok) this.grow(performance.now() - startedAt);
			// A request that was in flight at the last refusal tells nothing new.
			else if (isRefusal(result.failure)) this.shrink(result.failure, reactions === this.reactions);
			this.startNext();
		};
	}

	/** Call this when a failed read isn't sent again. */
	giveUp(failure: Failure): void {
		const isPatient = performance.now() - this.lastSuccess <= PATIENCE || this.refusedInARow < TRIES;
		if (isPatient || !isRefusal(failure)) return;
		this.end = refusedThroughout(failure.status);
		for (const { end } of this.waiting) end(false);
	}

	private async turn(signal: AbortSignal | undefined, tries: number): Promise<boolean> {
		return await new Promise((resolve) => {
			const end = (starts: boolean) => {
				this.waiting.delete(own);
				signal?.removeEventListener('abort', abort);
				resolve(starts);
			};
			const abort = () => end(false);
			const own = { end, tries };
			this.waiting.add(own);
			signal?.addEventListener('abort', abort);
			this.startNext();
		});
	}

	private startNext(): void {
		while (!this.isTimed && this.waiting.size > 0 && this.inFlight < this.atOnce) {
			const now = performance.now();
			const wait = Math.max(this.opensAt, this.nextStart) - now;
			if (wait > 0) {
				this.isTimed = true;
				void sleep(Math.min(wait, PAUSE_PIECE_MS)).then(() => {
					this.isTimed = false;
					this.startNext();
				});
				return;
			}
			if (this.held !== undefined) {
				this.nextStart = now + Math.min(this.latency / this.limit, LONGEST_PAUSE * 1000);
			}
			this.inFlight++;
			maxBy([...this.waiting], 'tries')?.end(true);
		}
	}

	private grow(milliseconds: number): void {
		const now = performance.now();
		this.lastSuccess = now;
		this.refusedInARow = 0;
		this.backOffs = 0;
		this.latency += (milliseconds - this.latency) * (this.latency === 0 ? 1 : LATEST);
		if (now < this.holdUntil) return;
		this.limit = Math.min(this.max, this.limit + (this.held === undefined ? 1 : this.limit * GROWTH));
	}

	private shrink({ status, retryAfter }: Failure, isNews: boolean): void {
		this.refusedInARow++;
		// A gateway that counts requests needs a pause even where it names none.
		const own = status === 429 ? Math.min(FIRST_PAUSE * 2 ** this.backOffs, LONGEST_PAUSE) : 0;
		const asked = retryAfter ?? own;
		// A single read wouldn't wait longer than this either.
		const pause = asked <= LONGEST_PAUSE ? asked * 1000 : 0;
		this.opensAt = Math.max(this.opensAt, performance.now() + pause);
		if (!isNews) return;
		this.reactions++;
		this.backOffs++;
		if (pause === 0) {
			this.limit = Math.max(1, this.limit / 2);
			return;
		}
		// The requests above the limit that had held were too many; that limit itself is halved only if it no longer holds.
		this.limit = this.held !== undefined && this.limit > this.held ? this.held : this.limit / 2;
		this.held = this.limit;
		this.holdUntil = this.opensAt + HOLD * pause;
	}
}

const isRefusal = ({ status }: Failure) => status === 429 || status === 503;

/** @param status the status of the refusals */
const refusedThroughout = (status: number | undefined): Failure => ({
	outcome: 'notSent',
	message: `The gateway kept refusing all requests (HTTP ${status}), so this one was not sent`,
	description:
		status === 429
			? 'The limit of requests for this API key may be used up, or other workflows use it at the same time. Wait, then run the node again for what is missing; ask the provider of the gateway how many requests it allows.'
			: 'It is overloaded or under maintenance. Run the node again later for what is missing.',
	transient: false,
});

/** The failure of a read whose turn never came. */
export const TURN_TOO_LATE: Failure = {
	outcome: 'notSent',
	message: 'The request was not sent: it waited too long for its turn',
	description:
		'The gateway accepts only a few requests at a time. Raise "Timeout" in the options of the node, or give the node fewer items at once.',
	transient: false,
};
