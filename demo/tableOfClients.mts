/** The Data Tables *Mandanten* and *Mahnkunden*: what no example can know, because only a person does. */
import pickBy from 'lodash/pickBy.js';

import type { N8nClient } from '../host/client.mjs';
import { readExample } from './examples.mjs';

/** Rows by their column. */
type Cells = Record<string, string>;

/** What a person types into the rows of the sandbox's clients, by the client's number. */
export const TYPED: Readonly<Record<string, Cells>> = {
	'29098-10001': {
		kasse: 'Hauptkasse, Kasse Filiale Süd',
		zustaendig: 'buchhaltung@kanzlei-demo.example',
		ansprechpartner: 'petra@baeckerei-sonnenschein.example',
		registrierkassen: 'KASSE-1 = Hauptkasse',
		bankkonto: 'acc-giro',
		sachkontoBank: '1200',
		anschrift: 'Marktplatz 4, 04177 Leipzig',
		bank: 'Deutsche Kreditbank Berlin',
		iban: 'DE02 1203 0000 0000 2020 51',
		bic: 'BYLADEM1001',
		pflichtangaben: 'Sitz: Leipzig. Amtsgericht Leipzig, HRB 12345. Geschäftsführerin: Erika Sonnenschein',
	},
	'29098-10002': { kasse: 'Tageskasse', zustaendig: 'buchhaltung@kanzlei-demo.example' },
};

/** What a person types into the Data Table *Mahnkunden*: the customers of a client, by their accounts in its books. */
export const CUSTOMERS: ReadonlyArray<Record<string, string | number>> = [
	{
		companyId: '29098-10001',
		konto: '10001',
		email: 'buchhaltung@hotel-am-markt.example',
		anschrift: 'Marktplatz 1\n04109 Leipzig',
	},
	{
		companyId: '29098-10001',
		konto: '10002',
		anschrift: 'Schulstraße 12\n04177 Leipzig',
		zahlungsziel: '14 Tage netto',
		mahnsperre: 'Ratenzahlung bis 31.01.2027 vereinbart',
	},
	{
		companyId: '29098-10001',
		konto: '10003',
		email: 'rechnung@cafe-lindenhof.example',
		anschrift: 'Lindenallee 7\n04155 Leipzig',
	},
	{ companyId: '29098-10001', konto: '10004', anschrift: 'Parkweg 3\n04229 Leipzig', tage: 30 },
];

/** A row as n8n gives it. */
export type StoredRow = Record<string, string | number | null>;

/** The cells that are still empty in a row, of those that a person types. A table of an earlier start may lack a column. */
export const stillEmpty = (row: StoredRow): Cells =>
	pickBy(TYPED[String(row.companyId)] ?? {}, (_, column) => column in row && !row[column]);

/** A table's ID, if there is one. */
async function tableNamed({ api }: Pick<N8nClient, 'api'>, table: string): Promise<string | undefined> {
	const { data } = await api.get('data-tables', { params: { limit: 100 } });
	return (data as { data: Array<{ id: string; name: string }> }).data.find(({ name }) => name === table)?.id;
}

/** The tables that people type into: the example that makes each, and its node. */
const MADE_BY = {
	Mandanten: ['clients', 'Table of clients'],
	Mahnkunden: ['payment-reminders', 'Table of customers'],
} as const;

/** Makes a table with the columns of the example that makes it, unless there is one. */
export async function madeTable(
	client: Pick<N8nClient, 'api'>,
	table: keyof typeof MADE_BY,
): Promise<{ id: string; isNew: boolean }> {
	const there = await tableNamed(client, table);
	if (there) return { id: there, isNew: false };
	const [example, node] = MADE_BY[table];
	const { workflow } = await readExample(example);
	const { parameters } = workflow.nodes.find(({ name }) => name === node)!;
	const { column: columns } = parameters.columns as { column: object[] };
	const { data } = await client.api.post('data-tables', { name: table, columns });
	return { id: data.id as string, isNew: true };
}

/** Fills the table *Mahnkunden*, unless there is one: as *Payment reminders* makes it, and a person fills it. */
export async function fillTableOfCustomers(client: Pick<N8nClient, 'api'>): Promise<void> {
	const { id, isNew } = await madeTable(client, 'Mahnkunden');
	if (isNew) await client.api.post(`data-tables/${id}/rows`, { data: CUSTOMERS });
}

/** Types into the rows what the examples need beside what *Clients* has filled in; what is there stays. */
export async function typeIntoTable(client: Pick<N8nClient, 'api'>): Promise<void> {
	const id = await tableNamed(client, 'Mandanten');
	if (!id) return;
	const { data } = await client.api.get(`data-tables/${id}/rows`, { params: { limit: 250 } });
	for (const row of (data as { data: StoredRow[] }).data) {
		const cells = stillEmpty(row);
		if (Object.keys(cells).length === 0) continue;
		const filters = [{ columnName: 'companyId', condition: 'eq', value: row.companyId }];
		await client.api.patch(`data-tables/${id}/rows/update`, {
			filter: { type: 'and', filters },
			data: cells,
		});
	}
}
