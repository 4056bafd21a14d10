import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import memoize from 'lodash/memoize.js';
import { type Account, companiesOf, type Company, seedAccounts } from './seed.mjs';

/** One module's part of the state. Reset and restore replace `value`, so every call must read it again. */
export interface Slice<T> {
	value: T;
}

/** The whole state as JSON: the slices by name. */
export type Snapshot = Record<string, unknown>;

/** Maximum number of records in the lists of arrivals and of deliveries. */
const MAX_RECORDS = 10_000;

/** Adds a record to a list, and deletes the oldest if there are too many. */
export function keepLast<T>(list: T[], record: T, max = MAX_RECORDS): void {
	list.push(record);
	if (list.length > max) list.shift();
}

export interface StoreOptions {
	/** The same seed gives the same IDs and the same books. Default 1. */
	seed?: number;
	/** Stops the clock at this time. Default: the clock follows the machine's. */
	now?: Date;
	/** Number of the office's clients, 2 to 300. Default 2: the bakery and the café. */
	clients?: number;
}

/**
 * The sandbox's state in memory: slices, lists, clock, IDs and accounts. The store knows no module: each one keeps its
 * part in a slice of plain JSON data, so that reset, snapshot and restore work the same way for all of them.
 */
export class Store {
	/**
	 * `change`: something that the page shows has changed. `reset`, `close`: listeners stop timers and discard data derived
	 * from the state.
	 */
	readonly events = new EventEmitter<{ change: []; reset: []; close: [] }>();
	readonly seed: number;

	readonly #slices = new Map<string, Slice<unknown> & { seed: () => unknown }>();
	readonly #lists = new Map<string, () => readonly unknown[]>();
	readonly #clock: Slice<{ now: string | null }>;
	readonly #counters: Slice<Record<string, number>>;
	readonly #clients: Slice<number>;
	readonly #companies = memoize(companiesOf);
	readonly #accounts: Slice<Account[]>;

	constructor({ seed = 1, now, clients = 2 }: StoreOptions = {}) {
		// No limit on listeners, because each open page adds one.
		this.events.setMaxListeners(0);
		this.seed = seed;
		this.#clock = this.addSlice('clock', () => ({ now: now?.toISOString() ?? null }));
		this.#counters = this.addSlice<Record<string, number>>('counters', () => ({}));
		this.#clients = this.addSlice('clients', () => clients);
		this.#accounts = this.addSlice('accounts', () =>
			seedAccounts((name) => this.idFor(name), companiesOf(clients)),
		);
	}

	/**
	 * Adds a part of the state.
	 * @param seed creates the initial value, also on every reset; must be plain JSON data
	 */
	addSlice<T>(name: string, seed: () => T): Slice<T> {
		if (this.#slices.has(name)) throw new Error(`The slice "${name}" already exists.`);
		const slice = { value: seed(), seed };
		this.#slices.set(name, slice);
		return slice;
	}

	/** Makes a list readable as `GET /sandbox/<name>`, for tests and for the page. */
	addList(name: string, items: () => readonly unknown[]): void {
		this.#lists.set(name, items);
	}

	/** The items of a list added with `addList`, or undefined if no list has that name. */
	list(name: string): readonly unknown[] | undefined {
		return this.#lists.get(name)?.();
	}

	/** The sandbox's current time. */
	now(): Date {
		const { now } = this.#clock.value;
		return now === null ? new Date() : new Date(now);
	}

	/** Freezes the clock at a time; null lets it follow the machine's again. */
	setNow(now: Date | null): void {
		this.#clock.value.now = now?.toISOString() ?? null;
		this.events.emit('change');
	}

	/** The next UUID of a kind (`ticket`, `document`): the same sequence in every run with the same seed. */
	nextId(kind: string): string {
		return this.idFor(`${kind}/${this.nextNumber(kind)}`);
	}

	/** The UUID for a name under this seed. */
	idFor(name: string): string {
		const hex = createHash('sha256').update(`${this.seed}/${name}`).digest('hex');
		const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
	}

	/** The next number of a kind: 1, 2, 3 … */
	nextNumber(kind: string): number {
		return (this.#counters.value[kind] = this.lastNumber(kind) + 1);
	}

	/** The last number that `nextNumber` returned for a kind; 0 before the first. */
	lastNumber(kind: string): number {
		return this.#counters.value[kind] ?? 0;
	}

	/** The office's clients. */
	get companies(): readonly Company[] {
		return this.#companies(this.#clients.value);
	}

	/** The client with this ID. */
	company(id: string): Company {
		const found = this.companies.find((one) => one.id === id);
		if (!found) throw new Error(`There is no company ${id}.`);
		return found;
	}

	get accounts(): readonly Account[] {
		return this.#accounts.value;
	}

	/** The account that an API key belongs to. */
	accountForKey(key: string): Account | undefined {
		return this.accounts.find(({ keys }) => keys.includes(key));
	}

	/** A copy of the whole state. */
	snapshot(): Snapshot {
		return structuredClone(Object.fromEntries([...this.#slices].map(([name, { value }]) => [name, value])));
	}

	/** Replaces the state with a snapshot; slices missing from it are reset. */
	restore(snapshot: Snapshot): void {
		this.events.emit('reset');
		for (const [name, slice] of this.#slices) {
			slice.value = name in snapshot ? structuredClone(snapshot[name]) : slice.seed();
		}
		this.events.emit('change');
	}

	/** Restores the initial state. */
	reset(): void {
		this.restore({});
	}
}
