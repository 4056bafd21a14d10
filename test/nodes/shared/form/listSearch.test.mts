/** How the lists behind locators are asked for and read, with lists made up for it. */
import type { INodeParameters, INodeType, NodeError } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { listSearchOf } from '../../../../nodes/shared/form/listSearch.js';
import { defineRead } from '../../../../nodes/shared/operation.js';
import { propertiesOf } from '../../../../nodes/shared/form/properties.js';
import { defineList } from '../../../../nodes/shared/parameters/kinds/locator.js';
import { locator } from '../../../../nodes/shared/parameters/kinds/locator.js';
import type { List, ParameterMap } from '../../../../nodes/shared/parameters/parameter.js';
import { text, uuid } from '../../../../nodes/shared/parameters/kinds/text.js';
import { gatewayRequest } from '../../../../nodes/shared/gateway/request.js';
import { useRecorder } from '../../../conformance/recorder.mjs';
import { type ListOptions, searchList } from '../../../../host/harness.mjs';
import { processorTime } from '../../../support/timing.mjs';
import { ANYTHING } from '../../../../nodes/shared/answer/verify.js';

const recorder = useRecorder();

const CONNECTION = '123e4567-e89b-12d3-a456-426614174000';
const connectionId = uuid({ displayName: 'Connection', required: true });

const cashBooks: List = defineList({
	name: 'cashBooks',
	of: { connectionId },
	request: ({ connectionId: id }) =>
		gatewayRequest('GET /v2/acct-duo/kassenbuecher', { query: { connectionId: id } }),
	value: ['bezeichnung', 'nummer'],
});

const products: List = {
	name: 'products',
	of: {},
	request: () => gatewayRequest('GET /v2/mobility/products', {}),
	value: ['id'],
};

/** A node with one operation that has these parameters. */
function nodeWith(parameters: ParameterMap): INodeType {
	const operation = defineRead({
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many',
		description: '',
		endpoint: 'GET /v2/mobility/products',
		parameters,
		request: () => ({}),
		expects: ANYTHING,
	});
	const resources = [{ value: 'one', name: 'One', operations: [operation] }];
	const description = {
		name: 'lists',
		credentials: [{ name: 'accountingGatewayApi' }],
		properties: propertiesOf(resources),
	} as INodeType['description'];
	return { description, methods: { listSearch: listSearchOf(resources) } };
}

const title = (displayName: string) => text({ displayName });

/** Opens a list as the editor does, with the form as it is at that moment. */
const search = async (list: List, parameters: INodeParameters = {}, options: Partial<ListOptions> = {}) =>
	(
		await searchList({
			node: nodeWith({ field: locator(title('Field'), { list }) }),
			credential: recorder.credential,
			method: list.name,
			parameters,
			...options,
		})
	).results;
const problemOf = async (...args: Parameters<typeof search>) =>
	(await search(...args).then(
		() => expect.unreachable('it found something'),
		(error: unknown) => error,
	)) as NodeError;

const answer = (body: unknown, status = 200) => void (recorder.answer = () => ({ status, body }));
const names = (options: Array<{ name: string }>) => options.map(({ name }) => name);
const queries = () =>
	recorder.requests.map(({ url }) => Object.fromEntries(new URL(url, 'http://x').searchParams));

describe('An entry of a list', () => {
	it('has its value under the first of the names that it has', async () => {
		answer([
			{ bezeichnung: 'A', nummer: '1' },
			{ nummer: '2', bezeichnung: null },
		]);
		const found = await search(cashBooks, { connectionId: CONNECTION });
		expect(found.map(({ value }) => value)).toEqual(['2', 'A']);
	});

	it('may read in its own way, with all entries in view, or as its value', async () => {
		const list: List = {
			...products,
			reads: ({ of }, value, all) => (of ? `${value} of ${all.length}` : undefined),
		};
		answer([{ id: 'a', of: 1 }, { id: 'b' }, 'c', null]);
		expect(names(await search(list))).toEqual(['a of 2', 'b', 'c']);
	});
});

