/** The example *Receipt from a form*, on a phone: what each page says is what has happened. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { WorkflowFile } from '../../host/client.mjs';
import { launchBrowser, newPage } from '../../host/editor.mjs';
import { type Mail, startMail } from '../../demo/mailbox.mjs';
import type { Imported } from '../../demo/demo.mjs';
import { FORMS, submitForm, WORKFLOWS } from '../../demo/examples.mjs';
import { faultSchema } from '../../sandbox/admin/faults.mjs';
import { importMailing } from '../support/mailingExamples.mjs';
import { firstOf } from '../../scripts/base/extent.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { Rig } from '../support/rig.mjs';

let rig: Rig;
let browser: Browser;
let form: Imported;
let mail: Mail;

beforeAll(async () => {
	rig = await Rig.join();
	browser = await launchBrowser();
	mail = await startMail();
	[form] = await importMailing(rig, mail, 'form', (name) => name === 'receipt-form');
	await rig.client.publish(form.workflowId);
	// n8n publishes in the background.
	const isThere = async () => (await fetch(`${rig.n8nUrl}/form/beleg`)).status === 401;
	await waitFor(isThere, { interval: 200 });
	await mkdir('tmp/browser', { recursive: true });
});
afterEach(() => {
	rig.sandbox.faults.clear();
	rig.sandbox.store.reset();
});
afterAll(async () => {
	if (form) await rig.client.deactivate(form.workflowId);
	await browser?.close();
	await rig?.stop();
	await mail?.stop();
});

/** A number that the workflow has made. */
const MADE = 'F-[0-9a-f]{32}';

const entries = () =>
	rig.sandbox.store.list('entries') as Array<{ belegbilder: IDataObject[] } & IDataObject>;

/** What the sandbox has to do to the next entries. */
const fault = (kind: string, more: IDataObject = {}) =>
	rig.sandbox.faults.add(
		faultSchema.parse({ kind, operationId: 'createCashBookEntry', times: null, ...more }),
	);
const refuse = (status: number, message: string) => fault('status', { status, body: { error: { message } } });

/** Sends the form without a browser and returns the page that comes of it. */
async function send(
	changes: Partial<Record<1 | 2 | 3 | 4 | 5 | 6, string>> = {},
	photos = ['a.jpg', 'b.jpg'],
	workflow: WorkflowFile = form.workflow,
): Promise<string> {
	const data = new FormData();
	const fields = {
		1: '12,50',
		2: '2026-11-20',
		3: 'Kasse Filiale Süd',
		4: '7 %',
		5: 'Blumen',
		6: '',
		...changes,
	};
	for (const [position, value] of Object.entries(fields)) data.append(`field-${position}`, value);
	for (const photo of photos)
		data.append('field-0', new Blob([`picture ${photo}`], { type: 'image/jpeg' }), photo);
	return await submitForm(rig.client, workflow, data);
}

/** The same form, whose node waits for two seconds instead of 60. */
async function impatientForm(): Promise<WorkflowFile> {
	const { data: stored } = await rig.client.api.get<WorkflowFile>(`workflows/${form.workflowId}`);
	const nodes = stored.nodes.map(({ webhookId, ...node }) => {
		const parameters = JSON.parse(
			JSON.stringify(node.parameters)
				.replace('"timeout":60', '"timeout":2')
				.replace('"beleg"', '"impatient"'),
		) as typeof node.parameters;
		return { ...node, parameters, ...(webhookId && { webhookId: randomUUID() }) };
	});
	expect(nodes.find(({ name }) => name === 'Book the receipt')!.parameters.options).toMatchObject({
		timeout: 2,
	});
	return { ...form.workflow, name: 'Impatient form', nodes };
}

