/** A long answer doesn't hold n8n up, in which all executions share one thread. */
import { createServer } from 'node:http';
import range from 'lodash/range.js';
import { expect, it } from 'vitest';

import { AccountingGatewayData } from '../../../nodes/AccountingGatewayData/AccountingGatewayData.node.js';
import { runNode } from '../../../host/harness.mjs';
import { watched } from '../../support/timing.mjs';
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
/** Milliseconds; 100 where nothing else runs. In one piece, the rows take 480. */
const HELD_UP = 200;

it('80,000 lines of a journal are made in turns: what else n8n has to do waits for less than 200 ms', async () => {
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
	const read = async () =>
		await runNode({ items: [{}], node: new AccountingGatewayData(), parameters, credential });
	let heldUp = Infinity;
	// The least of three: beside other tests, the garbage of all of them is collected meanwhile.
	for (let round = 0; round < 3 && heldUp > HELD_UP; round++) {
		const { result, blocked } = await watched(read);
		expect(result.json).toHaveLength(2 * BOOKINGS);
		heldUp = Math.min(heldUp, blocked);
	}
	expect(heldUp, 'milliseconds').toBeLessThan(HELD_UP);
});
