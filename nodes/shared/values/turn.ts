import { sleep } from 'n8n-workflow';

/** Milliseconds for which reading may block n8n. */
const TURN = 50;

/** Shares n8n's event loop with all other work while a file from outside, or a long answer, is read. */
export class Turn {
	private start = performance.now();
	private last: Promise<unknown> = Promise.resolve();

	/** Lets n8n do its other work, if this hasn't happened for `TURN` milliseconds. Called after each small piece. */
	async yield(): Promise<void> {
		if (performance.now() - this.start < TURN) return;
		await sleep(0);
		this.start = performance.now();
	}

	/** Does pieces of work that come at once one after another, with pauses between them. */
	async next<T>(work: () => T | Promise<T>): Promise<T> {
		const result = this.last.then(async () => {
			await this.yield();
			return await work();
		});
		this.last = result.catch(() => undefined);
		return await result;
	}
}

/** Bytes of a file that are processed between two looks at the clock. */
const PIECE = 65_536;

/** A file in pieces. */
export function* piecesOf(bytes: Uint8Array, size = PIECE): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
