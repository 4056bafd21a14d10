/** The sandbox's page in a real browser: what it shows, and that it can be used with the keyboard alone. */
import axios from 'axios';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { launchBrowser, newPage } from '../../host/editor.mjs';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';

let sandbox: Sandbox;
/** How many payments there are at the beginning. */
let seeded: number;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	seeded = sandbox.store.list('payments')!.length;
	browser = await launchBrowser();
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.close();
});
beforeEach(async () => {
	sandbox.store.reset();
	sandbox.log.clear();
	sandbox.faults.clear();
	page = await open();
	return async () => await page.close();
});

/** Opens the page and waits until it shows what there is. */
async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
	const opened = await newPage(browser, {
		locale: 'en',
		permissions: ['clipboard-read', 'clipboard-write'],
		...options,
	});
	await opened.goto(sandbox.url);
	await opened
		.getByRole('region', { name: /^(Payments|Zahlungen)/ })
		.getByText('pay-1')
		.waitFor();
	return opened;
}

const gateway = () => axios.create({ baseURL: sandbox.url, headers: { 'x-api-key': sandbox.apiKey } });
/** Makes something arrive that has nothing to do with payments, and waits until the page shows it. */
async function somethingArrives(name: string): Promise<void> {
	await gateway().post('/v2/mobility/customers', { name });
	await page.getByRole('region', { name: 'Customers' }).getByText(name).waitFor();
}
/** Books a cash-book entry with these values and what each entry needs. */
async function book(values: Record<string, unknown>, quelle?: string): Promise<void> {
	const { id: connectionId } = sandbox.store.accounts[0].connections.find(({ module }) => module === 'duo')!;
	await gateway().post(
		'/v2/acct-duo/kassenbuch-einfach',
		{
			kassenname: 'Hauptkasse',
			bewegung: 'AUSGABE',
			betrag: 1,
			waehrung: 'EUR',
			steuersatz: 19,
			transaktionsdatum: '2026-03-02T12:00:00+01:00',
			belegnummer: 'K-1',
			...values,
		},
		{ params: { connectionId, quelle } },
	);
}
/** Opens the dialog; the page asks the sandbox for its accounts first. */
async function openDialog(): Promise<void> {
	await page.getByRole('button', { name: 'New payment' }).click();
	await page.getByRole('dialog', { name: 'New payment' }).waitFor();
}
const focused = async () =>
	await page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
/** What screen readers were told last. */
const announced = async () => await page.locator('#announcement').textContent();
const payment = (id: string) =>
	(sandbox.store.list('payments') as Array<{ id: string; status: string }>).find((one) => one.id === id);

describe('what a workflow needs of the sandbox’s page', () => {
	const clipboard = async () => await page.evaluate(() => navigator.clipboard.readText());

	it('can be copied', async () => {
		const [demo] = sandbox.store.accounts;
		for (const [what, expected] of [
			['Base URL', sandbox.url],
			[`API key of ${demo.name}`, sandbox.apiKey],
		]) {
			await page.getByRole('button', { name: `Copy ${what}` }).click();
			await expect.poll(clipboard).toBe(expected);
			await expect.poll(announced).toBe(`${what} copied`);
		}
		await page.getByText('Connection IDs').click();
		const [connection] = demo.connections;
		await page.getByRole('button', { name: `Copy ID of ${connection.name}` }).click();
		await expect.poll(clipboard).toBe(connection.id);
		await page.getByText('Bank account IDs').click();
		await page.getByRole('button', { name: 'Copy ID of bank account acc-giro' }).click();
		await expect.poll(clipboard).toBe('acc-giro');
	});
});

it('says which workflow has booked a number', async () => {
	await book({ belegnummer: 'R-17', belegtext: 'Blumen' }, 'Beleg über ein Formular');
	const row = page.getByRole('region', { name: 'Cash-book entries' }).getByRole('row', { name: /R-17/ });
	await row.getByText('Beleg über ein Formular').waitFor();
});

