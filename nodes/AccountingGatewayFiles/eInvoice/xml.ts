import { mapValues, pick } from 'lodash';
import type { SaxesTagNS } from 'saxes';

import { cut, cutLine } from '../../shared/errors';
import { MAX_XML_DEPTH, boundKept, saxesParser } from '../formats/xml';
import type { Bilingual, Turn } from '../../shared/values';
import { INVOICE_LIMITS } from './limits';

/** The attributes that are read; others aren't kept. */
const ATTRIBUTES = ['currencyID', 'schemeID', 'format', 'unitCode', 'filename'] as const;
type Attributes = Partial<Record<(typeof ATTRIBUTES)[number], string>>;

/**
 * An element of an invoice. Its name has the prefix that the standard uses for its namespace (`cbc:ID`, `ram:ID`),
 * whichever the document uses. Elements of other namespaces are not there, nor are the contents of attachments, and of very many lines the last ones.
 */
export class XmlElement {
	readonly children: XmlElement[] = [];
	text = '';

	constructor(
		readonly name: string,
		readonly attributes: Attributes,
	) {}

	/** @param path names of elements, each inside the one before: `cac:Party/cac:PartyName` */
	all(path: string): XmlElement[] {
		return path
			.split('/')
			.reduce<
				XmlElement[]
			>((elements, name) => elements.flatMap(({ children }) => children.filter((child) => child.name === name)), [this]);
	}

	first(path: string): XmlElement | undefined {
		return this.all(path)[0];
	}

	/** The texts of these elements that have one, each in a single line, of which a reader sees all. */
	values(path: string, isWanted: (element: XmlElement) => boolean = () => true): string[] {
		return this.all(path)
			.filter(isWanted)
			.map(({ text }) => cutLine(text, INVOICE_LIMITS.value).trim().replace(/\s+/g, ' '))
			.filter(Boolean);
	}

	value(path: string): string | null {
		return this.values(path)[0] ?? null;
	}
}

/**
 * The root of an invoice; `undefined` for other XML; or why the XML can't be read, and whether it began as an invoice.
 */
type ParsedXml = { root?: XmlElement; lineCount: number } | { problem: Bilingual; isInvoice: boolean };

const PREFIXES = new Map([
	['urn:oasis:names:specification:ubl:schema:xsd:Invoice-2', 'ubl'],
	['urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2', 'ubl'],
	['urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2', 'cbc'],
	['urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2', 'cac'],
	['urn:ferd:CrossIndustryDocument:invoice:1p0', 'rsm'],
	['http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader', 'sbd'],
]);
/** Namespaces of UN/CEFACT end with the number of a version, which has changed. */
const CEFACT = /^urn:un:unece:uncefact:data:standard:(?<name>\w{1,60}):\d{1,4}$/;
const CEFACT_PREFIXES = new Map([
	['CrossIndustryInvoice', 'rsm'],
	['ReusableAggregateBusinessInformationEntity', 'ram'],
	['UnqualifiedDataType', 'udt'],
	['QualifiedDataType', 'qdt'],
]);
const prefixOf = (uri: string): string | undefined =>
	PREFIXES.get(uri) ?? CEFACT_PREFIXES.get(CEFACT.exec(uri)?.groups?.name ?? '');

const INVOICE_ROOTS = new Set([
	'ubl:Invoice',
	'ubl:CreditNote',
	'rsm:CrossIndustryInvoice',
	'rsm:CrossIndustryDocument',
]);
/** Peppol's envelope. */
const ENVELOPE = 'sbd:StandardBusinessDocument';

/** The elements that make up most of an invoice. */
const LINES = new Set(['cac:InvoiceLine', 'cac:CreditNoteLine', 'ram:IncludedSupplyChainTradeLineItem']);
/** Those whose text isn't kept: attached files. */
const ATTACHED = new Set(['cbc:EmbeddedDocumentBinaryObject', 'ram:AttachmentBinaryObject']);

/** Ends the parsing from within one of the parser's events. */
class Stop extends Error {
	constructor(readonly outcome: ParsedXml) {
		super();
	}
}

