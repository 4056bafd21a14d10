/**
 * Makes the pictures of docs/images: `npx tsx scripts/docs/screenshots.mts`, or only those that are named, e.g.
 * `entry sandbox`. Needs the n8n of `host/`, which `npm start` installs, and of Debian `chromium fonts-liberation
 * libreoffice-calc-nogui pngquant`.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { INode, INodeParameterResourceLocator } from 'n8n-workflow';
import { type N8nClient, signIn, type WorkflowFile } from '../../host/client.mjs';
import { Editor, launchBrowser } from '../../host/editor.mjs';
import { RECEIPTS, startImap, startMail } from '../../demo/mailbox.mjs';
import { startN8n } from '../../host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../../host/package.mjs';
import { startSandbox } from '../../sandbox/server.mjs';
import { importExamples, type Imported, storeCredentials } from '../../demo/demo.mjs';
import {
	APPROVER,
	arrivalsOf,
	FILLS_TABLE,
	FORMS,
	linkedForm,
	runExample,
	WORKFLOWS,
} from '../../demo/examples.mjs';
import { typeIntoTable } from '../../demo/tableOfClients.mjs';
import { ROOT } from '../base/processes.mjs';
import { step } from '../base/progress.mjs';
import { waitFor } from '../base/waiting.mjs';

const IMAGES = join(ROOT, 'docs/images');
const PHONE = { width: 390, height: 844 };
const WINDOW = { width: 1200, height: 780 };
/** Makes letters sharp on good screens. */
const SCALE = 1.5;
/** Time for n8n's animations. */
const QUIET_MS = 1500;
/** A spreadsheet's grid, and letters and numbers for its columns and rows. */
const SHEET_STYLE = `
	body { margin: 0; background: #fff }
	table { border-collapse: collapse }
	td, th, td * { font: 14px Carlito, sans-serif !important }
	td b * { font-weight: bold !important }
	td, th { border: 1px solid #d4d4d4; padding: 2px 8px; white-space: nowrap; max-width: 240px; overflow: hidden }
	th { background: #f0f0f0; color: #555; font-weight: normal }`;
/** An e-mail with a receipt. */
const FROM = 'Papier Schmidt OHG <rechnung@papier-schmidt.example>';
const SUBJECT = 'Rechnung RE-4711';
const BODY = 'Guten Tag,\n\nanbei unsere Rechnung RE-4711.\n\nFreundliche Grüße\nPapier Schmidt OHG';
const PDF = 'Rechnung RE-4711.pdf';

const names = process.argv.slice(2);

const folder = await mkdtemp(join(tmpdir(), 'screenshots-'));
await mkdir(IMAGES, { recursive: true });
const sandbox = await startSandbox();
const inbox = await startImap();
const mail = await startMail({ imap: inbox });
const n8n = await step('Starting n8n', async () => {
	await installPackage(await packPackage(folder), folder);
	return await startN8n({ userFolder: folder });
});
const client = await signIn(n8n.url);
const credentials = await storeCredentials(client, sandbox, mail);
const examples = await importExamples(client, credentials);
const editor = await Editor.open(n8n.url, { ...WINDOW, scale: SCALE });
const browser = await launchBrowser();

