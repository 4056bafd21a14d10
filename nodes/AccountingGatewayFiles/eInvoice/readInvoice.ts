import { isEqual } from 'lodash';

import { readCii } from './cii';
import { Decoding, encodingsOf, firstPiece } from './encoding';
import type { Pieces } from './encoding';
import type { EInvoice } from './invoice';
import { readPdf, startsLikeXml } from './pdf';
import { Turn } from '../../shared/values';
import { piecesOf } from '../formats/text';
import type { Bilingual } from '../../shared/values';
import { readUbl } from './ubl';
import { shortened } from './values';
import { warningsAbout } from './warnings/warnings';
import { parseInvoice } from './xml';
import { INVOICE_LIMITS } from './limits';

/** The result of reading a file. */
export interface Reading {
	/** Undefined if the file is no e-invoice, or can't be read. */
	invoice?: EInvoice;
	/** Why a file that is an e-invoice, or may be one, can't be read; and what to do. For people. */
	problem?: Bilingual;
	/** What a person should know before booking it. */
	warnings: Bilingual[];
}

const NO_INVOICE: Reading = { warnings: [] };

/** From this day on, larger companies in Germany must send e-invoices to others there (§ 27 (38) UStG). */
const OBLIGATORY = '2027-01-01';
const PDF_ALONE: Bilingual = {
	en: 'This PDF contains no e-invoice. If it is the invoice of a domestic supplier, ask for one: it is obligatory from 2027 on above 800,000 EUR of total sales, and from 2028 on for nearly all (§ 27 Abs. 38 UStG).',
	de: 'Dieses PDF enthält keine E-Rechnung. Ist es die Rechnung eines inländischen Lieferanten, bitte eine anfordern: Sie ist ab 2027 über 800.000 EUR Gesamtumsatz und ab 2028 für fast alle Pflicht (§ 27 Abs. 38 UStG).',
};
const PDF_INSIDE: Bilingual = {
	en: 'This PDF contains another PDF, whose content was not read. If that is the invoice, save it and read it by itself.',
	de: 'Dieses PDF enthält ein weiteres PDF, dessen Inhalt nicht gelesen wurde. Ist das die Rechnung, bitte einzeln speichern und lesen.',
};

const problem = (en: string, de: string): Reading => ({ problem: { en, de }, warnings: [] });

const COSTLY_PDF = problem(
	"The PDF is built so that reading it takes too much time or memory: it was not read. Don't trust it: ask the sender.",
	'Das PDF ist so gebaut, dass es zu viel Zeit oder Speicher kostet: Es wurde nicht gelesen. Nicht darauf verlassen: Beim Absender nachfragen.',
);
const EMPTY_FILE = problem(
	'The file is empty. Ask the sender to send it again.',
	'Die Datei ist leer. Bitte beim Absender erneut anfordern.',
);
const DAMAGED_FILE = problem(
	"The file is damaged and can't be read. Ask the sender to send it again.",
	'Die Datei ist beschädigt und nicht lesbar. Bitte beim Absender erneut anfordern.',
);
const ENCRYPTED_PDF = problem(
	"The PDF is encrypted (protected by a password, or against changes), and the file inside it can't be read. Save it without protection, or ask the sender for an unprotected copy.",
	'Das PDF ist verschlüsselt (durch ein Kennwort oder gegen Änderungen geschützt), die Datei darin ist nicht lesbar. Bitte ohne Schutz speichern oder beim Absender eine ungeschützte Fassung anfordern.',
);
const PDF_CUT_OFF = problem(
	'The PDF ends too early, and no e-invoice was found in what is left of it: the file was cut off. Ask the sender to send it again.',
	'Das PDF endet zu früh, im Rest war keine E-Rechnung zu finden: Die Datei wurde abgeschnitten. Bitte beim Absender erneut anfordern.',
);
const MISSING_IN_PDF = problem(
	'Format error (Formatfehler), so it is no e-invoice: the PDF says that it contains one (ZUGFeRD, Factur-X), but it is missing or damaged. Ask the sender to send it again.',
	'Formatfehler, also keine E-Rechnung: Das PDF gibt an, eine zu enthalten (ZUGFeRD, Factur-X), sie fehlt aber oder ist beschädigt. Bitte beim Absender erneut anfordern.',
);

export const INVOICE_TOO_LARGE = problem(
	`The file is larger than ${INVOICE_LIMITS.bytes / 1e6} MB. No e-invoice is that large: check it yourself.`,
	`Die Datei ist größer als ${INVOICE_LIMITS.bytes / 1e6} MB. So groß ist keine E-Rechnung: Bitte selbst prüfen.`,
);

/**
 * Reads an e-invoice: UBL, CII, ZUGFeRD 1, or the XML of these inside a PDF. Never throws: the sender chooses the file,
 * and the other files should still be read.
 * @param fileName tells a damaged file from one that was never meant to be read
 */
