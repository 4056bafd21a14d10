/** Bookings, which are sent one after another. */
import { exampleAnswer } from '../../test/support/contract.mjs';
import { simpleEntry } from '../../test/support/workflows.mjs';
import { BARE, contest, emptyItems, type Job, OUR_NODE } from '../contest.mjs';
import { compared, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION, confirmation } from '../quickGateway.mjs';

const ENTRIES = 300;
const ENTRY_LATENCY = 10;

const BOOKED = exampleAnswer('createCashBookEntry') as object;

/** The body that our node sends for `simpleEntry`. */
const ENTRY_BODY = JSON.stringify({
	kassenname: 'Hauptkasse',
	bewegung: 'EINNAHME',
	betrag: 10,
	waehrung: 'EUR',
	steuersatz: 19,
	transaktionsdatum: '2026-03-02T09:30:00+01:00',
	belegnummer: 'K-{n}',
	belegtext: 'Tageseinnahme',
});

const ENTRIES_JOB: Job = {
	count: ENTRIES,
	latency: ENTRY_LATENCY,
	path: `/v2/acct-duo/kassenbuch-einfach?connectionId=${CONNECTION}`,
	ours: simpleEntry(CONNECTION),
	bare: { atOnce: 1, body: ENTRY_BODY },
	answer: (body) => confirmation(BOOKED, JSON.parse(body.toString()) as object),
	source: emptyItems(ENTRIES),
};

export async function measureWrites(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const { wall } = await contest(n8n, ENTRIES_JOB, roundCount);
	const what = `${ENTRIES} cash-book entries, ${ENTRY_LATENCY} ms for an answer: time`;
	return {
		title: 'Writes',
		method:
			'The entries belong to one cash book, so our node sends them one at a time, and so does the bare client. Ours checks all of them before it sends the first.',
		measurements: [compared(what, wall, [OUR_NODE, BARE], seconds, 1.15)],
	};
}
