/** Reading e-invoices, by the node in n8n's engine. */
import type { Reading } from '../eInvoices.mjs';
import { milliseconds, type Part, runScript, seconds } from '../measurement.mjs';

export async function measureEInvoices(): Promise<Part> {
	const { pdf, xml, growth } = await runScript<Reading>('eInvoices.mts');
	return {
		title: 'E-invoices',
		method:
			"Read E-Invoice in n8n's engine (n8n-core) without the rest of n8n, files in n8n's store on disk: processor time, including all of n8n's own work for the items.",
		measurements: [
			{ what: 'A ZUGFeRD PDF of 1 MB', against: 'ms', ours: milliseconds(pdf), value: pdf, goal: 150 },
			{ what: '1,000 XRechnungen (XML) in one run', against: 's', ours: seconds(xml), value: xml, goal: 5 },
			{
				what: 'Growth of memory (heap) for each invoice, after 3,000 more',
				against: 'bytes',
				ours: `${growth.toFixed(0)} bytes`,
				value: growth,
				goal: 1000,
			},
		],
	};
}
