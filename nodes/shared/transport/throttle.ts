import { sleep } from 'n8n-workflow';

import type { Failure } from '../errors/failure';
import { PAUSE_PIECE_MS } from './deadline';
import type { SendResult } from './request';
import { FIRST_PAUSE, LONGEST_PAUSE } from './retry';

/** Requests at once that no gateway is asked to prove it bears. */
const FIRST_LIMIT = 4;

/** An answer is slow, and so the gateway busy, when it takes this many times as long as the quickest one. */
const SLOW = 2;
/** Milliseconds by which any answer may be late for reasons of the network or of this machine. */
const JITTER = 25;

/** What a refusal leaves of the limit, and where quick growth ends afterwards. */
const DECREASE = 0.5;
const RECOVERY = 0.9;
/** By how much the limit grows beyond, with each round of successes. */
const PROBE = 0.1;

/** How the pace of a gateway that counts requests is found: slower by this after a refusal … */
const SLOWER = 1.15;
/** … and quicker by this after a success, twice as much after each further round of successes. */
const QUICKER = 0.005;
const ROUND = 20;

/**
 * Lets as many reads be under way as the gateway bears, and as often: more while answers stay quick, half as many after a
 * 429 or 503. A `Retry-After` holds for all that wait. Where the gateway counts requests per time, they start at the
 * pace that it accepted.
 */
export class Throttle {
	private limit: number;
	/** Up to this limit it doubles with each round of successes; beyond, it grows by `PROBE`. */
	private threshold = Infinity;
	private underWay = 0;
	private readonly waiting: Array<() => void> = [];
	private readonly waitingAgain: Array<() => void> = [];
	private scheduled = false;

	/** Milliseconds of the quickest answer. */
	private quickest = Infinity;
	/** Counts the refusals that the throttle has reacted to. */
	private reactions = 0;
	/** When the gateway takes requests again. */
	private opensAt: number;
	/** Milliseconds between two starts; 0 where the gateway doesn't seem to count. */
	private interval = 0;
	private lastStart = -Infinity;
	/** Requests that were sent and not refused since the gateway opened. */
	private accepted = 0;
	/** Since the gateway opened. */
	private successes = 0;

	/**
	 * @param max requests under way that are never exceeded
	 * @param isCanceled ends all waiting
	 */
	constructor(
		private readonly max: number,
		private readonly isCanceled: () => boolean = () => false,
	) {
		this.limit = Math.min(FIRST_LIMIT, max);
		this.opensAt = performance.now();
	}

	/** How many requests may be under way at once now. */
	get atOnce(): number {
		return Math.floor(this.limit);
	}

	/**
	 * Waits until a request may start.
	 * @param isRepeated a request that was sent before goes before those that weren't
	 * @returns to be called once, with what became of the request
	 */
	async enter(isRepeated = false): Promise<(result: SendResult) => void> {
		await new Promise<void>((start) => {
			(isRepeated ? this.waitingAgain : this.waiting).push(start);
			this.startNext();
		});
		const startedAt = performance.now();
		const { reactions } = this;
		return (result) => {
			// What was under way at the last refusal tells nothing new.
			const isNews = reactions === this.reactions;
			if (result.ok) this.grow(performance.now() - startedAt);
			else if (isRefusal(result.failure)) this.shrink(result.failure, isNews);
			this.underWay--;
			this.startNext();
		};
	}

	private startNext(): void {
		if (this.scheduled) return;
		while (this.waiting.length + this.waitingAgain.length > 0 && this.underWay < this.atOnce) {
			const now = performance.now();
			const wait = Math.max(this.opensAt, this.lastStart + this.interval) - now;
			if (wait > 0 && !this.isCanceled()) {
				this.scheduled = true;
				void sleep(Math.min(wait, PAUSE_PIECE_MS)).then(() => {
					this.scheduled = false;
					this.startNext();
				});
				return;
			}
			this.lastStart = now;
			this.accepted++;
			this.underWay++;
			(this.waitingAgain.shift() ?? this.waiting.shift())?.();
		}
	}

	private grow(milliseconds: number): void {
		this.successes++;
		this.quickest = Math.min(this.quickest, milliseconds);
		this.interval /= 1 + QUICKER * 2 ** Math.floor(this.successes / ROUND);
		const isQuick = milliseconds <= this.quickest * SLOW + JITTER;
		// A limit that isn't reached would prove nothing.
		if (!isQuick || this.underWay < this.atOnce) return;
		const next =
			this.limit < this.threshold
				? Math.min(this.threshold, this.limit + 1)
				: this.limit + PROBE / this.limit;
		this.limit = Math.min(this.max, next);
	}

	private shrink({ status, retryAfter }: Failure, isNews: boolean): void {
		this.accepted--;
		const opensAt = Math.max(this.opensAt, performance.now() + this.pauseOf(status, retryAfter) * 1000);
		if (isNews) {
			this.reactions++;
			this.threshold = this.limit * RECOVERY;
			this.limit = Math.max(1, this.limit * DECREASE);
			if (status === 429) this.slowDown(opensAt);
		}
		this.opensAt = opensAt;
	}

	/** Seconds for which nothing is sent. A gateway that counts requests needs a pause even where it names none. */
	private pauseOf(status: number | undefined, retryAfter = status === 429 ? FIRST_PAUSE : 0): number {
		return retryAfter <= LONGEST_PAUSE ? retryAfter : 0;
	}

	/** The first pace is what the gateway accepted since it opened, measured to when it opens again. */
	private slowDown(opensAt: number): void {
		this.interval =
			this.interval > 0 ? this.interval * SLOWER : (opensAt - this.opensAt) / Math.max(1, this.accepted);
		this.accepted = 0;
		this.successes = 0;
	}
}

const isRefusal = ({ status }: Failure) => status === 429 || status === 503;
