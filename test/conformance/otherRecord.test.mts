/**
 * Answers about a record other than the one sent or requested, for every operation: all are rejected. Answers about
 * the right record in another spelling: all are accepted.
 */
import cloneDeep from 'lodash/cloneDeep.js';
import get from 'lodash/get.js';
import set from 'lodash/set.js';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { exampleAnswer, type Json } from '../../api/contract.mjs';
import { runNode } from '../../host/harness.mjs';
import { exampleItem, exampleParameters } from './examples.mjs';
import { type Action, actions, reads, sampleOf, writes } from './operations.mjs';
import { type Answer, example, type Recorded, useRecorder } from './recorder.mjs';

const recorder = useRecorder();

const ID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const KASSE = 'Kasse Süd';

/** Input in addition to the examples. */
const OWN: Record<string, INodeParameters> = {
	createCashBookEntry: {
		kassenname: KASSE,
		betrag: 12.5,
		bewegung: 'AUSGABE',
		waehrung: 'EUR',
		steuersatz: 19,
	},
	createAdvancedCashBookEntry: { kassenname: KASSE },
	uploadDuoDocument: { id: ID },
	uploadReweDocument: { belegId: ID },
	createTicket: { product_id: 'job-ticket', customer_id: ID },
	activateTicket: { ticket_id: ID },
	createCustomer: { name: 'Bäckerei Müller GmbH' },
	listTrialBalance: { kontonummer: '0420' },
	getOpenItems: { stichtag: '2026-03-31' },
	listBalances: { output: 'transactions' },
};
const DAY = '2026-03-31T14:30:00+02:00';
for (const id of ['createCashBookEntry', 'createAdvancedCashBookEntry']) OWN[id].transaktionsdatum = DAY;

/** By the field's path in an answer: values of another record, and other spellings of this record's value. */
type Cases = Record<string, [others: unknown[], spellings: unknown[]]>;

const OTHER_DAYS = ['2026-03-30T14:30:00+02:00', '2025-03-31T14:30:00+02:00', '2026-03-30'];
const SAME_TIME = ['2026-03-31T12:30:00Z', '20260331T123000Z', '2026-03-31T14:30:00+02'];
const SAME_DAY = ['2026-03-31 14:30', '2026-03-31 14:30 +02:00', '2026-03-31', '20260331', '2026-W14-2'];
// In local time, in UTC, and UTC's.
const MIDNIGHTS = ['2026-03-31T00:00:00+02:00', '2026-03-30T22:00:00Z', '2026-03-31T00:00:00Z'];
const entry: Cases = {
	kassenname: [
		['Hauptkasse', 'Kasse Sud', `${KASSE} 1`, { name: KASSE }, [KASSE]],
		[`  ${KASSE}\n`, 'Kasse\u00a0 Süd', KASSE.normalize('NFD'), 'KASSE SÜD', null, ''],
	],
	transaktionsdatum: [
		// Without a zone, a time is that of the office.
		[...OTHER_DAYS, '2026-03-30T14:30:00', 'gestern', {}],
		[...SAME_TIME, '2026-03-31T12:30:00,000+0000', ...SAME_DAY, ...MIDNIGHTS, null],
	],
	waehrung: [
		['USD', 'CHF'],
		['eur', 'EUR ', null],
	],
};

const CASES: Record<string, Cases> = {
	createCashBookEntry: {
		...entry,
		belegnummer: [['K-9', 7, null, ''], []],
		bewegung: [
			['EINNAHME', 'X'],
			['Ausgabe', null],
		],
		betrag: [
			[-12.51, 1250, '-1250', 'eins', {}, true],
			['-12.50', '-12,50', '12,50', '12,50-', '-12.50 EUR', '  -12,50  € ', '-12.500', 12.5, null],
		],
		steuersatz: [
			[7, 0, 0.19, '7'],
			['19', '19.00', '19,0 %', { prozent: 19 }, null],
		],
	},
	createAdvancedCashBookEntry: {
		...entry,
		betrag: [[1, null], []],
		'belegzeilen.0.betrag': [[1], [null]],
		'belegzeilen.0.steuersatz.prozent': [[5], [null]],
		belegzeilen: [[[], [{}]], [null]],
	},
	// The accounting system's own file ID.
	uploadDuoDocument: { id: [[], [OTHER_ID, 'DMS-991', 991, null]] },
	uploadReweDocument: { id: [[], [OTHER_ID, null]] },
	createTicket: {
		id: [[null], [OTHER_ID]],
		product_id: [['schuelerticket'], [' job-ticket', null]],
		customer_id: [[OTHER_ID], [ID.toUpperCase(), null]],
		status: [
			['cancelled', 'expired'],
			['pending', null],
		],
	},
	activateTicket: {
		id: [[OTHER_ID, null], [ID.toUpperCase()]],
		status: [['cancelled', 'expired', null], ['active']],
	},
	// A field that describes, and doesn't identify.
	createCustomer: { id: [[null, ''], [OTHER_ID]], name: [[], ['Metzgerei Maier', 'Bäckerei M', null]] },
	getFiscalYear: { 'data.id': [['19990101', 7], [null]] },
	listTrialBalance: {
		'data.0.kontonummer': [
			['4200', '4201', 42],
			['420', 420, '00420', null],
		],
	},
	getOpenItems: {
		'data.stichtag': [
			['2026-03-30', '2026-04-01', '2025-03-31'],
			['2026-03-31T00:00:00', '2026-03-31T00:00:00+02:00', '2026-03-30T22:00:00Z', null],
		],
	},
	getTransaction: { 'data.id': [['tx-other', 7], [null]], 'data.account_id': [['acc-other'], [null]] },
	getPayment: { 'data.id': [['pay-other', 7], [null]] },
	getBankConnection: { 'data.id': [['con-other'], [null]] },
	listBalances: { 'data.0.transactions.0.account_id': [['acc-other'], [null]] },
};