export async function readInvoice(bytes: Uint8Array, fileName = ''): Promise<Reading> {
	if (bytes.length === 0) return EMPTY_FILE;
	if (bytes.length > INVOICE_LIMITS.bytes) return INVOICE_TOO_LARGE;
	try {
		if (isPdf(bytes)) return await readPdfFile(bytes, new Turn());
		if (startsLikeXml(bytes)) return await readXmlFile(bytes, fileName);
	} catch {
		return DAMAGED_FILE;
	}
	const kind = /\.(?<kind>xml|pdf)$/i.exec(fileName)?.groups?.kind.toUpperCase();
	if (!kind) return NO_INVOICE;
	const article = kind === 'PDF' ? 'a ' : '';
	return problem(
		`The file isn't ${article}${kind}, although its name says so: it is damaged. Ask the sender to send it again.`,
		`Die Datei ist kein ${kind}, obwohl sie so heißt: Sie ist beschädigt. Bitte beim Absender erneut anfordern.`,
	);
}

/** Whether a file is a PDF. Some programs write other bytes before the header. */
const isPdf = (bytes: Uint8Array) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');

async function readXmlFile(bytes: Uint8Array, fileName: string): Promise<Reading> {
	const reading = await readXml(() => piecesOf(bytes), new Turn());
	// HTML, for example, is neither XML nor an invoice.
	return reading.isUnknown && !/\.xml$/i.test(fileName) ? NO_INVOICE : reading;
}

/** @returns `isUnknown` if the XML breaks before it shows what it is */
async function readXml(pieces: Pieces, turn: Turn): Promise<Reading & { isUnknown?: boolean }> {
	for (const { label, warning } of encodingsOf(firstPiece(pieces()))) {
		const decoding = new Decoding(label);
		const parsed = await parseInvoice(decoding.texts(pieces()), turn);
		if (decoding.isWrong) continue;
		if ('problem' in parsed) return { problem: parsed.problem, warnings: [], isUnknown: !parsed.isInvoice };
		const { root, lineCount } = parsed;
		if (!root) return NO_INVOICE;
		const { invoice, unreadable } = root.name.startsWith('ubl:')
			? readUbl(root, lineCount)
			: readCii(root, lineCount);
		return { invoice, warnings: [...warningsAbout(invoice, unreadable), ...(warning ? [warning] : [])] };
	}
	return NO_INVOICE;
}

async function readPdfFile(bytes: Uint8Array, turn: Turn): Promise<Reading> {
	const { xmls, claimsInvoice, isCutOff, isEncrypted, hasPdf, isTooMuch } = await readPdf(bytes, turn);
	const readings: Reading[] = [];
	for (const xml of isTooMuch() ? [] : xmls) readings.push(await readXml(xml, turn));
	if (isTooMuch()) return COSTLY_PDF;
	const [first, ...others] = readings.filter(({ invoice }) => invoice);
	if (first) return others.map((other) => conflict(first, other)).find(Boolean) ?? first;
	const broken = readings.find((reading) => reading.problem)?.problem;
	if (broken)
		return problem(
			`The e-invoice inside the PDF can't be read: ${broken.en}`,
			`Die E-Rechnung im PDF ist nicht lesbar: ${broken.de}`,
		);
	if (isEncrypted) return ENCRYPTED_PDF;
	if (isCutOff) return PDF_CUT_OFF;
	if (claimsInvoice) return MISSING_IN_PDF;
	return {
		warnings: [
			...(hasPdf ? [PDF_INSIDE] : []),
			...(new Date().toISOString() < OBLIGATORY ? [] : [PDF_ALONE]),
		],
	};
}

/** What is booked and paid must not depend on which of a PDF's invoices a program reads. */
function conflict(one: Reading, other: Reading): Reading | undefined {
	const says = ({ invoice }: Reading) => [
		invoice?.typeCode,
		invoice?.number,
		invoice?.issueDate,
		invoice?.currency,
		invoice?.grossAmount,
		invoice?.taxAmount,
		invoice?.taxAmountInTaxCurrency,
		invoice?.taxes.map(({ rate, base, amount }) => JSON.stringify([rate, base, amount])).sort(),
		invoice?.payableAmount,
		invoice?.iban,
		invoice?.otherIbans,
	];
	if (isEqual(says(one), says(other))) return undefined;
	const [first, second] = [one.invoice!, other.invoice!].map(({ number, grossAmount, currency }) => ({
		en: `number ${shortened(number ?? 'none')}, ${grossAmount ?? 'no total'} ${shortened(currency ?? '')}`.trim(),
		de: `Nummer ${shortened(number ?? 'fehlt')}, ${String(grossAmount ?? 'ohne Betrag').replace('.', ',')} ${shortened(currency ?? '')}`.trim(),
	}));
	return problem(
		`The PDF contains e-invoices that say different things (${first.en}; ${second.en}). Ask the sender which one counts before you book anything.`,
		`Das PDF enthält E-Rechnungen mit verschiedenem Inhalt (${first.de}; ${second.de}). Vor dem Buchen beim Absender nachfragen, welche gilt.`,
	);
}
