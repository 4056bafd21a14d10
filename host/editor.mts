/** n8n's editor in a browser, used as a person uses it. Only this file knows the structure of n8n's pages. */
import {
	type Browser,
	type BrowserContextOptions,
	chromium,
	type Locator,
	type Page,
	selectors,
} from 'playwright-core';
import { PATIENCE_MS } from '../scripts/base/waiting.mjs';
import { openSession } from './client.mjs';

/** Debian's package `chromium`; on other systems, set CHROMIUM_PATH. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const ARGUMENTS = [
	'--no-sandbox',
	'--disable-dev-shm-usage',
	'--disable-background-networking',
	'--no-first-run',
	// Without a graphics card, it would imitate one.
	'--disable-gpu',
];
/** Time for what n8n does with npm. */
const NPM_MS = 120_000;

/** How a node's run is shown in the output pane. */
export interface Output {
	/** Hints that the node shows about the run. */
	hints: string[];
	/** The table's cells, by the field's name; one entry per item. */
	items: Array<Record<string, string>>;
	/** The error's message, and the lines of its description. */
	error?: { message: string; description: string[] };
}

export const launchBrowser = async (): Promise<Browser> =>
	await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });

/** Opens a page that waits as patiently as everything else does: by itself, it gives up after 30 seconds. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
	const page = await browser.newPage(options);
	page.setDefaultTimeout(PATIENCE_MS);
	return page;
}

export class Editor {
	private constructor(
		readonly page: Page,
		private readonly browser: Browser,
		private readonly url: string,
	) {}

	/**
	 * Opens a browser in which the owner is signed in.
	 * @param url of the n8n, without a slash at the end
	 * @param window in CSS pixels; `scale` makes pictures of it sharper
	 */
	static async open(url: string, { width = 1440, height = 900, scale = 1 } = {}): Promise<Editor> {
		selectors.setTestIdAttribute('data-test-id');
		const browser = await launchBrowser();
		const page = await newPage(browser, {
			viewport: { width, height },
			deviceScaleFactor: scale,
			locale: 'en',
			colorScheme: 'light',
		});
		const cookies = (await openSession(url)).map((cookie) => {
			const [name, value] = cookie.split('=', 2);
			return { name, value, url };
		});
		await page.context().addCookies(cookies);
		return new Editor(page, browser, url);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Starts a new, empty workflow. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	/** Opens a workflow and zooms out to show all of it. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.getByTestId('zoom-to-fit').click();
	}

	/** Imports a workflow's file into a new workflow, by the menu *…*. */
	async importWorkflow(file: string): Promise<void> {
		await this.newWorkflow();
		const header = this.page.getByTestId('workflow-import-input').locator('..');
		await header.getByRole('button', { name: 'More actions' }).click();
		await this.page.getByTestId('workflow-menu-item-import').click();
		const choosing = this.page.waitForEvent('filechooser');
		await this.page.getByTestId('workflow-menu-item-import-from-file').click();
		await (await choosing).setFiles(file);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.getByTestId('zoom-to-fit').click();
	}

	/** The names of the nodes on the canvas. */
	async nodeNames(): Promise<string[]> {
		const nodes = this.page.getByTestId('canvas-node');
		return await nodes.evaluateAll((all) => all.map((node) => node.getAttribute('data-node-name') ?? ''));
	}

	/** Runs the whole workflow. @param trigger with which it begins, if it has several */
	async executeWorkflow(trigger?: string): Promise<void> {
		if (trigger === undefined) return await this.page.getByTestId('execute-workflow-button').click();
		await this.nodeOf(trigger).hover();
		await this.page.getByTestId(`execute-workflow-button-${trigger}`).click();
	}

	private nodeOf(name: string): Locator {
		const node = this.page.getByTestId('canvas-node');
		return node.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** Whether the button that executes the workflow lies on a node or a note. */
	async buttonCoversNodes(): Promise<boolean> {
		const button = await this.page.getByTestId('execute-workflow-button').boundingBox();
		const nodes = await this.page.locator('.vue-flow__node').all();
		const boxes = await Promise.all(nodes.map(async (node) => await node.boundingBox()));
		return boxes.some((box) => box && button && box.y + box.height > button.y);
	}

	/** Searches the panel of all nodes. */
	async searchNodes(words: string): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
		await this.searchAgain(words);
	}

	/** Replaces the search text of the open panel. */
	async searchAgain(words: string): Promise<void> {
		await this.page.getByTestId('node-creator-search-bar').fill(words);
	}

	/** The names that the panel of all nodes shows. */
	async foundNodes(): Promise<string[]> {
		return await this.page.getByTestId('node-creator-item-name').allInnerTexts();
	}

	/** Chooses an action of a node that was found; its form opens. */
	async addNode(name: string, action: string): Promise<void> {
		for (const text of [name, action]) {
			const item = this.page.getByTestId('item-iterator-item');
			await item.filter({ has: this.page.getByText(text, { exact: true }) }).click();
		}
		await this.page.getByTestId('ndv').waitFor();
	}

	/** Opens a node's form. */
	async openNode(name: string): Promise<void> {
		await this.nodeOf(name).dblclick();
		await this.page.getByTestId('ndv').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** A field of the open form, by the parameter's name. */
	field(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`).last();
	}

	/** Types into a field. */
	async type(name: string, text: string): Promise<void> {
		const all = this.field(name);
		// A resource locator has a second input, for its mode.
		const input = all
			.locator('input[data-test-id=rlc-input]')
			.or(all.locator('input:not([readonly])'))
			.first();
		await input.fill(text);
		await input.press('Tab');
	}

	/** Chooses an option of a field that offers a fixed choice. */
	async select(name: string, option: string): Promise<void> {
		await this.field(name).click();
		await this.page.getByRole('option').filter({ hasText: option }).click();
	}

	/** Chooses how to give a value that can be given in several ways, e.g. "From List". */
	async selectMode(name: string, mode: string): Promise<void> {
		await this.field(name).getByTestId('rlc-mode-selector').click();
		await this.page.getByRole('option').filter({ hasText: mode }).click();
	}

	/**
	 * The names of the form's fields, and those among them that are cut off while the mouse is on the field: then n8n shows
	 * buttons beside the name.
	 */
	async labels(): Promise<{ all: string[]; cutOff: string[] }> {
		const all: string[] = [];
		const cutOff: string[] = [];
		for (const label of await this.page.getByTestId('ndv').locator('label').all()) {
			const text = (await label.innerText()).split('\n')[0].trim();
			if (text === '' || !(await label.isVisible())) continue;
			await label.hover();
			all.push(text);
			const isCutOff = (element: Element) =>
				[element, ...element.querySelectorAll('*')].some(
					(one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'hidden',
				);
			if (await label.evaluate(isCutOff)) cutOff.push(text);
		}
		return { all, cutOff };
	}

	/** Whether the form shows a problem with a field. */
	async isMarked(name: string): Promise<boolean> {
		return await this.field(name).getByTestId('parameter-issues').isVisible();
	}

	/** Chooses the credential by its name. */
	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').click();
		await this.page.locator('[data-test-id^=node-credentials-select-item]').filter({ hasText: name }).click();
	}

	/** Opens the list of a field whose value is chosen from the gateway. */
	async openList(name: string): Promise<void> {
		await this.field(name).getByTestId('rlc-input').click();
	}

	/** Narrows the open list. */
	async searchList(words: string): Promise<void> {
		await this.page.getByTestId('rlc-search').fill(words);
	}

	/** The entries of the open list, or why there are none. */
	async listEntries(): Promise<string[]> {
		return await this.page
			.getByTestId('rlc-item')
			.or(this.page.getByTestId('rlc-error-message'))
			.allInnerTexts();
	}

	/** The error that the open list shows, with its advice. */
	async listProblem(): Promise<string> {
		return await this.page.getByTestId('rlc-error-container').innerText();
	}

	/** Chooses an entry of the open list. */
	async takeEntry(text: string): Promise<void> {
		await this.page.getByTestId('rlc-item').filter({ hasText: text }).click();
	}

	/** Opens the list of a field and chooses an entry. */
	async choose(name: string, entry: string): Promise<void> {
		await this.openList(name);
		await this.takeEntry(entry);
	}

	/** What a field with a list from the gateway shows; empty if nothing is chosen. */
	async chosen(name: string): Promise<string> {
		return await this.field(name)
			.getByTestId('rlc-input')
			.locator('input')
			.or(this.field(name).locator('input[data-test-id=rlc-input]'))
			.first()
			.inputValue();
	}

	/** The fields in the input pane, including those of a previous node that hasn't run yet. */
	async inputFields(): Promise<string[]> {
		const names = this.page.getByTestId('ndv-input-panel').getByTestId('run-data-schema-node-name');
		await names.first().waitFor();
		return await names.allInnerTexts();
	}

	/** Runs the open node and reads its output pane. */
	async execute(): Promise<Output> {
		const output = this.page.getByTestId('output-panel');
		const error = output.getByTestId('node-error-message');
		const table = output.locator('table');
		// The result of an earlier run stays visible until the editor is notified that the new run has started, maybe after
		// the response.
		await error
			.or(table)
			.evaluateAll((shown) => shown.forEach((one) => one.setAttribute('data-earlier', '')));
		const run = this.page.waitForResponse((answer) => /\/rest\/workflows\/.+\/run/.test(answer.url()));
		await this.page.getByTestId('node-execute-button').click();
		await run;
		await output.locator('[data-earlier]').waitFor({ state: 'detached' });
		await this.page.getByTestId('node-execute-button').filter({ hasText: 'Execute step' }).waitFor();
		await error.or(table).first().waitFor();
		return {
			hints: await output.getByTestId('node-hint').allInnerTexts(),
			items: await readTable(table),
			...((await error.isVisible()) && {
				error: {
					message: await error.innerText(),
					description: (await output.getByTestId('node-error-description').innerText()).split('\n'),
				},
			}),
		};
	}

	/** Opens the form of the credential that the open node uses. */
	async editCredential(): Promise<void> {
		await this.page.getByTestId('credential-edit-button').click();
		await this.page.getByTestId('credential-save-button').waitFor();
	}

	/** Saves the open credential, which tests it. */
	async saveCredential(): Promise<void> {
		await this.page.getByTestId('credential-save-button').click();
	}

	/** The result of the credential's test, as its form shows it. */
	async credentialVerdict(): Promise<string> {
		const form = this.page.getByTestId('node-credentials-config-container');
		const more = form.getByText('More details');
		// The button may disappear at any moment, because the credential is tested again.
		if (await more.isVisible()) await more.click({ timeout: 1000 }).catch(() => {});
		return await form.innerText();
	}

	/** Opens *Settings → Community nodes*. */
	async openPackages(): Promise<void> {
		await this.page.goto(`${this.url}/settings/community-nodes`);
	}

	/** The only package on that page, once n8n lists it. */
	get package(): Locator {
		return this.page.getByTestId('community-package-card').filter({ hasText: /v\d/ });
	}

	/** Installs a package on that page. @param name the package's name in the npm registry */
	async installPackage(name: string): Promise<void> {
		await this.page
			.getByRole('button', { name: /^Install/ })
			.first()
			.click();
		await this.page
			.getByTestId('package-name-input')
			.locator('input')
			.or(this.page.locator('input[name=packageNameInput]'))
			.first()
			.fill(name);
		await this.page.getByTestId('user-agreement-checkbox').click();
		await this.page.getByTestId('install-community-package-button').click();
		const button = this.page.getByTestId('install-community-package-button');
		await button.waitFor({ state: 'hidden', timeout: NPM_MS });
	}

	/** Updates the package by its button. */
	async updatePackage(): Promise<void> {
		await this.package.getByRole('button', { name: 'Update' }).click();
		await this.confirm('Confirm update');
	}

	/** Uninstalls the package by its menu. */
	async uninstallPackage(): Promise<void> {
		await this.package.getByTestId('action-toggle').click();
		await this.page.getByText('Uninstall package').click();
		await this.confirm('Confirm uninstall');
	}

	private async confirm(label: string): Promise<void> {
		const button = this.page.getByRole('button', { name: label });
		await button.click();
		await button.waitFor({ state: 'hidden', timeout: NPM_MS });
	}
}

/** The rows of n8n's output table by the names of its columns. */
async function readTable(table: Locator): Promise<Array<Record<string, string>>> {
	if (!(await table.isVisible())) return [];
	const names = await table.locator('thead th').allInnerTexts();
	const rows = await table.locator('tbody tr').all();
	return await Promise.all(
		rows.map(async (row) => {
			const cells = await row.locator('td').allInnerTexts();
			return Object.fromEntries(names.map((name, i) => [name.trim(), cells[i]?.trim() ?? '']));
		}),
	);
}
