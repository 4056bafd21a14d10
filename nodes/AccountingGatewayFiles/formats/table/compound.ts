import { damaged } from './table';

/** How a compound file begins ([MS-CFB] 2.2): the container of Excel's older files, and of newer ones with a password. */
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/** Numbers of sectors from here on stand for none. */
const NO_SECTOR = 0xfffffffa;
const COMPOUND_ENTRY_SIZE = 128;
const NAME_SIZE = 64;
/** The first numbers of sectors with the table of sectors, which stand in the header. */
const FIRST_TABLES = 109;
/** Streams that are smaller than this share sectors. */
const MINI_CUTOFF = 4096;
const MINI_SIZE = 64;
const MAX_COMPOUND_ENTRIES = 10_000;

export const isCompound = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, i) => bytes[i] === byte);

/** The streams of a compound file. Throws `TableError`, or a `RangeError` where an offset lies outside of the file. */
export class CompoundFile {
	private readonly view: DataView;
	private readonly sectorSize: number;
	/** The sector that follows each sector. */
	private readonly next: number[] = [];
	private readonly nextMini: number[];
	private readonly mini: Uint8Array;
	private readonly entries = new Map<string, { start: number; size: number }>();

	constructor(private readonly bytes: Uint8Array) {
		this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		const shift = this.view.getUint16(30, true);
		if (shift !== 9 && shift !== 12) throw damaged();
		this.sectorSize = 2 ** shift;
		for (const sector of this.tables()) this.next.push(...this.numbersIn(sector));
		this.nextMini = this.chain(this.view.getUint32(60, true), this.next).flatMap((sector) =>
			this.numbersIn(sector),
		);
		const root = this.readDirectory();
		this.mini = root === undefined ? new Uint8Array(0) : this.content(root.start, root.size);
	}

	has(name: string): boolean {
		return this.entries.has(name);
	}

	/** The content of a stream. */
	stream(name: string): Uint8Array {
		const { start, size } = this.entries.get(name) ?? { start: NO_SECTOR, size: 0 };
		if (size >= MINI_CUTOFF) return this.content(start, size);
		const sectors = this.chain(start, this.nextMini);
		return concatenated(
			sectors.map((sector) => this.mini.subarray(sector * MINI_SIZE, (sector + 1) * MINI_SIZE)),
			size,
		);
	}

	/** The sectors with the table of sectors: those that the header lists, then those of a list of lists. */
	private tables(): number[] {
		const found: number[] = [];
		for (let i = 0; i < FIRST_TABLES; i++) found.push(this.view.getUint32(76 + 4 * i, true));
		let list = this.view.getUint32(68, true);
		/** Tables beyond these have numbers of sectors that the file doesn't have. */
		const most = Math.ceil(this.bytes.length / this.sectorSize / (this.sectorSize / 4));
		while (list < NO_SECTOR && found.length < FIRST_TABLES + most) {
			const numbers = this.numbersIn(list);
			list = numbers.pop()!;
			found.push(...numbers);
		}
		return found.filter((sector) => sector < NO_SECTOR).slice(0, most);
	}

	private numbersIn(sector: number): number[] {
		const start = (sector + 1) * this.sectorSize;
		return Array.from({ length: this.sectorSize / 4 }, (_, i) => this.view.getUint32(start + 4 * i, true));
	}

	/** The sectors of a stream, in their order. */
	private chain(start: number, next: readonly number[]): number[] {
		const sectors: number[] = [];
		for (let sector = start; sector < NO_SECTOR; sector = next[sector] ?? NO_SECTOR) {
			// A chain that is longer than its table runs in a circle.
			if (sectors.length > next.length) throw damaged();
			sectors.push(sector);
		}
		return sectors;
	}

	private content(start: number, size: number): Uint8Array {
		return concatenated(
			this.chain(start, this.next).map((sector) => this.sector(sector)),
			size,
		);
	}

	private sector(number: number): Uint8Array {
		return this.bytes.subarray((number + 1) * this.sectorSize, (number + 2) * this.sectorSize);
	}

	/** @returns the entry of the root, whose stream holds the small ones */
	private readDirectory() {
		const directory = this.content(this.view.getUint32(48, true), MAX_COMPOUND_ENTRIES * COMPOUND_ENTRY_SIZE);
		const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
		let root: { start: number; size: number } | undefined;
		for (let at = 0; at + COMPOUND_ENTRY_SIZE <= directory.length; at += COMPOUND_ENTRY_SIZE) {
			const length = Math.min(Math.max(view.getUint16(at + NAME_SIZE, true) - 2, 0), NAME_SIZE);
			const name = new TextDecoder('utf-16le').decode(directory.subarray(at, at + length));
			const entry = { start: view.getUint32(at + 116, true), size: view.getUint32(at + 120, true) };
			if (view.getUint8(at + 66) === 5) root = entry;
			else if (view.getUint8(at + 66) === 2 && !this.entries.has(name)) this.entries.set(name, entry);
		}
		return root;
	}
}

function concatenated(pieces: Uint8Array[], size: number): Uint8Array {
	const whole = new Uint8Array(
		Math.min(
			size,
			pieces.reduce((sum, { length }) => sum + length, 0),
		),
	);
	let at = 0;
	for (const piece of pieces) {
		whole.set(piece.subarray(0, whole.length - at), at);
		at += Math.min(piece.length, whole.length - at);
	}
	return whole;
}
