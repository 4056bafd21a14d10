import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot, Store } from './store.mjs';

/** Minimum pause between two writes, in milliseconds. */
const MIN_PAUSE = 500;

/** Reads the state from a file; undefined if there is no such file. */
export function readState(path: string): Snapshot | undefined {
	if (!existsSync(path)) return undefined;
	const text = readFileSync(path, 'utf8');
	try {
		return JSON.parse(text) as Snapshot;
	} catch (error) {
		throw new Error(`${path} doesn't hold the state of a sandbox: ${(error as Error).message}`);
	}
}

/**
 * Keeps a store's state in a file. Changes are written soon after they happen, and each write replaces the whole
 * file, so that a killed sandbox loses only the latest changes and never leaves an incomplete file.
 */
export class StateFile {
	#changed = false;
	#closed = new AbortController();
	#writing: Promise<void> | undefined;

	constructor(
		private readonly path: string,
		private readonly store: Store,
	) {
		store.events.on('change', () => {
			this.#changed = true;
			this.#writing ??= this.#write();
		});
	}

	/** Writes pending changes, and stops. */
	async close(): Promise<void> {
		this.#closed.abort();
		await this.#writing;
		await this.#replace();
	}

	/**
	 * Writes until nothing changes anymore. The pauses grow with the duration of a write, so that writing takes at most a
	 * tenth of the time.
	 */
	async #write(): Promise<void> {
		try {
			while (this.#changed && !this.#closed.signal.aborted) {
				const started = performance.now();
				await this.#replace();
				const pause = Math.max(MIN_PAUSE, 10 * (performance.now() - started));
				await sleep(pause, undefined, { signal: this.#closed.signal }).catch(() => undefined);
			}
		} catch (error) {
			console.error(`The state can't be written: ${(error as Error).message}`);
		} finally {
			this.#writing = undefined;
		}
	}

	async #replace(): Promise<void> {
		this.#changed = false;
		const temporary = `${this.path}.tmp`;
		const file = await open(temporary, 'w');
		try {
			await file.writeFile(JSON.stringify(this.store.snapshot()));
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(temporary, this.path);
	}
}
