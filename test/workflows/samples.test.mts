/** The example workflows fit together, and with what n8n does to them. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Example, readExamples, WORKFLOWS } from '../../demo/examples.mjs';
import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';

let examples: Example[];
beforeAll(async () => {
	examples = await readExamples();
});

/** The nodes of n8n's own of one type, in all examples. */
const nodesOf = (type: string) =>
	examples
		.flatMap(({ workflow }) => workflow.nodes)
		.filter((node) => node.type === `n8n-nodes-base.${type}`);

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

	it('makes a table with the same columns, whichever example comes first', () => {
		const makers = nodesOf('dataTable').filter(({ parameters }) => parameters.tableName);
		for (const { parameters } of makers) {
			const first = makers.find((one) => one.parameters.tableName === parameters.tableName)!;
			expect(parameters.columns, parameters.tableName as string).toEqual(first.parameters.columns);
		}
	});

	it('sends an e-mail again if the mail server was busy, and fails if it can’t be sent', () => {
		const emails = nodesOf('emailSend');
		expect(emails.length).toBeGreaterThan(0);
		for (const { name, retryOnFail, waitBetweenTries, onError } of emails) {
			expect({ name, retryOnFail, waitBetweenTries, onError }).toEqual(
				name === 'Send the reminder'
					? // One customer's address must not keep the others from being reminded; the example fails at its end. Retry On Fail
						// would send to all of them again.
						{ name, onError: 'continueErrorOutput' }
					: {
							name,
							retryOnFail: true,
							// n8n waits no longer.
							waitBetweenTries: 5000,
							// Whoever has sent the list reads it on the form's last page, which otherwise says only that there is a problem.
							...(['Send the rows', 'Send the reason'].includes(name) && { onError: 'continueRegularOutput' }),
						},
			);
		}
	});

	it('explains itself to the user on sticky notes', () => {
		for (const { workflow } of examples) {
			const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
			expect(notes[0].parameters.content).toContain(`## ${workflow.name}`);
		}
	});
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
