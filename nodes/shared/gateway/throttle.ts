import { sleep } from 'n8n-workflow';
import { maxBy } from 'lodash';

import type { Failure } from '../errors/failure';
import { refusedThroughout } from '../errors/noTurn';
import { PAUSE_PIECE_MS } from './deadline';
import type { SendResult } from './request';
import { FIRST_PAUSE, LONGEST_PAUSE, TRIES } from './retry';

// test/nodes/shared/gateway/throttleRules.test.mts shows what each rule gains, and on which kind of gateway.

/** How many requests may be in flight from the start. */
const FIRST_LIMIT = 8;

/** An answer is slow, and the gateway therefore busy, when it takes this many times as long as the quickest one. */
const SLOW = 2;
/** Milliseconds by which any answer may be late for reasons of the network or of this machine. */
const JITTER = 25;

/**
 * The part of the limit that is left after a 503 with no more requests in flight than the gateway has handled before.
 */
const DECREASE = 0.5;
/** As many in flight as were refused are tried again only after this many times the pause that the refusal cost. */
const PROBE_AFTER = 20;

/** How the pace of a gateway that counts requests is found: slower by this after a refusal … */
const SLOWER = 1.15;
/** … and quicker by this after a success, twice as much after each further round of successes. */
const QUICKER = 0.003;
const ROUND = 20;

/**
 * Milliseconds without a success after which a gateway that accepted requests before counts as refusing everything,
 * once a read has given up. A limit per minute has been reset by then.
 */
const PATIENCE = 1.5 * LONGEST_PAUSE * 1000;

/** Tells the throttle the outcome of a request; call it once. */
export type Leave = (result: SendResult) => void;

interface Waiting {
	/** @param inFlight how many requests are, this one included; undefined: it never will be */
	end: (inFlight?: number) => void;
	/** How often it was sent before. */
	tries: number;
}

/**
 * Keeps as many reads in flight as the gateway can take, and starts them as fast as it can take them: more while
 * answers stay quick, fewer after a 429 or 503. A `Retry-After` applies to all waiting reads. A refusal with more in
 * flight than ever before shows how many the gateway takes at once. A 429 with no more in flight than it has handled
 * before shows that it limits requests per time: from then on, they start at the pace that it accepted. A gateway that
 * keeps refusing everything gets no more requests: each retry takes time, and a run may have thousands of reads.
 */
export class Throttle {
	private limit: number;
	/** The most that the gateway has taken in flight. */
	private borne = 0;
	/** One less than it has refused, until it is time to try more. */
	private ceiling = Infinity;
	private probeAt = Infinity;
	private inFlight = 0;
	private readonly waiting = new Set<Waiting>();
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
	/** Whether a request has succeeded since the last 429; until then they start one by one. */
	private isOpen = true;
	/** Since when requests are counted, to find the pace that the gateway accepts. */
	private countedFrom: number;
	/** Requests that were sent since then and not refused. */
	private accepted = 0;
	/** Since the pace was last changed by a refusal. */
	private successes = 0;
	private lastSuccess = -Infinity;
	/** Refusals since the last success. */
	private refusedInARow = 0;
	/** Why nothing more is sent in this run. */
	private end?: Failure;

	/** @param max requests in flight that are never exceeded */
	constructor(private readonly max: number) {
		this.limit = Math.min(FIRST_LIMIT, max);
		this.opensAt = this.countedFrom = performance.now();
	}

	/** How many requests may be in flight right now. */
	get atOnce(): number {
		return Math.floor(this.limit);
	}

	/** Why no more requests may start, if so. */
	get refusal(): Failure | undefined {
		return this.end;
	}

	/**
	 * Waits until a request may start.
	 * @param signal ends the waiting: the request's time is up, or the execution is canceled
	 * @param tries how often it was sent before; the one with the most tries goes first, so that it finishes
	 * @returns `undefined`: it may not start, as the signal or `refusal` says
	 */
	async enter(signal?: AbortSignal, tries = 0): Promise<Leave | undefined> {
		if (this.end || signal?.aborted) return undefined;
		const inFlight = await this.turn(signal, tries);
		if (inFlight === undefined) return undefined;
		const startedAt = performance.now();
		const { reactions } = this;
		return (result) => {
			// A request that was in flight at the last refusal tells nothing new.
			const isNews = reactions === this.reactions;
			if (result.ok) this.grow(performance.now() - startedAt, inFlight, isNews);
			else if (isRefusal(result.failure)) {
				if (startedAt >= this.countedFrom) this.accepted--;
				this.shrink(result.failure, isNews, inFlight);
			}
			this.inFlight--;
			this.startNext();
		};
	}

