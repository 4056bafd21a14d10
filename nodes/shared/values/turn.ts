import { sleep } from 'n8n-workflow';

/** Milliseconds for which reading may block n8n. */
const TURN = 50;

/** Shares n8n's event loop with all other work while a file from outside, or a long answer, is read. */
export class Turn {
	private start = performance.now();
	private readonly inTurn = serialize();

	/** Lets n8n do its other work, if this hasn't happened for `TURN` milliseconds. Called after each small piece. */
	async yield(): Promise<void> {
		if (performance.now() - this.start < TURN) return;
		await sleep(0);
		this.start = performance.now();
	}

	/** Does pieces of work that come at once one after another, with pauses between them. */
	async next<T>(work: () => T | Promise<T>): Promise<T> {
		return await this.inTurn(async () => {
			await this.yield();
			return await work();
		});
	}
}

/** Runs tasks one at a time, in the order in which they are given, and resolves to their results. */
export function serialize(): <T>(task: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve();
	return async (task) => {
		const result = last.then(task);
		last = result.catch(() => undefined);
		return await result;
	};
}
