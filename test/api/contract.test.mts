import { execa } from 'execa';
import set from 'lodash/fp/set.js';
import unset from 'lodash/fp/unset.js';
import toPath from 'lodash/toPath.js';
import { describe, expect, it } from 'vitest';

import {
	at,
	contract,
	type Json,
	judge,
	operation,
	operations,
	type Part,
	resolve,
	validator,
} from '../support/contract.mjs';
import {
	ANSWERS,
	DEFAULTS,
	ENDPOINTS,
	EVENT,
	type Fields,
	kindOf,
	NOT_SHOWN,
	PARAMETERS,
	REQUESTS,
} from './specification.mjs';

const UUID = '5f0c1d9e-5a53-4c4b-9d53-0a3e3b0f6f11';
/** All but the webhook, which the gateway sends. */
const offered = operations.filter(({ path }) => path.startsWith('/'));

describe('the operations', () => {
	it('are those of the specification, in its order', () => {
		const found = offered.map(({ method, path, id, parameters, schemas }) => [
			`${method} ${path}`,
			id,
			parameters.map(({ name, required }) => (required ? `${name}!` : name)).join(' '),
			schemas.has('body') ? componentAt(schemas.get('body')!) : '',
		]);
		expect(found).toEqual(ENDPOINTS);
	});

	it('come with one webhook', () => {
		expect(operations.slice(offered.length).map(({ method, path }) => `${method} ${path}`)).toEqual([
			'POST paymentUpdate',
		]);
	});

	it.each(offered)(
		'$id has path parameters for its placeholders, and only for them',
		({ path, parameters }) => {
			const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
			expect(names).toEqual(Array.from(path.matchAll(/{(\w+)}/g), ([, name]) => name));
		},
	);

	it('require the API key as x-api-key, except the webhook', () => {
		expect(contract.security).toEqual([{ apiKey: [] }]);
		expect(at('#/components/securitySchemes/apiKey')).toMatchObject({
			type: 'apiKey',
			in: 'header',
			name: 'x-api-key',
		});
		const own = ['paths', 'webhooks'].flatMap((section) =>
			Object.values(contract[section] as Record<string, Record<string, Json>>).flatMap((item) =>
				Object.values(item)
					.filter(({ security }) => security)
					.map(({ operationId, security }) => [operationId, security]),
			),
		);
		expect(own).toEqual([['paymentUpdate', []]]);
	});

	it.each(offered)('$id has one answer each for success, refusal and failure', ({ id, path, schemas }) => {
		const statuses = [...schemas.keys()].filter((part) => part !== 'body');
		const readsExport = path.startsWith('/v2/acct-rewe-read/') && id !== 'listReweReadConnections';
		expect(statuses.sort()).toEqual(readsExport ? ['2XX', '403', '4XX', '5XX'] : ['2XX', '4XX', '5XX']);
	});

	it.each(operations)('$id requires its body, if it has one', ({ schemas }) => {
		const [requestBody] = schemas.get('body')?.split('/content/') ?? [];
		if (requestBody) expect(at(requestBody).required).toBe(true);
	});

	it.each(operations)('$id compiles in strict mode', ({ id, schemas }) => {
		for (const part of ['path', 'query', ...schemas.keys()] as Part[]) validator(id, part);
	});

	it.each(operations)('$id has examples that conform', ({ id, schemas }) => {
		for (const part of schemas.keys()) {
			if (part !== 'body' && part !== '2XX') continue;
			expect(example(id, part), part).toBeDefined();
			expect(validator(id, part)(example(id, part)), part).toEqual([]);
		}
	});
});

describe('the parameters', () => {
	const each = offered.flatMap(({ id, parameters }) => parameters.map((parameter) => ({ id, ...parameter })));

	it.each(each)('$id: $name', ({ id, name, in: place, required, schema }) => {
		// Only a ticket's ID is a UUID.
		const kind = kindOf(name === 'id' ? (id === 'activateTicket' ? 'uuid' : 'string') : PARAMETERS[name]);
		const isText = (value: unknown) => typeof value === 'string';
		const check = validator(id, place);
		const others = requiredParameters(id, place);
		for (const value of kind.good.filter(isText)) expect(check({ ...others, [name]: value })).toEqual([]);
		for (const value of kind.bad.filter(isText))
			expectOnly(check({ ...others, [name]: value }), [name], value);
		expect(check(unset(name, others))).toEqual(required ? [`/${name} is missing`] : []);
		expect(at(schema).default).toBe(DEFAULTS[name]);
	});

	it.each(offered)('$id: refuses unknown query parameters', ({ id }) => {
		const query = requiredParameters(id, 'query');
		expect(validator(id, 'query')({ ...query, other: 'x' })).toEqual(['/other is unknown']);
	});
});

