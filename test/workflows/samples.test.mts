/** The example workflows fit together, and what they are expected to bring about is what their sample files say. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Big } from 'big.js';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Example, readExamples, WORKFLOWS } from '../../scripts/start/examples.mjs';

let examples: Example[];
beforeAll(async () => {
	examples = await readExamples();
});

const find = (name: string) => examples.find((example) => example.name === name) as Example;
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

	it('reads files that exist, whatever folder the repository is in', async () => {
		const readers = examples
			.flatMap(({ workflow }) => workflow.nodes)
			.filter(({ type }) => type === 'n8n-nodes-base.readWriteFile');
		for (const { parameters } of readers) {
			// Up to a pattern, or to what an expression puts in.
			const [, path] = /^=?workflows\/([^*{]+$|[^*{]+\/)/.exec(parameters.fileSelector as string) ?? [];
			await access(join(WORKFLOWS, path));
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
		belegnummer?: NumberOfLine;
		betrag: number;
		gegenkonto?: string;
		bewegung?: string;
		steuersatz?: number;
		transaktionsdatum: string;
		belegzeilen?: {
			betrag: number;
			belegNummer: NumberOfLine;
			gegenkonto: string;
			steuersatz: { prozent: number };
		}[];
	}
	/** Of income that the report gives no contra account. */
	const ACCOUNTS: Record<string, string> = { 19: '8400', 7: '8300' };
	let opening: Row;
	let rows: Row[];
	let entries: { fields: Fields; belegbilder: unknown }[];
	let refused: Record<string, unknown>[];

	beforeAll(async () => {
		const file = join(WORKFLOWS, 'cash-register-day/kassenbericht-2026-11-20.csv');
		[opening, ...rows] = parse(await readFile(file), { bom: true, columns: true, delimiter: ';' });
		const { expected } = find('cash-register-day');
		entries = expected?.arrives.entries as unknown as typeof entries;
		refused = expected?.shows['Refused lines'] ?? [];
	});

	const amount = (text: string) => new Big(text.replaceAll('.', '').replace(',', '.') || 0);
	const entryOf = (row: Row) =>
		entries.find(
			({ fields }) => (fields.belegnummer ?? fields.belegzeilen![0].belegNummer).endsWith === `-${row['Bon-Nr']}`,
		);

	it('has what a real day has: many lines, both movements, three tax rates, splits and a faulty line', () => {
		expect(rows.length).toBeGreaterThanOrEqual(20);
		const simple = entries.filter(({ fields }) => !fields.belegzeilen).map(({ fields }) => fields);
		expect(new Set(simple.map(({ bewegung }) => bewegung))).toEqual(new Set(['EINNAHME', 'AUSGABE']));
		expect(new Set(simple.map(({ steuersatz }) => steuersatz))).toEqual(new Set([19, 7, 0]));
		const split = entries.flatMap(({ fields }) => (fields.belegzeilen ? [fields] : []));
		const rates = split.map(({ belegzeilen = [] }) => belegzeilen.map(({ steuersatz }) => steuersatz.prozent).join());
		expect(rates).toEqual(['19,7', '19,0', '19,7', '19,7,0']);
		expect(split.filter(({ betrag }) => betrag < 0)).toHaveLength(1);
		expect(refused).toHaveLength(1);
	});

	it('never takes more out of the cash register than is in it', () => {
		expect(opening.Vorgang).toBe('Anfangsbestand');
		let balance = amount(opening.Brutto);
		for (const { Brutto, Vorgang } of rows) {
			balance = balance.plus(amount(Brutto).mul(Vorgang === 'Ausgabe' ? -1 : 1));
			expect(balance.gte(0)).toBe(true);
		}
	});

	it('has cleaning agents on their own account, and of each sale at 0 % a reason', () => {
		const accounts = rows.flatMap((row) => (row.Buchungstext.includes('Reiniger') ? [row['Konto 19 %']] : []));
		expect(accounts).toEqual(['4250']);
		const sales = rows.filter((row) => row.Vorgang === 'Einnahme' && row['davon 0 %']);
		expect(sales.map((row) => [row['Konto 0 %'], /Gutschein|Briefmarken/.exec(row.Buchungstext)?.[0]])).toEqual([
			['1700', 'Gutschein'],
			['8100', 'Briefmarken'],
			['1700', 'Gutschein'],
		]);
	});

	it('turns every line of the report but the opening balance into an entry or a refused line', () => {
		expect(rows.filter((row) => !entryOf(row)).map((row) => row['Bon-Nr'])).toEqual(
			refused.map(({ belegnummer }) => (belegnummer as NumberOfLine).endsWith.slice(1)),
		);
		expect(entries.length + refused.length).toBe(rows.length);
	});

	it('books amount, movement, rate, moment and receipt of each line', () => {
		for (const row of rows) {
			const entry = entryOf(row);
			if (!entry) continue;
			const { fields, belegbilder } = entry;
			const rates = [19, 7, 0].filter((rate) => row[`davon ${rate} %`]);
			const moment = DateTime.fromFormat(`${row.Datum} ${row.Uhrzeit}`, 'dd.MM.yyyy HH:mm', {
				zone: 'Europe/Berlin',
			});
			expect(DateTime.fromISO(fields.transaktionsdatum).toMillis()).toBe(moment.toMillis());
			expect(namesOf(belegbilder)).toEqual(row.Beleg ? [row.Beleg] : []);
			const sign = fields.belegzeilen && row.Vorgang === 'Ausgabe' ? -1 : 1;
			expect(amount(row.Brutto).mul(sign).eq(fields.betrag)).toBe(true);
			if (fields.belegzeilen) {
				expect(fields.belegzeilen).toMatchObject(
					rates.map((rate) => ({
						betrag: amount(row[`davon ${rate} %`]).mul(sign).toNumber(),
						steuersatz: { prozent: rate },
						gegenkonto: row[`Konto ${rate} %`] || ACCOUNTS[rate],
					})),
				);
			} else {
				expect(fields.bewegung).toBe(row.Vorgang.toUpperCase());
				expect([fields.steuersatz]).toEqual(rates);
				expect(fields.gegenkonto).toBe(row[`Konto ${rates[0]} %`]);
			}
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
