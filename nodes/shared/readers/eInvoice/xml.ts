import { mapValues, pick } from 'lodash';
import type { SaxesTagNS } from 'saxes';

import { cut } from '../../errors';
import { boundKept, saxesParser } from '../formats';
import { MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS, MAX_ODD_COMMENTS, MAX_TAG, MAX_TEXT } from './limits';
import type { Turn } from '../../values';

/** The attributes that are read; others aren't kept. */
const ATTRIBUTES = ['currencyID', 'schemeID', 'format'] as const;
type Attributes = Partial<Record<(typeof ATTRIBUTES)[number], string>>;

/**
 * An element of an invoice. Its name has the prefix that the standard uses for its namespace (`cbc:ID`, `ram:ID`),
 * whichever the document uses. Elements of other namespaces are not there, nor are invoice lines and attachments.
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

	/** The texts of these elements that have one, each in a single line. */
	values(path: string): string[] {
		return this.all(path)
			.map(({ text }) => text.trim().replace(/\s+/g, ' '))
			.filter(Boolean);
	}

	value(path: string): string | null {
		return this.values(path)[0] ?? null;
	}
}

/**
 * The root of an invoice; `undefined` for other XML; or why the XML can't be read, and whether it began as an invoice.
 */
export type ParsedXml = { root?: XmlElement } | { problem: string; isInvoice: boolean };

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

const ROOTS = new Set([
	'ubl:Invoice',
	'ubl:CreditNote',
	'rsm:CrossIndustryInvoice',
	'rsm:CrossIndustryDocument',
]);
/** Peppol's envelope. */
const ENVELOPE = 'sbd:StandardBusinessDocument';

/** The elements that make up most of an invoice and aren't read. */
const PASSED_OVER = new Set([
	'cac:InvoiceLine',
	'cac:CreditNoteLine',
	'cbc:EmbeddedDocumentBinaryObject',
	'ram:IncludedSupplyChainTradeLineItem',
	'ram:AttachmentBinaryObject',
]);

/** Ends the parsing from within one of the parser's events. */
class Stop extends Error {
	constructor(readonly outcome: ParsedXml) {
		super();
	}
}

const NO_INVOICE: ParsedXml = { root: undefined };

/**
 * Parses XML until it is clear whether it is an invoice, and if it is, to the end.
 * @param texts the XML in pieces that are small enough to be parsed without a pause
 */
export async function parseXml(texts: Iterable<string>, turn: Turn): Promise<ParsedXml> {
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
			if (!boundKept(parser, MAX_TEXT, builder.needsText)) throw builder.tooMuch('something endless');
			await turn.yield();
		}
		parser.close();
	} catch (error) {
		return error instanceof Stop
			? error.outcome
			: { problem: "The XML is damaged and can't be read.", isInvoice: builder.root !== undefined };
	}
	return { root: builder.root };
}

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
	private oddComments = 0;
	/** Characters since the beginning of what must end soon: of the XML before its first element, or of a tag. */
	private pending: number | undefined = 0;

	/** Call this before a piece is parsed. */
	begin(text: string): void {
		this.pending = this.pending === undefined ? undefined : this.pending + text.length;
		if (this.pending !== undefined && this.pending > MAX_TAG) {
			throw this.tooMuch('something endless where a tag or its end belongs');
		}
	}

	/** Whether the text that the parser has collected may be needed; the attributes of a tag may declare namespaces. */
	get needsText(): boolean {
		return this.pending !== undefined || (this.passedOver === undefined && this.path.length > 0);
	}

	openTag(): void {
		this.pending = 0;
	}

	/** @param reason the parser's: a fragment of a sentence that ends with a period */
	fail(reason: string, line: number): void {
		// Two hyphens in a comment hide nothing, and some programs write them.
		if (reason === 'malformed comment.' && ++this.oddComments <= MAX_ODD_COMMENTS) return;
		// Other programs fill the end of a file with zeros.
		if (this.root && this.depth === 0 && reason === 'disallowed character.')
			throw new Stop({ root: this.root });
		const isCut = /unclosed tag|unexpected end|must contain a root/.test(reason);
		throw this.stop(
			isCut
				? 'Format error (Formatfehler), so it is no e-invoice: the XML ends too early, the file was cut off. Ask the sender to send it again.'
				: `Format error (Formatfehler), so it is no e-invoice: the XML is damaged on line ${line} (${cut(reason.trim().replace(/\.$/, ''), 80)}). Ask the sender to send it again.`,
		);
	}

	attribute(): void {
		if (++this.attributes > MAX_ATTRIBUTES) throw this.tooMuch('an element with too many attributes');
	}

	open({ uri, local, attributes }: SaxesTagNS): void {
		this.attributes = 0;
		this.pending = undefined;
		if (++this.depth > MAX_DEPTH) throw this.tooMuch('elements that are nested too deeply');
		if (this.passedOver !== undefined) return;
		const prefix = prefixOf(uri);
		const name = `${prefix}:${local}`;
		if (!this.root && !this.isRoot(name)) return;
		const isBehindRoot = this.root !== undefined && this.path.length === 0;
		if (prefix === undefined || PASSED_OVER.has(name) || isBehindRoot) {
			this.passedOver = this.depth;
			return;
		}
		if (++this.elements > MAX_ELEMENTS) throw this.tooMuch('too many elements');
		const element = new XmlElement(name, mapValues(pick(attributes, ATTRIBUTES), 'value'));
		Object.values(element.attributes).forEach((value) => this.count(value));
		if (this.root) this.path[this.path.length - 1].children.push(element);
		else this.root = element;
		this.path.push(element);
	}

	text(part: string): void {
		if (this.passedOver !== undefined || this.path.length === 0) return;
		this.count(part);
		this.path[this.path.length - 1].text += part;
	}

	close(): void {
		if (this.passedOver === undefined) this.path.pop();
		else if (this.passedOver === this.depth) this.passedOver = undefined;
		this.depth--;
	}

	/** Whether it is an invoice's root. XML that can't have one ends the parsing. */
	private isRoot(name: string): boolean {
		if (ROOTS.has(name)) {
			// Entities could make other programs read other values than this one.
			if (this.hasDoctype) {
				throw this.stop(
					"The XML declares its own document type (DOCTYPE), which no e-invoice has and which can hide its content. Don't trust it: ask the sender.",
					true,
				);
			}
			return true;
		}
		if (this.depth === 1 && name !== ENVELOPE) throw new Stop(NO_INVOICE);
		return false;
	}

	private count(kept: string): void {
		this.characters += kept.length;
		if (this.characters > MAX_TEXT) throw this.tooMuch('too much text');
	}

	tooMuch(what: string): Stop {
		return this.stop(
			`The XML has ${what}, which no invoice has: it was not read. Don't trust it: ask the sender.`,
		);
	}

	private stop(problem: string, isInvoice = this.root !== undefined): Stop {
		return new Stop({ problem, isInvoice });
	}
}
