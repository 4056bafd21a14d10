/** "Only Once For": nobody gets two tickets, however often and wherever the list is read. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import { AccountingGatewayMobility } from '../../../nodes/AccountingGatewayMobility/AccountingGatewayMobility.node.js';
import { FakeDatabase } from '../../support/fakeDatabase.mjs';
import type { RunOptions } from '../../../host/harness.mjs';
import { useGateway } from '../../support/useSandbox.mjs';
import { waitFor } from '../../../scripts/base/waiting.mjs';

const gateway = useGateway();
const node = new AccountingGatewayMobility();
let database: FakeDatabase;
beforeEach(() => {
	database = new FakeDatabase();
	database.install();
});

const OPERATIONS: Record<string, INodeParameters> = {
	ticket: {
		resource: 'ticket',
		product_id: 'deutschlandticket-job',
		additionalFields: { postal_code: '90402' },
	},
	customer: { resource: 'customer', name: 'Bäckerei Sonnenschein GmbH' },
};
const sent = async () =>
	(await gateway.requests()).filter(({ operationId }) => /^create/.test(String(operationId))).length;

it('What nobody buys again is counted with the product’s name, as the form shows it', async () => {
	const product_id = {
		__rl: true,
		mode: 'list',
		value: 'deutschlandticket-job',
		cachedResultName: 'Deutschland-Ticket Job',
	};
	const run = async () =>
		await gateway.run(
			node,
			{ ...OPERATIONS.ticket, product_id, operation: 'create', onlyOnceFor: '1' },
			{ items: [{}], workflowId: 'named' },
		);
	await run();
	expect((await run()).hints.at(-1)?.message).toMatch(/^0 tickets bought \(Deutschland-Ticket Job\)/);
});

describe.each(Object.keys(OPERATIONS))('A %s', (what) => {
	const run = async (numbers: Array<string | number>, options: Partial<RunOptions> = {}) => {
		const { json, errors, error } = await gateway.run(
			node,
			{ ...OPERATIONS[what], operation: 'create', onlyOnceFor: '={{ $json.nr }}' },
			{
				items: numbers.map((nr) => ({ json: { nr } })),
				workflowId: `once ${what} ${expect.getState().currentTestName}`,
				settings: { onError: 'continueErrorOutput' },
				...options,
			},
		);
		return { json, errors, error, existed: json.map(({ alreadyExisted }) => alreadyExisted === true) };
	};

	it('is bought once in a run, and in later ones, however its number is written', async () => {
		expect((await run(['00815', '815', 'A 17'])).existed.toSorted()).toEqual([false, false, true]);
		expect(await sent()).toBe(2);
		const later = await run([815, 'a17', ' 0 0815 ', '4711']);
		expect(later.errors).toEqual([]);
		expect(later.existed.toSorted()).toEqual([false, true, true, true]);
		// Characters that nobody sees, as in a number that was copied.
		expect((await run(['\u200b4711\u00ad', '\ufeff47\u206011'])).existed).toEqual([true, true]);
		expect(await sent()).toBe(3);
	});

	it('is noted before it is sent: two runs at once buy it once', async () => {
		await Promise.all([run(['1', '2', '3']), run(['1', '2', '3'])]);
		expect(await sent()).toBe(3);
		expect((await run(['1', '2', '3'])).existed).toEqual([true, true, true]);
	});

	it('is not bought for nobody', async () => {
		const { errors } = await run(['', ' - ', '000']);
		expect(errors).toMatchObject(Array(3).fill({ details: { outcome: 'invalid' } }));
		expect(await sent()).toBe(0);
	});

	it('is bought each time where the field is empty, and a warning says so, also of a look before', async () => {
		const parameters = { ...OPERATIONS[what], operation: 'create' };
		const says = /^Items 1–2: Only Once For \(onlyOnceFor\) is empty: each run (buys|creates) it again/;
		const { json, hints } = await gateway.run(node, parameters, { items: [{}, {}] });
		expect(await sent()).toBe(2);
		expect(hints.map(({ message }) => message)).toContainEqual(expect.stringMatching(says));
		expect(JSON.stringify(json[0].warnings)).toMatch(
			/"„Only Once For“ ist leer: Jeder Lauf (kauft es|legt ihn) noch einmal/,
		);
		const looked = await gateway.run(node, { ...parameters, options: { dryRun: true } }, { items: [{}, {}] });
		expect(looked.hints.map(({ message }) => message)).toContainEqual(expect.stringMatching(says));
		expect((await run(['1'])).json[0].warnings ?? []).not.toContainEqual(
			expect.objectContaining({ en: expect.stringMatching(/again/) }),
		);
	});

	it('that is there already is named in German, also in a later run, which doesn’t know which', async () => {
		const [, second] = (await run(['1', '1'])).json;
		const there = what === 'ticket' ? 'gibt es schon ein Ticket' : 'gibt es schon einen Kunden';
		const of = ({ warnings }: IDataObject) => (warnings as Array<{ de: string }>).map(({ de }) => de);
		expect(of(second)).toEqual([
			expect.stringMatching(
				new RegExp(`^Für „1“ ${there} \\(.*${second.id as string}\\): Es wurde nichts gesendet\\.$`),
			),
		]);
		expect(of((await run(['1'])).json[0])).toEqual([
			`Für „1“ ${there} aus einem früheren Lauf: Es wurde nichts gesendet.`,
		]);
	});
});

it('A customer who was refused and is sent again in the same run is not created twice when n8n is killed meanwhile', async () => {
	const run = async (numbers: number[], options: Partial<RunOptions> = {}) =>
		await gateway.run(
			node,
			{
				...OPERATIONS.customer,
				operation: 'create',
				name: '=Kunde {{ $json.nr }}',
				onlyOnceFor: '={{ $json.nr }}',
			},
			{
				items: numbers.map((nr) => ({ json: { nr } })),
				workflowId: 'once killed',
				settings: { onError: 'continueErrorOutput' },
				...options,
			},
		);
	await gateway.fault({ kind: 'status', status: 422, contains: 'Kunde 7' });
	await gateway.fault({ kind: 'hang', contains: 'Kunde 7' });
	let stored: Array<[string, string[]]> = [];
	// What n8n has stored when it is killed: the customer is being sent again, and the others are there.
	const cancel = waitFor(async () => (await sent()) === 2 + 9, { interval: 20 }).then(() => {
		stored = structuredClone([...database.rows]);
	});
	await run([7, 7, 11, 12, 13, 14, 15, 16, 18, 19, 20], { cancel });
	for (const [row, entries] of stored) database.rows.set(row, entries);
	expect((await run([7])).errors).toMatchObject([{ details: { outcome: 'unknown' } }]);
	expect(await sent()).toBe(2 + 9);
});