const PICTURES: Record<string, () => Promise<Buffer>> = {
	/** An e-mail, the five nodes of docs/receipts.md, and the document that came of it: first, while no other workflow reads the mailbox. */
	async flow() {
		const id = await client.importWorkflow(fiveNodes());
		const pdf = await readFile(join(WORKFLOWS, 'receipts-email/Rechnung RE-4711 Papier Schmidt.pdf'));
		await client.publish(id);
		// n8n connects to the mailbox in the background.
		await editor.page.waitForTimeout(10_000);
		await inbox.store(receiptMail(pdf));
		await waitFor(() => sandbox.store.list('documents')!.length > 0, { interval: 200 });
		const [execution] = await client.startedSince(id, [], 60_000);
		await client.execution(execution);
		await client.deactivate(id);
		await editor.page.setViewportSize({ width: 1160, height: 540 });
		await editor.page.goto(`${n8n.url}/workflow/${id}/executions/${execution}`);
		await editor.page.getByText('Upload the document').last().waitFor();
		const nodes = await shot(editor.page, { x: 372, y: 225, width: 750, height: 150 });
		await editor.page.setViewportSize(WINDOW);
		const page = await open(browser, { viewport: { width: 1170, height: 780 }, locale: 'en' });
		await page.goto(sandbox.url);
		await page.getByText('pay-1').first().waitFor();
		const documents = await shot(page.locator('#documents'));
		const email = await open(browser, { viewport: PHONE });
		await email.setContent(receiptAsShown());
		return await sideBySide([await shot(email.locator('main')), nodes, documents], 1140);
	},
	/** A filled-in cash-book entry and its output. */
	async entry() {
		await openNode(await importEntry(client));
		await editor.execute();
		// The success message would cover a corner.
		await editor.page.locator('.el-notification__closeBtn').click();
		return await shot(editor.page.getByTestId('ndv'));
	},
	/** A value from the list; Fixed or Expression. */
	async values() {
		await openNode(await importEntry(client, { kassenname: '={{ $json.Kasse }}' }));
		await editor.field('connectionId').getByTestId('rlc-mode-selector').click();
		const panel = await panelOf(editor.page).boundingBox();
		return await shot(editor.page, { ...panel!, height: 445 });
	},
	/** The setting that decides what becomes of bad items. */
	async 'on-error'() {
		await openNode(await importEntry(client));
		await editor.page.getByTestId('tab-settings').click();
		await editor.field('onError').click();
		await editor.page.getByRole('option').first().waitFor();
		const panel = await panelOf(editor.page).boundingBox();
		return await shot(editor.page, { ...panel!, height: 520 });
	},
	/** Why an execution failed, and how to retry it. */
	async retry() {
		const id = await importEntry(client, { betrag: '12,345' });
		await client.run(id);
		await editor.page.goto(`${n8n.url}/workflow/${id}/executions`);
		await editor.page.getByTestId('execution-preview-retry-button').click();
		return await shot(editor.page);
	},
	/** What arrived at the sandbox. */
	async sandbox() {
		await fillTableOfClients();
		for (const name of ['receipts-email', 'receipt-form', 'list-to-cash-book']) await runOnce(name);
		return await sandboxIn('en');
	},
	'sandbox-de': async () => await sandboxIn('de-DE'),
	/** The list, the page of its form that shows what would be booked, and the e-mail about the refused row. */
	async list() {
		// The picture of the sandbox's page books the same list.
		sandbox.store.reset();
		await fillTableOfClients();
		const example = exampleOf('list-to-cash-book');
		await client.publish(example.workflowId);
		const page = await open(browser, { viewport: PHONE, locale: 'de-DE', httpCredentials: loginOf(FORMS) });
		await goWhenThere(page, `${n8n.url}/form/kassenliste`);
		await page.getByRole('button', { name: 'Weiter' }).click();
		await page.waitForURL(/form-waiting/);
		const file = join(WORKFLOWS, 'list-to-cash-book/Kassenliste.xlsx');
		await page.getByLabel('Liste').setInputFiles(file);
		await page.getByLabel('Mandant').selectOption('Bäckerei Sonnenschein GmbH, Hauptkasse');
		await page.getByLabel('Bestand davor').fill('214,10');
		await page.getByLabel('Bestand danach').fill('1.450,06');
		await page.getByRole('button', { name: 'Weiter' }).click();
		const button = page.getByRole('button', { name: 'Buchen' });
		await button.waitFor();
		const look = await shot(page.locator('.card').first());
		await button.click();
		// The e-mail is sent before the last page is shown.
		await page.locator('h1').filter({ hasText: /^\d+ / }).waitFor();
		return await sideBySide([await sheetOf(file, 10), look, await phoneMail()]);
	},
	/** The e-mail that asks for an approval, and the form behind its link. */
	async approval() {
		const id = await client.importWorkflow(proposing(exampleOf('approve-booking')));
		const approvals = exampleOf('approve-booking').workflowId;
		const earlier = await client.executionIds(approvals);
		await client.start(id);
		const [execution] = await client.startedSince(approvals, earlier, 60_000);
		const link = await linkedForm(client, arrivalsOf(sandbox.store, mail), execution);
		const page = await open(browser, {
			viewport: { ...PHONE, height: 830 },
			locale: 'de-DE',
			httpCredentials: loginOf(APPROVER),
		});
		await page.goto(link, { waitUntil: 'domcontentloaded' });
		await page.getByRole('button').first().waitFor();
		return await sideBySide([await phoneMail(), await shot(page)]);
	},
	/** The Excel file of the trial balance at the end of last year: nothing was booked after it, so debit and credit are known, too. */
	async 'trial-balance'() {
		const workflow = await client.workflow(exampleOf('trial-balance').workflowId);
		const node = workflow.nodes.find(({ name }) => name === 'Trial balance')!;
		const day = `${new Date().getFullYear() - 1}-12-31`;
		const year = { __rl: true, mode: 'day', value: day } as INodeParameterResourceLocator;
		Object.assign(node.parameters, { asOf: 'yearEnd', geschaeftsjahrStartDatum: year });
		const { data } = await client.run(await client.importWorkflow(workflow));
		const [item] = data.resultData.runData['Excel file'][0].data!.main[0]!;
		const path = join(folder, 'Saldenliste.xlsx');
		await writeFile(path, await client.download(Object.values(item.binary!)[0]));
		return await sheetOf(path, 16);
	},
	/** The table of clients, as n8n shows it: what *Clients* has filled in, and what a person has typed. */
	async clients() {
		await fillTableOfClients();
		const page = editor.page;
		await page.setViewportSize({ width: 1140, height: 420 });
		await page.goto(`${n8n.url}/home/datatables`);
		await page.getByText('Mandanten', { exact: true }).first().click();
		await page.getByText('29098-10001').first().waitFor();
		const clip = { x: 42, y: 0, width: 1060, height: 205 };
		const left = await shot(page, clip);
		// Beyond the connections.
		await page.locator('.ag-center-cols-viewport').evaluate((viewport) => (viewport.scrollLeft = 1280));
		const right = await shot(page, { ...clip, y: 60, height: 145 });
		await page.setViewportSize(WINDOW);
		return await sideBySide([left, right], 1100);
	},
	/** Where a workflow's file is imported, and where its credential is checked. */
	async import() {
		await editor.newWorkflow();
		const page = editor.page;
		const header = page.getByTestId('workflow-import-input').locator('..');
		await header.getByRole('button', { name: 'More actions' }).click();
		await page.getByTestId('workflow-menu-item-import').click();
		await page.getByTestId('workflow-menu-item-import-from-file').waitFor();
		const menu = await shot(page, { x: 0, y: 0, width: 600, height: 372 });
		await editor.importWorkflow(join(WORKFLOWS, 'approve-booking.json'));
		await editor.openNode('Wait');
		// Until n8n knows the credential's name, it shows the ID.
		await page.waitForTimeout(QUIET_MS);
		await page.getByTestId('node-credentials-select').click();
		await page.locator('[data-test-id^=node-credentials-select-item]').first().waitFor();
		const panel = await panelOf(page).boundingBox();
		return await sideBySide([menu, await shot(page, { ...panel!, height: 372 })], 1060);
	},
};

