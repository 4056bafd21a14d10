/** A gateway that refuses everything, in real time and through n8n. With simulated time: throttle.test.mts. */
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { AccountingGatewayDelivery } from '../../../../nodes/AccountingGatewayDelivery/AccountingGatewayDelivery.node.js';
import { useGateway } from '../../../support/useSandbox.mjs';

const gateway = useGateway();
const node = new AccountingGatewayDelivery();
const settings = { onError: 'continueErrorOutput' as const };
const itemsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ json: { i } }));
const cashBooks = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'cashBook',
	operation: 'getAll',
	connectionId: { __rl: true, mode: 'id', value: gateway.connectionId('duo') },
	options,
});
const refuse = async (status: number, times: number | null, seconds: number) =>
	await gateway.fault({
		kind: 'status',
		status,
		headers: { 'retry-after': String(seconds) },
		times,
	});

async function timed<T>(work: Promise<T>): Promise<[T, seconds: number]> {
	const start = Date.now();
	const result = await work;
	return [result, (Date.now() - start) / 1000];
}

it('40 reads end soon when the gateway says 429 for ever, and each says what became of it', async () => {
	await refuse(429, null, 1);
	const run = gateway.run(node, cashBooks(), { items: itemsOf(40), settings });
	const [{ errors, error, main }, seconds] = await timed(run);
	expect(error).toBeUndefined();
	expect(main[0] ?? []).toEqual([]);
	expect(errors).toHaveLength(40);
	const details = errors.map((json) => json.details as { outcome: string });
	expect(details.filter(({ outcome }) => outcome === 'notSent').length).toBeGreaterThanOrEqual(30);
	expect(errors.at(-1)?.error).toMatch(
		/^The gateway kept refusing all requests \(HTTP 429\), so this one was not sent\. The limit of requests .* Wait, then run the node again/,
	);
	// Three pauses of a second, and some more while others had their turn.
	expect(seconds).toBeLessThan(30);
	expect((await gateway.requests()).length).toBeLessThan(20);
}, 60_000);

it('says of an overload that it is one', async () => {
	await refuse(503, null, 0);
	const { errors } = await gateway.run(node, cashBooks(), { items: itemsOf(40), settings });
	expect(errors.at(-1)?.error).toContain('(HTTP 503), so this one was not sent. It is overloaded');
});

it('waiting for its turn counts against the timeout of a read', async () => {
	await refuse(429, 1, 30);
	const items = itemsOf(8);
	const run = gateway.run(node, cashBooks({ timeout: 2, concurrency: 4 }), { items, settings });
	const [{ errors, json }, seconds] = await timed(run);
	expect(seconds).toBeLessThan(15);
	expect(json.length).toBeGreaterThan(0);
	expect(errors.map(({ error }) => error)).toContainEqual(
		expect.stringMatching(/^The request was not sent: it waited too long for its turn\. .*"Timeout"/),
	);
}, 60_000);

it('a canceled execution leaves no read waiting', async () => {
	await refuse(429, null, 30);
	const cancel = new Promise((resolve) => setTimeout(resolve, 500));
	const [{ run }, seconds] = await timed(
		gateway.run(node, cashBooks(), { items: itemsOf(40), settings, cancel }),
	);
	expect(run.status).toBe('canceled');
	expect(seconds).toBeLessThan(10);
}, 60_000);
