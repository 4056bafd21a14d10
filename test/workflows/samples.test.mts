/** The example workflows fit together, and what they are expected to bring about is what their sample files say. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Big } from 'big.js';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Example, readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';
import { fieldsOf, parametersOf } from '../support/exampleNode.mjs';
import { jsonAs } from '../support/partial.mjs';

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
			const connected = Object.entries(workflow.connections).flatMap(([from, { main }]) => [
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
		for (const { parameters } of nodesOf('readWriteFile')) {
			// Up to a pattern, or to what an expression puts in.
			const [, path] = /^=?workflows\/([^*{]+$|[^*{]+\/)/.exec(parameters.fileSelector as string) ?? [];
			await access(join(WORKFLOWS, path));
		}
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
	expect(shows['Not uploaded']).toHaveLength(folder.length - files.length);
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
		const parameters = await parametersOf('receipts-folder', 'Upload the documents', { json });
		expect(parameters).toMatchObject({ belegtyp: { value } });
	});

	it('e-invoices to Rewe: are read, too', async () => {
		const parameters = await parametersOf('e-invoices-rewe', 'Read the files', {});
		const [, list] = /\*\.\{(.+)\}$/.exec((parameters as { fileSelector: string }).fileSelector)!;
		expect(list.split(',').sort()).toEqual(['PDF', 'XML', 'pdf', 'xml']);
	});
});

describe('cash register day', () => {
	interface Row extends Record<string, string> {
		Datum: string;
		Uhrzeit: string;
		Beleg: string;
	}
	/** The number has a prefix that is new in each run. */
	interface NumberOfLine {
		endsWith: string;
	}
	interface Fields {
		betrag: number;
		transaktionsdatum: string;
		belegzeilen: Array<{
			betrag: number;
			belegNummer: NumberOfLine;
			gegenkonto: string;
			steuersatz: { prozent: number };
		}>;
	}
	/** Of income that the report gives no contra account. */
	const ACCOUNTS: Record<string, string> = { 19: '8400', 7: '8300' };
	let opening: Row;
	let rows: Row[];
	let entries: Array<{ fields: Fields; belegbilder: unknown }>;
	let refused: Array<Record<string, unknown>>;

	beforeAll(async () => {
		const file = join(WORKFLOWS, 'cash-register-day/kassenbericht-2026-11-20.csv');
		[opening, ...rows] = parse(await readFile(file), { bom: true, columns: true, delimiter: ';' });
		const { expected } = find('cash-register-day');
		entries = jsonAs(expected?.arrives.entries);
		refused = expected?.shows['Refused lines'] ?? [];
	});

	const amount = (text: string) => new Big(text.replaceAll('.', '').replace(',', '.') || 0);
	const signed = ({ Brutto, Vorgang }: Row) => amount(Brutto).mul(Vorgang === 'Ausgabe' ? -1 : 1);
	const numberOf = ({ fields }: (typeof entries)[number]) => fields.belegzeilen[0].belegNummer.endsWith.slice(1);

	it('books with one node, and without Code node or Switch', () => {
		const types = find('cash-register-day').workflow.nodes.map(({ type }) => type);
		expect(types.filter((type) => type.endsWith('accountingGatewayDelivery'))).toHaveLength(1);
		expect(types.filter((type) => /\.(?:code|switch|if)$/.test(type))).toEqual([]);
		const options = find('cash-register-day').workflow.nodes.flatMap(({ name, parameters }) =>
			name === 'Book the day' ? [parameters.options] : [],
		);
		expect(options).toMatchObject([{ alreadyBooked: true, kassenbestand: expect.stringContaining('Brutto') }]);
	});

	it('has what a real day has: many lines, both movements, three tax rates, splits and a faulty line', () => {
		expect(rows.length).toBeGreaterThanOrEqual(20);
		expect(new Set(rows.map(({ Vorgang }) => Vorgang))).toEqual(new Set(['Einnahme', 'Ausgabe']));
		const rates = entries.map(({ fields: { belegzeilen } }) =>
			belegzeilen.map(({ steuersatz }) => steuersatz.prozent).join(),
		);
		expect(new Set(rates.filter((rate) => !rate.includes(',')))).toEqual(new Set(['19', '7', '0']));
		expect(rates.filter((rate) => rate.includes(','))).toEqual(['19,7', '19,0', '19,7', '19,7,0']);
		const split = entries.filter(({ fields: { belegzeilen } }) => belegzeilen.length > 1);
		expect(split.filter(({ fields: { betrag } }) => betrag < 0)).toHaveLength(1);
		expect(refused).toHaveLength(1);
	});

	it.each([
		['Einnahme', 'EINNAHME'],
		['Ausgabe', 'AUSGABE'],
		// Refused: without it, an amount carries its own sign, and those of the report have none.
		['', 'VORGANG FEHLT'],
	])('the movement "%s" goes into the form as one of its own values, which n8n does not mark: %s', async (Vorgang, bewegung) => {
		const json = { Vorgang, Datum: '20.11.2026', Uhrzeit: '10:15' };
		const given = { json, outputs: { Accounts: [{}] }, from: 'Accounts' };
		expect(await fieldsOf('cash-register-day', 'Translate the columns', given)).toMatchObject({ bewegung });
	});

	it('what was refused is told in German, with the way on', async () => {
		const line = { belegnummer: '19', belegtext: 'Putzmittel', betrag: '15,44', reason: 'Not sent: 0,19' };
		const lines = [line, { ...line, belegnummer: '20' }];
		const { text } = (await parametersOf('cash-register-day', 'Tell the accountant', {
			json: { lines },
		})) as { text: string };
		expect(text).toBe(
			[
				'Diese Zeilen des Kassenberichts sind nicht gebucht, oder es ist unklar, ob sie es sind:',
				'19, Putzmittel, 15,44 EUR: Not sent: 0,19',
				'20, Putzmittel, 15,44 EUR: Not sent: 0,19',
				'Bitte im Bericht berichtigen und ihn noch einmal einlesen: Was gebucht ist, wird dabei nicht noch einmal gebucht.',
			].join('\n\n'),
		);
	});

	it('never takes more out of the cash register than is in it', () => {
		expect(opening.Vorgang).toBe('Anfangsbestand');
		let balance = amount(opening.Brutto);
		for (const row of rows) {
			balance = balance.plus(signed(row));
			expect(balance.gte(0)).toBe(true);
		}
	});

	it('has cleaning agents on their own account, and of each sale at 0 % a reason', () => {
		const accounts = rows.flatMap((row) => (row.Buchungstext.includes('Reiniger') ? [row.Konto] : []));
		expect(accounts).toEqual(['4250']);
		const sales = rows.filter((row) => row.Vorgang === 'Einnahme' && row.Steuersatz === '0');
		expect(sales.map((row) => [row.Konto, /Gutschein|Briefmarken/.exec(row.Buchungstext)?.[0]])).toEqual([
			['1700', 'Gutschein'],
			['8100', 'Briefmarken'],
			['1700', 'Gutschein'],
		]);
	});

	it('turns every receipt of the report into an entry or a refused line, in the order of time', () => {
		const numbers = [...new Set(rows.map((row) => row['Bon-Nr']))];
		const left = refused.map(({ belegnummer }) => (belegnummer as NumberOfLine).endsWith.slice(1));
		expect(entries.map(numberOf)).toEqual(numbers.filter((number) => !left.includes(number)));
		expect(entries.length + refused.length).toBe(numbers.length);
		const moments = entries.map(({ fields }) => fields.transaktionsdatum);
		expect(moments).toEqual(moments.toSorted());
	});

	it('books amounts, rates, accounts, moment and receipt of each line', () => {
		for (const entry of entries) {
			const { fields, belegbilder } = entry;
			const lines = rows.filter((row) => row['Bon-Nr'] === numberOf(entry));
			const [{ Datum, Uhrzeit, Beleg }] = lines;
			const moment = DateTime.fromFormat(`${Datum} ${Uhrzeit}`, 'dd.MM.yyyy HH:mm', { zone: 'Europe/Berlin' });
			expect(DateTime.fromISO(fields.transaktionsdatum).toMillis()).toBe(moment.toMillis());
			expect(namesOf(belegbilder)).toEqual(Beleg ? [Beleg] : []);
			const total = lines.reduce((sum, row) => sum.plus(signed(row)), new Big(0));
			expect(total.eq(fields.betrag)).toBe(true);
			expect(fields.belegzeilen).toMatchObject(
				lines.map((row) => ({
					betrag: signed(row).toNumber(),
					belegtext: row.Buchungstext,
					steuersatz: { prozent: Number(row.Steuersatz) },
					gegenkonto: row.Konto || ACCOUNTS[row.Steuersatz],
				})),
			);
		}
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
	expect(numbers(shows.Tickets)).toEqual(complete.map(({ Personalnummer }) => Personalnummer));
	expect(numbers(shows['Not completed'])).toEqual(
		rows.filter((row) => !complete.includes(row)).map(({ Personalnummer }) => Personalnummer),
	);
});
