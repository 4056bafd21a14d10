/**
 * Four records that a write operation books in one run, and how often each arrived in the sandbox. Because n8n
 * evaluates an expression at every read, their values differ each time, except for a mark that identifies the item.
 */
import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import { takesSource } from '../../nodes/shared/thisGateway.js';
import type { LoggedRequest } from '../../sandbox/http/requestLog.mjs';
import type { Sandbox } from '../../sandbox/server.mjs';
import type { Module } from '../../sandbox/seed.mjs';
import type { TestItem } from '../../host/harness.mjs';
import { connectionOf } from '../../host/workflows.mjs';
import { exampleParameters, FILE } from '../conformance/examples.mjs';
import type { Action } from '../conformance/operations.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';

export const ITEMS = 4;

/** An item's outcome, as reported by the node. */
export type Told = 'booked' | 'refused' | 'unknown' | 'incomplete' | 'not sent';

export interface Bookings {
	parameters: INodeParameters;
	items: TestItem[];
	/** How often each item was carried out. */
	arrived(): Promise<number[]>;
	/** Distinguishes an item's requests from others. */
	mark(item: number): string;
	/** The names of the records sent for an item, by which a user looks them up, if they arrived. */
	sentNames(item: number): string[];
}

/** A number needs a digit other than 0. */
const MARKS = Array.from({ length: ITEMS }, (_, i) => `K-${i || ITEMS}`);

/** The item's mark, and something unique to each evaluation. */
const NAME = '{{ $json.mark }}-{{ Math.random().toString(36).slice(2) }}';
const ENTRY: INodeParameters = { transaktionsdatum: '={{ $now }}' };
const DOCUMENT: INodeParameters = { dateiname: `=${NAME}.pdf` };

/** Values that replace the examples, by field name. */
const VALUES: Record<string, INodeParameters> = {
	createCashBookEntry: { ...ENTRY, belegnummer: `=${NAME}`, belegbilder: '*' },
	createAdvancedCashBookEntry: ENTRY,
	uploadDuoDocument: DOCUMENT,
	uploadReweDocument: { ...DOCUMENT, belegdatum: '={{ $now }}' },
	createTicket: {
		product_id: 'tagesticket-plus',
		tariff_settings: '={{ ({ mark: $json.mark, random: Math.random() }) }}',
	},
	activateTicket: { ticket_id: '={{ $json.mark }}', coupon_id: '={{ $json.coupon_id }}' },
	createCustomer: { name: `=${NAME}` },
	setWebhookUrl: { url: `=https://n8n.example.com/webhook/${NAME}` },
};

/**
 * @param timeout seconds that the node waits for an answer
 */
export async function bookingsOf(action: Action, sandbox: Sandbox, timeout: number): Promise<Bookings> {
	const { id, path } = action.contract;
	const module = (/^\/v2\/acct-(duo|rewe)\//.exec(path)?.[1] ?? 'duo') as Module;
	const connectionId = connectionOf(sandbox, module);
	const hasFiles = 'belegbilder' in (VALUES[id] ?? {}) || action.fields.some(({ name }) => name === 'datei');
	const parameters = exampleParameters(action, {
		connectionId,
		...(takesSource(action.operation.endpoint) && { quelle: '={{ $json.mark }}' }),
		...VALUES[id],
		timeout,
	});
	const records = id === 'activateTicket' ? await partialTickets(sandbox) : MARKS.map((mark) => ({ mark }));
	sandbox.log.clear();
	return {
		parameters,
		// Files of equal content would be one document.
		items: records.map((json) => ({
			json,
			...(hasFiles && { files: { data: { ...FILE, content: Buffer.from(json.mark) } } }),
		})),
		arrived: async () => {
			const { entries } = sandbox.log;
			const isOver = ({ durationMs, faults }: LoggedRequest) =>
				durationMs !== undefined || faults.some((fault) => fault.startsWith('hang'));
			await waitFor(() => entries.every(isOver), { interval: 5 });
			const done = entries.filter((entry) => wasDone(entry, id));
			return records.map(({ mark }) => done.filter((entry) => isFor(entry, mark)).length);
		},
		mark: (item) => records[item].mark,
		sentNames: (item) =>
			sandbox.log.entries.flatMap((entry) => (isFor(entry, records[item].mark) ? nameOf(entry) : [])),
	};
}

/** Tickets awaiting activation. */
export async function partialTickets({
	url,
	apiKey,
}: Sandbox): Promise<Array<{ mark: string; coupon_id: string }>> {
	const http = axios.create({ baseURL: url, headers: { 'x-api-key': apiKey } });
	const body = { product_id: 'regio-handyticket', identification_medium: { phone_number: '+491701234567' } };
	const answers = await Promise.all(MARKS.map(() => http.post('/v2/mobility/tickets', body)));
	return answers.map(({ data }) => ({ mark: data.id, coupon_id: data.coupon_id }));
}

const isFor = ({ path, query, body }: LoggedRequest, mark: string) =>
	JSON.stringify([path, query, body]).includes(mark);

/** The name of the record in a request: an entry's number, a file's, a customer's. */
function nameOf({ body }: LoggedRequest): string[] {
	const { belegnummer, datei, name } = (body ?? {}) as Record<string, unknown>;
	const found = belegnummer ?? (datei as { dateiname?: string } | undefined)?.dateiname ?? name;
	return typeof found === 'string' ? [found] : [];
}

/** Whether the sandbox carried out the request, whatever happened to its answer. */
const wasDone = ({ operationId, faults, status }: LoggedRequest, id: string) =>
	operationId === id &&
	(faults.some((fault) => fault.endsWith('after-handler')) ||
		(status !== null && status < 300 && faults.every((fault) => fault.startsWith('latency'))));