describe('the sandbox’s page, by the browser’s language', () => {
	/** A ticket of a company, and a payment of more than a thousand euros. */
	async function arrivals(): Promise<void> {
		const { data } = await gateway().post<{ id: string }>('/v2/mobility/customers', { name: 'Bäckerei Süd' });
		await gateway().post('/v2/mobility/tickets', {
			product_id: 'deutschlandticket',
			customer_id: data.id,
			tariff_settings: { postal_code: '10115' },
		});
		const payment_attributes = { amount: '1234.50', creditor_name: 'Papier Schmidt OHG' };
		await axios.post(`${sandbox.url}/sandbox/payments`, { id: 'pay-large', payment_attributes });
	}
	const section = (name: string) => page.getByRole('region', { name });

	it.each([
		[
			'de-DE',
			'Zahlungen',
			'1.234,50 EUR',
			'wartet auf TAN',
			'Tickets',
			'aktiv',
			/\d\d\.\d\d\.\d{4}, \d\d:\d\d \+/,
		],
		[
			'en-GB',
			'Payments',
			'1,234.50 EUR',
			'initiated info required',
			'Tickets',
			'active',
			/\d\d\/\d\d\/\d{4}, \d\d:\d\d \+/,
		],
	])(
		'%s: texts, amounts and dates as people write them; tickets with company and product',
		async (locale, payments, money, waiting, tickets, active, day) => {
			await arrivals();
			await page.close();
			page = await open({ locale });
			expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
			const large = section(payments).getByRole('row').filter({ hasText: 'pay-large' });
			await large.getByText(money).waitFor();
			expect(await large.textContent()).toContain(waiting);
			const ticket = section(tickets).getByRole('row').filter({ hasText: 'Bäckerei Süd' });
			expect(await ticket.textContent()).toMatch(/Bäckerei SüdDeutschland-Ticket/);
			expect(await ticket.textContent()).toMatch(day);
			expect(await ticket.textContent()).toContain(active);
		},
	);

	it.each([
		['de', 'Anfragen', 'Schon da: nichts wurde geändert', 'Abgelehnt: nichts wurde geändert'],
		['en', 'Requests', 'Already there: nothing was changed', 'Refused: nothing was changed'],
	])(
		'%s: says what came of a refused request, and tells what is there already from a mistake',
		async (locale, requests, there, refused) => {
			await book({ belegtext: 'Papier' });
			await expect(book({ belegtext: 'Papier' })).rejects.toMatchObject({ status: 409 });
			await expect(book({ belegtext: 'Papier', kassenname: 'Keine' })).rejects.toMatchObject({ status: 422 });
			await page.close();
			page = await open({ locale });
			const answered = (status: string) => section(requests).getByRole('row').filter({ hasText: status });
			await answered('409').getByText(there).waitFor();
			await answered('409').getByText('already exists.').waitFor();
			expect(await answered('409').locator('.bad').count()).toBe(0);
			await answered('422').getByText(refused).waitFor();
			expect(await answered('422').locator('.bad').count()).toBe(1);
		},
	);

	it('names the company of a ticket that no request has created', async () => {
		const [{ customerId, name }] = sandbox.store.accounts;
		await gateway().post('/v2/mobility/tickets', { product_id: 'tagesticket-plus', customer_id: customerId });
		await section('Tickets').getByRole('row').filter({ hasText: name }).waitFor();
	});

	it('is English for others, and can be chosen', async () => {
		await page.close();
		page = await open({ locale: 'fr-FR' });
		await section('Payments').waitFor();
		await page.getByLabel('Language').selectOption('Deutsch');
		await section('Zahlungen').waitFor();
		await page.reload();
		await section('Zahlungen').waitFor();
		// An amount as it is written there is the same amount.
		await page.getByRole('button', { name: 'Neue Zahlung' }).click();
		const amount = page.getByRole('dialog').getByLabel('Betrag');
		expect(await amount.inputValue()).toBe('119,00');
		await amount.fill('1.234,50');
		await page.getByRole('button', { name: 'Anlegen' }).click();
		await section('Zahlungen').getByText('1.234,50 EUR').waitFor();
		expect(sandbox.store.list('payments')?.at(-1)).toMatchObject({
			payment_attributes: { amount: '1234.50' },
		});
	});
});

