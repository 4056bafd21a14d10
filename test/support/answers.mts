/** Answers without a gateway. */
import { AnswerBytes } from '../../nodes/shared/gateway/answerBytes.js';

/** An answer that comes in these pieces. */
export async function answerOf(...pieces: Array<string | Uint8Array>): Promise<AnswerBytes> {
	const body = Object.assign(
		(async function* () {
			for (const piece of pieces) {
				// As from a connection, other work has its turn between two pieces.
				await new Promise((resolve) => setImmediate(resolve));
				yield typeof piece === 'string' ? Buffer.from(piece) : piece;
			}
		})(),
		{ destroy: () => {} },
	);
	return await AnswerBytes.from(body, new AbortController().signal);
}
