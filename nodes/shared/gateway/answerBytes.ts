import { isObjectLike, remove, sortedIndex } from 'lodash';
import { randomUUID } from 'node:crypto';

import { ANSWER_TOO_LARGE } from './failures/networkError';
import { redactSecret, redactSecretIn } from '../errors';
import { Turn, quoteInexactNumbers, setField } from '../values';
import { JsonOutline, MAX_KINDS, MAX_VALUES } from './jsonOutline';
import type { CutList } from './jsonOutline';

/** The most bytes of an answer, counted after unpacking: 1.5 kB of brotli can become gigabytes. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** What n8n's HTTP helpers give when they are asked for a stream; it unpacks no more than is read. */
export type AnswerStream = AsyncIterable<Uint8Array> & { destroy(error?: Error): void };

/**
 * An answer as it came. It stays bytes, which V8 counts apart: a text that grows with each piece makes it raise its heap.
 * The work that it makes is known, and bounded, before any of it is parsed.
 */
export class AnswerBytes {
	private readonly pieces: Uint8Array[] = [];
	/** The position at which each piece ends. */
	private readonly ends: number[] = [];
	private readonly outline = new JsonOutline();

	/** Reads an answer. Rejects when the signal comes, or if the answer is too large; either closes the connection. */
	static async from(body: AnswerStream, signal: AbortSignal): Promise<AnswerBytes> {
		const abort = () => body.destroy(new Error('aborted'));
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort);
		const answer = new AnswerBytes();
		try {
			// An error leaves the loop, which ends the stream.
			for await (const piece of body) answer.add(piece);
			return answer;
		} finally {
			signal.removeEventListener('abort', abort);
		}
	}

	private get length(): number {
		return this.ends.at(-1) ?? 0;
	}

	private add(piece: Uint8Array): void {
		this.outline.read(piece);
		this.ends.push(this.length + piece.length);
		this.pieces.push(piece);
		const { values, kinds } = this.outline;
		if (this.length > MAX_ANSWER_BYTES || values > MAX_VALUES || kinds > MAX_KINDS)
			throw Object.assign(new Error('The answer is too large'), { code: ANSWER_TOO_LARGE });
	}

	private textIn(from: number, to: number): string {
		const parts: Uint8Array[] = [];
		for (let i = sortedIndex(this.ends, from + 1); i < this.ends.length; i++) {
			const start = this.ends[i] - this.pieces[i].length;
			if (start >= to) break;
			parts.push(this.pieces[i].subarray(Math.max(0, from - start), to - start));
		}
		return Buffer.concat(parts).toString();
	}

	/** The answer as a text. @param secrets to mask */
	text(secrets: string[]): string {
		return secrets.reduce(redactSecret, this.textIn(0, this.length));
	}

	/** Whether it is nested deeper than n8n, and JavaScript itself, can store it. */
	get isTooDeep(): boolean {
		return this.outline.isTooDeep && /^\s*[[{]/.test(this.textIn(0, 1000));
	}

	/**
	 * Parses JSON, in turns; an empty text is an answer without content (`null`). Numbers that JavaScript can't hold become texts.
	 * @param secrets to mask
	 * @returns `undefined` if it isn't JSON
	 */
	async json(secrets: string[]): Promise<{ value: unknown } | undefined> {
		if (this.isTooDeep || !this.outline.isClosed) return undefined;
		const turn = new Turn();
		const mark = randomUUID();
		/** Lists that were parsed, but not what they lie in. */
		const parsed: Array<CutList & { values: unknown[] }> = [];
		/** Parses what lies between two positions, and puts the lists in it into their places. */
		const parse = (from: number, to: number, [before, after]: [string, string]): unknown => {
			const inside = remove(parsed, ({ open }) => open >= from && open < to);
			let [json, at] = [before, from];
			for (const [i, { open, close }] of inside.entries()) {
				json += `${this.textIn(at, open + 1)}"${mark}${i}"`;
				at = close;
			}
			json += this.textIn(at, to) + after;
			// Also without a byte order mark.
			json = json.trim() || 'null';
			const value: unknown = JSON.parse(this.outline.hasLongNumbers ? quoteInexactNumbers(json) : json);
			const clean = secrets.reduce((kept, secret) => redactSecretIn(kept, secret, json), value);
			return put(new Map(inside.map(({ values }, i) => [`${mark}${i}`, values])), clean);
		};
		try {
			for (const list of this.outline.lists) {
				const values: unknown[] = [];
				let from = list.open + 1;
				for (const to of [...list.cuts, list.close]) {
					const part = parse(from, to, ['[', ']']) as unknown[];
					// A comma with nothing beside it.
					if (part.length === 0) return undefined;
					for (const value of part) values.push(value);
					from = to + 1;
					await turn.yield();
				}
				parsed.push({ ...list, values });
			}
			return { value: parse(0, this.length, ['', '']) };
		} catch {
			return undefined;
		}
	}
}

/** Puts lists into the places that their marks hold. */
function put(lists: Map<unknown, unknown[]>, value: unknown): unknown {
	const root = { value };
	const open: object[] = [root];
	for (let holder = lists.size > 0 ? open.pop() : undefined; holder; holder = open.pop()) {
		for (const [name, inner] of Object.entries(holder)) {
			const list = Array.isArray(inner) ? lists.get(inner[0]) : undefined;
			if (list) setField(holder, name, list);
			else if (isObjectLike(inner)) open.push(inner as object);
		}
	}
	return root.value;
}