describe('The entries of a list', () => {
	it('are sorted as people sort: without regard to case, and numbers by their size', async () => {
		answer(['b', 'Kasse 10', 'A', 'Kasse 9']);
		expect(names(await search(products))).toEqual(['A', 'b', 'Kasse 9', 'Kasse 10']);
	});

	it('may have the latest first', async () => {
		const list: List = { ...products, latestFirst: 'von' };
		answer([
			{ id: 'a', von: '2025' },
			{ id: 'c', von: '2027' },
			{ id: 'b', von: '2026' },
		]);
		expect(await search(list)).toEqual([
			{ name: '2027 (c)', value: 'c' },
			{ name: '2026 (b)', value: 'b' },
			{ name: '2025 (a)', value: 'a' },
		]);
	});

	it('are searched by what they read and by value, in any case', async () => {
		answer([
			{ id: 'DE-1', name: 'Bäckerei' },
			{ id: 'at-2', name: 'Café' },
		]);
		expect(names(await search(products, {}, { filter: 'BÄCK' }))).toEqual(['Bäckerei']);
		expect(names(await search(products, {}, { filter: 'AT-' }))).toEqual(['Café']);
		expect(names(await search(products, {}, { filter: 'Konditor' }))).toEqual([]);
		expect(names(await search(products))).toEqual(['Bäckerei', 'Café']);
	});

	it('may be as many as the accounts of all customers', async () => {
		const list: List = { ...products, reads: ({ name }, id) => `${id} ${name as string}` };
		const count = 60_000;
		const mixed = Array.from({ length: count }, (_, i) => (i * 7919) % count);
		answer(mixed.map((i) => ({ id: String(10_000 + i), name: `Kunde ${i}` })));
		const took = await processorTime(async () => {
			expect(names(await search(list, {}, { filter: 'Kunde 19815' }))).toEqual(['29815 Kunde 19815']);
			expect(names(await search(list)).slice(0, 2)).toEqual(['10000 Kunde 0', '10001 Kunde 1']);
		});
		expect(took).toBeLessThan(4000);
	});

	it('without a value are left out, unless all are', async () => {
		answer([{ name: 'Süd' }, null, 7, ['x'], { id: { a: 1 }, name: 'Ost' }, { id: 'b', name: 'Nord' }]);
		expect(names(await search(products))).toEqual(['Nord']);
		answer([{ name: 'Süd' }]);
		const { message, description } = await problemOf(cashBooks, { connectionId: CONNECTION });
		expect(message).toBe(
			"The entries of the gateway's list can't be used: they have no value under bezeichnung or nummer",
		);
		expect(description).toBe(
			'Type the value in, or use an expression. If the problem persists, ask the provider of the gateway.',
		);
	});

	it.each([
		[{ a: [], b: [] }, 'holds no list'],
		[7, 'holds no list'],
		[{}, 'holds no list'],
		[{ success: false, message: 'Gesperrt', data: [] }, 'says “Gesperrt”'],
	])('are missing in the answer %o', async (body, problem) => {
		answer(body);
		const { message } = await problemOf(products);
		expect(message).toBe(`The gateway's answer isn't what was expected: it ${problem}`);
	});
});

describe('Several lists as one', () => {
	const all: List = {
		...products,
		name: 'all',
		request: () => ({
			Duo: gatewayRequest('GET /v2/acct-duo/connections', { query: {} }),
			Rewe: gatewayRequest('GET /v2/acct-rewe/connections', { query: {} }),
		}),
	};
	const answers = (duo: unknown, rewe: unknown) =>
		void (recorder.answer = ({ url }) => {
			const body = url.includes('duo') ? duo : rewe;
			return body === null ? { status: 403, body: {} } : { body };
		});

	it('say which one an entry is from where two read the same, or which value it has', async () => {
		answers(
			[
				{ id: 'a', name: 'Kanzlei' },
				{ id: 'b', name: 'Laden' },
				{ id: 'd', name: 'Laden' },
			],
			[
				{ id: 'c', name: 'Kanzlei' },
				{ id: 'b', name: 'Laden im Rewe' },
			],
		);
		expect(await search(all)).toEqual([
			{ name: 'Kanzlei (Duo)', value: 'a' },
			{ name: 'Kanzlei (Rewe)', value: 'c' },
			{ name: 'Laden (Duo) (b)', value: 'b' },
			{ name: 'Laden (Duo) (d)', value: 'd' },
		]);
	});

	it('do without the one that is refused, unless all are', async () => {
		answers([{ id: 'a', name: 'Kanzlei' }], null);
		expect(names(await search(all))).toEqual(['Kanzlei']);
		answers(null, [{ id: 'c', name: 'Laden' }]);
		expect(names(await search(all))).toEqual(['Laden']);
		answers(null, null);
		expect((await problemOf(all)).message).toBe('The gateway denied access (HTTP 403)');
	});
});

