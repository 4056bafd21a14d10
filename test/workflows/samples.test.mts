/** The example workflows fit together, and what they are expected to bring about is what their sample files say. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Example, readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';

let examples: Example[];
beforeAll(async () => {
	examples = await readExamples();
});

const find = (name: string) => examples.find((example) => example.name === name) as Example;
/** The nodes of n8n's own of one type, in all examples. */
const nodesOf = (type: string) =>
	examples
		.flatMap(({ workflow }) => workflow.nodes)
		.filter((node) => node.type === `n8n-nodes-base.${type}`);
const namesOf = (files: unknown) => (files as { dateiname: string }[]).map(({ dateiname }) => dateiname);

describe('every example', () => {
	it('connects nodes that exist, under names that are unique', () => {
		for (const { workflow } of examples) {
			const names = workflow.nodes.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			const connected = Object.entries(workflow.connections).flatMap(([from, { main = [] }]) => [
				from,
				...main.flat().map((to) => to?.node),
			]);
			expect(names).toEqual(expect.arrayContaining(connected));
		}
	});

	it('has the IDs that n8n would add, so that a later npm start does not take it for changed', () => {
		const types = ['n8n-nodes-base.emailSend', 'n8n-nodes-base.form', 'n8n-nodes-base.formTrigger'];
		for (const { name, workflow } of examples) {
			const without = workflow.nodes.filter(({ type, webhookId }) => types.includes(type) && !webhookId);
			expect(without.map((node) => `${name}: ${node.name}`)).toEqual([]);
		}
	});

	it('reads files that exist, whatever folder the repository is in', async () => {
		const nodes = examples.flatMap(({ workflow }) => workflow.nodes);
		const text = JSON.stringify(nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote'));
		// Up to a pattern, or to what an expression puts in.
		const paths = [...text.matchAll(/"=?workflows\/([^*{"]+"|[^*{"]+\/)/g)].map(([, path]) => path.replace('"', ''));
		expect(paths.length).toBeGreaterThan(3);
		for (const path of paths) await access(join(WORKFLOWS, path));
	});

	it('tries again to make a table that another execution has made at the same moment', () => {
		// n8n looks whether there is one and makes it in two steps; for the second of two executions, that is an error.
		const makers = nodesOf('dataTable').filter(
			({ parameters }) => parameters.resource === 'table' && parameters.operation === 'create',
		);
		expect(makers.length).toBeGreaterThan(0);
		for (const { retryOnFail, maxTries, waitBetweenTries, parameters } of makers) {
			expect({ retryOnFail, maxTries, waitBetweenTries }).toEqual({ retryOnFail: true });
			expect(parameters.options).toEqual({ createIfNotExists: true });
		}
	});

	it('sends an e-mail again if the mail server was busy: who is told once is not told by the next run', () => {
		const emails = nodesOf('emailSend');
		expect(emails.length).toBeGreaterThan(0);
		for (const { name, retryOnFail, waitBetweenTries } of emails) {
			// n8n waits no longer.
			expect({ name, retryOnFail, waitBetweenTries }).toEqual({
				name,
				retryOnFail: true,
				waitBetweenTries: 5000,
			});
		}
	});

	it('explains itself to the user on sticky notes', () => {
		for (const { workflow } of examples) {
			const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
			expect(notes[0].parameters.content).toContain(`## ${workflow.name}`);
		}
	});
});

it('receipts folder: every receipt becomes a document under its own name, and anything else is told', async () => {
	const folder = (await readdir(join(WORKFLOWS, 'receipts-folder'))).filter((file) => file !== 'expected.json');
	const { arrives, shows } = find('receipts-folder').expected!;
	const files = folder.filter((file) => !file.endsWith('.docx'));
	expect(shows.Reason).toHaveLength(folder.length - files.length);
	const { documents } = arrives;
	expect(namesOf(documents).sort()).toEqual(files.sort());
	expect(files.filter((file) => file.endsWith('.pdf')).length).toBeGreaterThanOrEqual(3);
	expect(files.filter((file) => file.endsWith('.jpg')).length).toBeGreaterThanOrEqual(3);
});

describe('files with an extension in capital letters, as scanners and Windows write them', () => {
	it.each([
		['PDF', 'Rechnungseingang'],
		['xml', 'Rechnungseingang'],
		['JPG', 'Kasse'],
	])('receipts folder: .%s becomes %s', async (fileExtension, value) => {
		const json = { fileName: `Scan.${fileExtension}`, fileExtension };
		const outputs = { Settings: [{ typeOfInvoices: 'Rechnungseingang', typeOfPhotos: 'Kasse' }] };
		const parameters = await parametersOf('receipts-folder', 'Upload the documents', { json, outputs });
		expect(parameters).toMatchObject({ belegtyp: { value } });
	});

	it('e-invoices to Rewe: are read, too', async () => {
		const { files } = (await fieldsOf('e-invoices-rewe', 'Settings', {})) as { files: string };
		const [, list] = /\*\.\{(.+)\}$/.exec(files)!;
		expect(list.split(',').sort()).toEqual(['PDF', 'XML', 'pdf', 'xml']);
	});
});

it('employee tickets: one customer, and every employee has a ticket or is not completed', async () => {
	const file = join(WORKFLOWS, 'employee-tickets/mitarbeiter.csv');
	const rows: Array<Record<string, string>> = parse(await readFile(file), {
		bom: true,
		columns: true,
		delimiter: ';',
	});
	const { arrives, shows } = find('employee-tickets').expected!;
	const complete = rows.filter(({ PLZ }) => /^\d{5}$/.test(PLZ));
	expect([complete.length, rows.length - complete.length]).toEqual([5, 1]);
	// A leading zero survives the way from the file to the gateway.
	expect(complete.some(({ PLZ }) => PLZ.startsWith('0'))).toBe(true);
	// The gateway's customer is the company.
	expect(arrives.customers).toMatchObject([{ name: 'Bäckerei Sonnenschein GmbH' }]);
	expect(arrives.tickets).toEqual(
		complete.map(({ PLZ }) => ({
			product_id: 'deutschlandticket-job',
			status: 'active',
			tariff_settings: { postal_code: PLZ },
		})),
	);
	const numbers = (items: Array<Record<string, unknown>>) => items.map(({ personalnummer }) => personalnummer);
	expect(numbers(shows['Remember the ticket'])).toEqual(complete.map(({ Personalnummer }) => Personalnummer));
	const others = rows.filter((row) => !complete.includes(row));
	expect(shows.Line).toMatchObject(others.map(({ Personalnummer }) => ({ line: expect.stringContaining(Personalnummer) as string })));
});
