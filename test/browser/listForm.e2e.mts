/** The example *A list to the cash book*, on a phone: what its last page counts is what has happened, and its e-mail can be read there. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launchBrowser } from '../../host/editor.mjs';
import { type Mail, startMail } from '../../host/mailbox.mjs';
import type { Imported } from '../../tools/demo.mjs';
import { FORMS, WORKFLOWS } from '../../tools/examples.mjs';
import { importMailing } from '../support/mailingExamples.mjs';
import { waitFor } from '../../tools/waiting.mjs';
import { Rig } from '../support/rig.mjs';

let rig: Rig;
let browser: Browser;
let list: Imported;
let mail: Mail;

beforeAll(async () => {
	rig = await Rig.join();
	browser = await launchBrowser();
	mail = await startMail();
	[list] = await importMailing(rig, mail, 'list', (name) => name === 'list-to-cash-book');
	await rig.client.publish(list.workflowId);
	// n8n publishes in the background.
	const isThere = async () => (await fetch(`${rig.n8nUrl}/form/kassenliste`)).status === 401;
	await waitFor(isThere, { interval: 200 });
	await mkdir('tmp/browser', { recursive: true });
});
afterAll(async () => {
	if (list) await rig.client.deactivate(list.workflowId);
	rig?.sandbox.store.reset();
	await browser?.close();
	await rig?.stop();
	await mail?.stop();
});

const LIST = join(WORKFLOWS, 'list-to-cash-book/Kassenliste.xlsx');
const IN_E_MAIL = 'in einer E-Mail an Ihre Buchhaltung';

/** Nothing is cut off, and there is nothing to push aside. */
async function picture(page: Page, name: string): Promise<void> {
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	await page.screenshot({ path: `tmp/browser/${name}.png`, fullPage: true });
}

it('counts what is booked, was there already, and was refused', async () => {
	const page = await browser.newPage({
		viewport: { width: 390, height: 844 },
		locale: 'de-DE',
		httpCredentials: { username: FORMS.user, password: FORMS.password },
	});
	// n8n's pages take a font from the internet.
	await page.route(
		(url) => url.hostname !== '127.0.0.1',
		(route) => route.abort(),
	);
	const send = async (
		file: string | { name: string; mimeType: string; buffer: Buffer } = LIST,
		before = '214,10',
		after = '1.450,06',
	) => {
		await page.goto(`${rig.n8nUrl}/form/kassenliste`, { waitUntil: 'domcontentloaded' });
		await page.getByLabel('Liste').setInputFiles(file);
		await page.getByLabel('Kassenbuch').selectOption('Hauptkasse');
		await page.getByLabel('Bestand davor').fill(before);
		await page.getByLabel('Bestand danach').fill(after);
		await page.getByRole('button', { name: 'Buchen' }).click();
		await page.waitForURL(/form-waiting/);
		// A table ends the paragraph.
		const text = page.locator('.header p').first();
		await text.waitFor();
		return [await page.locator('.header h1').innerText(), await text.innerText()];
	};
	const [title, text] = await send();
	expect(text).toContain(IN_E_MAIL);
	await picture(page, 'list, booked');
	expect(title).toBe('5 gebucht, 1 abgelehnt');
	expect(text).toMatch(
		/Schon gebucht waren: 0\. Unklar: 0\.\s+6 Zeilen, .* → 1\.450,06\. Übersprungen.*: 10 \(Summe\)\./,
	);
	expect(await send()).toEqual([
		'0 gebucht, 1 abgelehnt',
		expect.stringContaining('Schon gebucht waren: 5.'),
	]);
	expect(await page.getByRole('row').first().innerText()).toMatch(/1\.250,40 · Backwaren außer Haus · /);
	await picture(page, 'list, booked already');
	expect(rig.sandbox.store.list('entries')).toHaveLength(5);
	const buffer = Buffer.from('Datum;Vorgang;Text;Betrag;Steuersatz\n24.11.2026;Ausgabe;Blumen;8,40;7\n');
	const [done, aboutIt] = await send({ name: 'Liste.csv', mimeType: 'text/csv', buffer }, '100', '91,60');
	expect(done).toBe('1 gebucht, 0 abgelehnt');
	expect(aboutIt).not.toContain(IN_E_MAIL);

	const [email] = mail.emails;
	await page.setContent(`<meta name="viewport" content="width=device-width">${email.html}`);
	await picture(page, 'list, e-mail');
	expect(await page.getByRole('row').last().innerText()).toMatch(/^8\s+15,44 · Putzmittel/);
	await page.close();
});