const DAMAGED_XML: Bilingual = {
	en: "The XML is damaged and can't be read.",
	de: 'Das XML ist beschädigt und nicht lesbar.',
};
const CUT_OFF: Bilingual = {
	en: 'Format error (Formatfehler), so it is no e-invoice: the XML ends too early, the file was cut off. Ask the sender to send it again.',
	de: 'Formatfehler, also keine E-Rechnung: Das XML endet zu früh, die Datei wurde abgeschnitten. Bitte beim Absender erneut anfordern.',
};
const DOCUMENT_TYPE: Bilingual = {
	en: "The XML declares its own document type (DOCTYPE), which no e-invoice has and which can hide its content. Don't trust it: ask the sender.",
	de: 'Das XML hat einen eigenen Dokumenttyp (DOCTYPE), den keine E-Rechnung hat und der ihren Inhalt verbergen kann. Nicht darauf verlassen: Beim Absender nachfragen.',
};

const OTHER_XML: ParsedXml = { root: undefined, lineCount: 0 };

/**
 * Parses XML until it is clear whether it is an invoice, and if it is, to the end.
 * @param texts the XML in pieces that are small enough to be parsed without a pause
 */
export async function parseInvoice(texts: Iterable<string>, turn: Turn): Promise<ParsedXml> {
	const builder = new Builder();
	const parser = await saxesParser({ xmlns: true });
	parser.on('error', ({ message }) => builder.fail(message.replace(/^[\d:]+ /, ''), parser.line));
	parser.on('doctype', () => (builder.hasDoctype = true));
	parser.on('opentagstart', () => builder.openTag());
	parser.on('attribute', () => builder.attribute());
	parser.on('opentag', (tag) => builder.open(tag));
	parser.on('text', (part) => builder.text(part));
	parser.on('cdata', (part) => builder.text(part));
	parser.on('closetag', () => builder.close());
	try {
		for (const text of texts) {
			builder.begin(text);
			parser.write(text);
			if (!boundKept(parser, INVOICE_LIMITS.text, builder.needsText)) throw builder.stop(TOO_MUCH);
			await turn.yield();
		}
		parser.close();
	} catch (error) {
		return error instanceof Stop
			? error.outcome
			: { problem: DAMAGED_XML, isInvoice: builder.root !== undefined };
	}
	return { root: builder.root, lineCount: builder.lineCount };
}

/** More than any invoice has: of attributes, elements, levels, text, or of something that never ends. */
const TOO_MUCH: Bilingual = {
	en: "The XML has more of something than any invoice has, or something endless: it was not read. Don't trust it: ask the sender.",
	de: 'Das XML hat von etwas mehr, als jede Rechnung hat, oder etwas Endloses: Es wurde nicht gelesen. Nicht darauf verlassen: Beim Absender nachfragen.',
};

/** Builds the tree of an invoice from the parser's events. */
class Builder {
	root: XmlElement | undefined;
	hasDoctype = false;

	private readonly path: XmlElement[] = [];
	private depth = 0;
	/** The depth of the element that is being skipped with everything in it. */
	private passedOver: number | undefined;
	private attributes = 0;
	private elements = 0;
	private characters = 0;
	lineCount = 0;
	/** How deep the line is that is being read. */
	private line: number | undefined;
	private lineElements = 0;
	private lineCharacters = 0;
	private oddComments = 0;
	/** Characters since the beginning of what must end soon: of the XML before its first element, or of a tag. */
	private pending: number | undefined = 0;

	/** Call this before a piece is parsed. */
	begin(text: string): void {
		this.pending = this.pending === undefined ? undefined : this.pending + text.length;
		if (this.pending !== undefined && this.pending > INVOICE_LIMITS.tag) throw this.stop(TOO_MUCH);
	}

	/** Whether the text that the parser has collected may be needed; the attributes of a tag may declare namespaces. */
	get needsText(): boolean {
		return this.pending !== undefined || this.isRead;
	}

	/** Whether what comes is a text of an element that is kept. */
	private get isRead(): boolean {
		const element = this.passedOver === undefined ? this.path.at(-1) : undefined;
		return element !== undefined && !ATTACHED.has(element.name);
	}