try {
	for (const [name, take] of Object.entries(PICTURES)) {
		if (names.length > 0 && !names.includes(name)) continue;
		await step(`Taking ${name}.png`, async () => await store(name, await take()));
	}
} finally {
	await browser.close();
	await editor.close();
	await n8n.stop();
	await sandbox.close();
	await mail.stop();
	await rm(folder, { recursive: true, force: true });
}

/** Stores a picture with at most 256 colors, which is a third of its size. */
async function store(name: string, png: Buffer): Promise<void> {
	const { stdout } = await execa('pngquant', ['--speed=1', '--strip', '-'], {
		input: png,
		encoding: 'buffer',
	});
	await writeFile(join(IMAGES, `${name}.png`), stdout);
}

async function shot(
	what: Page | Locator,
	clip?: { x: number; y: number; width: number; height: number },
): Promise<Buffer> {
	const page = 'page' in what ? what.page() : what;
	await page.waitForTimeout(QUIET_MS);
	return await what.screenshot({ animations: 'disabled', ...(clip && { clip }) });
}

async function open(on: Browser, options: BrowserContextOptions): Promise<Page> {
	const page = await on.newPage({ colorScheme: 'light', deviceScaleFactor: SCALE, ...options });
	// n8n's pages take a font from the internet.
	await page.route(
		({ hostname }) => hostname !== '127.0.0.1',
		(route) => route.abort(),
	);
	return page;
}

