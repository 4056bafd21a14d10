import { ANSWER_TOO_LARGE } from '../errors';

/** The most bytes of an answer, counted after unpacking: 1.5 kB of brotli can become gigabytes. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** What n8n's HTTP helpers give when they are asked for a stream; it unpacks no more than is read. */
export type AnswerStream = AsyncIterable<Uint8Array> & { destroy(error?: Error): void };

/** Reads an answer. Rejects when the signal comes, or if the answer is too large; either closes the connection. */
export async function answerText(body: AnswerStream, signal: AbortSignal): Promise<string> {
	const abort = () => body.destroy(new Error('aborted'));
	if (signal.aborted) abort();
	signal.addEventListener('abort', abort);
	try {
		const decoder = new TextDecoder();
		let bytes = 0;
		let text = '';
		for await (const chunk of body) {
			bytes += chunk.length;
			// Leaving the loop ends the stream.
			if (bytes > MAX_ANSWER_BYTES)
				throw Object.assign(new Error('The answer is too large'), { code: ANSWER_TOO_LARGE });
			text += decoder.decode(chunk, { stream: true });
		}
		return text + decoder.decode();
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