	/** Call this when a failed read isn't sent again. */
	giveUp(failure: Failure): void {
		const isPatient = performance.now() - this.lastSuccess <= PATIENCE || this.refusedInARow < TRIES;
		if (isPatient || !isRefusal(failure)) return;
		this.end = refusedThroughout(failure.status);
		for (const { end } of this.waiting) end();
	}

	private async turn(signal: AbortSignal | undefined, tries: number): Promise<number | undefined> {
		return await new Promise((resolve) => {
			const end = (inFlight?: number) => {
				this.waiting.delete(own);
				signal?.removeEventListener('abort', abort);
				resolve(inFlight);
			};
			const abort = () => end();
			const own = { end, tries };
			this.waiting.add(own);
			signal?.addEventListener('abort', abort);
			this.startNext();
		});
	}

	private startNext(): void {
		if (this.scheduled) return;
		while (this.waiting.size > 0 && this.inFlight < (this.isOpen ? this.atOnce : 1)) {
			const now = performance.now();
			const wait = Math.max(this.opensAt, this.lastStart + this.interval) - now;
			if (wait > 0) {
				this.scheduled = true;
				void sleep(Math.min(wait, PAUSE_PIECE_MS)).then(() => {
					this.scheduled = false;
					this.startNext();
				});
				return;
			}
			this.lastStart = now;
			this.accepted++;
			this.inFlight++;
			maxBy([...this.waiting], 'tries')?.end(this.inFlight);
		}
	}

	private grow(milliseconds: number, inFlight: number, isNews: boolean): void {
		this.isOpen ||= isNews;
		this.successes++;
		this.lastSuccess = performance.now();
		this.refusedInARow = 0;
		this.borne = Math.max(this.borne, inFlight);
		this.quickest = Math.min(this.quickest, milliseconds);
		this.interval /= 1 + QUICKER * 2 ** Math.floor(this.successes / ROUND);
		const isQuick = milliseconds <= this.quickest * SLOW + JITTER;
		// A limit that isn't reached would prove nothing.
		if (!isQuick || this.inFlight < this.atOnce) return;
		if (performance.now() >= this.probeAt) this.ceiling = Infinity;
		this.limit = Math.min(this.max, this.ceiling, this.limit + 1);
	}

	private shrink({ status, retryAfter }: Failure, isNews: boolean, inFlight: number): void {
		this.isOpen &&= status !== 429;
		this.refusedInARow++;
		const pause = this.pauseOf(status, retryAfter) * 1000;
		const opensAt = Math.max(this.opensAt, performance.now() + pause);
		// A single request was refused, so the number in flight isn't the reason.
		if (inFlight === 1) this.ceiling = Infinity;
		const isTooMany = inFlight > Math.max(1, this.borne);
		if (isTooMany && (isNews || this.ceiling < Infinity)) {
			this.ceiling = Math.min(this.ceiling, inFlight - 1);
			this.limit = Math.min(this.limit, this.ceiling);
			this.probeAt = performance.now() + PROBE_AFTER * Math.max(pause, FIRST_PAUSE * 1000);
		} else if (isNews) {
			if (status === 429) this.slowDown(opensAt);
			else this.limit = Math.max(1, this.limit * DECREASE);
		}
		if (isNews) this.reactions++;
		this.opensAt = opensAt;
	}

	/** Seconds for which nothing is sent. A gateway that counts requests needs a pause even where it names none. */
	private pauseOf(status: number | undefined, retryAfter = status === 429 ? FIRST_PAUSE : 0): number {
		return retryAfter <= LONGEST_PAUSE ? retryAfter : 0;
	}

	/**
	 * The first pace is what the gateway accepted from the start until it opens again; if it accepted nothing, there is
	 * no pace to keep. The interval never exceeds the longest pause before a retry.
	 */
	private slowDown(opensAt: number): void {
		if (this.interval > 0) this.interval = Math.min(this.interval * SLOWER, LONGEST_PAUSE * 1000);
		else if (this.successes > 0 && this.accepted > 0)
			this.interval = (opensAt - this.countedFrom) / this.accepted;
		this.accepted = 0;
		this.countedFrom = opensAt;
		this.successes = 0;
	}
}

const isRefusal = ({ status }: Failure) => status === 429 || status === 503;
