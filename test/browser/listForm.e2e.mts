/** The example *A list to the cash book*, on a phone: what its last page counts is what has happened, and its e-mail can be read there. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launchBrowser, newPage } from '../../host/editor.mjs';
import { type Mail, startMail } from '../../demo/mailbox.mjs';
import type { Imported } from '../../demo/demo.mjs';
import { FORMS, WORKFLOWS } from '../../demo/examples.mjs';
import { fillTableOfClients, importMailing } from '../support/mailingExamples.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
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
	await fillTableOfClients(rig);
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

type Upload = string | { name: string; mimeType: string; buffer: Buffer };
const csv = (...rows: string[]): Upload => ({
	name: 'Liste.csv',
	mimeType: 'text/csv',
	buffer: Buffer.from(rows.join('\n')),
});

/** Nothing is cut off, and there is nothing to push aside, on a phone and on a screen. */
async function picture(page: Page, name: string): Promise<void> {
	for (const [width, height] of [
		[1280, 800],
		[390, 844],
	]) {
		await page.setViewportSize({ width, height });
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		await page.screenshot({ path: `tmp/browser/${name}, ${width}.png`, fullPage: true });
	}
}

it(
	'shows what would be booked, and then counts what was booked, was there already, and was refused',
	{ timeout: 600_000 },
	async () => {
		const page = await newPage(browser, {
			viewport: { width: 390, height: 844 },
			locale: 'de-DE',
			httpCredentials: { username: FORMS.user, password: FORMS.password },
		});
		// n8n's pages take a font from the internet.
		await page.route(
			(url) => url.hostname !== '127.0.0.1',
			(route) => route.abort(),
		);
		const entries = () => rig.sandbox.store.list('entries')!;
		/** The heading and the text of a page after the first one. */
		const shown = async () => {
			// n8n's own, for a form without further pages, is hidden.
			const heading = page.locator('h1').filter({ hasText: /bucht/ });
			await heading.waitFor();
			return [await heading.innerText(), await page.locator('.card').first().innerText()];
		};
		const open = async () => {
			await page.goto(`${rig.n8nUrl}/form/kassenliste`, { waitUntil: 'domcontentloaded' });
			await page.getByRole('button', { name: 'Weiter' }).click();
			await page.waitForURL(/form-waiting/);
			await page.getByLabel('Bestand davor').waitFor();
		};
		const look = async (file: Upload = LIST, before = '214,10', after = '1.450,06') => {
			await open();
			await page.getByLabel('Liste').setInputFiles(file);
			await page.getByLabel('Mandant').selectOption('Bäckerei Sonnenschein GmbH, Hauptkasse');
			await page.getByLabel('Bestand davor').fill(before);
			await page.getByLabel('Bestand danach').fill(after);
			await page.getByRole('button', { name: 'Weiter' }).click();
			return await shown();
		};
		const book = async () => {
			await page.getByRole('button', { name: 'Buchen' }).click();
			await page.locator('h1').filter({ hasText: /^\d+ / }).waitFor();
			return await shown();
		};
		await open();
		expect(await page.getByLabel('Mandant').locator('option').allInnerTexts()).toEqual(
			expect.arrayContaining([
				'Bäckerei Sonnenschein GmbH, Kasse Filiale Süd',
				'Café Morgenrot e. K., Tageskasse',
			]),
		);
		await picture(page, 'list, page one');
		const [title, text] = await look();
		expect(title).toBe('Noch nichts gebucht');
		expect(text).toMatch(
			/Bäckerei Sonnenschein GmbH[^]*Hauptkasse[^]*Bestand 214,10 → 1\.450,06[^]*Zeile 8[^]*Wird nicht gebucht[^]*10 \(Summe\)/,
		);
		await picture(page, 'list, page two');
		// What can be pressed is as large as a finger.
		for (const one of [
			page.getByRole('button', { name: 'Buchen' }),
			page.getByRole('link', { name: 'Abbrechen' }),
		])
			expect((await one.boundingBox())!.height).toBeGreaterThanOrEqual(44);
		await page.getByRole('link', { name: 'Abbrechen' }).click();
		await page.getByRole('button', { name: 'Weiter' }).waitFor();
		expect(entries()).toEqual([]);

		await look();
		const [booked, aboutIt] = await book();
		expect(booked).toBe('5 gebucht, 1 nicht gebucht');
		expect(aboutIt).toContain(IN_E_MAIL);
		await picture(page, 'list, booked');
		await look();
		const [again] = await book();
		expect(again).toBe('5 schon gebucht, 1 nicht gebucht');
		expect(await page.getByRole('row').nth(3).innerText()).toMatch(/1\.250,40 · Backwaren außer Haus · /);
		await picture(page, 'list, booked already');
		expect(entries()).toHaveLength(5);

		const [head, flowers] = [
			'Datum;Vorgang;Text;Betrag;Steuersatz;Kassenbuch',
			'24.11.2026;Ausgabe;Blumen;8,40;7',
		];
		expect(await look(csv(head, `${flowers};Nebenkasse`), '100', '91,60')).toEqual([
			'Nichts gebucht',
			expect.stringContaining('gehört zum Kassenbuch „Nebenkasse“, gewählt ist „Hauptkasse“'),
		]);
		await picture(page, 'list, another cash book');
		expect((await look(csv(head, `${flowers};`), '100', '91'))[1]).toMatch(
			/Nicht bewiesen: Die Zeilen ergeben 91,60, gezählt sind 91,00/,
		);
		await picture(page, 'list, not proved');
		await look(csv(head, `${flowers};Hauptkasse`), '100', '91,60');
		const [done, aboutThis] = await book();
		expect(done).toBe('1 gebucht');
		expect(aboutThis).not.toContain(IN_E_MAIL);

		for (const [i, name] of ['list, e-mail', 'list, e-mail booked already'].entries()) {
			await page.setContent(`<meta name="viewport" content="width=device-width">${mail.emails[i].html}`);
			await picture(page, name);
		}
		expect(await page.getByRole('row').filter({ hasText: 'Zeile 8' }).innerText()).toMatch(
			/^Zeile 8: 15,44 · Putzmittel/,
		);
		await page.close();
	},
);
