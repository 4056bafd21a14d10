import { MAX_NESTING } from '../values';

/** The most that an answer may hold, far more than a year's journal: its values, counted by `{`, `[` and `,`. */
export const MAX_VALUES = 3_000_000;

/**
 * The most kinds of objects: sequences of names that an object of the answer begins with. V8 keeps each of them for good, which
 * takes two microseconds and 350 bytes, as much as 30 values.
 */
export const MAX_KINDS = 100_000;

/** Bytes of a list after which it is cut, so that its parts can be parsed in turns. */
const LIST_PART = 65_536;

/** A list whose parts are parsed one after another. Positions are bytes of the answer. */
export interface CutList {
	/** Of its brackets. */
	open: number;
	close: number;
	/** Of the commas at which it is cut. */
	cuts: number[];
}

/** JavaScript keeps a number with fewer digits, a point included. */
const MANY_DIGITS = 16;

/** By chance, so that nobody can choose names that look the same. */
const FACTOR = Math.floor(Math.random() * 2 ** 30) * 2 + 1;
const mix = (hash: number, part: number) => Math.imul(hash ^ part, FACTOR) ^ (hash >>> 15);

/** Of a longer name, only the end is looked at. */
const HASHED_END = 1000;

/** Goes on with the hash of a text. */
function hashed(piece: Uint8Array, from: number, to: number, before: number): number {
	let hash = before;
	for (let i = Math.max(from, to - HASHED_END); i < to; i++) hash = mix(hash, piece[i]);
	return hash;
}

/** What is known of JSON before it is parsed: how much work that is, and where it can be cut. */
export class JsonOutline {
	values = 0;
	isTooDeep = false;
	/** Whether a number has so many digits, or an exponent, that JavaScript may change it. */
	hasLongNumbers = false;
	/** In the order of their ends, so that one that lies in another comes before it. */
	readonly lists: CutList[] = [];

	private position = 0;
	private isInText = false;
	private isEscaped = false;
	/** Stands for the latest text, or the part of it that came. */
	private text = 0;
	private depth = 0;
	/** Of what is open, by depth: whether it is a list, where it begins, its latest cut, the list if it was cut, the names so far. */
	private readonly isList = new Uint8Array(MAX_NESTING + 1);
	private readonly opened = new Float64Array(MAX_NESTING + 1);
	private readonly latest = new Float64Array(MAX_NESTING + 1);
	private readonly cut: Array<CutList | undefined> = [];
	private readonly names = new Int32Array(MAX_NESTING + 1);
	private readonly seen = new Set<number>();
	/** Digits and points up to here. */
	private digits = 0;

	get kinds(): number {
		return this.seen.size;
	}

	/** Whether everything that was opened is closed. What is broken otherwise shows when it is parsed. */
	get isClosed(): boolean {
		return this.depth === 0 && !this.isInText;
	}

	/** Goes on with the next bytes. */
	read(piece: Uint8Array): void {
		let { digits } = this;
		/** Where the latest text in this piece begins and ends; it may be a name. */
		let [from, to] = [0, this.isInText ? this.endOfText(piece, 0) : -1];
		let before = this.text;
		for (let i = to + 1; i < piece.length; i++) {
			const byte = piece[i];
			if (byte <= 0x39 && byte >= 0x2e) {
				if (++digits >= MANY_DIGITS) this.hasLongNumbers = true;
				continue;
			}
			if (digits > 0 && (byte === 0x65 || byte === 0x45)) this.hasLongNumbers = true;
			digits = 0;
			if (byte <= 0x20) continue;
			switch (byte) {
				case 0x22: // "
					from = i + 1;
					before = 0;
					to = this.endOfText(piece, from);
					i = to;
					break;
				case 0x3a: // :
					this.name(hashed(piece, from, to, before));
					break;
				case 0x2c: // ,
					this.values++;
					this.separate(this.position + i);
					break;
				case 0x5b: // [
				case 0x7b: // {
					this.values++;
					this.open(this.position + i, byte === 0x5b);
					break;
				case 0x5d: // ]
				case 0x7d: // }
					this.close(this.position + i);
			}
		}
		this.digits = digits;
		this.text = hashed(piece, from, to, before);
		this.position += piece.length;
	}

	/** The position of the quotation mark that ends a text, or the end of the piece. */
	private endOfText(piece: Uint8Array, from: number): number {
		const first = this.isEscaped ? from + 1 : from;
		for (let at = first; ; at++) {
			// The one of `Buffer` takes several times as long.
			const quote = Uint8Array.prototype.indexOf.call(piece, 0x22, at);
			at = quote === -1 ? piece.length : quote;
			let escapes = at;
			while (escapes > first && piece[escapes - 1] === 0x5c) escapes--;
			this.isEscaped = (at - escapes) % 2 === 1;
			this.isInText = quote === -1 || this.isEscaped;
			if (quote !== -1 && this.isEscaped) continue;
			return at;
		}
	}

	private name(name: number): void {
		if (this.depth > MAX_NESTING) return;
		const kind = mix(this.names[this.depth], name);
		this.names[this.depth] = kind;
		this.seen.add(kind);
	}

	private open(position: number, isList: boolean): void {
		const depth = ++this.depth;
		this.isTooDeep ||= depth > MAX_NESTING;
		if (depth > MAX_NESTING) return;
		this.isList[depth] = Number(isList);
		this.opened[depth] = position;
		this.latest[depth] = position;
		this.cut[depth] = undefined;
		this.names[depth] = 0;
	}

	private separate(position: number): void {
		const { depth } = this;
		if (depth > MAX_NESTING || this.isList[depth] === 0 || position - this.latest[depth] < LIST_PART) return;
		this.latest[depth] = position;
		const list = (this.cut[depth] ??= { open: this.opened[depth], close: 0, cuts: [] });
		list.cuts.push(position);
	}

	private close(position: number): void {
		if (this.depth === 0) return;
		const list = this.depth > MAX_NESTING ? undefined : this.cut[this.depth];
		if (list) this.lists.push(Object.assign(list, { close: position }));
		this.depth--;
	}
}