/** The form of the open node, without its input and output. */
function panelOf(page: Page): Locator {
	return page.getByTestId('ndv').getByTestId('node-parameters').locator('..');
}

function loginOf({ user, password }: typeof FORMS) {
	return { username: user, password };
}

function exampleOf(name: string): Imported {
	return examples.find((example) => example.name === name)!;
}

/** Fills the table that the form of the list offers. */
async function fillTableOfClients(): Promise<void> {
	await runOnce(FILLS_TABLE);
	await typeIntoTable(client);
}

async function runOnce(name: string): Promise<void> {
	const example = exampleOf(name);
	await runExample(client, arrivalsOf(sandbox.store, mail), example, example.expected!);
}

/** n8n publishes in the background. */
async function goWhenThere(page: Page, url: string): Promise<void> {
	await waitFor(async () => (await fetch(url)).status === 401, { interval: 200 });
	await page.goto(url, { waitUntil: 'domcontentloaded' });
}

/** The newest e-mail on a phone. */
async function phoneMail(): Promise<Buffer> {
	const page = await open(browser, { viewport: { ...PHONE, height: 100 } });
	const { subject, html } = mail.emails.at(-1)!;
	const head = '<!doctype html><meta name="viewport" content="width=device-width"><body style="margin: 0">';
	const title = `<h3 style="margin-top: 0; font: bold 17px sans-serif">${subject}</h3>`;
	await page.setContent(`${head}<main style="padding: 14px">${title}${html}</main>`);
	return await shot(page.locator('main'));
}