describe.each(firstOf(1, ['de-DE', 'en-US']))(
	'the receipt form on a phone whose browser speaks %s',
	(locale) => {
		let page: Page;

		/** Fills in the form as a person does, sends it, and returns title and text of the page that follows. */
		async function fillIn(amount: string, text = 'Blumen'): Promise<{ title: string; text: string }> {
			page = await newPage(browser, {
				viewport: { width: 390, height: 844 },
				locale,
				httpCredentials: { username: FORMS.user, password: FORMS.password },
			});
			// n8n's pages take a font from the internet.
			await page.route(
				(url) => url.hostname !== '127.0.0.1',
				(route) => route.abort(),
			);
			await page.goto(`${rig.n8nUrl}/form/beleg`, { waitUntil: 'domcontentloaded' });
			const photo = join(WORKFLOWS, 'receipt-form/IMG_2246.jpg');
			await page.getByLabel('Fotos').setInputFiles(photo);
			await page.getByLabel('Betrag (EUR)').pressSequentially(amount);
			await page.getByLabel('Datum').fill('2026-11-20');
			await page.getByLabel('Kasse', { exact: true }).selectOption('Hauptkasse');
			await page.getByLabel('Steuersatz').selectOption('19 %');
			await page.getByLabel('Wofür').fill(text);
			await picture(`form ${amount}`);
			await page.getByRole('button', { name: 'Senden' }).click();
			await page.waitForURL(/form-waiting/);
			await page.locator('.header p').waitFor();
			const title = await page.locator('.header h1').innerText();
			await picture(title);
			return { title, text: await page.locator('.header p').innerText() };
		}

		/** Nothing is cut off, and there is nothing to push aside. */
		async function picture(name: string): Promise<void> {
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
			await page.screenshot({ path: `tmp/browser/${locale} ${name}.png`, fullPage: true });
		}

		afterEach(async () => await page.close());

		it.each(
			firstOf(1, [
				['1.234,50', 1234.5, '1.234,50'],
				['17,80', 17.8, '17,80'],
			] as const),
		)('books %s as what it is', async (typed, betrag, shown) => {
			const { title, text } = await fillIn(typed);
			expect(title).toBe('Gebucht');
			expect(text).toMatch(
				new RegExp(
					`^${shown} EUR aus „Hauptkasse“: „Blumen“. Nummer im Kassenbuch ${MADE}, Fotos: 1\\.\\s+Nächster Beleg$`,
				),
			);
			expect(entries()).toMatchObject([{ fields: { betrag, bewegung: 'AUSGABE', steuersatz: 19 } }]);
			expect(entries()[0].belegbilder).toHaveLength(1);
		});

		it('books no 0', async () => {
			const { title, text } = await fillIn('0');
			expect(title).toBe('Nicht gebucht');
			expect(text).toContain('bitte so schreiben: 17,80');
			expect(entries()).toEqual([]);
			// The browser's "Back" would leave the form.
			await page.getByRole('link').click();
			await page.waitForURL(/\/form\/beleg\?/);
			expect(await page.getByLabel('Wofür').inputValue()).toBe('Blumen');
			expect(await page.getByLabel('Kasse', { exact: true }).inputValue()).toBe('Hauptkasse');
		});
	},
);

