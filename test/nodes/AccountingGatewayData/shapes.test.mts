/**
 * Rows share one shape in V8, also when n8n has used up the first fields that V8 knows of objects that begin as `{}`: otherwise,
 * each row of the first journal took 5 kB more.
 */
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import range from 'lodash/range.js';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { AccountingGatewayBanking } from '../../../nodes/AccountingGatewayBanking/AccountingGatewayBanking.node.js';
import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { AccountingGatewayDelivery } from '../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { runNode } from '../../../host/harness.mjs';
import { listening } from '../../support/listening.mjs';

const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const COUNT = 200;
/** What V8 knows of them. */
const FIRST_FIELDS = 1536;

let haveSameShape: (one: unknown, other: unknown) => boolean;
/** Kept, so that no collection makes room. */
const taken: object[] = [];

beforeAll(() => {
	setFlagsFromString('--allow-natives-syntax');
	haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as typeof haveSameShape;
	for (let n = 0; n < 2 * FIRST_FIELDS; n++) taken.push(Object.fromEntries([[`first${n}`, n]]));
});

afterAll(() => {
	// Other tests of this process have room again.
	taken.length = 0;
});

/** The rows that a read makes of an answer. */
async function rowsOf(
	node: Parameters<typeof runNode>[0]['node'],
	parameters: INodeParameters,
	answer: unknown,
): Promise<IDataObject[]> {
	const server = createServer((_, response) =>
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
	);
	const credential = { apiKey: 'key', baseUrl: `http://${await listening(server)}` };
	const { json } = await runNode({ items: [{}], node, parameters, credential });
	server.close();
	return json as IDataObject[];
}

const line = (kontonummer: string, umsatz: number) => ({
	kontonummer,
	kostenstellen: { kost1: '100', kost2: null },
	buSchluessel: '9',
	umsatz,
});
const JOURNAL = {
	data: range(COUNT).map((n) => ({
		id: `123e4567-e89b-12d3-a456-${String(n).padStart(12, '0')}`,
		waehrung: 'EUR',
		buchungstext: `Wareneingang RE-${n}`,
		buchungszeilen: [line('3400', n + 0.19), line('70001', -n - 0.19)],
		sollHabenKennzeichen: 'SOLL',
	})),
};
const ofYear = { connectionId: byId(CONNECTION), geschaeftsjahrStartDatum: byId('2026-01-01') };
const lines = { resource: 'journalBooking', operation: 'getAll', output: 'lines', ...ofYear };

it('objects that begin as {} have no shape in common any more', () => {
	const made = range(2).map(() => Object.fromEntries([['oneMore', 1]]));
	expect(haveSameShape(made[0], made[1])).toBe(false);
});

it.each([
	['lines of a journal', new AccountingGatewayData(), lines, JOURNAL],
	[
		'lines under German headings',
		new AccountingGatewayData(),
		{ ...lines, options: { germanHeadings: true } },
		JOURNAL,
	],
	[
		'records of an open shape',
		new AccountingGatewayDelivery(),
		{ resource: 'cashBook', operation: 'getAll', connectionId: byId(CONNECTION) },
		range(COUNT).map((n) => ({ nummer: n, bezeichnung: `Kasse ${n}`, mehr: 1 })),
	],
	[
		'transactions of an account',
		new AccountingGatewayBanking(),
		{
			resource: 'balance',
			operation: 'getAll',
			account_id: 'acc',
			from_date: '2026-01-01',
			to_date: '2026-01-31',
			output: 'transactions',
		},
		{
			data: [
				{
					date: '2026-01-05',
					sod: 0,
					eod: 0,
					cash_in: 0,
					cash_out: 0,
					delta: 0,
					transactions: range(COUNT).map((n) => ({
						id: `t${n}`,
						account_id: 'acc',
						status: 'posted',
						made_on: '2026-01-05',
						amount: n + 0.5,
						currency_code: 'EUR',
						description: 'Miete',
						duplicated: false,
						description_parsed: { svwz: 'Miete' },
						extra: { payee: 'Vermieter' },
					})),
				},
			],
		},
	],
])('%s have one', async (_, node, parameters, answer) => {
	const rows = await rowsOf(node, parameters, answer);
	expect(rows.length).toBeGreaterThanOrEqual(COUNT);
	expect(rows.slice(1).filter((row) => !haveSameShape(row, rows[0]))).toHaveLength(0);
});
