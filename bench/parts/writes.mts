/** Bookings, which keep their order, and documents, of which several are sent at once. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import range from 'lodash/range.js';

import { exampleAnswer } from '../../test/support/contract.mjs';
import { simpleEntry } from '../../test/support/simpleEntry.mjs';
import { nodeOf } from '../../test/support/workflows.mjs';
import { BARE, contest, emptyItems, HTTP_REQUEST, type Job, OUR_NODE } from '../contest.mjs';
import { compared, medianOf, milliseconds, type Part, seconds } from '../measurement.mjs';
import type { BenchN8n } from '../n8n.mjs';
import { CONNECTION, confirmation } from '../quickGateway.mjs';

const ENTRIES = 300;
const ENTRY_LATENCY = 10;
const DOCUMENTS = 200;
const DOCUMENT_KB = 300;
const UPLOAD_LATENCY = 200;
/** Their time is mostly the gateway's, and hardly varies. */
const DOCUMENT_ROUNDS = 2;

const BOOKED = exampleAnswer('createCashBookEntry') as object;
const UPLOADED = exampleAnswer('uploadDuoDocument');

/** What our node sends of `simpleEntry`. */
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

export const ENTRIES_JOB: Job = {
	count: ENTRIES,
	latency: ENTRY_LATENCY,
	path: `/v2/acct-duo/kassenbuch-einfach?connectionId=${CONNECTION}`,
	ours: simpleEntry(CONNECTION),
	bare: { atOnce: 1, body: ENTRY_BODY },
	answer: (body) => confirmation(BOOKED, JSON.parse(body.toString()) as object),
	source: emptyItems(ENTRIES),
};

export async function measureWrites(n8n: BenchN8n, roundCount: number): Promise<Part> {
	const entries = await contest(n8n, ENTRIES_JOB, roundCount);
	const documents = await contest(n8n, await uploads(n8n), Math.min(roundCount, DOCUMENT_ROUNDS));
	type Name = typeof OUR_NODE | typeof BARE;
	const each = (name: Name) => (medianOf(entries.sending, name) / ENTRIES) * 1000;
	const outside = (name: Name) => medianOf(entries.wall, name) - medianOf(entries.sending, name);
	const megabytes = (DOCUMENTS * DOCUMENT_KB) / 1000;
	return {
		title: 'Writes',
		method: `The ${ENTRIES} entries belong to one cash book, so our node sends them one at a time, and so does the bare client. Documents have no order: our node sends four at once, the HTTP Request node one every ${UPLOAD_LATENCY} ms (batches of one), so that about one is in flight.`,
		measurements: [
			compared(
				`${ENTRIES} cash-book entries, ${ENTRY_LATENCY} ms for an answer: time`,
				entries.wall,
				[OUR_NODE, BARE],
				seconds,
				1.15,
			),
			{
				...compared(
					'The same from the first request to the last',
					entries.sending,
					[OUR_NODE, BARE],
					seconds,
					1.15,
				),
				goal: undefined,
			},
			{
				...compared(
					`${DOCUMENTS} documents of ${DOCUMENT_KB} KB, ${UPLOAD_LATENCY} ms for an answer: time`,
					documents.wall,
					[OUR_NODE, HTTP_REQUEST],
					seconds,
					0.35,
				),
				against: `${HTTP_REQUEST}, batches of one`,
			},
			{
				what: `The same documents: growth of n8n's memory (RSS)`,
				against: `the documents' size, ${megabytes} MB`,
				ours: `${medianOf(documents.growth, OUR_NODE).toFixed(0)} MB`,
				value: Math.max(0, medianOf(documents.growth, OUR_NODE) / megabytes),
				goal: 0.5,
			},
		],
		notes: [
			`From the first request to the last, an entry takes ${milliseconds(each(OUR_NODE))} instead of ${milliseconds(each(BARE))}: n8n's own work for each request; the profile above shows whose code that is. Outside of that, our node takes ${seconds(outside(OUR_NODE))} and the bare client ${seconds(outside(BARE))}: all entries are checked before the first is sent, for which n8n evaluates their expressions.`,
		],
	};
}

/** The documents are files that n8n reads from a folder. */
async function uploads({ n8n }: BenchN8n) {
	const folder = join(n8n.userFolder, 'documents');
	await mkdir(folder, { recursive: true });
	const content = Buffer.alloc(DOCUMENT_KB * 1000, 'Beleg ');
	await Promise.all(range(DOCUMENTS).map(async (n) => await writeFile(join(folder, `${n}.pdf`), content)));
	return {
		count: DOCUMENTS,
		latency: UPLOAD_LATENCY,
		path: `/v2/acct-duo/beleg-bereitstellen?connectionId=${CONNECTION}`,
		ours: {
			resource: 'document',
			operation: 'uploadDuo',
			connectionId: { __rl: true, mode: 'id', value: CONNECTION },
			belegtyp: { __rl: true, mode: 'id', value: 'Rechnungseingang' },
		},
		httpRequest: {
			method: 'POST',
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: { batching: { batch: { batchSize: 1, batchInterval: UPLOAD_LATENCY } } },
		},
		answer: () => UPLOADED,
		source: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Files', 'n8n-nodes-base.readWriteFile', { fileSelector: `${folder}/*.pdf` }),
		],
	};
}
