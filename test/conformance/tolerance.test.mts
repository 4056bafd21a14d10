/**
 * Gateways with other choices where the specification says "not shown": every operation works with all of them, and
 * the gateway's error message is in the node's error.
 */
import cloneDeep from 'lodash/cloneDeep.js';
import mapKeys from 'lodash/mapKeys.js';
import omit from 'lodash/omit.js';
import set from 'lodash/set.js';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ERROR_SHAPES, shapeError, shapeSuccess, type Variants } from '../../sandbox/admin/variants.mjs';
import type { OperationId } from '../../sandbox/http/handlers.mjs';
import { exampleAnswer, type Json } from '../../api/contract.mjs';
import { type RunOptions, runNode, searchList } from '../../host/harness.mjs';
import { exampleItem, exampleParameters, withNulls } from './examples.mjs';
import { type Action, actions, sample, sampleOf, writes } from './operations.mjs';
import { type Answer, example, type Recorded, useRecorder } from './recorder.mjs';

const recorder = useRecorder();

const run = async (action: Action, options: Partial<RunOptions> = {}) =>
	await runNode({
		node: action.node,
		parameters: exampleParameters(action),
		items: [exampleItem(action)],
		credential: recorder.credential,
		...options,
	});

/** The operation's output for the contract's own example. */
async function usual(action: Action): Promise<IDataObject[]> {
	const { answer } = recorder;
	recorder.answer = example;
	const { json, error } = await run(action);
	expect(error).toBeUndefined();
	recorder.answer = answer;
	return json;
}

const withoutWarnings = (rows: IDataObject[]) => rows.map((row) => omit(row, 'warnings'));

/** The contract's example, as a gateway with these habits sends it. */
const shaped =
	(variants: Variants) =>
	(request: Recorded): Answer => {
		const operationId = request.call?.operation.id as OperationId;
		const { status, type, body } = shapeSuccess(variants, operationId, 200, example(request).body);
		return { status, headers: { 'content-type': type }, body };
	};

/** JSON that isn't an answer or has no record. */
const EMPTY = [
	null,
	true,
	7,
	'OK',
	'',
	[],
	[null],
	[[]],
	[7],
	{},
	{ data: null },
	{ data: 7 },
	{ data: [null, 'x', []] },
	{ data: {} },
	{ data: [{}] },
	{ svc: null },
	{ acctAntwort: 7 },
	{ acctAntwort: { status: 1, meldungen: [null] } },
	{ data: { konten: [null], posten: 7 } },
	{ data: [{ buchungszeilen: 7, periodenwerte: [null], saldo: 7, transactions: 'x' }] },
];
const STRANGE = [...EMPTY, { id: 7, coupon_id: 7 }];

/** Successes whose content reports a failure. */
const FAILURES = [
	{ success: false, message: 'Kasse gesperrt' },
	{ fehlermeldung: 'Kasse gesperrt', ok: true },
	{ status: 422, meldung: 'Kasse gesperrt' },
	{ error: { message: 'Kasse gesperrt' } },
	{ errors: ['Kasse gesperrt'] },
	{ fehler: 'Kasse gesperrt' },
];

