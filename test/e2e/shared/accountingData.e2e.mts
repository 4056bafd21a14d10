/** Every operation and output of the data node in one run of a real n8n, and the Excel file read back. */
import axios from 'axios';
import isNull from 'lodash/isNull.js';
import omitBy from 'lodash/omitBy.js';
import { DateTime } from 'luxon';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Execution, WorkflowFile } from '../../../host/client.mjs';
import { PACKAGE } from '../../../host/package.mjs';
import { itemsOf, readExamples } from '../../../scripts/start/examples.mjs';
import { Rig } from '../../support/rig.mjs';
import { connectionOf } from '../../support/workflows.mjs';

let rig: Rig;

beforeAll(async () => {
	rig = await Rig.join({ sandbox: { now: new Date('2026-11-20T09:00:00Z') } });
});
afterAll(async () => await rig?.stop());

type Module = 'rewe' | 'rewe-read';

/** What the sandbox answers to a plain client. */
async function read(
	path: string,
	module: Module,
	query: Record<string, string> = {},
): Promise<IDataObject[]> {
	const { data } = await axios.get(`${rig.sandbox.url}/v2/${path}`, {
		headers: { 'x-api-key': rig.sandbox.apiKey },
		params: { connectionId: connectionOf(rig.sandbox, module), ...query },
	});
	return [data.data].flat();
}

const year = '2026-01-01';
const ofYear = { geschaeftsjahrStartDatum: year };
const list = (value: string) => ({ __rl: true, mode: 'list', value });
const company = list('29098-10001');

interface Step {
	parameters: INodeParameters;
	module?: Module;
	path: string;
	query?: Record<string, string>;
	/** What has to come out for what the gateway answers; the records themselves when left out. */
	items?: (records: IDataObject[]) => IDataObject[];
}

const openItems = (parameters: INodeParameters) => ({
	resource: 'openItem',
	operation: 'getAll',
	...parameters,
});

/** One node for each operation and output, by the node's name. */
const STEPS: Record<string, Step> = {
	'Tax keys': {
		parameters: { resource: 'taxKey', operation: 'getAll' },
		module: 'rewe',
		path: 'acct-rewe/steuersaetze',
	},
	Companies: {
		parameters: { resource: 'company', operation: 'getAll' },
		path: 'acct/companies',
		items: (companies) =>
			companies.map(({ subscription, ...company }) => ({
				...company,
				subscription: (subscription as Array<{ name: string; active: boolean }>)
					.filter(({ active }) => active)
					.map(({ name }) => name)
					.join(', '),
			})),
	},
	'Fiscal years': {
		parameters: { resource: 'fiscalYear', operation: 'getAll', additionalFields: { companyId: company } },
		path: 'acct-rewe-read/geschaeftsjahre',
	},
	'Fiscal year': {
		parameters: { resource: 'fiscalYear', operation: 'get', geschaeftsjahrId: list('20260101') },
		path: 'acct-rewe-read/geschaeftsjahre/20260101',
	},
	'Payment terms': {
		parameters: { resource: 'paymentTerm', operation: 'getAll', geschaeftsjahrStartDatum: list(year) },
		path: 'acct-rewe-read/zahlungsbedingungen',
		query: ofYear,
		items: (terms) => terms.map(({ perioden: _periods, ...term }) => term),
	},
	Accounts: {
		parameters: { resource: 'account', operation: 'getAll', geschaeftsjahrStartDatum: list(year) },
		path: 'acct-rewe-read/kontenplan',
		query: ofYear,
	},
	Journal: {
		parameters: {
			resource: 'journalBooking',
			operation: 'getAll',
			geschaeftsjahrStartDatum: '={{ DateTime.fromISO("2026-01-01") }}',
			additionalFields: { companyId: company },
			output: 'bookings',
		},
		path: 'acct-rewe-read/buchungsdaten',
		query: ofYear,
	},
	'Journal lines': {
		parameters: {
			resource: 'journalBooking',
			operation: 'getAll',
			geschaeftsjahrStartDatum: list(year),
			output: 'lines',
		},
		path: 'acct-rewe-read/buchungsdaten',
		query: ofYear,
		items: (bookings) =>
			bookings.flatMap(({ buchungszeilen, ...booking }, i) =>
				(buchungszeilen as IDataObject[]).map(({ kostenstellen, ...line }) => ({
					bookingNumber: i + 1,
					...booking,
					...line,
					...(kostenstellen as IDataObject),
				})),
			),
	},
	'Trial balance': {
		parameters: {
			resource: 'trialBalance',
			operation: 'getAll',
			geschaeftsjahrStartDatum: list(year),
			additionalFields: { kontonummer: list('1000') },
		},
		path: 'acct-rewe-read/susa',
		query: { ...ofYear, kontonummer: '1000' },
		items: (accounts) =>
			accounts.map(({ saldo, ebWert, periodenwerte: _periods, ...account }) => ({
				...account,
				saldoSigned: (saldo as IDataObject).betrag,
				ebWertSigned: (ebWert as IDataObject).betrag,
			})),
	},
	'Open items': {
		parameters: openItems({
			additionalFields: { filter: 'debitors', stichtag: '2026-09-30', companyId: company },
			output: 'report',
		}),
		path: 'acct-rewe-read/opos',
		query: { filter: 'debitors', stichtag: '2026-09-30' },
	},
	'Open items by account': {
		parameters: openItems({ additionalFields: { eb: 'raw' }, output: 'accounts' }),
		path: 'acct-rewe-read/opos',
		query: { eb: 'raw' },
		items: ([{ stichtag, konten }]) => (konten as IDataObject[]).map((account) => ({ stichtag, ...account })),
	},
	'Open items untouched': {
		parameters: openItems({ simple: false }),
		path: 'acct-rewe-read/opos',
		items: ([report]) => [{ data: report, svc: { neuesGuthaben: expect.any(Number) as number } }],
	},
};