async function run(
	action: Action,
	answer: (request: Recorded) => Answer,
	own?: INodeParameters,
	timezone = 'Europe/Berlin',
) {
	recorder.answer = answer;
	recorder.requests = [];
	return await runNode({
		node: action.node,
		parameters: exampleParameters(action, { ...OWN[action.contract.id], ...own }),
		items: [exampleItem(action)],
		credential: recorder.credential,
		settings: { onError: 'continueErrorOutput' },
		workflowSettings: { timezone },
	});
}

/** The right answer, with fields missing from the contract's example. */
function right(request: Recorded): Answer {
	const { body } = example(request);
	switch (request.call?.operation.id) {
		case 'createTicket':
			// A ticket that is active at once; the example is a partial one.
			return {
				body: { ...(exampleAnswer('activateTicket') as Json), ...(JSON.parse(request.text) as Json) },
			};
		case 'uploadDuoDocument':
		case 'uploadReweDocument':
			return { body: { ...(body as Json), dateiname: 'Beleg.pdf' } };
		case 'createAdvancedCashBookEntry': {
			const { belegzeilen, waehrung } = JSON.parse(request.text) as { belegzeilen: Json[]; waehrung: string };
			const lines = belegzeilen.map((line) => ({ ...line, waehrung }));
			return { body: { ...(body as Json), belegzeilen: lines } };
		}
		case 'listBalances': {
			const { data } = exampleAnswer('getTransaction') as { data: Json };
			const transactions = [{ ...data, account_id: request.call.query.get('account_id') }];
			return { body: set(cloneDeep(body) as Json, 'data.0.transactions', transactions) };
		}
		default:
			return { body };
	}
}

/** The right answer with one field changed. */
const changed =
	(path: string, value: unknown) =>
	(request: Recorded): Answer => {
		const body = cloneDeep(right(request).body) as Json;
		if (get(body, path) === undefined) throw new Error(`The answer has no ${path}`);
		return { body: set(body, path, value) };
	};

async function expectRefused(action: Action, answer: (request: Recorded) => Answer, message?: string) {
	const { main, error } = await run(action, answer);
	expect(error).toBeUndefined();
	expect(main[0]).toEqual([]);
	const outcome = action.operation.kind === 'write' ? 'unknown' : 'failed';
	expect(main[1]).toMatchObject([{ json: { details: { outcome } } }]);
	expect(main[1][0].json.error).toMatch(/^The gateway('s answer isn't what was expected| has accepted)/);
	if (message) expect(main[1][0].json.error).toContain(message);
	expect(recorder.requests).toHaveLength(1);
}

describe.each(actions.filter(({ contract }) => contract.id in CASES))('$operation.action', (action) => {
	const cases = Object.entries(CASES[action.contract.id]);

	it('takes the right answer for its own', async () => {
		const { main, error } = await run(action, right);
		expect([error, main[1] ?? []]).toEqual([undefined, []]);
		expect(main[0].length).toBeGreaterThan(0);
	});

	it.each(cases.flatMap(([path, [others]]) => others.map((value) => ({ path, value }))))(
		'takes an answer with $path $value for that about another record',
		async ({ path, value }) => {
			await expectRefused(action, changed(path, value));
		},
	);

	it.each(cases.flatMap(([path, [, spellings]]) => spellings.map((value) => ({ path, value }))))(
		'takes an answer with $path $value for its own',
		async ({ path, value }) => {
			const { main } = await run(action, changed(path, value));
			expect(main[1] ?? []).toEqual([]);
			expect(main[0].length).toBeGreaterThan(0);
		},
	);
});

