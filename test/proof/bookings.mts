/** Four records that a write operation books in one run, and how often each of them arrived in the sandbox. */
import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import pWaitFor from 'p-wait-for';

import type { LoggedRequest } from '../../sandbox/log.mjs';
import type { Sandbox } from '../../sandbox/server.mjs';
import type { Module } from '../../sandbox/world.mjs';
import type { TestItem } from '../support/harness.mjs';
import { connectionOf } from '../support/workflows.mjs';
import { exampleItem, exampleParameters } from './examples.mjs';
import type { Action } from './operations.mjs';

export const ITEMS = 4;

/** What an item became, as the node tells it. */
export type Told = 'booked' | 'refused' | 'unknown' | 'incomplete' | 'not sent';

export interface Bookings {
	parameters: INodeParameters;
	items: TestItem[];
	/** How often each item was carried out. @param operationId default: the action's own */
	arrived(operationId?: string): Promise<number[]>;
}

const MARKS = Array.from({ length: ITEMS }, (_, i) => `K-${i}`);

/** Values by which a record can be told from the others, by the field's name; where there is no `quelle`. */
const MARKED: Record<string, INodeParameters> = {
	createTicket: {
		product_id: 'tagesticket-plus',
		tariff_settings: '={{ ({ mark: $json.mark }) }}',
	},
	activateTicket: { ticket_id: '={{ $json.mark }}', coupon_id: '={{ $json.coupon_id }}' },
	createCustomer: { name: '={{ $json.mark }}' },
	setWebhookUrl: { url: '=https://n8n.example.com/webhook/{{ $json.mark }}' },
};

/**
 * @param timeout seconds that the node waits for an answer
 * @param own further values by the fields' names
 */
export async function bookingsOf(
	action: Action,
	sandbox: Sandbox,
	timeout: number,
	own: INodeParameters = {},
): Promise<Bookings> {
	const { id, path } = action.contract;
	const module = (/^\/v2\/acct-(duo|rewe)\//.exec(path)?.[1] ?? 'duo') as Module;
	const connectionId = connectionOf(sandbox, module);
	const parameters = exampleParameters(action, {
		connectionId,
		belegnummer: '={{ $json.mark }}',
		...(action.operation.quelle && { quelle: '={{ $json.mark }}' }),
		...MARKED[id],
		timeout,
		...own,
	});
	const records = id === 'activateTicket' ? await partialTickets(sandbox) : MARKS.map((mark) => ({ mark }));
	sandbox.log.clear();
	return {
		parameters,
		items: records.map((json) => exampleItem(action, json)),
		arrived: async (operationId = id) => {
			const { entries } = sandbox.log;
			const isOver = ({ durationMs, faults }: LoggedRequest) =>
				durationMs !== undefined || faults.some((fault) => fault.startsWith('hang'));
			await pWaitFor(() => entries.every(isOver), { interval: 5 });
			const done = entries.filter((entry) => wasDone(entry, operationId));
			return records.map(({ mark }) => done.filter((entry) => isFor(entry, mark)).length);
		},
	};
}

/** Tickets that wait for their activation. */
async function partialTickets({ url, apiKey }: Sandbox): Promise<Array<{ mark: string; coupon_id: string }>> {
	const http = axios.create({ baseURL: url, headers: { 'x-api-key': apiKey } });
	const body = { product_id: 'regio-handyticket', identification_medium: { phone_number: '+491701234567' } };
	const answers = await Promise.all(MARKS.map(() => http.post('/v2/mobility/tickets', body)));
	return answers.map(({ data }) => ({ mark: data.id, coupon_id: data.coupon_id }));
}

const isFor = ({ path, query, body }: LoggedRequest, mark: string) =>
	JSON.stringify([path, query, body]).includes(mark);

/** Whether the sandbox carried the request out, whatever became of its answer. */
const wasDone = ({ operationId, faults, status }: LoggedRequest, id: string) =>
	operationId === id &&
	(faults.some((fault) => fault.endsWith('after-handler')) ||
		(status !== null && status < 300 && faults.length === 0));