/** The first rows of a spreadsheet, with the values as LibreOffice shows them, and columns as wide as these. */
async function sheetOf(path: string, rows: number): Promise<Buffer> {
	const env = { HOME: folder, LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' };
	await execa('soffice', ['--headless', '--convert-to', 'html', '--outdir', folder, path], { env });
	const page = await open(browser, { viewport: { width: 1000, height: 800 } });
	await page.setContent(await readFile(join(folder, `${basename(path, '.xlsx')}.html`), 'utf8'));
	await page.addStyleTag({ content: SHEET_STYLE });
	await page.evaluate((count) => {
		for (const group of document.querySelectorAll('colgroup')) group.remove();
		const all = [...document.querySelectorAll('tr')];
		for (const row of all.slice(count)) row.remove();
		all.forEach((row, i) => row.prepend(Object.assign(document.createElement('th'), { textContent: i + 1 })));
		const letters = ['', ...'ABCDEFGHIJ'].slice(0, all[0].cells.length);
		const head = document.createElement('tr');
		head.innerHTML = letters.map((letter) => `<th>${letter}</th>`).join('');
		all[0].before(head);
	}, rows);
	return await shot(page.locator('table'));
}

/** Pictures beside each other, and below where they don't fit. */
async function sideBySide(pictures: Buffer[], width = 840): Promise<Buffer> {
	const page = await open(browser, { viewport: { width, height: 900 } });
	const images = pictures.map((png) => {
		// A PNG's width stands in its first chunk.
		const cssWidth = png.readUInt32BE(16) / SCALE;
		const source = `data:image/png;base64,${png.toString('base64')}`;
		return `<img width="${cssWidth}" src="${source}" style="border: 1px solid #ccd0d5; border-radius: 8px">`;
	});
	const style = 'display: inline-flex; flex-wrap: wrap; gap: 16px; align-items: flex-start; padding: 10px';
	await page.setContent(
		`<body style="margin: 0; background: #fff"><div style="${style}">${images.join('')}</div>`,
	);
	return await page.locator('div').screenshot();
}

async function sandboxIn(locale: string): Promise<Buffer> {
	const page = await open(browser, { viewport: { width: 1100, height: 640 }, locale });
	await page.goto(sandbox.url);
	await page.getByText('pay-1').first().waitFor();
	return await shot(page);
}

async function openNode(workflowId: string): Promise<void> {
	await editor.openWorkflow(workflowId);
	await editor.openNode('Create cash book entry');
}

/** A workflow with one cash-book entry. @returns its ID */
async function importEntry(on: N8nClient, changes: Record<string, unknown> = {}): Promise<string> {
	const connection = sandbox.store.accounts[0].connections.find(({ module }) => module === 'duo');
	const chosen = (value?: string, name = value) => ({
		__rl: true,
		mode: 'list',
		value,
		cachedResultName: name,
	});
	return await on.importWorkflow({
		name: 'Stamps',
		nodes: inRow([
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			{
				...node('Create cash book entry', `${PACKAGE}.accountingGatewayDelivery`, 1, {
					resource: 'cashBookEntry',
					operation: 'create',
					connectionId: chosen(connection?.id, connection?.name),
					kassenname: chosen('Hauptkasse'),
					bewegung: 'AUSGABE',
					betrag: '12,50',
					steuersatz: '19',
					transaktionsdatum: '2026-11-20T10:15:00',
					belegtext: 'Büromaterial',
					...changes,
				}),
				credentials: {
					accountingGatewayApi: {
						id: credentials.accountingGatewayApi,
						name: 'Accounting Gateway (sandbox)',
					},
				},
			},
		]),
		connections: connect('Start', 'Create cash book entry'),
		settings: {},
	});
}

/** Connects nodes one after another, by their first outputs. */
function connect(...chain: string[]): WorkflowFile['connections'] {
	return Object.fromEntries(
		chain
			.slice(1)
			.map((name, i) => [chain[i], { main: [[{ node: name, type: 'main' as const, index: 0 }]] }]),
	);
}

/** The five nodes of docs/receipts.md. */
function fiveNodes(): WorkflowFile {
	const by = (type: string, id: string, name: string) => ({ credentials: { [type]: { id, name } } });
	const connection = sandbox.store.accounts[0].connections.find(({ module }) => module === 'duo')!;
	const nodes = inRow([
		{
			...node('Email Trigger (IMAP)', 'n8n-nodes-base.emailReadImap', 2.1, {
				format: 'resolved',
				options: { trackLastMessageId: false },
			}),
			...by('imap', credentials.imap, 'Mailbox for receipts'),
		},
		node('If', 'n8n-nodes-base.if', 2.2, {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: 'a',
						leftValue: '={{ Object.keys($binary ?? {}).length > 0 }}',
						rightValue: '',
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
		}),
		node('Split Out', 'n8n-nodes-base.splitOut', 1, {
			fieldToSplitOut: '$binary',
			include: 'allOtherFields',
			options: {},
		}),
		{
			...node('Upload the document', `${PACKAGE}.accountingGatewayDelivery`, 1, {
				resource: 'document',
				operation: 'uploadDuo',
				connectionId: { __rl: true, mode: 'id', value: connection.id },
				belegtyp: { __rl: true, mode: 'id', value: 'Rechnungseingang' },
				datei: '*',
				additionalFields: { belegnotiz: "={{ [...($json.subject ?? '')].slice(0, 60).join('') }}" },
			}),
			onError: 'continueErrorOutput' as const,
			...by('accountingGatewayApi', credentials.accountingGatewayApi, 'Accounting Gateway (sandbox)'),
		},
		{
			...node('Send Email', 'n8n-nodes-base.emailSend', 2.1, {
				fromEmail: RECEIPTS,
				toEmail: 'buchhaltung@kanzlei-demo.example',
				subject: 'Bitte prüfen',
				text: '={{ $json.error }}',
				options: {},
			}),
			...by('smtp', credentials.smtp, 'Outgoing e-mail'),
		},
	]);
	const [trigger, filter, split, upload, send] = nodes.map(({ name }) => name);
	const connections = {
		...connect(trigger, filter, split, upload),
		[upload]: { main: [[], [{ node: send, type: 'main' as const, index: 0 }]] },
	};
	return { name: 'Receipts from e-mail', nodes, connections, settings: {} };
}

function receiptMail(pdf: Buffer): Buffer {
	const parts = [
		`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(BODY).toString('base64')}`,
		`Content-Type: application/pdf; name="${PDF}"\r\nContent-Disposition: attachment; filename="${PDF}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${pdf.toString('base64').replace(/.{76}/g, '$&\r\n')}`,
	];
	const body = parts.map((part) => `--part\r\n${part}\r\n`).join('');
	const head = `Date: ${new Date().toUTCString()}\r\nMessage-ID: <re-4711@papier-schmidt.example>\r\nFrom: ${FROM}\r\nTo: ${RECEIPTS}\r\nSubject: ${SUBJECT}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=part`;
	return Buffer.from(`${head}\r\n\r\n${body}--part--\r\n`);
}

/** The e-mail as an e-mail program shows it. */
function receiptAsShown(): string {
	const row = (name: string, value: string) =>
		`<div style="color: #5f6b76">${name} <span style="color: #1b2126">${value.replace('<', '&lt;')}</span></div>`;
	return `<main style="width: 340px; padding: 16px; font: 14px/1.5 'Liberation Sans', sans-serif; box-sizing: border-box">
		<b style="font-size: 17px">${SUBJECT}</b>${row('Von', FROM)}${row('An', RECEIPTS)}
		<p style="white-space: pre-line">${BODY}</p>
		<span style="border: 1px solid #ccd0d5; border-radius: 6px; padding: 6px 10px">Anlage: ${PDF}</span><div style="height: 8px"></div></main>`;
}

function inRow<Node extends object>(nodes: Node[]): Array<Node & { position: [number, number] }> {
	return nodes.map((node, i) => ({ ...node, position: [i * 200, 0] }));
}

function node(name: string, type: string, typeVersion: number, parameters: object) {
	return { id: name, name, type, typeVersion, parameters: parameters as INode['parameters'] };
}

/** A workflow that asks for the approval of three entries. */
function proposing({ workflowId }: Imported): WorkflowFile {
	const fields = ['kassenname', 'bewegung', 'betrag', 'steuersatz', 'transaktionsdatum', 'belegtext'];
	const values = [
		['Hauptkasse', 'AUSGABE', '23,50', '19', '2026-11-20', 'Türdichtung und Leuchtmittel'],
		['Hauptkasse', 'AUSGABE', '19,00', '0', '2026-11-20', 'Briefmarken'],
		['Hauptkasse', 'AUSGABE', '8,40', '7', '2026-11-21', 'Blumen für den Laden'],
	];
	const rows = values.map((row) => Object.fromEntries(row.map((value, i) => [fields[i], value])));
	const nodes = inRow([
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('Entries', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }) }),
		node('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows' }),
		node('Propose', 'n8n-nodes-base.executeWorkflow', 1.2, {
			workflowId: { __rl: true, mode: 'list', value: workflowId },
			workflowInputs: {
				mappingMode: 'defineBelow',
				value: Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`])),
				matchingColumns: [],
				schema: fields.map((id) => ({ id, displayName: id, type: 'string', display: true })),
			},
		}),
	]);
	const connections = connect(...nodes.map(({ name }) => name));
	return { name: 'Propose entries', nodes, connections, settings: {} };
}