const bodies = [
	...Object.entries(REQUESTS).map(([id, fields]) => ({ id, part: 'body' as Part, fields })),
	...Object.entries(ANSWERS).map(([id, fields]) => ({ id, part: '2XX' as Part, fields })),
	{ id: 'paymentUpdate', part: 'body' as Part, fields: EVENT },
];

describe.each(bodies)('$id, $part', ({ id, part, fields }) => {
	const check = validator(id, part);
	const base = completeExample(id, part);

	it('has these fields and no others', () => {
		expect(fieldsAt(operation(id).schemas.get(part)!).sort()).toEqual(Object.keys(fields).sort());
	});

	it.each(Object.entries(fields))('%s is %s', (field, rule) => {
		const [, kind, flags] = /^(.*?)([!?]*)$/.exec(rule)!;
		const { good, bad } = kindOf(kind);
		const place = toPath(field);
		for (const value of good) expect(check(set(field, value, base)), String(value)).toEqual([]);
		for (const value of bad) expectOnly(check(set(field, value, base)), place, value);
		if (flags.includes('?')) expect(check(set(field, null, base))).toEqual([]);
		else if (kind !== 'any') expectOnly(check(set(field, null, base)), place, null);
		expect(check(unset(field, base))).toEqual(flags.includes('!') ? [`/${place.join('/')} is missing`] : []);
	});

	// The body of setWebhookUrl is not shown, so it is open although it is a request.
	const closed = part === 'body' && id in REQUESTS && id !== 'setWebhookUrl';

	it(`${closed ? 'refuses' : 'allows'} other fields at any depth`, () => {
		for (const parent of objectsOf(fields)) {
			const place = [...toPath(parent), 'other'];
			expect(check(set(place, 'x', base))).toEqual(closed ? [`/${place.join('/')} is unknown`] : []);
		}
	});
});

describe('undocumented parts', () => {
	it.each(NOT_SHOWN)('%s is marked as an assumption', (pointer) => {
		expect(at(pointer)['x-assumption']).toMatch(/\w{2,} .*\.$/s);
	});

	it.each([
		['listDuoConnections', undefined],
		['listReweConnections', undefined],
		['listReweReadConnections', undefined],
		['listCashBooks', 'bezeichnung'],
		['listDuoDocumentTypes', 'belegtyp'],
		['listReweDocumentTypes', 'belegtyp'],
		['listTicketProducts', undefined],
	])('%s is a bare array or has data, and its elements are open', (id, field) => {
		const check = validator(id, '2XX');
		const elements = [{}, { id: 1, anything: null }, ...(field ? [{ [field]: 'x' }] : [])];
		for (const list of [[], elements]) {
			expect(check(list)).toEqual([]);
			expect(check({ data: list })).toEqual([]);
			expect(check({ data: list, meta: {} })).toEqual([]);
		}
		for (const other of [{}, { items: [] }, { data: {} }, { data: ['x'] }, ['x'], 'x', null]) {
			expect(check(other)).not.toEqual([]);
		}
		if (field) expect(check([{ [field]: 1 }])).not.toEqual([]);
	});

	it('a created ticket is complete or partial', () => {
		const check = validator('createTicket', '2XX');
		const ticket = example('activateTicket', '2XX');
		const partial = { id: UUID, coupon_id: 'CPN-1' };
		expect(check(ticket)).toEqual([]);
		expect(check(partial)).toEqual([]);
		expect(check({ ...partial, status: 'awaiting' })).toEqual([]);
		expect(check(unset('coupon_id', ticket))).not.toEqual([]);
		expect(check(unset('id', partial))).not.toEqual([]);
		expect(check({ ...partial, id: '4711' })).not.toEqual([]);
	});

	it.each(offered)('an error of $id is an object of any shape', ({ id }) => {
		for (const part of ['4XX', '5XX'] as Part[]) {
			const check = validator(id, part);
			for (const body of [{}, { error: { message: 'no' } }, { error: 'no' }, { message: 'no' }]) {
				expect(check(body)).toEqual([]);
			}
			expect(check('no')).not.toEqual([]);
		}
	});

	it('the answer to setWebhookUrl can be anything', () => {
		for (const body of [{}, null, 'ok', []]) expect(validator('setWebhookUrl', '2XX')(body)).toEqual([]);
	});
});

it('the pattern of belegnummer is the specification’s, letter for letter', () => {
	expect(at('#/components/schemas/CashBookEntryRequest/properties/belegnummer').pattern).toBe(
		String.raw`^[a-zA-Z0-9$%&*+\-/]{0,36}$`,
	);
});

