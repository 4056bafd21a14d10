/** A long answer doesn't hold n8n up, in which all executions share one thread. */
import { createServer } from 'node:http';
import range from 'lodash/range.js';
import { expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { runNode } from '../../../tools/harness.mjs';
import { watched } from '../../../tools/timing.mjs';
import { listening } from '../../support/listening.mjs';

const BOOKINGS = 40_000;
const CONNECTION = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
const line = (kontonummer: string, umsatz: number) => ({
	kontonummer,
	kostenstellen: { kost1: '100', kost2: null },
	buSchluessel: '9',
	umsatz,
});
const JOURNAL = JSON.stringify({
	data: range(BOOKINGS).map((n) => ({
		id: `123e4567-e89b-12d3-a456-${String(n).padStart(12, '0')}`,
		waehrung: 'EUR',
		buchungstext: `Wareneingang Bäckereibedarf RE-${n}`,
		buchungszeilen: [line('3400', n + 0.19), line('70001', -n - 0.19)],
		sollHabenKennzeichen: 'SOLL',
	})),
});
/** Milliseconds; 60 on an idle machine. Made in one piece, the rows alone take 250. */
const HELD_UP = 150;

it('80,000 lines of a journal are made in turns: what else n8n has to do waits for less than 150 ms', async () => {
	const server = createServer((_, response) =>
		response.writeHead(200, { 'content-type': 'application/json' }).end(JOURNAL),
	);
	const credential = { apiKey: 'key', baseUrl: `http://${await listening(server)}` };
	const parameters = {
		resource: 'journalBooking',
		operation: 'getAll',
		connectionId: { __rl: true, mode: 'id', value: CONNECTION },
		geschaeftsjahrStartDatum: { __rl: true, mode: 'id', value: '2026-01-01' },
		output: 'lines',
	};
	const { result, blocked } = await watched(
		async () => await runNode({ items: [{}], node: new AccountingGatewayData(), parameters, credential }),
	);
	expect(result.json).toHaveLength(2 * BOOKINGS);
	expect(blocked, 'milliseconds').toBeLessThan(HELD_UP);
});