describe('the page after the receipt form', () => {
	it.each(
		firstOf(2, [
			['cut off after it was booked', () => fault('drop', { point: 'after-handler' })],
			['failing', () => fault('status', { status: 503 })],
			['cut off before it was booked', () => fault('drop')],
			['answering with half of its answer', () => fault('cut')],
			['answering with broken JSON', () => fault('broken-json')],
		] as const),
	)('with the gateway %s: unknown', async (_, strike) => {
		strike();
		const page = await send();
		expect(page).toContain('<h1>Bitte nicht noch einmal senden</h1>');
		expect(page).toMatch(new RegExp(`Nummer im Kassenbuch ${MADE}`));
		expect(page).not.toContain('senden Sie noch einmal');
	});

	it('with a gateway that never answers: unknown, after the time that the node waits', async () => {
		const impatient = await impatientForm();
		const id = await rig.client.importWorkflow(impatient);
		await rig.client.publish(id);
		fault('hang');
		expect(await send({}, ['a.jpg'], impatient)).toContain('<h1>Bitte nicht noch einmal senden</h1>');
		await rig.client.deactivate(id);
	});

	it.each(
		firstOf(2, [
			[
				'the accounting system refuses it',
				422,
				'Der Zeitraum ist gesperrt.',
				'ob ein Teil davon schon da ist',
			],
			[
				'something else is in the way',
				409,
				'PERIOD_LOCKED: nicht angenommen',
				'ob ein Teil davon schon da ist',
			],
			['the credits are used up', 402, 'No credits.', 'Laden Sie das Guthaben auf'],
			['the key is rejected', 401, 'No such key.', 'Lassen Sie den API-Schlüssel'],
		] as const),
	)('%s: not booked, and why', async (_, status, message, advice) => {
		refuse(status, message);
		const page = await send();
		expect(page).toContain('<h1>Nicht gebucht</h1>');
		expect(page).toContain(message);
		expect(page).toContain(advice);
		expect(entries()).toEqual([]);
	});

	it('a gateway that can’t be reached: not booked, later', async () => {
		const { name } = rig.credential;
		const data = { apiKey: rig.sandbox.apiKey, accountingProvider: 'acct' };
		const type = 'accountingGatewayApi';
		await rig.client.importCredential({ name, type, data: { ...data, baseUrl: 'http://127.0.0.1:9' } });
		const page = await send();
		await rig.client.importCredential({ name, type, data: { ...data, baseUrl: rig.sandbox.url } });
		expect(page).toContain('<h1>Nicht gebucht</h1>');
		expect(page).toContain('Beheben Sie die Ursache');
	});

	it.each(
		firstOf(2, [
			['an amount below zero', { 1: '-3' }, 'ist negativ: Geben Sie ihn ohne Vorzeichen an'],
			['an amount with three decimals', { 1: '1.234' }, '1.234'],
			['no amount', { 1: 'abc' }, 'bitte so schreiben: 17,80'],
			['an amount of zero', { 1: '0,00' }, 'bitte so schreiben: 17,80'],
			['a cash book that there is not', { 3: 'Portokasse' }, 'Portokasse'],
		] as const),
	)('says what was wrong with %s', async (_, changes, text) => {
		const page = await send(changes);
		expect(page).toContain('<h1>Nicht gebucht</h1>');
		expect(page).toContain(text);
		expect(entries()).toEqual([]);
	});

	it('with a number of one’s own: that one is booked, and once', async () => {
		expect(await send({ 6: 'K-2026-0042' })).toContain('Nummer im Kassenbuch K-2026-0042, Fotos: 2');
		expect(entries()).toMatchObject([
			{ fields: { belegnummer: 'K-2026-0042', steuersatz: 7, kassenname: 'Kasse Filiale Süd' } },
		]);
		// n8n numbers photos in the order in which it has stored them.
		const names = entries()[0].belegbilder.map(({ dateiname }) => dateiname);
		expect(names.sort()).toEqual(['a.jpg', 'b.jpg']);
		expect(await send({ 5: 'Vasen', 6: 'K-2026-0042' })).toContain('<h1>War schon gebucht</h1>');
		expect(await send({ 6: 'K-2026-0043' })).toContain('<h1>Gebucht</h1>');
		expect(await send({ 6: 'K 2026' })).toContain('K 2026');
		expect(entries()).toHaveLength(2);
	});

	it('without a photo, or with an empty one, nothing is booked; with one, it is', async () => {
		const page = await send({}, []);
		expect(page).toContain('<h1>Nicht gebucht</h1>');
		expect(page).toContain('Es fehlt ein Foto');
		const empty = new FormData();
		for (const [i, value] of ['12,50', '2026-11-20', 'Kasse Filiale Süd', '7 %', 'Blumen', ''].entries())
			empty.append(`field-${i + 1}`, value);
		empty.append('field-0', new Blob([], { type: 'image/jpeg' }), 'IMG_1.jpg');
		expect(await submitForm(rig.client, form.workflow, empty)).toContain('<h1>Nicht gebucht</h1>');
		expect(entries()).toEqual([]);
		expect(await send({}, ['IMG_1.jpg'])).toContain('<h1>Gebucht</h1>');
		expect(entries()).toHaveLength(1);
	});
});