it('the sandbox’s page shows what others send as text, whatever it is', async () => {
	const hostile = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>{name}`;
	const { data } = await gateway().post<{ id: string }>('/v2/mobility/customers', {
		name: hostile,
		street: hostile,
		city: hostile,
	});
	await gateway().post('/v2/mobility/tickets', { product_id: 'tagesticket-plus', customer_id: data.id });
	await gateway()
		.post('/v2/mobility/tickets', { product_id: hostile }, { params: { [hostile]: hostile } })
		.catch(() => undefined);
	await gateway()
		.get(`/v2/banking/payments/${encodeURIComponent(hostile)}`)
		.catch(() => undefined);
	await axios.post(`${sandbox.url}/sandbox/payments`, {
		id: hostile,
		payment_attributes: {
			creditor_name: hostile,
			description: hostile,
			amount: '1.00',
		},
	});
	await axios.post(`${sandbox.url}/sandbox/faults`, { kind: 'latency', ms: 1, contains: hostile });
	await book({ belegtext: hostile, belegbilder: [{ dateiname: `${hostile}.png`, content: 'JVBERi0xLjcK' }] });
	for (const name of ['Cash-book entries', 'Payments', 'Tickets', 'Customers', 'Requests']) {
		await page.getByRole('region', { name }).getByText('<script>').first().waitFor();
	}
	for (const details of await page.locator('#requests summary').all()) await details.click();
	const [hacked, made, links] = await page.evaluate(() => [
		(window as { hacked?: number }).hacked,
		document.querySelectorAll('script:not([src]), img[onerror]').length,
		Array.from(document.querySelectorAll('main a'), (link) => (link as HTMLAnchorElement).protocol),
	]);
	expect([hacked, made]).toEqual([undefined, 0]);
	expect(new Set(links)).toEqual(new Set(['http:']));
});

it('the sandbox’s page is as wide as a phone, whatever the length of a number', async () => {
	await book({ belegnummer: 'W'.repeat(36), belegtext: 'Papier' });
	const phone = await open({ viewport: { width: 360, height: 740 } });
	await phone.getByRole('region', { name: 'Cash-book entries' }).getByText('Papier').waitFor();
	const cut = await phone
		.locator('main td')
		.evaluateAll((cells) =>
			cells
				.filter(
					(cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth,
				)
				.map((cell) => cell.textContent),
		);
	expect(cut).toEqual([]);
	await phone.close();
});

it('the sandbox’s page shows the newest of a list, and the rest on request', async () => {
	const lines = Array.from({ length: 12 }, (_, i) => i + 1);
	for (const nr of lines) await gateway().post('/v2/mobility/customers', { name: `Firma ${nr}.` });
	const section = page.getByRole('region', { name: 'Customers' });
	const shown = async () => await section.locator('tbody tr').count();
	await section.getByText('Firma 12.').waitFor();
	await expect.poll(shown).toBe(10);
	const more = section.getByRole('button', { name: 'Show all 12' });
	await more.focus();
	await page.keyboard.press('Enter');
	await section.getByText('Firma 1.').waitFor();
	// What arrives meanwhile takes nothing away.
	await somethingArrives('Firma 13.');
	await expect.poll(shown).toBe(13);
	await page.keyboard.press('Enter');
	await expect.poll(shown).toBe(10);
	expect(await focused()).toBe('Show all 13');
});

it('the sandbox’s page stays short on a phone, however much has arrived', async () => {
	for (let nr = 0; nr < 60; nr++) await book({ belegnummer: `K-${nr}`, belegtext: 'Papier' });
	for (let nr = 0; nr < 60; nr++) await gateway().post('/v2/mobility/customers', { name: `Firma ${nr}.` });
	const phone = await open({ viewport: { width: 390, height: 844 } });
	await phone.getByRole('region', { name: 'Customers' }).getByText('Firma 59.').waitFor();
	expect(await phone.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
	await phone.close();
});

describe('faults on the sandbox’s page', () => {
	const section = () => page.getByRole('region', { name: 'Faults and reset' });
	const statuses = async (count: number) => {
		const calls = Array.from({ length: count }, async () => {
			const { status } = await gateway().get('/v2/mobility/products', { validateStatus: () => true });
			return status;
		});
		return await Promise.all(calls);
	};
	it('are switched on for one call', async () => {
		const [what, status] = ['Too many requests (429)', 429] as const;
		await section().getByLabel('What happens').selectOption(what);
		await section().getByRole('button', { name: 'Switch on' }).click();
		await section().getByText('0 of 1').waitFor();
		expect((await statuses(2)).sort()).toEqual([200, status]);
		await page.getByText('Fault: error instead of an answer').waitFor();
		await section().getByText('1 of 1, used up').waitFor();
	});

	it('are switched on for writes alone', async () => {
		await section().getByLabel('What happens').selectOption('Server overloaded (503)');
		await section().getByLabel('Applies to').selectOption('writes');
		await section().getByRole('button', { name: 'Switch on' }).click();
		await section().getByRole('row').getByText('writes').waitFor();
		expect(await statuses(2)).toEqual([200, 200]);
		await expect(gateway().post('/v2/mobility/customers', { name: 'Anton' })).rejects.toMatchObject({
			status: 503,
		});
	});

	it('are off after a reset, which asks first and then deletes what has arrived', async () => {
		await somethingArrives('Anton');
		sandbox.faults.add({ kind: 'drop' });
		await section().getByRole('button', { name: 'Reset the sandbox' }).click();
		const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' });
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await dialog.waitFor({ state: 'hidden' });
		expect(sandbox.store.list('customers')).toHaveLength(1);
		await section().getByRole('button', { name: 'Reset the sandbox' }).click();
		await dialog.getByRole('button', { name: 'Reset' }).click();
		await page.getByText('No customer has been created yet.').waitFor();
		expect(sandbox.faults.list).toEqual([]);
	});
});

describe('a new payment on the sandbox’s page', () => {
	it('is created with the keyboard', async () => {
		await page.getByRole('button', { name: 'New payment' }).focus();
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'New payment' });
		await dialog.getByLabel('Paid from').selectOption('acc-wallet');
		await dialog.getByLabel('Paid to').fill('Bäckerei <b>Süd</b>');
		await dialog.getByLabel('Amount').fill('12,5');
		await page.keyboard.press('Enter');
		await page.getByRole('region', { name: 'Payments' }).getByText('Bäckerei <b>Süd</b>').waitFor();
		// The list may be up to date before the dialog has its answer.
		await dialog.waitFor({ state: 'hidden' });
		await expect.poll(focused).toBe('New payment');
		expect(sandbox.store.list('payments')?.at(-1)).toMatchObject({
			api: 'openbanking',
			status: 'initiated_info_required',
			payment_attributes: { amount: '12.50', creditor_name: 'Bäckerei <b>Süd</b>' },
		});
	});

	it('needs an amount, and says when it could not be created', async () => {
		await openDialog();
		const amount = page.getByRole('dialog').getByLabel('Amount');
		await amount.fill('12.345');
		await page.keyboard.press('Enter');
		expect(await amount.evaluate((node: HTMLInputElement) => node.validity.patternMismatch)).toBe(true);
		await page.route('**/sandbox/payments', (route) => route.abort());
		await amount.fill('12');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').getByText('The sandbox is not reachable.').waitFor();
		expect(sandbox.store.list('payments')).toHaveLength(seeded);
	});
});

describe('a new incoming payment on the sandbox’s page', () => {
	const made = () =>
		sandbox.store.list('transactions') as Array<{
			id: string;
			amount: number;
			partner: string;
			text: string;
		}>;

	it('is on the statement, where the transaction trigger finds it, and in the list', async () => {
		const hostile = 'Kita <b>Regenbogen</b>';
		const section = page.getByRole('region', { name: 'Incoming transfers' });
		await section.getByText('None yet.').waitFor();
		await section.getByRole('button', { name: 'New incoming payment' }).focus();
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'New incoming payment' });
		expect(await dialog.getByLabel('Amount').inputValue()).toBe('202.52');
		await dialog.getByLabel('Paid by').fill(hostile);
		await dialog.getByLabel('Amount').fill('1.234,5');
		await page.keyboard.press('Enter');
		await section.getByText(hostile).waitFor();
		await section.getByText('1,234.50 EUR').waitFor();
		await dialog.waitFor({ state: 'hidden' });
		expect(made()).toMatchObject([{ amount: 1234.5, partner: hostile, text: 'Rechnung RE-2026-0019' }]);
		await expect.poll(announced).toBe(`Incoming payment ${made()[0].id} created`);

		const params = { account_id: 'acc-giro', include_transactions: true };
		const { data } = await gateway().get('/v2/banking/balances', { params });
		const transactions = data.data.flatMap((day: { transactions: unknown[] }) => day.transactions);
		expect(transactions).toContainEqual(
			expect.objectContaining({ id: made()[0].id, amount: 1234.5, status: 'posted' }),
		);
	});
});

describe('a payment on the sandbox’s page', () => {
	it('is moved from state to state with the keyboard, which stays with it', async () => {
		await page.getByRole('button', { name: 'authorizing: move payment pay-2' }).focus();
		for (const [status, next] of [
			['authorizing', 'processing: move payment pay-2'],
			['processing', 'settled: move payment pay-2'],
			['settled', `Payments ${seeded}`],
		]) {
			await page.keyboard.press('Enter');
			await expect.poll(focused).toBe(next);
			expect(payment('pay-2')?.status).toBe(status);
			await expect.poll(announced).toBe(`Payment pay-2 is ${status}`);
		}
	});
});