describe('What a list needs of the form', () => {
	beforeEach(() => answer([]));

	it('is read in a locator', async () => {
		await search(cashBooks, { connectionId: { __rl: true, mode: 'id', value: ` ${CONNECTION} ` } });
		expect(queries()).toEqual([expect.objectContaining({ connectionId: CONNECTION })]);
	});

	it.each<[INodeParameters]>([[{}], [{ connectionId: { __rl: true, mode: 'list', value: '' } }]])(
		'must be chosen first: %o',
		async (parameters) => {
			const { message } = await problemOf(cashBooks, parameters);
			expect(message).toBe('Choose a value for "Connection" first: this list depends on it');
			expect(recorder.requests).toEqual([]);
		},
	);

	it('must keep its rule, or nothing is asked', async () => {
		const { message } = await problemOf(cashBooks, { connectionId: 'Kanzlei' });
		expect(message).toMatch(/^Connection "Kanzlei" must be a UUID like /);
		expect(recorder.requests).toEqual([]);
	});

	it('may be left out if it is optional', async () => {
		await search({ ...cashBooks, of: { connectionId: uuid({ displayName: 'Connection' }) } });
		expect(queries()).toEqual([{ quelle: 'Test workflow' }]);
	});

	it.each<[INodeParameters, string | undefined, string | undefined]>([
		[{}, '', 'n8n'],
		[{}, 'Kasse', 'Kasse'],
		[{ options: { quelle: 'Abschluss' } }, '', 'Abschluss'],
		[{ options: { quelle: '' } }, 'Kasse', undefined],
		[{ options: { quelle: null } }, '', 'n8n'],
	])('is also the source: %o in the workflow "%s" sends %o', async (options, workflowName, quelle) => {
		await search(cashBooks, { connectionId: CONNECTION, ...options }, { workflowName });
		expect(queries()[0].quelle).toBe(quelle);
	});

	it('is no source where the contract has none, as for the list of tickets', async () => {
		await search(products, {}, { workflowName: 'Tickets' });
		expect(queries()).toEqual([{}]);
	});
});

describe('A list that is asked for again', () => {
	let credentialId: string;
	let forms = 0;
	beforeEach(() => {
		credentialId = `form ${++forms}`;
		vi.useFakeTimers({ toFake: ['Date'] });
		answer([{ bezeichnung: 'Hauptkasse' }, { bezeichnung: 'Kasse Süd' }]);
	});
	afterEach(() => void vi.useRealTimers());

	const parameters = { connectionId: CONNECTION };
	const type = async (filter: string, options: Partial<ListOptions> = {}) =>
		names(await search(cashBooks, parameters, { filter, credentialId, ...options }));

	it('within a minute costs nothing: five letters typed ask once', async () => {
		for (const letters of ['H', 'Ha', 'Hau', 'Haup', 'Haupt']) {
			expect(await type(letters)).toEqual(['Hauptkasse']);
		}
		expect(await type('Süd')).toEqual(['Kasse Süd']);
		expect(recorder.requests).toHaveLength(1);
	});

	it('after a minute is asked for', async () => {
		await type('');
		vi.advanceTimersByTime(60_000);
		answer([{ bezeichnung: 'Neue Kasse' }]);
		expect(await type('')).toEqual(['Neue Kasse']);
	});

	it.each<[string, () => Partial<ListOptions>]>([
		['credential', () => ({ credentialId: 'another' })],
		['API key', () => ({ credential: { ...recorder.credential, apiKey: 'another-key' } })],
		['provider', () => ({ credential: { ...recorder.credential, accountingProvider: 'zahlwerk' } })],
		['workflow that is the source', () => ({ workflowName: 'Another workflow' })],
		['connection', () => ({ parameters: { connectionId: '223e4567-e89b-12d3-a456-426614174000' } })],
	])('with another %s is asked for', async (_what, changed) => {
		await type('');
		await type('', changed());
		expect(recorder.requests).toHaveLength(2);
	});

	it.each<[string, unknown, number]>([
		['a refusal', { message: 'Kasse gesperrt' }, 403],
		['no list', {}, 200],
		['a list of nothing that can be used', [{}], 200],
	])('after %s is asked for', async (_what, body, status) => {
		answer(body, status);
		await expect(type('')).rejects.toThrow();
		answer([{ bezeichnung: 'Hauptkasse' }]);
		expect(await type('')).toEqual(['Hauptkasse']);
	});
});

it('A list that is refused with a 403 points to another connection, where there is one to choose', async () => {
	answer({ message: 'Nein' }, 403);
	const another = 'Or choose another connection.';
	expect((await problemOf(cashBooks, { connectionId: CONNECTION })).description).toContain(another);
	expect((await problemOf(products)).description).not.toContain(another);
});