describe.each(actions)('$operation.action', (action) => {
	it.each(
		sampleOf<[string, Variants]>(
			[
				['lists as bare arrays', { lists: 'bare' }],
				['another key than svc', { svcKey: 'plattform' }],
				['200 for a success', { success: 200 }],
				['201 for a success', { success: 201 }],
				['202 for a success of a write', action.operation.kind === 'write' ? { success: 202 } : {}],
				['what a write answers below data', { writes: 'wrapped' }],
			],
			action,
		),
	)('reads an answer with %s', async (_habit, variants) => {
		recorder.answer = shaped(variants);
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		// A write that is still being worked on (202) says so in its item.
		expect(withoutWarnings(json)).toEqual(withoutWarnings(await usual(action)));
		if (action.operation.kind === 'write' && variants.success === 202)
			expect(JSON.stringify(json[0].warnings)).toContain('noch nicht fertig');
	});

	it('passes unknown fields on where Simplify is off, and is not misled by them', async () => {
		recorder.answer = shaped({ extraFields: true });
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		expect(withoutWarnings(json)).toMatchObject(withoutWarnings(await usual(action)));
		if (action.operation.kind === 'read' && action.operation.makesOwnRecords) return;
		// A record of two fields has nothing to simplify.
		if (!action.fields.some(({ name }) => name === 'simple')) return;
		const raw = await run(action, { parameters: { ...exampleParameters(action), simple: false } });
		expect(raw.error).toBeUndefined();
		expect(JSON.stringify(raw.json)).toContain('zusatzfeld');
	});

	it('accepts null wherever it is allowed', async () => {
		const schema = action.contract.schemas.get('2XX');
		recorder.answer = (request) => {
			const { body } = example(request);
			return { body: schema ? withNulls(schema, body) : null };
		};
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
	});

	it("works with another provider's name", async () => {
		recorder.credential.accountingProvider = 'zahlwerk';
		recorder.answer = (request) => ({
			body: mapKeys(example(request).body as Json, (_, key) => key.replace(/^acct/, 'zahlwerk')),
		});
		const { error, json } = await run(action);
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		expect(recorder.requests.map(({ call }) => call?.operation.id)).toContain(action.contract.id);
		expect(recorder.requests.map(({ url }) => url).filter((url) => url.startsWith('/v2/acct'))).toEqual([]);
	});

	it.each(sampleOf(ERROR_SHAPES, action))('reports what the gateway says in the shape %s', async (errors) => {
		const said = { message: 'Die Kasse „Süd“ ist gesperrt (#4711)', field: 'kassenname', code: 'gesperrt' };
		for (const status of [422, 500]) {
			const { type, body } = shapeError({ errors }, status, said);
			recorder.answer = () => ({ status, headers: { 'content-type': type }, body });
			const { error } = await run(action);
			expect(error?.message).toContain(`HTTP ${status}`);
			expect(`${error?.message} ${error?.description}`).toContain(said.message);
		}
	});

	it.each(sampleOf(STRANGE, action).map((body) => ({ body })))(
		'outputs, or explains, the answer $body',
		async ({ body }) => {
			recorder.answer = () => ({ body: JSON.stringify(body) });
			const { main, error } = await run(action, { settings: { onError: 'continueErrorOutput' } });
			expect(error).toBeUndefined();
			for (const { json } of main[1] ?? []) {
				expect(json.error).toMatch(/^The gateway('s answer isn't what was expected| accepted it, but)/);
			}
		},
	);
});

describe.each(sample)('$operation.action', (action) => {
	it('finds the credit balance under any key', async () => {
		const hintsWith = async (svcKey: string) => {
			recorder.answer = shaped({ svcKey });
			return (await run(action)).hints;
		};
		expect(await hintsWith('plattform')).toEqual(await hintsWith('svc'));
	});
});

/** The answer with one of its values, at any depth, replaced by an object that can't be made a text. */
function withOddValues(body: Json): Json[] {
	const paths = (value: unknown, path: string[]): string[][] =>
		typeof value === 'object' && value !== null
			? [path, ...Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))]
			: [path];
	const odd = { toString: 1, valueOf: 1 };
	// The example of a new ticket doesn't have its product's name.
	const all = [...paths(body, []).filter(({ length }) => length > 0), ['product_name']];
	return all.map((path) => set(cloneDeep(body), path, odd));
}

it.each(actions)('$name outputs, or explains, any field that is another kind of value', async (action) => {
	let odd: Json[] = [{}];
	for (let i = 0; i < odd.length; i++) {
		recorder.answer = (request) => {
			odd = sampleOf(withOddValues(cloneDeep(example(request).body) as Json), action);
			return { body: JSON.stringify(odd[i]) };
		};
		const { main, error } = await run(action, { settings: { onError: 'continueErrorOutput' } });
		expect(error, JSON.stringify(odd[i])).toBeUndefined();
		for (const { json } of main[1] ?? []) expect(json.error).toMatch(/^The gateway/);
	}
});

