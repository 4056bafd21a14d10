/**
 * Vitest ends a thread after each run of tests. Stryker runs them once for each mutation, and each new thread would load
 * n8n's engine again, which takes longer than the tests: here one thread serves many runs. Processor time of
 * `npm run mutate -- --fresh nodes/AccountingGatewayMobility/customer`, 7 mutants: 23 s; with `--new-threads`, as Stryker by
 * itself does it: 59 s, so 5 s more for each mutant. Vitest offers no way to do this: the thread is in a private field, and the
 * end of a run is told by its own message. Its version is pinned.
 */
import type { Worker } from 'node:worker_threads';
import { type PoolOptions, ThreadsPoolWorker, type Vitest, type WorkerRequest } from 'vitest/node';

const NAME = 'kept';
/** Then a new one takes over: what tests that failed have left running doesn't pile up. */
const RUNS = 25;

let kept: Worker | undefined;
let runs = 0;

class KeptThread extends ThreadsPoolWorker {
	override readonly name: string = NAME;
	#endsWell = false;

	/** The field in which Vitest holds the thread. */
	get #own(): { _thread?: Worker } {
		// Vitest declares it as private.
		return this as unknown as { _thread?: Worker };
	}

	override async start(): Promise<void> {
		if (!kept) runs = 0;
		this.#own._thread = kept;
		await super.start();
		kept = this.#own._thread;
	}

	override send(message: WorkerRequest): void {
		if (message.type !== 'stop' || ++runs >= RUNS) return super.send(message);
		this.#endsWell = true;
		kept?.emit('message', { type: 'stopped', __vitest_worker_response__: true });
	}

	override async stop(): Promise<void> {
		if (!this.#endsWell) {
			kept = undefined;
			return await super.stop();
		}
		for (const event of ['message', 'error', 'exit']) kept?.removeAllListeners(event);
		kept?.stdout.unpipe();
		kept?.stderr.unpipe();
	}
}

/** To be called before the first run. */
export function keepThread({ projects }: Vitest): void {
	for (const { config } of projects) {
		config.pool = NAME;
		config.poolRunner = { name: NAME, createPoolWorker: (options: PoolOptions) => new KeptThread(options) };
	}
}
