import { MAX_XML_DEPTH, boundKept, saxesParser } from '../xml';
import { filesIn } from '../zip';
import { piecesOf, utf16Of } from '../text';
import type { Source } from '../zip';
import type { Turn } from '../../../shared/values';
import { unreadable, TableError, tooLarge } from './table';
import { TABLE_LIMITS } from './limits';

/** Bytes that are parsed at a time. */
const PARSED_PIECE = 32_768;

/** The parts of a spreadsheet, which is a ZIP archive of XML. */
export class Parts {
	private readonly parts = new Map<string, Source>();
	private bytes = 0;

	constructor(
		archive: Uint8Array,
		private readonly turn: Turn,
	) {
		for (const source of filesIn(archive)) this.parts.set(source.name.toLowerCase(), source);
	}

	has(name: string): boolean {
		return this.parts.has(name.toLowerCase());
	}

	/** Parses a part until a handler stops it. Nothing happens if there is none of that name. */
	async parse(name: string, handlers: Partial<Handlers>): Promise<void> {
		const part = this.parts.get(name.toLowerCase());
		if (!part) return;
		this.bytes += part.size;
		if (this.bytes > TABLE_LIMITS.unpackedBytes) throw tooLarge();
		await parseXml(textsOf(await part.bytes()), handlers, this.turn);
	}
}

export type Attributes = Readonly<Record<string, string>>;
/** Names are those of the standard, without the prefix of their namespace. */
interface Handlers {
	open(name: string, attributes: Attributes): void;
	/** @returns `STOP` if the rest needn't be read */
	close(name: string): void | typeof STOP;
	text(text: string): void;
}

export const STOP = Symbol('stop');

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Attributes by their names without prefixes. Where two have the same, the second one keeps its prefix. */
function localAttributes(attributes: Record<string, string>): Attributes {
	const local: Record<string, string> = {};
	for (const [name, value] of Object.entries(attributes)) {
		const plain = localName(name);
		local[plain in local ? name : plain] = value;
	}
	return local;
}

/** The number in an attribute; another one where there is none. */
export const countIn = (text = '', other = 1): number => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : other);

/** Parses XML with bounds on everything that is kept. Throws `TableError`. */
async function parseXml(texts: Iterable<string>, handlers: Partial<Handlers>, turn: Turn): Promise<void> {
	const parser = await saxesParser({ xmlns: false });
	let [depth, attributes, characters, elements] = [0, 0, 0, 0];
	const count = (text: string) => {
		characters += text.length;
		if (characters > TABLE_LIMITS.text) throw tooLarge();
	};
	parser.on('error', () => {
		throw unreadable();
	});
	parser.on('attribute', () => {
		if (++attributes > TABLE_LIMITS.attributes) throw unreadable();
	});
	parser.on('opentag', ({ name, attributes: given }) => {
		attributes = 0;
		if (++depth > MAX_XML_DEPTH) throw unreadable();
		if (++elements > TABLE_LIMITS.elements) throw tooLarge();
		handlers.open?.(localName(name), localAttributes(given));
	});
	parser.on('closetag', ({ name }) => {
		depth--;
		if (handlers.close?.(localName(name)) === STOP) throw new Stopped();
	});
	const text = (part: string) => {
		count(part);
		handlers.text?.(part);
	};
	parser.on('text', text);
	parser.on('cdata', text);
	try {
		for (const piece of texts) {
			parser.write(piece);
			if (!boundKept(parser, TABLE_LIMITS.kept, handlers.text !== undefined)) throw unreadable();
			await turn.yield();
		}
		parser.close();
	} catch (error) {
		if (error instanceof Stopped) return;
		throw error instanceof TableError ? error : unreadable();
	}
}

class Stopped extends Error {}

function* textsOf(bytes: Uint8Array): Generator<string> {
	const decoder = new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true });
	for (const piece of piecesOf(bytes, PARSED_PIECE)) yield decoder.decode(piece, { stream: true });
	yield decoder.decode();
}