describe('every operation and output', () => {
	let execution: Execution;

	beforeAll(async () => {
		const start: INode = {
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
		const nodes = Object.entries(STEPS).map(
			([name, { parameters, module = 'rewe-read' }], i): INode => ({
				id: `node-${i}`,
				name,
				type: `${PACKAGE}.accountingGatewayData`,
				typeVersion: 1,
				position: [200, i * 160],
				parameters: { connectionId: list(connectionOf(rig.sandbox, module)), ...parameters },
				credentials: rig.credentials,
			}),
		);
		const targets = nodes.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 }));
		const workflowId = await rig.client.importWorkflow({
			name: 'All accounting data',
			nodes: [start, ...nodes],
			connections: { Start: { main: [targets] } },
			settings: { timezone: 'Europe/Berlin' },
		});
		execution = await rig.client.run(workflowId);
	});

	it('runs', () => {
		expect(execution.data.resultData.error?.message).toBeUndefined();
		expect(execution.status).toBe('success');
	});

	it.each(Object.entries(STEPS))(
		'%s',
		async (name, { module = 'rewe-read', path, query, items = (records) => records }) => {
			const expected = items(await read(path, module, query));
			expect(expected.length).toBeGreaterThan(0);
			expect(itemsOf(execution, name)).toEqual(expected);
		},
	);
});

it('the Excel file of the example holds the whole trial balance at the end of last month', async () => {
	const { workflow } = (await readExamples()).find(({ name }) => name === 'trial-balance')!;
	const readBack: INode = {
		id: 'read-back',
		name: 'Read back',
		type: 'n8n-nodes-base.extractFromFile',
		typeVersion: 1.1,
		position: [1400, 80],
		parameters: { operation: 'xlsx', options: {} },
	};
	const longer: WorkflowFile = {
		...workflow,
		name: 'Trial balance, read back',
		nodes: [...workflow.nodes, readBack].map((node) =>
			node.credentials ? { ...node, credentials: rig.credentials } : node,
		),
		connections: {
			...workflow.connections,
			'Excel file': { main: [[{ node: 'Read back', type: 'main', index: 0 }]] },
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
