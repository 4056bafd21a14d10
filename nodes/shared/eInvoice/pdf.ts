import type { DocumentParser, ParsedDocument, PdfDict, PdfObject, PdfStream } from './libraries/pdf.js';

import {
	MAX_ATTACHMENTS,
	MAX_BYTES,
	MAX_OBJECTS,
	MAX_PAGES,
	MAX_PDF_TIME,
	MAX_TREE_NODES,
	MAX_UNNAMED_BYTES,
} from './limits';
import { boundUnpacking, exceedsBounds } from './unpacking';

type Library = typeof import('./libraries/pdf.js');

/** A file inside a PDF. */
export interface Attachment {
	name: string;
	/** Unpacked; undefined if that isn't possible within the bounds. */
	bytes: Uint8Array | undefined;
}

export interface PdfContent {
	/** What may be an invoice's XML, the likeliest one first. */
	attachments: Attachment[];
	/** Whether the PDF itself says that it contains an invoice. */
	claimsInvoice: boolean;
	isEncrypted: boolean;
	isDamaged: boolean;
	/** Whether part of it wasn't read, because it would take too much time or memory. */
	isTooMuch: boolean;
}

/** What standards call the XML. */
const KNOWN_NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml'];
/** Namespaces of what ZUGFeRD and Factur-X add to a PDF's metadata. */
const CLAIMS = [
	'urn:factur-x:pdfa:CrossIndustryDocument:',
	'urn:zugferd:pdfa:CrossIndustryDocument:',
	'urn:ferd:pdfa:CrossIndustryDocument:',
];
/** References that lead to references. */
const MAX_HOPS = 20;

/** Reads the files inside a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<PdfContent> {
	const library = await import('./libraries/pdf.js');
	boundUnpacking(library);
	const isMentioned = (text: string) =>
		Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text);
	const content: PdfContent = {
		attachments: [],
		claimsInvoice: CLAIMS.some(isMentioned),
		isEncrypted: false,
		isDamaged: true,
		isTooMuch: false,
	};
	const deadline = new Deadline();
	const document = opened(new library.DocumentParser(boundedScanner(library, bytes, deadline)));
	if (document) readDocument(content, document, library, isMentioned('/EmbeddedFile'));
	return { ...content, isTooMuch: deadline.isOver || exceedsBounds() };
}

/** @param isMentioned whether there is a file inside */
function readDocument(
	content: PdfContent,
	document: ParsedDocument,
	library: Library,
	isMentioned: boolean,
): void {
	const specifications = new FileSpecifications(document);
	content.isEncrypted = document.isEncrypted && !document.isAuthenticated;
	content.isDamaged = document.recoveredViaBruteForce || !isCatalog(document.getCatalog());
	attempt(() => specifications.ofCatalog());
	if (specifications.found.size === 0 && isMentioned) {
		attempt(() => specifications.ofPages());
		if (content.isDamaged) attempt(() => specifications.ofAllObjects(library));
	}
	content.attachments = attachmentsOf(specifications);
}

/** Runs a part of the reading that may fail on a damaged or malicious file. */
function attempt<T>(part: () => T): T | undefined {
	try {
		return part();
	} catch {
		return undefined;
	}
}

/** By the file's directory or, where that is damaged or leads elsewhere, by searching for objects. */
function opened(parser: DocumentParser): ParsedDocument | undefined {
	const document = attempt(() => parser.parse());
	if (!document || document.recoveredViaBruteForce || isCatalog(attempt(() => document.getCatalog())))
		return document;
	return attempt(() => parser.parseWithRecovery()) ?? document;
}

const isCatalog = (catalog: PdfDict | null | undefined) =>
	catalog?.get('Pages') !== undefined || catalog?.get('Names') !== undefined;

/** Made once: the library continues with the next object, and there may be many. */
const TIME_IS_OVER = new Error('Reading the PDF takes too long');

/** A file can be made so that searching it takes hours. */
class Deadline {
	isOver = false;
	private readonly end = performance.now() + MAX_PDF_TIME;

	check(): void {
		this.isOver ||= performance.now() > this.end;
		if (this.isOver) throw TIME_IS_OVER;
	}
}

function boundedScanner({ Scanner }: Library, bytes: Uint8Array, deadline: Deadline) {
	let reads = 0;
	return new (class extends Scanner {
		override peek(): number {
			if ((++reads & 0xfff) === 0) deadline.check();
			return super.peek();
		}

		override moveTo(offset: number): void {
			deadline.check();
			super.moveTo(offset);
		}
	})(bytes);
}

/** The dictionaries that name the files inside a PDF. */
class FileSpecifications {
	readonly found = new Set<PdfDict>();

	constructor(private readonly document: ParsedDocument) {}

