/** Writes that are in flight at once: what keeps its order, what a failure or a cancellation leaves, and what a retry sends. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import countBy from 'lodash/countBy.js';
import isMatch from 'lodash/isMatch.js';
import range from 'lodash/range.js';
import { describe, expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { AccountingGatewayMobility } from '../../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { create as createCustomer } from '../../../../nodes/AccountingGatewayMobility/customer/create.js';
import type { WriteOperation } from '../../../../nodes/shared/operation.js';
import { run as runNode } from '../../../../nodes/shared/run/run.js';
import type { FaultInput } from '../../../../sandbox/admin/faults.mjs';
import type { LoggedRequest } from '../../../../sandbox/http/requestLog.mjs';
import type { RunOptions, RunResult, TestItem } from '../../../../host/harness.mjs';
import { waitFor } from '../../../../scripts/base/waiting.mjs';
import { simpleEntry, uploadToDuo } from '../../../../host/workflows.mjs';
import { itemsIn, type TestGateway, useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const delivery = new AccountingGatewayDelivery();
const mobility = new AccountingGatewayMobility();

const AT_ONCE = 4;
const ITEMS = 10;

const items = (count = ITEMS): TestItem[] =>
	range(count).map((i) => ({
		json: { i },
		files: { data: { content: Buffer.from(`content ${i}`), fileName: `Beleg ${i}.pdf` } },
	}));
const documents = (own?: INodeParameters) => uploadToDuo(gateway.connectionId('duo'), own);
const tickets = (): INodeParameters => ({
	resource: 'ticket',
	operation: 'create',
	product_id: 'deutschlandticket-job',
	additionalFields: { postal_code: '90402' },
});
const customers = (): INodeParameters => ({
	resource: 'customer',
	operation: 'create',
	name: '={{ "Kunde " + $itemIndex }}',
});
const entries = (own?: INodeParameters) => simpleEntry(gateway.connectionId('duo'), own);

const run = async (node: INodeType, parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await gateway.run(node, parameters, { items: items(), ...options });
const fault = async (input: object) => await gateway.fault(input as FaultInput);
const sent = () => gateway.sandbox.log.entries;
const contains = (text: string) => (request: LoggedRequest) => JSON.stringify(request.body).includes(text);
const isAnswered = ({ durationMs }: LoggedRequest) => durationMs !== undefined;
const isRefused = ({ status }: LoggedRequest) => status === 422;

const hold: TestGateway['hold'] = async (...given) => await gateway.hold(...given);
const uploaded = async () => (await gateway.list('documents')).map(({ dateiname }) => dateiname as string);
const names = (...numbers: number[]) => numbers.map((i) => `Beleg ${i}.pdf`);

/** The items of a group in "Carried out: items 1, 3–4. Refused: item 2." */
function told({ error }: RunResult, group: string): number[] {
	const [, list] = new RegExp(`${group}: items? ([\\d–, ]+)\\.`).exec(error?.description ?? '') ?? [];
	return list ? itemsIn(list) : [];
}

describe('a write that needs no order', () => {
	it.each<[string, INodeType, () => INodeParameters]>([
		['documents', delivery, documents],
		['customers', mobility, customers],
		['tickets', mobility, tickets],
	])('runs several at once: %s, each once, with the output in item order', async (_, node, of) => {
		const atOnce = hold(() => sent().length >= AT_ONCE);
		const { error, main } = await run(node, of());
		expect(error).toBeUndefined();
		expect(await atOnce, 'requests in flight at once').toBe(AT_ONCE);
		expect(main[0].map(({ pairedItem }) => pairedItem)).toEqual(range(ITEMS).map((item) => ({ item })));
		expect(Object.values(countBy(sent(), 'operationId'))).toEqual([ITEMS]);
	});

	it('runs one at a time with a minimum of credits, so that it stops in time', async () => {
		const options = { minimumCredits: 1_000_000 };
		const result = await run(delivery, documents({ options }));
		expect(told(result, 'Carried out')).toEqual([0]);
		expect(await uploaded()).toEqual(names(0));
	});
});

describe('cash-book entries', () => {
	const booked = async () => (await gateway.list('entries')).map(({ fields }) => fields as IDataObject);

	it('of several cash books go side by side, each in its order', async () => {
		const atOnce = hold(() => sent().length >= 2);
		const kassenname = '={{ $itemIndex % 2 ? "Kasse Filiale Süd" : "Hauptkasse" }}';
		const { error } = await run(delivery, entries({ kassenname }));
		expect(error).toBeUndefined();
		expect(await atOnce, 'entries in flight at once').toBe(2);
		for (const [name, first] of [['Hauptkasse', 0] as const, ['Kasse Filiale Süd', 1] as const]) {
			const numbers = (await booked()).filter((entry) => entry.kassenname === name);
			expect(numbers.map(({ belegnummer }) => belegnummer)).toEqual(
				range(first, ITEMS, 2).map((i) => `K-1${i}`),
			);
		}
	});
});

