/**
 * Makes the pictures of docs/images: `npx tsx scripts/docs/screenshots.mts`, or only those that are named, e.g.
 * `receipt-form sandbox`. Needs Chromium (Debian: `apt-get install chromium fonts-liberation`) and the n8n of `host/`,
 * which `npm start` installs.
 */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server.mjs';
import { importExamples, type Imported, storeCredentials } from '../../tools/demo.mjs';
import { arrivalsOf, runExample } from '../../tools/examples.mjs';
import { type N8nClient, signIn } from '../../host/client.mjs';
import { Editor } from '../../host/editor.mjs';
import { startMail } from '../../host/mailbox.mjs';
import { startN8n } from '../../host/n8n.mjs';
import { installPackage, PACKAGE, packPackage } from '../../host/package.mjs';
import { ROOT } from '../../tools/processes.mjs';
import { step } from '../../tools/progress.mjs';

const IMAGES = join(ROOT, 'docs/images');
/** Size of the editor's window in CSS pixels; `low` is for workflows of one row. */
const WINDOW = { width: 1280, low: 640, high: 860 };
const names = process.argv.slice(2);
const pages = (await readdir(join(ROOT, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md'));
const texts = await Promise.all(
	['README.md', ...pages.map((page) => join('docs', page))].map((page) => readFile(join(ROOT, page), 'utf8')),
);

const userFolder = await mkdtemp(join(tmpdir(), 'screenshots-'));
await mkdir(IMAGES, { recursive: true });
const sandbox = await startSandbox();
const mail = await startMail();
const n8n = await step('Starting n8n', async () => {
	await installPackage(await packPackage(userFolder), userFolder);
	return await startN8n({ userFolder });
});
try {
	const client = await signIn(n8n.url);
	const credentials = await storeCredentials(client, sandbox, mail);
	const examples = await importExamples(client, credentials);
	// The sandbox's page shows the records of all examples, so all of them must run.
	const toRun = isWanted('sandbox') ? examples : examples.filter(isShown);
	for (const example of toRun) await runOnce(client, example);
	const editor = await Editor.open(n8n.url, { width: WINDOW.width, height: WINDOW.low, scale: 1.5 });
	try {
		for (const { name, workflowId } of examples.filter(isShown))
			await picture(editor, name, () => showWorkflow(editor, workflowId));
		if (isWanted('delivery-form'))
			await picture(editor, 'delivery-form', () =>
				showForm(editor, client, credentials.accountingGatewayApi, sandbox),
			);
		if (isWanted('sandbox')) await picture(editor, 'sandbox', () => showSandbox(editor, sandbox));
	} finally {
		await editor.close();
	}
} finally {
	await n8n.stop();
	await sandbox.close();
	await mail.stop();
	await rm(userFolder, { recursive: true, force: true });
}

function isWanted(name: string): boolean {
	return names.length === 0 || names.includes(name);
}

/** Whether a page shows a picture of the example and that picture was requested. */
function isShown({ name }: Imported): boolean {
	return isWanted(name) && texts.some((text) => text.includes(`/${name}.png`));
}

/** Runs an example, so that the sandbox's page has records to show. */
async function runOnce(client: N8nClient, example: Imported): Promise<void> {
	const { workflow, expected } = example;
	if (!expected) return;
	const arrivals = arrivalsOf(sandbox.store, mail);
	await step(`Running “${workflow.name}”`, () =>
		runExample(client, arrivals, example, expected, (transfer) => sandbox.services.bank.transfer(transfer)),
	);
}

async function picture(editor: Editor, name: string, show: () => Promise<void>): Promise<void> {
	await step(`Taking ${name}.png`, async () => {
		await show();
		// Waits for animations to finish.
		await editor.page.waitForTimeout(1500);
		await editor.page.screenshot({ path: join(IMAGES, `${name}.png`), animations: 'disabled' });
	});
}

/** Shows a workflow in a window large enough that the button below the canvas covers no node. */
async function showWorkflow(editor: Editor, workflowId: string): Promise<void> {
	for (const height of [WINDOW.low, WINDOW.high]) {
		await editor.page.setViewportSize({ width: WINDOW.width, height });
		await editor.openWorkflow(workflowId);
		// Waits until n8n has fitted the workflow into the window.
		await editor.page.waitForTimeout(500);
		if (!(await editor.buttonCoversNodes())) return;
	}
}

/** Shows a filled-in cash-book entry with its output. */
async function showForm(
	editor: Editor,
	client: N8nClient,
	credentialId: string,
	{ store }: Sandbox,
): Promise<void> {
	const connection = store.accounts[0].connections.find(({ module }) => module === 'duo');
	const chosen = (value?: string, name = value) => ({
		__rl: true,
		mode: 'list',
		value,
		cachedResultName: name,
	});
	const id = await client.importWorkflow({
		name: 'Stamps',
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'booking',
				name: 'Create cash book entry',
				type: `${PACKAGE}.accountingGatewayDelivery`,
				typeVersion: 1,
				position: [200, 0],
				parameters: {
					resource: 'cashBookEntry',
					operation: 'create',
					connectionId: chosen(connection?.id, connection?.name),
					kassenname: chosen('Hauptkasse'),
					bewegung: 'AUSGABE',
					betrag: '12,50',
					steuersatz: '19',
					transaktionsdatum: '2026-11-20T10:15:00',
					belegnummer: 'K-2026-0815',
					belegtext: 'Büromaterial',
				},
				credentials: { accountingGatewayApi: { id: credentialId, name: 'Accounting Gateway (sandbox)' } },
			},
		],
		connections: { Start: { main: [[{ node: 'Create cash book entry', type: 'main', index: 0 }]] } },
		settings: {},
	});
	await editor.page.setViewportSize({ width: WINDOW.width, height: WINDOW.high });
	await editor.openWorkflow(id);
	await editor.openNode('Create cash book entry');
	await editor.execute();
	// Closes the success message, which would cover a corner.
	await editor.page.locator('.el-notification__closeBtn').click();
}

async function showSandbox(editor: Editor, { url }: Sandbox): Promise<void> {
	await editor.page.setViewportSize({ width: WINDOW.width, height: WINDOW.high });
	await editor.page.goto(url);
}