	openTag(): void {
		this.pending = 0;
	}

	/** @param reason the parser's: a fragment of a sentence that ends with a period */
	fail(reason: string, line: number): void {
		// Two hyphens in a comment hide nothing, and some programs write them.
		if (reason === 'malformed comment.' && ++this.oddComments <= INVOICE_LIMITS.oddComments) return;
		// Other programs fill the end of a file with zeros.
		if (this.root && this.depth === 0 && reason === 'disallowed character.')
			throw new Stop({ root: this.root, lineCount: this.lineCount });
		const isCut = /unclosed tag|unexpected end|must contain a root/.test(reason);
		const what = cut(reason.trim().replace(/\.$/, ''), 80);
		throw this.stop(
			isCut
				? CUT_OFF
				: {
						en: `Format error (Formatfehler), so it is no e-invoice: the XML is damaged on line ${line} (${what}). Ask the sender to send it again.`,
						de: `Formatfehler, also keine E-Rechnung: Das XML ist in Zeile ${line} beschädigt (${what}). Bitte beim Absender erneut anfordern.`,
					},
		);
	}

	attribute(): void {
		if (++this.attributes > INVOICE_LIMITS.attributes) throw this.stop(TOO_MUCH);
	}

	open({ uri, local, attributes }: SaxesTagNS): void {
		this.attributes = 0;
		this.pending = undefined;
		if (++this.depth > MAX_XML_DEPTH) throw this.stop(TOO_MUCH);
		if (this.passedOver !== undefined) return;
		const prefix = prefixOf(uri);
		const name = `${prefix}:${local}`;
		if (!this.root && !this.isRoot(name)) return;
		const isBehindRoot = this.root !== undefined && this.path.length === 0;
		if (LINES.has(name) && this.line === undefined) {
			this.lineCount++;
			this.line = this.depth;
		}
		const isInLine = this.line !== undefined;
		if (isInLine) this.lineElements++;
		const isTooMany =
			isInLine && (this.lineCount > INVOICE_LIMITS.lines || this.lineElements > INVOICE_LIMITS.lineElements);
		if (prefix === undefined || isBehindRoot || isTooMany) {
			this.passedOver = this.depth;
			return;
		}
		if (!isInLine && ++this.elements > INVOICE_LIMITS.elements) throw this.stop(TOO_MUCH);
		const element = new XmlElement(
			name,
			mapValues(pick(attributes, ATTRIBUTES), ({ value }) => cutLine(value, INVOICE_LIMITS.attribute)),
		);
		Object.values(element.attributes).forEach((value) => this.count(value));
		if (this.root) this.path[this.path.length - 1].children.push(element);
		else this.root = element;
		this.path.push(element);
	}

	text(part: string): void {
		if (!this.isRead) return;
		this.count(part);
		// Of very many lines, the first ones are enough.
		if (this.line === undefined || this.lineCharacters <= INVOICE_LIMITS.lineText)
			this.path[this.path.length - 1].text += part;
	}

	close(): void {
		if (this.passedOver === undefined) this.path.pop();
		else if (this.passedOver === this.depth) this.passedOver = undefined;
		if (this.line === this.depth) this.line = undefined;
		this.depth--;
	}

	/** Whether it is an invoice's root. XML that can't have one ends the parsing. */
	private isRoot(name: string): boolean {
		if (INVOICE_ROOTS.has(name)) {
			// Entities could make other programs read other values than this one.
			if (this.hasDoctype) throw this.stop(DOCUMENT_TYPE, true);
			return true;
		}
		if (this.depth === 1 && name !== ENVELOPE) throw new Stop(OTHER_XML);
		return false;
	}

	private count(kept: string): void {
		if (this.line === undefined) this.characters += kept.length;
		else this.lineCharacters += kept.length;
		if (this.characters > INVOICE_LIMITS.text) throw this.stop(TOO_MUCH);
	}

	stop(problem: Bilingual, isInvoice = this.root !== undefined): Stop {
		return new Stop({ problem, isInvoice });
	}
}
