import set from 'lodash/fp/set.js';
import unset from 'lodash/fp/unset.js';
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

/** The endpoint table and the lists it refers to: endpoint, operationId, parameters (`!` = required), body. */
const ENDPOINTS = [
	[
		'POST /v2/acct-duo/kassenbuch-einfach',
		'createCashBookEntry',
		'connectionId! quelle',
		'CashBookEntryRequest',
	],
	[
		'POST /v2/acct-duo/kassenbuch-advanced',
		'createAdvancedCashBookEntry',
		'connectionId! quelle',
		'AdvancedCashBookEntryRequest',
	],
	[
		'POST /v2/acct-duo/beleg-bereitstellen',
		'uploadDuoDocument',
		'connectionId! quelle',
		'DuoDocumentRequest',
	],
	[
		'POST /v2/acct-rewe/beleg-bereitstellen',
		'uploadReweDocument',
		'connectionId! quelle',
		'ReweDocumentRequest',
	],
	['GET /v2/acct-rewe/steuersaetze', 'listTaxKeys', 'connectionId! quelle', ''],
	['GET /v2/acct/companies', 'listCompanies', 'connectionId! quelle', ''],
	['GET /v2/acct-rewe-read/geschaeftsjahre', 'listFiscalYears', 'connectionId! companyId quelle', ''],
	[
		'GET /v2/acct-rewe-read/geschaeftsjahre/{geschaeftsjahrId}',
		'getFiscalYear',
		'geschaeftsjahrId! connectionId! quelle',
		'',
	],
	[
		'GET /v2/acct-rewe-read/buchungsdaten',
		'listJournalBookings',
		'connectionId! geschaeftsjahrStartDatum! companyId quelle',
		'',
	],
	[
		'GET /v2/acct-rewe-read/susa',
		'listTrialBalance',
		'connectionId! geschaeftsjahrStartDatum! kontonummer quelle',
		'',
	],
	['GET /v2/acct-rewe-read/opos', 'getOpenItems', 'connectionId! companyId stichtag filter eb quelle', ''],
	[
		'GET /v2/acct-rewe-read/zahlungsbedingungen',
		'listPaymentTerms',
		'connectionId! geschaeftsjahrStartDatum! quelle',
		'',
	],
	['GET /v2/acct-rewe-read/kontenplan', 'listAccounts', 'connectionId! geschaeftsjahrStartDatum! quelle', ''],
	['POST /v2/mobility/tickets', 'createTicket', '', 'TicketRequest'],
	['POST /v2/mobility/tickets/{id}/activate', 'activateTicket', 'id!', 'TicketActivation'],
	['POST /v2/mobility/customers', 'createCustomer', '', 'CustomerRequest'],
	['GET /v2/banking/transactions/{id}', 'getTransaction', 'id! account_id!', ''],
	['GET /v2/banking/payments/{id}', 'getPayment', 'id! api', ''],
	['GET /v2/banking/balances', 'listBalances', 'account_id! from_date to_date include_transactions', ''],
	['GET /v2/banking/connections/{id}', 'getBankConnection', 'id!', ''],
	['PUT /v2/banking/webhook-url', 'setWebhookUrl', '', 'WebhookUrlRequest'],
	['GET /v2/acct-duo/connections', 'listDuoConnections', 'quelle', ''],
	['GET /v2/acct-rewe/connections', 'listReweConnections', 'quelle', ''],
	['GET /v2/acct-rewe-read/connections', 'listReweReadConnections', 'quelle', ''],
	['GET /v2/acct-duo/kassenbuecher', 'listCashBooks', 'connectionId! quelle', ''],
	['GET /v2/acct-duo/belegtypen', 'listDuoDocumentTypes', 'connectionId! quelle', ''],
	['GET /v2/acct-rewe/belegtypen', 'listReweDocumentTypes', 'connectionId! quelle', ''],
	['GET /v2/mobility/products', 'listTicketProducts', '', ''],
] as const;

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

/** Objects in a request that the specification doesn't show, so that they are open. */
const OPEN = ['tariff_settings', 'identification_medium'];

// The body of setWebhookUrl is not shown, either.
it.each(
	operations.filter(
		({ id, schemas }) => schemas.has('body') && !['paymentUpdate', 'setWebhookUrl'].includes(id),
	),
)('the request of $id has no other fields, at any depth', ({ id }) => {
	const body = example(id, 'body');
	for (const place of objectsIn(body)) {
		const violations = validator(id, 'body')(set([...place, 'other'], 'x', body));
		const isOpen = place.some((key) => OPEN.includes(key));
		expect(violations).toEqual(isOpen ? [] : [`/${[...place, 'other'].join('/')} is unknown`]);
	}
});

describe('undocumented parts', () => {
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

/** The example of a request (`body`) or of an answer. */
function example(id: string, part: Part): object {
	return at(
		operation(id)
			.schemas.get(part)!
			.replace(/schema$/, 'example'),
	);
}

/** The name of the component schema that stands at a pointer. */
function componentAt(pointer: string): string | undefined {
	return /^#\/components\/schemas\/(\w+)$/.exec(resolve(pointer))?.[1];
}

/** The paths of the objects within a value: itself (an empty path) and those in it. */
function objectsIn(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return [];
	const inside = Object.entries(value).flatMap(([key, member]) => objectsIn(member, [...path, key]));
	return Array.isArray(value) ? inside : [path, ...inside];
}