describe('a failure in stop mode', () => {
	it('cancels what has not begun, lets what is in progress finish, and accounts for all of it', async () => {
		void hold(() => sent().some(isRefused));
		await fault({ kind: 'status', status: 422, after: 1 });
		const result = await run(delivery, documents());
		const carriedOut = told(result, 'Carried out');
		expect(carriedOut).toHaveLength(AT_ONCE - 1);
		expect([...carriedOut, ...told(result, 'Refused')].sort()).toEqual(range(AT_ONCE));
		expect(told(result, 'Not sent')).toEqual(range(AT_ONCE, ITEMS));
		expect((await uploaded()).sort()).toEqual(names(...carriedOut));
		expect(sent()).toHaveLength(AT_ONCE);
	});

	it('names each of several that failed at once', async () => {
		void hold(() => sent().length >= AT_ONCE, undefined, 'before-handler');
		await fault({ kind: 'drop', times: AT_ONCE - 1 });
		const result = await run(delivery, documents());
		expect(told(result, 'Unknown')).toHaveLength(AT_ONCE - 1);
		const accounted = ['Carried out', 'Unknown', 'Not sent'].flatMap((group) => told(result, group));
		expect(accounted.sort((a, b) => a - b)).toEqual(range(ITEMS));
		expect((await uploaded()).sort()).toEqual(names(...told(result, 'Carried out')));
	});

	it('that takes longer than the others leaves them carried out, and a retry says so', async () => {
		void hold(() => sent().filter(isAnswered).length === ITEMS - 1, contains('Beleg 1.pdf'));
		await fault({ kind: 'drop', contains: 'Beleg 1.pdf', point: 'after-handler' });
		const parameters = documents();
		const first = await run(delivery, parameters);
		const others = range(ITEMS).filter((item) => item !== 1);
		expect(told(first, 'Carried out')).toEqual(others);
		const retried = await run(delivery, parameters, { retryOf: first.run });
		expect(told(retried, 'Unknown')).toEqual([1]);
		expect(told(retried, 'Carried out')).toEqual(others);
		expect(sent()).toHaveLength(ITEMS);
	});

	it('lets a ticket that is being bought be bought', async () => {
		let refusedAt = 0;
		// The run has ended when the answer about the first ticket arrives.
		void hold(() => {
			if (refusedAt === 0 && sent().some(isRefused)) refusedAt = Date.now();
			return refusedAt > 0 && Date.now() - refusedAt > 300;
		}, contains('item 0'));
		await fault({ kind: 'status', status: 422, operationId: 'createTicket', contains: 'item 1' });
		const result = await run(mobility, {
			...tickets(),
			additionalFields: { postal_code: '90402', tariff_settings: '={{ ({ of: "item " + $itemIndex }) }}' },
		});
		expect(told(result, 'Refused')).toEqual([1]);
		expect(told(result, 'Carried out')).toContain(0);
	});
});

it('canceling leaves what was in progress unknown, and sends nothing more, also where the node continues on an error', async () => {
	await fault({ kind: 'hang', times: null });
	const cancel = waitFor(() => sent().length === AT_ONCE);
	const result = await run(delivery, documents(), { cancel, settings: { onError: 'continueRegularOutput' } });
	expect(result.run.status).toBe('canceled');
	expect(told(result, 'Unknown')).toEqual(range(AT_ONCE));
	expect(told(result, 'Not sent')).toEqual(range(AT_ONCE, ITEMS));
	await sleep(100);
	expect(sent()).toHaveLength(AT_ONCE);
});

it('an error of the node itself begins nothing more, and waits for what is in progress', async () => {
	const isFaulty = contains('Kunde 1');
	void hold(
		() => sent().some((one) => isFaulty(one) && isAnswered(one)),
		(one) => !isFaulty(one),
	);
	const { achieves } = createCustomer;
	const create: WriteOperation = {
		...createCustomer,
		achieves: {
			...achieves,
			where({ body }) {
				if (isMatch(body, { name: 'Kunde 1' })) throw new Error('a mistake in the node');
				return { en: '', de: '' };
			},
		},
	};
	const node: INodeType = {
		description: mobility.description,
		async execute() {
			return await runNode(this, [{ value: 'customer', name: 'Customer', operations: [create] }]);
		},
	};
	const { error } = await run(node, customers());
	expect(error?.message).toContain('a mistake in the node');
	expect(await gateway.list('customers')).toHaveLength(AT_ONCE);
});
