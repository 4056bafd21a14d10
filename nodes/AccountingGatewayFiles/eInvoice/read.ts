import type { IDataObject } from 'n8n-workflow';
import { pick } from 'lodash';

import { defineLocal } from '../../shared/operation';
import { files, flag, splitByFile } from '../../shared/parameters';
import { both } from '../../shared/values';
import type { Bilingual } from '../../shared/values';
import { labelOfFiles } from '../labelOfFiles';
import type { Reading } from './readInvoice';
import { INVOICE_LIMITS } from './limits';

/** The kind of a file that is no e-invoice, or can't be read. */
const NO_E_INVOICE = 'none';

export const read = defineLocal({
	value: 'read',
	name: 'Read',
	action: 'Read e-invoice',
	description:
		'Read number, dates, seller, amounts and taxes of e-invoices (E-Rechnung: XRechnung, ZUGFeRD, Factur-X, Peppol), from XML or from the XML inside a PDF. Sends nothing and needs no credential. Other files pass with kind: none.',
	parameters: {
		datei: files({
			displayName: 'Input Data Field Name',
			description: 'The files (datei, Dateien); the output has one item for each',
			required: true,
			mayBeEmpty: true,
			untaken: both('not read', 'Nicht gelesen'),
		}),
	},
	options: {
		view: flag({
			displayName: 'Readable Page',
			description:
				'Whether to add a page (HTML, file "view") that shows a person what the e-invoice says (view, Ansicht), e.g. for an approval. It loads nothing from elsewhere, and * doesn’t take it for a receipt. Other files get none.',
			default: true,
		}),
	},
	example: {
		kind: 'invoice',
		number: 'RE-4711',
		issueDate: '2026-11-03',
		dueDate: '2026-12-03',
		sellerName: 'Papier Schmidt GmbH',
		currency: 'EUR',
		grossAmount: 119,
		netAmount: 100,
		payableAmount: 119,
		taxes: [{ category: 'S', rate: 19, base: 100, amount: 19 }],
		problem: {
			en: 'The file is empty. Ask the sender to send it again.',
			de: 'Die Datei ist leer. Bitte beim Absender erneut anfordern.',
		},
		warnings: [
			{
				en: '19.00 EUR of the total with tax is paid already, and may be booked already, with its input tax.',
				de: '19,00 EUR des Gesamtbetrags sind schon gezahlt und vielleicht schon gebucht, samt Vorsteuer.',
			},
		],
		sha256: 'cafe1d5a11c0ffee5eed0ddba11deca1cafe1d5a11c0ffee5eed0ddba11deca1',
	},
	split: splitByFile,
	passesFiles: true,
	label: labelOfFiles,
	warnings: (records) =>
		records.flatMap(({ problem, warnings }) => ([problem ?? [], warnings ?? []] as Bilingual[][]).flat()),
	async make({ datei: [file] }, { bytesOf, simple, options: { view }, attach }) {
		// What reads is loaded when it is used: n8n loads each node at its start.
		const { INVOICE_TOO_LARGE, readInvoice } = await import('./readInvoice.js');
		const isTooLarge = file.content.bytes > INVOICE_LIMITS.bytes;
		const reading = isTooLarge ? INVOICE_TOO_LARGE : await readInvoice(await bytesOf(file), file.name);
		if (view && reading.invoice) {
			const { viewOf } = await import('./view.js');
			const page = Buffer.from(viewOf(reading.invoice, reading.warnings));
			await attach('view', `${file.name.replace(/\.\w{1,5}$/, '').slice(0, 200)}.html`, page, 'text/html');
		}
		return [{ ...(simple ? simplified(reading) : complete(reading)), sha256: file.content.sha256 }];
	},
});

/** The fields that a booking needs, or that the file isn't an e-invoice; and what a person should know. */
function simplified({ invoice, problem, warnings }: Reading): IDataObject {
	return {
		kind: invoice?.kind ?? NO_E_INVOICE,
		...(invoice && {
			number: invoice.number,
			issueDate: invoice.issueDate,
			dueDate: invoice.dueDate,
			sellerName: invoice.seller.name,
			currency: invoice.currency,
			grossAmount: invoice.grossAmount,
			netAmount: invoice.netAmount,
			payableAmount: invoice.payableAmount,
			taxes: invoice.taxes.map((tax) => pick(tax, ['category', 'rate', 'base', 'amount'])),
		}),
		...(problem !== undefined && { problem }),
		...(warnings.length > 0 && { warnings }),
	};
}

const complete = ({ invoice, problem, warnings }: Reading): IDataObject => ({
	kind: NO_E_INVOICE,
	...invoice,
	...(invoice && { sellerName: invoice.seller.name }),
	problem: problem ?? null,
	warnings,
});
