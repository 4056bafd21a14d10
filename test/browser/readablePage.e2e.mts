/** The page that shows an e-invoice, in a real browser: on a phone, nothing is cut off or squeezed. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readInvoice } from '../../nodes/AccountingGatewayFiles/eInvoice/readInvoice.js';
import { viewOf } from '../../nodes/AccountingGatewayFiles/eInvoice/view.js';
import { launchBrowser, newPage } from '../../host/editor.mjs';
import { ciiOf, ublInvoice } from '../support/eInvoices.mjs';

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(async () => await browser?.close());

const EXTENDED = ciiOf({
	profile: 'extended',
	lines: [
		['1234567.89', 'S', '19', 'GROUP'],
		['1234567.89', 'S', '19', 'DETAIL'],
	],
	freight: ['15.00', 'AE', '0'],
});
const LONG = ublInvoice({
	'>Papier A4<': `>${'Donaudampfschifffahrtsgesellschaft'.repeat(5)}<`,
	'unitCode="XBX"': `unitCode="${'X'.repeat(90)}"`,
	'>RE-4711<': `>${'4711-'.repeat(20)}<`,
	'post@papier.example': `${'rechnungswesen'.repeat(6)}@papier.example`,
});

it.each<[what: string, width: number, xml: string]>([
	['a phone', 390, ublInvoice()],
	['a phone, with lines within a line', 390, EXTENDED],
	['a phone, with names that are longer than the screen', 390, LONG],
	['a small phone', 320, EXTENDED],
	['a desk', 1280, LONG],
])('On %s, the page is as wide as the screen, and the VAT ID on one line', async (_what, width, xml) => {
	const { invoice, warnings } = await readInvoice(Buffer.from(xml), 'x.xml');
	const page = await newPage(browser, { viewport: { width, height: 800 } });
	try {
		await page.setContent(viewOf(invoice!, warnings));
		expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
		const vatId = await page.locator('dd', { hasText: 'DE123456789' }).first().boundingBox();
		expect(vatId!.height).toBeLessThan(30);
	} finally {
		await page.close();
	}
});