describe('the check of whole requests', () => {
	const entry = example('createCashBookEntry', 'body');

	it.each([
		['GET', `/v2/acct-duo/kassenbuecher?connectionId=${UUID}&quelle=Mein%20Ablauf`, undefined],
		['GET', `/v2/acct-rewe-read/geschaeftsjahre/a%2Fb%20c?connectionId=${UUID}`, undefined],
		['GET', '/v2/banking/balances?account_id=1&include_transactions=true', undefined],
		['POST', `/v2/acct-duo/kassenbuch-einfach?connectionId=${UUID}`, entry],
	])('accepts %s %s', (method, url, body) => {
		expect(judge({ method, url, body })).toEqual([]);
	});

	it.each([
		[
			'GET',
			'/v2/acct-duo/kassenbuch',
			undefined,
			'/ is no operation of the contract: GET /v2/acct-duo/kassenbuch',
		],
		['GET', '/v2/mobility/tickets', undefined, '/ is no operation of the contract: GET /v2/mobility/tickets'],
		['POST', '/paymentUpdate', {}, '/ is no operation of the contract: POST /paymentUpdate'],
		['GET', '/v2/acct-duo/kassenbuecher', undefined, '/connectionId is missing'],
		['GET', '/v2/mobility/products?quelle=API', undefined, '/quelle is unknown'],
		['GET', '/v2/banking/payments/7?api=partner&api=partner', undefined, '/ has a query parameter twice'],
		['GET', '/v2/banking/payments/7?api=psd2', undefined, '/api must be equal to one of the allowed values'],
		['GET', '/v2/banking/payments/7', {}, '/ must have no body'],
		['POST', '/v2/mobility/tickets/7/activate', { coupon_id: 'x' }, '/id must match format "uuid"'],
		['POST', '/v2/mobility/customers', { name: 1 }, '/name must be string'],
		['POST', '/v2/mobility/customers', undefined, '/ must be object'],
		[
			'GET',
			`/v2/acct-duo/kassenbuecher?connectionId=${UUID}&quelle=50%`,
			undefined,
			'/ is not percent-encoded UTF-8',
		],
	])('refuses %s %s', (method, url, body, violation) => {
		expect(judge({ method, url, body })).toEqual([violation]);
	});
});

it('contract.d.ts is what openapi-typescript generates', async () => {
	await execa('openapi-typescript', ['--check'], { preferLocal: true });
});

/** The example of a request (`body`) or of an answer. */
function example(id: string, part: Part): object {
	return at(
		operation(id)
			.schemas.get(part)!
			.replace(/schema$/, 'example'),
	);
}

/** The example, with what it leaves out and what must be complete once it is there. */
function completeExample(id: string, part: Part): object {
	const base = example(id, part);
	if (id !== 'listBalances') return base;
	return set('data[0].transactions', [(example('getTransaction', '2XX') as Json).data], base);
}

/** Good values for the required parameters of an operation. */
function requiredParameters(id: string, place: 'path' | 'query'): Json {
	const required = operation(id).parameters.filter(
		(parameter) => parameter.in === place && parameter.required,
	);
	return Object.fromEntries(
		required.map(({ name }) => [name, name === 'id' ? UUID : kindOf(PARAMETERS[name]).good[0]]),
	);
}

/** The name of the component schema that stands at a pointer. */
function componentAt(pointer: string): string | undefined {
	return /^#\/components\/schemas\/(\w+)$/.exec(resolve(pointer))?.[1];
}

/** The paths of all fields that the schema at a pointer describes. */
function fieldsAt(pointer: string, path = ''): string[] {
	const where = resolve(pointer);
	const { properties = {}, items } = at(where) as { properties?: Json; items?: Json };
	return [
		...Object.keys(properties).flatMap((name) => {
			const field = path ? `${path}.${name}` : name;
			return [field, ...fieldsAt(`${where}/properties/${name}`, field)];
		}),
		...(items ? fieldsAt(`${where}/items`, `${path}[0]`) : []),
	];
}

/** The paths of the objects that have described fields: the body itself (an empty path) and those in it. */
function objectsOf(fields: Fields): string[] {
	return [
		...new Set(Object.keys(fields).map((field) => field.slice(0, Math.max(field.lastIndexOf('.'), 0)))),
	];
}

/** Expects at least one violation, and none outside a field. */
function expectOnly(violations: string[], field: string[], value: unknown): void {
	const place = `/${field.join('/')}`;
	expect(violations.length, `${place} takes ${JSON.stringify(value)}`).toBeGreaterThan(0);
	for (const violation of violations) expect(violation.startsWith(place), violation).toBe(true);
}