	/** Where the standard wants them: by name, and as associated files. */
	ofCatalog(): void {
		const catalog = this.document.getCatalog();
		if (!catalog) return;
		const names = this.dict(catalog.get('Names'));
		attempt(() => this.ofTree(names?.get('EmbeddedFiles')));
		this.add(catalog.get('AF'));
	}

	/** Associated with a page, or pinned to it. */
	ofPages(): void {
		for (const ref of this.document.getPages().slice(0, MAX_PAGES)) {
			const page = this.dict(ref);
			this.add(page?.get('AF'));
			for (const annotation of this.list(page?.get('Annots'))) this.add(this.dict(annotation)?.get('FS'));
		}
	}

	/** Wherever they are, if the path to them is lost. */
	ofAllObjects({ PdfRef }: Library): void {
		for (const [number, { generation }] of [...this.document.xref].slice(0, MAX_OBJECTS)) {
			attempt(() => this.add(PdfRef.of(number, generation ?? 0)));
		}
	}

	private ofTree(root: PdfObject | undefined): void {
		const seen = new Set<PdfDict>();
		const nodes = [this.dict(root)];
		for (let node = nodes.pop(); node && seen.size < MAX_TREE_NODES; node = nodes.pop()) {
			if (seen.has(node)) continue;
			seen.add(node);
			this.list(node.get('Names')).forEach((entry, index) => {
				if (index % 2 === 1) this.add(entry);
			});
			for (const kid of this.list(node.get('Kids')).slice(0, MAX_TREE_NODES)) {
				const child = this.dict(kid);
				if (child) nodes.push(child);
			}
		}
	}

	/** Adds a specification, or all in a list. */
	private add(object: PdfObject | undefined): void {
		const list = this.list(object);
		for (const one of list.length > 0 ? list : [object]) {
			if (this.found.size >= MAX_ATTACHMENTS) return;
			const dict = this.dict(one);
			if (dict?.get('EF')) this.found.add(dict);
		}
	}

	stream(specification: PdfDict): PdfStream | undefined {
		const files = this.dict(specification.get('EF'));
		const file = ['UF', 'F']
			.map((key) => this.resolved(files?.get(key)))
			.find((one) => one?.type === 'stream');
		return file as PdfStream | undefined;
	}

	name(specification: PdfDict): string {
		const name = ['UF', 'F']
			.map((key) => this.resolved(specification.get(key)))
			.find((one) => one?.type === 'string');
		return name?.type === 'string' ? name.asString() : '';
	}

	private dict(object: PdfObject | undefined): PdfDict | undefined {
		const resolved = this.resolved(object);
		return resolved?.type === 'dict' ? resolved : undefined;
	}

	private list(object: PdfObject | undefined): PdfObject[] {
		const resolved = this.resolved(object);
		if (resolved?.type !== 'array') return [];
		const items: PdfObject[] = [];
		for (let index = 0; index < resolved.length; index++) {
			const item = resolved.at(index);
			if (item) items.push(item);
		}
		return items;
	}

	private resolved(object: PdfObject | undefined): PdfObject | undefined {
		let resolved = object;
		for (let hops = 0; resolved?.type === 'ref' && hops < MAX_HOPS; hops++) {
			resolved = this.document.getObject(resolved) ?? undefined;
		}
		return resolved;
	}
}

function attachmentsOf(specifications: FileSpecifications): Attachment[] {
	const files = [...specifications.found].flatMap((specification) => {
		const stream = attempt(() => specifications.stream(specification));
		const name = attempt(() => specifications.name(specification)) ?? '';
		return stream && (isXml(name) || stream.data.length <= MAX_UNNAMED_BYTES) ? [{ name, stream }] : [];
	});
	const rank = ({ name }: { name: string }) => {
		const known = KNOWN_NAMES.indexOf(name.toLowerCase());
		if (known !== -1) return known;
		return KNOWN_NAMES.length + (isXml(name) ? 0 : 1);
	};
	return files
		.sort((a, b) => rank(a) - rank(b))
		.flatMap(({ name, stream }) => {
			const bytes = attempt(() => stream.getDecodedData());
			const fits = bytes && bytes.length <= MAX_BYTES;
			// Other files don't matter, nor does why they can't be unpacked.
			return isXml(name) || (fits && startsLikeXml(bytes)) ? [{ name, bytes: fits ? bytes : undefined }] : [];
		});
}

const isXml = (name: string) => name.toLowerCase().endsWith('.xml');

/** After a byte order mark and white space, there is `<`. */
export function startsLikeXml(bytes: Uint8Array): boolean {
	const first = bytes
		.subarray(0, 100)
		.find((byte) => ![0, 9, 10, 13, 32, 0xef, 0xbb, 0xbf, 0xfe, 0xff].includes(byte));
	return first === 0x3c;
}
