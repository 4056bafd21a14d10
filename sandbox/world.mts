import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Account, type Company, companies, seedAccounts } from './accounts.mjs';
import { Bank } from './bank.mjs';
import { Files } from './files.mjs';
import { Ledger } from './ledger.mjs';
import { Payments } from './payments.mjs';
import { Webhooks } from './webhooks.mjs';

export type { Account, Company, Connection, Module } from './accounts.mjs';
export type { CashEntry, CashLine, Ledger } from './ledger.mjs';

/** One domain's part of the state. `value` is replaced on reset and restore: never keep it beyond one call. */
export interface Slice<T> {
	value: T;
}

/** The whole state as JSON: the slices by name. */
export type Snapshot = Record<string, unknown>;

/** What the page shows of an item of the list `payments`. */
export interface ListedPayment {
	id: string;
	status: string;
	payment_attributes: { amount: string; currency_code: string; creditor_name: string; description: string };
	/** The moves that are possible now: each is a button that calls `POST /sandbox/payments/:id/:transition`. */
	transitions: string[];
}

export interface WorldOptions {
	/** The same seed gives the same ids and the same books. Default 1. */
	seed?: number;
	/** Where the clock stands still; without it, it is the machine's. */
	now?: Date;
}

/**
 * The sandbox's state, in memory. Each domain keeps its part in a slice of plain JSON data, so that reset, snapshot
 * and restore work for all of them alike.
 */
export class World {
	/**
	 * `change`: something that the page shows is different. `reset`, `close`: whoever has timers running stops them.
	 */
	readonly events = new EventEmitter<{ change: []; reset: []; close: [] }>();
	readonly seed: number;
	/** The client companies whose books exist here. */
	readonly companies: readonly Company[] = companies;
	/** The contents of the files that arrived. */
	readonly files: Files;
	readonly bank: Bank;
	readonly payments: Payments;
	readonly webhooks: Webhooks;
	/** The companies' books. */
	readonly ledger: Ledger;

	readonly #slices = new Map<string, Slice<unknown> & { seed: () => unknown }>();
	readonly #lists = new Map<string, () => readonly unknown[]>();
	readonly #clock: Slice<{ now: string | null }>;
	readonly #counters: Slice<Record<string, number>>;
	readonly #accounts: Slice<Account[]>;

	constructor({ seed = 1, now }: WorldOptions = {}) {
		// One listener for each open page.
		this.events.setMaxListeners(0);
		this.seed = seed;
		this.#clock = this.slice('clock', () => ({ now: now?.toISOString() ?? null }));
		this.#counters = this.slice<Record<string, number>>('counters', () => ({}));
		this.#accounts = this.slice('accounts', () => seedAccounts((name) => this.fixedId(name)));
		this.files = new Files(this);
		this.bank = new Bank(this);
		this.payments = new Payments(this);
		this.webhooks = new Webhooks(this);
		this.ledger = new Ledger(this);
	}

	/** A part of the state. `seed` makes its first value, again on every reset; it must be plain JSON data. */
	slice<T>(name: string, seed: () => T): Slice<T> {
		if (this.#slices.has(name)) throw new Error(`The slice "${name}" exists already.`);
		const slice = { value: seed(), seed };
		this.#slices.set(name, slice);
		return slice;
	}

	/** Makes a list readable as `GET /sandbox/<name>`, for tests and for the page. */
	list(name: string, items: () => readonly unknown[]): void {
		this.#lists.set(name, items);
	}

	/** The items of a list made with `list`, or undefined. */
	listed(name: string): readonly unknown[] | undefined {
		return this.#lists.get(name)?.();
	}

	/** The sandbox's time. */
	now(): Date {
		const { now } = this.#clock.value;
		return now === null ? new Date() : new Date(now);
	}

	/** Stops the clock at a time; null lets it follow the machine's. */
	setNow(now: Date | null): void {
		this.#clock.value.now = now?.toISOString() ?? null;
		this.events.emit('change');
	}

	/** The next UUID of a kind (`ticket`, `document`): the same in every run with the same seed. */
	id(kind: string): string {
		return this.fixedId(`${kind}/${this.count(kind)}`);
	}

	/** The UUID that a name has under this seed. */
	fixedId(name: string): string {
		const hex = createHash('sha256').update(`${this.seed}/${name}`).digest('hex');
		const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
	}

	/** 1, 2, 3 … for each kind. */
	count(kind: string): number {
		return (this.#counters.value[kind] = (this.#counters.value[kind] ?? 0) + 1);
	}

	get accounts(): readonly Account[] {
		return this.#accounts.value;
	}

	/** The account that an API key belongs to. */
	accountOfKey(key: string): Account | undefined {
		return this.accounts.find(({ keys }) => keys.includes(key));
	}

	/** A copy of the whole state. */
	snapshot(): Snapshot {
		return structuredClone(Object.fromEntries([...this.#slices].map(([name, { value }]) => [name, value])));
	}

	/** Puts a snapshot's state in place; slices that it lacks start afresh. */
	restore(snapshot: Snapshot): void {
		this.events.emit('reset');
		for (const [name, slice] of this.#slices) {
			slice.value = name in snapshot ? structuredClone(snapshot[name]) : slice.seed();
		}
		this.events.emit('change');
	}

	/** Everything as it was at the start. */
	reset(): void {
		this.restore({});
	}
}