const NEW_YORK = 'America/New_York';
it.each<[keyof INodeParameters, unknown, isOwn: boolean, unknown, timezone?: string]>([
	['belegnummer', '7', true, 7],
	['belegnummer', '007', false, 7],
	['kassenname', 'Kasse Straße', true, 'kasse straße'],
	// Although both are STRASSE in capitals.
	['kassenname', 'Kasse Straße', false, 'Kasse Strasse'],
	['betrag', 1234.5, true, '-1.234,50'],
	['betrag', 1234, true, '-1.234'],
	['betrag', 1234, true, '-1,234'],
	['betrag', 0.3, true, -(0.1 + 0.2)],
	['betrag', 0, true, '0,00'],
	['transaktionsdatum', '2026-03-31', true, '2026-03-31T00:00:00'],
	['transaktionsdatum', '2026-03-31', false, '2026-04-01'],
	['transaktionsdatum', '2026-03-31', false, '2026-03-30T12:00:00'],
	// Half an hour after midnight.
	['transaktionsdatum', '2026-03-31T00:30:00', true, '2026-03-30T22:30:00Z'],
	['transaktionsdatum', '2026-03-31T00:30:00', true, '2026-03-30T22:30:00'],
	['transaktionsdatum', '2026-03-31T00:30:00', true, '2026-03-30'],
	['transaktionsdatum', '2026-03-31T00:30:00', true, '2026-03-31'],
	['transaktionsdatum', '2026-03-31T21:30:00', true, '2026-04-01T01:30:00Z', NEW_YORK],
	['transaktionsdatum', '2026-03-31T21:30:00', true, '2026-03-31', NEW_YORK],
	['transaktionsdatum', '2026-03-31T21:30:00', false, '2026-04-01T21:30:00', NEW_YORK],
])(
	'An entry with %s %j is the one of the answer: %s, with %j %s',
	async (field, sent, isOwn, answered, timezone) => {
		const action = actions.find(({ contract }) => contract.id === 'createCashBookEntry')!;
		const own = { [field]: sent } as INodeParameters;
		const { main } = await run(action, changed(String(field), answered), own, timezone);
		const details = main[1].map(({ json }) => json.details);
		expect(details).toMatchObject(isOwn ? [] : [{ outcome: 'unknown' }]);
	},
);

it('the check of whose record an answer is about is tried for each operation that sends or asks for something that comes back', () => {
	const ids = new Set(actions.map(({ contract }) => contract.id));
	const untold = [...ids].filter((id) => !(id in CASES));
	expect(
		untold.sort(),
		'A new operation: give CASES of this file the fields that identify its record, with values of another one, or add a list of records here',
	).toEqual([
		// Complete lists; their rows are the connection's.
		'listAccounts',
		'listCashBooks',
		'listCompanies',
		'listDuoConnections',
		'listDuoDocumentTypes',
		'listFiscalYears',
		'listJournalBookings',
		'listPaymentTerms',
		'listReweDocumentTypes',
		'listTaxKeys',
		'listTicketProducts',
		// Any success will do.
		'setWebhookUrl',
	]);
});

const svc = { neuesGuthaben: 100 };
const TASK = {
	taskId: 'T-17',
	status: 'IN_BEARBEITUNG',
	meldungen: [{ nachricht: 'Bitte warten', typ: 'INFO' }],
};

/** What a gateway may answer instead of the requested record. */
const INSTEAD: Array<[string, Answer, message?: string]> = [
	['nothing', { status: 204, body: '' }],
	['null', { body: 'null' }],
	['an empty object', { body: {} }],
	['the balance only', { body: { svc } }],
	['null under data', { body: { data: null, svc } }],
	['a text', { body: '"OK"' }, 'OK'],
	['a text under data', { body: { data: 'Report wird erstellt', svc } }, 'Report wird erstellt'],
	['a number under data', { body: { data: 7, svc } }],
	['a task', { body: { ...TASK, svc } }],
	['a task under data', { body: { data: TASK, svc } }],
	['a list of nothing', { body: { data: [null], svc } }],
	['a list of lists', { body: { data: [[], []], svc } }],
	['a list of empty records', { body: { data: [{}, {}], svc } }],
	['a failure', { body: { success: false, message: 'Kasse gesperrt' } }, 'Kasse gesperrt'],
	['a failure beside the list', { body: { data: [], error: 'Zeit überschritten' } }, 'Zeit überschritten'],
	['202 with a task', { status: 202, body: TASK }, 'Bitte warten'],
	['202 with an empty list', { status: 202, body: { data: [], svc } }, 'HTTP 202'],
	['202 with nothing', { status: 202, body: '' }, 'HTTP 202'],
	['a part', { status: 206, body: { data: [], svc } }, 'HTTP 206'],
];

describe.each(reads)('$operation.action', (action) => {
	it.each(sampleOf(INSTEAD, action))('does not take %s for an answer', async (_what, answer, message) => {
		await expectRefused(action, () => answer, message);
	});

	it('does not take one kind of answer for the other', async () => {
		const isList = Array.isArray((exampleAnswer(action.contract.id) as Json).data);
		await expectRefused(action, () => ({ body: { data: isList ? { anzahl: 7 } : [], svc } }));
	});

	it('takes 202 for no answer, even with one', async () => {
		await expectRefused(action, (request) => ({ ...example(request), status: 202 }), 'HTTP 202');
	});
});

describe.each(writes.filter(({ contract }) => contract.id !== 'setWebhookUrl'))(
	'$operation.action',
	(action) => {
		it.each<[string, Answer]>([
			['202 with a task', { status: 202, body: TASK }],
			['202 with a task under data', { status: 202, body: { data: TASK, svc } }],
			['202 with nothing', { status: 202, body: '' }],
			['the balance only', { body: { svc } }],
		])('does not take %s for a booking', async (_what, answer) => {
			await expectRefused(action, () => answer);
		});
	},
);
