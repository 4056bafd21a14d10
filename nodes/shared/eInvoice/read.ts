import { readCii } from './cii';
import { decodeXml } from './encoding';
import type { EInvoice } from './invoice';
import { MAX_BYTES } from './limits';
import { readPdf, startsLikeXml } from './pdf';
import type { Attachment } from './pdf';
import { readUbl } from './ubl';
import { shortened } from './values';
import { warningsAbout } from './warnings';
import { parseXml } from './xml';

/** What was read from a file. */
export interface Reading {
	/** Undefined if the file is no e-invoice, or can't be read. */
	invoice?: EInvoice;
	/** Name of the file inside the PDF that it was read from. */
	attachment?: string;
	/** Why a file that is an e-invoice, or may be one, can't be read; and what to do. For people. */
	problem?: string;
	/** What a person should know before booking it. */
	warnings: string[];
}

const NO_INVOICE: Reading = { warnings: [] };

const problem = (text: string): Reading => ({ problem: text, warnings: [] });

export const TOO_LARGE = problem(
	`The file is larger than ${MAX_BYTES / 1e6} MB. No e-invoice is that large: check it yourself.`,
);

/**
 * Reads an e-invoice: UBL, CII, ZUGFeRD 1, or the XML of these inside a PDF. Never throws: the sender chooses the file,
 * and the other files should still be read.
 * @param fileName tells a damaged file from one that was never meant to be read
 */
export async function readEInvoice(bytes: Uint8Array, fileName = ''): Promise<Reading> {
	if (bytes.length === 0) return problem('The file is empty. Ask the sender to send it again.');
	if (bytes.length > MAX_BYTES) return TOO_LARGE;
	try {
		if (isPdf(bytes)) return await readPdfFile(bytes);
		if (startsLikeXml(bytes)) return await readXmlFile(bytes, fileName);
	} catch {
		return problem("The file is damaged and can't be read. Ask the sender to send it again.");
	}
	const kind = /\.(?<kind>xml|pdf)$/i.exec(fileName)?.groups?.kind.toUpperCase();
	if (!kind) return NO_INVOICE;
	const content = bytes.every((byte) => byte === 0)
		? 'contains nothing but zeros'
		: `isn't ${kind === 'XML' ? 'XML' : 'a PDF'}, although its name says so`;
	return problem(`The file ${content}: it is damaged. Ask the sender to send it again.`);
}

/** Some programs put something before the header. */
const isPdf = (bytes: Uint8Array) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');

async function readXmlFile(bytes: Uint8Array, fileName: string): Promise<Reading> {
	const reading = await readXml(bytes);
	// HTML, for example, is neither XML nor an invoice.
	return reading.isUnknown && !/\.xml$/i.test(fileName) ? NO_INVOICE : reading;
}

/** @returns `isUnknown` if the XML breaks before it shows what it is */
async function readXml(bytes: Uint8Array): Promise<Reading & { isUnknown?: boolean }> {
	const { text, warning } = decodeXml(bytes);
	const parsed = await parseXml(text);
	if ('problem' in parsed) return { ...problem(parsed.problem), isUnknown: !parsed.isInvoice };
	const { root } = parsed;
	if (!root) return NO_INVOICE;
	const { invoice, unreadable } = root.name.startsWith('ubl:') ? readUbl(root) : readCii(root);
	const warnings = warningsAbout(invoice, unreadable);
	return { invoice, warnings: warning ? [...warnings, warning] : warnings };
}

async function readPdfFile(bytes: Uint8Array): Promise<Reading> {
	const { attachments, claimsInvoice, isDamaged, isEncrypted, isTooMuch } = await readPdf(bytes);
	if (isEncrypted) {
		return problem(
			'The PDF is protected by a password, so nothing can be read from it. Save it without a password, or ask the sender for an unprotected copy.',
		);
	}
	const readings: Array<Reading & Attachment> = [];
	for (const attachment of attachments)
		readings.push({ ...(await readAttachment(attachment)), ...attachment });
	const [first, ...others] = readings.filter(({ invoice }) => invoice);
	if (first) {
		const { invoice, name, warnings } = first;
		return { invoice, attachment: name, warnings: [...warnings, ...contradictions(first, others)] };
	}
	if (isTooMuch) {
		return problem(
			"The PDF is built so that reading it takes too much time or memory: it was not read. Don't trust it: ask the sender.",
		);
	}
	const broken = readings.find((reading) => reading.problem);
	if (broken)
		return problem(
			`The e-invoice inside the PDF (${shortened(broken.name)}) can't be read: ${broken.problem}`,
		);
	if (claimsInvoice) {
		return problem(
			'The PDF says that it contains an e-invoice (ZUGFeRD, Factur-X), but it is missing or damaged. Ask the sender to send it again.',
		);
	}
	return isDamaged
		? problem(
				"The PDF is damaged, and no e-invoice was found in what is left of it. If it doesn't open, ask the sender to send it again.",
			)
		: NO_INVOICE;
}

async function readAttachment({ bytes }: Attachment): Promise<Reading> {
	if (bytes === undefined) return problem('it is damaged, or too large.');
	if (bytes.length === 0) return problem('it is empty.');
	return await readXml(bytes);
}

/** The same PDF must not say different things to different readers. */
function contradictions(
	{ invoice, name }: Reading & Attachment,
	others: Array<Reading & Attachment>,
): string[] {
	return others
		.filter(
			(other) =>
				other.invoice?.number !== invoice?.number || other.invoice?.grossAmount !== invoice?.grossAmount,
		)
		.map((other) => {
			const says = (one?: EInvoice) =>
				`number ${one?.number ?? 'none'}, ${one?.grossAmount ?? 'no total'} ${one?.currency ?? ''}`.trim();
			return `The PDF contains another e-invoice that says something else: ${shortened(name)} (${says(invoice)}) was read, ${shortened(other.name)} (${says(other.invoice)}) wasn't. Look at both.`;
		});
}
