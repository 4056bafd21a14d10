/**
 * Gateways that chose otherwise where the specification says "not shown": every operation works with them all, and
 * what a gateway says of an error is in the node's error.
 */
import mapKeys from 'lodash/mapKeys.js';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { shapeError, shapeSuccess, type Variants } from '../../sandbox/variants.mjs';
import type { Json } from '../support/contract.mjs';
import { type RunOptions, runNode } from '../support/harness.mjs';
import { exampleItem, exampleParameters, withNulls } from './examples.mjs';
import { type Action, actions } from './operations.mjs';
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

/** What the operation outputs for the contract's own example. */
async function usual(action: Action): Promise<IDataObject[]> {
	const { answer } = recorder;
	recorder.answer = example;
	const { json, error } = await run(action);
	expect(error).toBeUndefined();
	recorder.answer = answer;
	return json;
}

/** The contract's example, as a gateway with these habits sends it. */
const shaped =
	(variants: Variants) =>
	(request: Recorded): Answer => {
		const { status, body } = shapeSuccess(variants, 200, example(request).body);
		return { status, body };
	};

/** The eight shapes that are common, and the sandbox's own. */
const ERRORS = [
	'error.message',
	'error',
	'string',
	'message',
	'errors',
	'detail',
	'fehler',
	'problem+json',
	'html',
] as const;
/** JSON that isn't an answer. */
const STRANGE = [
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
	{ id: 7, coupon_id: 7 },
];

describe.each(actions)('$name', (action) => {
	it.each<[string, Variants]>([
		['lists as bare arrays', { lists: 'bare' }],
		['another key than svc', { svcKey: 'plattform' }],
		['200 for a success', { success: 200 }],
		['201 for a success', { success: 201 }],
		['202 for a success', { success: 202 }],
	])('reads %s', async (_habit, variants) => {
		recorder.answer = shaped(variants);
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		expect(json).toEqual(await usual(action));
	});

	it('finds the credit balance under any key', async () => {
		const hintsWith = async (svcKey: string) => {
			recorder.answer = shaped({ svcKey });
			return (await run(action)).hints;
		};
		expect(await hintsWith('plattform')).toEqual(await hintsWith('svc'));
	});

	it('passes unknown fields on', async () => {
		recorder.answer = shaped({ extraFields: true });
		const { json, error } = await run(action);
		expect(error).toBeUndefined();
		expect(json).toMatchObject(await usual(action));
		expect(JSON.stringify(json)).toContain('zusatzfeld');
	});

	it('takes null wherever it may be', async () => {
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
		expect(recorder.requests.every(({ url }) => !url.startsWith('/v2/acct'))).toBe(true);
	});

	it.each(ERRORS)('tells what the gateway says in the shape %s', async (errors) => {
		const said = { message: 'Die Kasse „Süd“ ist gesperrt (#4711)', field: 'kassenname', code: 'gesperrt' };
		for (const status of [422, 500]) {
			const { type, body } = shapeError({ errors }, status, said);
			recorder.answer = () => ({ status, headers: { 'content-type': type }, body });
			const { error } = await run(action);
			expect(error?.message).toContain(`HTTP ${status}`);
			expect(error?.description).toContain(said.message);
		}
	});

	it.each(STRANGE.map((body) => ({ body })))('outputs, or explains, the answer $body', async ({ body }) => {
		recorder.answer = () => ({ body: JSON.stringify(body) });
		const { main, error } = await run(action, { settings: { onError: 'continueErrorOutput' } });
		expect(error).toBeUndefined();
		for (const { json } of main[1] ?? []) {
			expect(json.error).toMatch(/^The gateway's answer isn't what was expected/);
		}
	});
});