describe.each(writes.filter(({ contract }) => contract.id !== 'setWebhookUrl'))(
	'$operation.action counts as done only if the answer confirms it:',
	(action) => {
		const expectUnknown = async (answer: (request: Recorded) => unknown, said: string) => {
			recorder.answer = (request) => ({ body: JSON.stringify(answer(request)) });
			recorder.requests = [];
			const { main } = await run(action, { settings: { onError: 'continueErrorOutput' } });
			expect(main[0]).toEqual([]);
			expect(main[1].map(({ json }) => json)).toMatchObject([{ details: { outcome: 'unknown' } }]);
			expect(main[1][0].json.error).toContain(said);
			expect(recorder.requests).toHaveLength(1);
		};

		it.each(sampleOf(EMPTY, action).map((body) => ({ body })))(
			'not with the answer $body',
			async ({ body }) => {
				await expectUnknown(() => body, "The gateway's answer isn't what was expected");
			},
		);

		it.each(sampleOf(FAILURES, action).map((failure) => ({ failure })))(
			'not if the record has $failure',
			async ({ failure }) => {
				const record = (request: Recorded) => ({ ...(example(request).body as object), ...failure });
				await expectUnknown(record, 'Kasse gesperrt');
				await expectUnknown((request) => ({ data: record(request) }), 'Kasse gesperrt');
			},
		);
	},
);

describe('setting the webhook URL', () => {
	const action = actions.find(({ contract }) => contract.id === 'setWebhookUrl')!;

	it.each(['text', 'empty', 'no-content'] as const)('succeeds when the answer is %s', async (answer) => {
		recorder.answer = shaped({ webhookUrlAnswer: answer });
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ success: true })]);
	});

	it.each(FAILURES.map((failure) => ({ failure })))(
		'fails when the answer is $failure',
		async ({ failure }) => {
			recorder.answer = () => ({ body: failure });
			const { json, error } = await run(action);
			expect(json).toEqual([]);
			expect(error?.message).toContain('Kasse gesperrt');
		},
	);
});

describe('a list to choose from whose entries have other names', () => {
	const LISTS = {
		searchDuoConnections: 'listDuoConnections',
		searchReweConnections: 'listReweConnections',
		searchReweReadConnections: 'listReweReadConnections',
		searchTicketProducts: 'listTicketProducts',
	} as const;
	const NAMES = [
		['id', 'name'],
		['uuid', 'display_name'],
		['connectionId', 'bezeichnung'],
		['connection_id', 'titel'],
		['id', 'wie sie heißt'],
		['product_id', 'product_name'],
		['productId', 'productName'],
	];

	it.each(Object.entries(LISTS))('is read by %s', async (method, operationId) => {
		const { node } = actions.find((action) => action.node.methods?.listSearch?.[method])!;
		const own = operationId === 'listTicketProducts' ? /^id$|product/ : /^id$|uuid|connection/;
		const entries = exampleAnswer(operationId) as { data: Array<{ id: string; name: string }> };
		const [{ id, name }] = entries.data;
		for (const [idName, labelName] of NAMES.filter(([first]) => own.test(first))) {
			recorder.answer = shaped({ listFields: { [operationId]: { id: idName, name: labelName } } });
			const { results } = await searchList({ node, credential: recorder.credential, method });
			const found = results.find(({ value }) => value === id);
			expect(found?.name, `${idName}, ${labelName}`).toContain(name);
		}
	});

	it.each([
		['searchDuoConnections', 'connectionId'],
		['searchTicketProducts', 'product_id'],
	])('and another ID is read by %s: by the name that the request has', async (method, field) => {
		const { node } = actions.find((action) => action.node.methods?.listSearch?.[method])!;
		recorder.answer = () => ({ body: [{ id: 17, [field]: 'wanted', name: 'A' }] });
		const { results } = await searchList({ node, credential: recorder.credential, method });
		expect(results).toEqual([{ name: 'A', value: 'wanted' }]);
	});
});
