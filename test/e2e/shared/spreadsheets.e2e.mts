/** Each report as an Excel file of a real n8n: what an accountant sees in its first row, and that no cell holds an object. */
import isNull from 'lodash/isNull.js';
import omitBy from 'lodash/omitBy.js';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { WorkflowFile } from '../../../host/client.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { itemsOf, readExamples } from '../../../scripts/start/examples.mjs';
import { Rig } from '../../support/rig.mjs';
import { chainOf, connectionOf, nodeOf, to } from '../../support/workflows.mjs';

let rig: Rig;

beforeAll(async () => void (rig = await Rig.join()));
afterAll(async () => await rig?.stop());

/** The rows of the Excel file that n8n makes of a report. */
async function spreadsheet(node: 'Banking' | 'Data', report: IDataObject): Promise<IDataObject[]> {
	const of = node === 'Data' && { connectionId: connectionOf(rig.sandbox, 'rewe-read') };
	const steps = [
		nodeOf('Manual', 'n8n-nodes-base.manualTrigger'),
		nodeOf(
			'Report',
			`${PACKAGE}.accountingGateway${node}`,
			{ operation: 'getAll', ...of, ...report },
			{ credentials: rig.credentials },
		),
		nodeOf('File', 'n8n-nodes-base.convertToFile', { operation: 'xlsx' }, { typeVersion: 1.1 }),
		nodeOf('Rows', 'n8n-nodes-base.extractFromFile', { operation: 'xlsx' }),
	];
	const execution = await rig.client.run(await rig.client.importWorkflow(chainOf('Spreadsheet', steps)));
	expect(execution.status).toBe('success');
	return itemsOf(execution, 'Rows') as IDataObject[];
}

const year = { geschaeftsjahrStartDatum: '2026-01-01' };

it.each<[string, 'Banking' | 'Data', IDataObject, string[]]>([
	[
		'trial balance, accounts',
		'Data',
		{ resource: 'trialBalance', ...year },
		['kontonummer', 'kontobeschriftung', 'ebWertSigned', 'umsatzSoll', 'umsatzHaben', 'saldoSigned'],
	],
	[
		'trial balance, periods',
		'Data',
		{ resource: 'trialBalance', output: 'periods', ...year },
		['kontonummer', 'kontobeschriftung', 'periode', 'saldoSigned'],
	],
	[
		'journal, lines',
		'Data',
		{ resource: 'journalBooking', output: 'lines', ...year },
		['bookingNumber', 'kontonummer', 'buchungstext', 'umsatz', 'waehrung', 'sollHabenKennzeichen'],
	],
	[
		'open items, rows',
		'Data',
		{ resource: 'openItem', output: 'rows' },
		[
			'kontonummer',
			'bezeichnung',
			'beleg',
			'belegdatum',
			'buchungstext',
			'saldo',
			'totalSaldo',
			'isDebitor',
			'stichtag',
		],
	],
	['chart of accounts', 'Data', { resource: 'account', ...year }, ['kontonummer', 'kontobeschriftung']],
	[
		'bank transactions',
		'Banking',
		{ resource: 'balance', output: 'transactions', account_id: 'acc-giro' },
		['made_on', 'amount', 'currency_code'],
	],
])(
	'%s is a spreadsheet whose first columns are those that people read, without objects in cells',
	async (_name, node, report, columns) => {
		const rows = await spreadsheet(node, report);
		expect(rows.length).toBeGreaterThan(5);
		expect(Object.keys(rows[0]).slice(0, columns.length)).toEqual(columns);
		const objects = rows
			.flatMap((row) => Object.values(row))
			.filter((cell) => typeof cell === 'string' && /^[[{]|\[object/.test(cell));
		expect(objects).toEqual([]);
	},
);

it('the Excel file of the example holds the whole trial balance at the end of last month', async () => {
	const { workflow } = (await readExamples()).find(({ name }) => name === 'trial-balance')!;
	const readBack = nodeOf(
		'Read back',
		'n8n-nodes-base.extractFromFile',
		{ operation: 'xlsx' },
		{ typeVersion: 1.1 },
	);
	const longer: WorkflowFile = {
		...workflow,
		name: 'Trial balance, read back',
		nodes: [...workflow.nodes, readBack].map((node) =>
			node.credentials ? { ...node, credentials: rig.credentials } : node,
		),
		connections: {
			...workflow.connections,
			'Excel file': to('Read back'),
		},
		settings: { timezone: 'Europe/Berlin' },
	};
	const execution = await rig.client.run(await rig.client.importWorkflow(longer));
	expect(execution.status).toBe('success');
	const accounts = itemsOf(execution, 'Trial balance');
	const { month } = DateTime.now().setZone('Europe/Berlin').minus({ months: 1 });
	expect(accounts.length).toBeGreaterThan(40);
	for (const { Periode } of accounts) expect(Periode).toBe(month);
	// An empty cell isn't read back.
	expect(itemsOf(execution, 'Read back')).toEqual(accounts.map((row) => omitBy(row, isNull)));
});
