/** What an operation's declaration may say. The compiler is the judge: `npm run typecheck` fails where one of these errors is none. */
import type { IExecuteFunctions, INodeExecutionData, INodeProperties, INodeType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { defineLocal, defineRead, defineWrite } from '../../../nodes/shared/operation.js';
import type { Operation } from '../../../nodes/shared/operation.js';
import { ANYTHING } from '../../../nodes/shared/answer/verify.js';
import { propertiesOf } from '../../../nodes/shared/form/properties.js';
import { text } from '../../../nodes/shared/parameters/kinds/text.js';
import { run } from '../../../nodes/shared/run/run.js';
import { type RunOptions, runNode } from '../../../host/harness.mjs';
import { both } from '../../../nodes/shared/values/index.js';

const named = { value: 'do', name: 'Do', action: 'Do it', description: 'Does it' };
const about = { ...named, expects: ANYTHING };
const aboutWrite = {
	...about,
	summary: () => ({ en: 'Would do it', de: 'Es tun' }),
	achieves: { one: both('it', ''), many: both('them', ''), done: both('done', '') },
};
const connectionId = text({ displayName: 'Connection', required: true });
const parameters = { connectionId };
const LISTS = 'GET /v2/acct-duo/kassenbuecher';
const UPLOAD = 'POST /v2/acct-duo/beleg-bereitstellen';

describe('The declaration of an operation', () => {
	it('does not compile with an optional field of the query that is misspelled', () => {
		const operation = defineRead({
			...about,
			endpoint: 'GET /v2/acct-rewe-read/opos',
			parameters,
			// @ts-expect-error by the contract, there is no field "stichtak" here
			request: ({ connectionId: id }) => ({ query: { connectionId: id, stichtak: '2026-01-31' } }),
		});
		expect(operation.kind).toBe('read');
	});

	it('does not compile with a misspelled field of the body, also of a list in it', () => {
		const operations = [
			defineWrite({
				...aboutWrite,
				endpoint: 'POST /v2/mobility/customers',
				parameters: { name: connectionId },
				// @ts-expect-error by the contract, there is no field "stret" here
				request: ({ name }) => ({ body: { name, stret: 'Hauptstraße 1' } }),
			}),
			defineWrite({
				...aboutWrite,
				endpoint: 'POST /v2/acct-duo/kassenbuch-advanced',
				parameters,
				// @ts-expect-error by the contract, there is no field "belegtekst" here
				request: ({ connectionId: id }) => ({
					query: { connectionId: id },
					body: {
						waehrung: 'EUR',
						kassenname: 'Hauptkasse',
						betrag: 1,
						transaktionsdatum: '2026-03-02T12:00:00Z',
						belegzeilen: [{ betrag: 1, belegtekst: 'Porto' }],
					},
				}),
			}),
		];
		expect(operations).toHaveLength(2);
	});

	it('does not compile with a body where the endpoint takes none', () => {
		const operation = defineRead({
			...about,
			endpoint: LISTS,
			parameters,
			// @ts-expect-error by the contract, this endpoint takes no body
			request: ({ connectionId: id }) => ({ query: { connectionId: id }, body: { name: 'x' } }),
		});
		expect(operation.endpoint).toBe(LISTS);
	});

	it('does not compile as a read that posts, nor as a write that gets', () => {
		const asked = (): never => {
			throw new Error('never called');
		};
		const read = defineRead({
			...about,
			// @ts-expect-error no endpoint that reads
			endpoint: 'POST /v2/mobility/customers',
			parameters,
			request: asked,
		});
		const write = defineWrite({
			...aboutWrite,
			// @ts-expect-error no endpoint that writes
			endpoint: LISTS,
			parameters,
			request: asked,
		});
		expect([read.kind, write.kind]).toEqual(['read', 'write']);
	});

	it('does not compile as a write that a dry run can’t describe', () => {
		// @ts-expect-error no summary
		const operation = defineWrite({
			...about,
			endpoint: 'POST /v2/mobility/customers',
			parameters: { name: connectionId },
			request: ({ name }: { name: string }) => ({ body: { name } }),
		});
		expect(operation.kind).toBe('write');
	});

	it('does not compile without what its answer has to be', () => {
		// @ts-expect-error no expected answer
		const operation = defineRead({
			...named,
			endpoint: LISTS,
			parameters,
			request: ({ connectionId: id }: { connectionId: string }) => ({ query: { connectionId: id } }),
		});
		expect(operation.kind).toBe('read');
	});

	it('does not compile without a field that the contract requires', () => {
		const operation = defineWrite({
			...aboutWrite,
			endpoint: UPLOAD,
			parameters,
			// @ts-expect-error the body lacks its file
			request: ({ connectionId: id }) => ({ query: { connectionId: id }, body: { belegtyp: 'x' } }),
		});
		expect(operation.kind).toBe('write');
	});
});

/** A node with one operation. */
class OneOperation implements INodeType {
	constructor(operation: Operation) {
		const resources = [{ value: 'thing', name: 'Thing', operations: [operation] }];
		this.execute = async function (this: IExecuteFunctions) {
			return await run(this, resources);
		};
		this.description.properties = propertiesOf(resources);
	}

	description = {
		displayName: 'One',
		name: 'one',
		group: ['transform' as const],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main' as const],
		outputs: ['main' as const],
		properties: [] as INodeProperties[],
	};

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

it('An operation that sends nothing says which item failed, and goes on where the node continues', async () => {
	const lengths = defineLocal({
		...about,
		parameters: { word: text({ displayName: 'Word', required: true }) },
		label: ({ word }) => ({ en: `word ${word}`, de: `Wort ${word}` }),
		make({ word }) {
			if (word === 'broken') throw new Error("It can't be read");
			return [{ characters: word.length }];
		},
		example: { characters: 3 },
	});
	const make = async (words: string[], settings: RunOptions['settings'] = {}) =>
		await runNode({
			node: new OneOperation(lengths),
			parameters: { resource: 'thing', operation: 'do', word: '={{ $json.word }}' },
			items: words.map((word) => ({ json: { word } })),
			settings,
		});
	const { error } = await make(['abc', 'broken']);
	expect(error?.message).toBe("word broken: It can't be read [item 2]");
	const { json, errors } = await make(['broken', 'abc'], { onError: 'continueErrorOutput' });
	expect(json).toEqual([{ characters: 3 }]);
	expect(errors).toMatchObject([{ error: expect.stringContaining("It can't be read") as string }]);
});
